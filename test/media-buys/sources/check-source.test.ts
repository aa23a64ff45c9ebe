// The kit that an operator's own delivery source is tried with: a right one passes, and each kind of wrong one fails the
// check that is about it.

import { expect, test } from 'vitest'
import type { DeliverySource, WindowDelivery } from '../../../src/media-buys/delivery-source.ts'
import { checkDeliverySource } from '../../../src/media-buys/sources/check-source.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-11-19T12:30:00Z')
const BUY = { media_buy_id: 'mb_1', packages: [{ package_id: 'pk_1', budget: 1_000 }] }

type Change = (said: WindowDelivery, at: number) => WindowDelivery

/** 100 impressions in each whole hour that has ended; `change` makes it wrong. */
function sourceOf(change: Change = (said) => said): DeliverySource {
  return {
    deliveryOf: async ({ buy, windows, now }) =>
      windows.map((window, at) => {
        const { start, end } = window
        if (buy.media_buy_id !== 'mb_1' || end > now) return { window, status: 'not_yet' }
        const impressions = Math.floor((end - start) / HOUR_MS) * 100
        const metrics = { package_id: 'pk_1', impressions, spend: impressions / 1_000 }
        return change({ window, status: 'ready', is_final: true, by_package: [metrics] }, at)
      }),
  }
}

const wrongOf = async (source: DeliverySource, timeoutMs = 10_000) => {
  const checks = await checkDeliverySource(source, { buy: BUY, now: NOW, timeoutMs })
  return checks.filter(({ result }) => result !== 'passed')
}

const withMetrics =
  (change: object): Change =>
  (said) =>
    said.status === 'ready'
      ? { ...said, by_package: said.by_package.map((one) => ({ ...one, ...change })) }
      : said

test('a source with the same figures for every question passes all checks', async () => {
  const checks = await checkDeliverySource(sourceOf(), { buy: BUY, now: NOW })
  expect(checks.map(({ result }) => result)).toEqual(checks.map(() => 'passed'))
  expect(checks.map(({ check }) => check).join(' ')).toBe(
    'answers figures packages future repeats sums budget unknown',
  )
})

test.each<[string, DeliverySource, string, RegExp]>([
  [
    'an entry too few',
    { deliveryOf: async (query) => (await sourceOf().deliveryOf(query)).slice(1) },
    'answers',
    /one for each window/,
  ],
  [
    'a count with a fraction',
    sourceOf(withMetrics({ impressions: 1.5 })),
    'answers',
    /impressions/,
  ],
  [
    'no figures at all',
    sourceOf(({ window }) => ({ window, status: 'not_yet' })),
    'figures',
    /every window/,
  ],
  ['a strange package', sourceOf(withMetrics({ package_id: 'pk_9' })), 'packages', /pk_9/],
  [
    'a package twice',
    sourceOf((said) =>
      said.status === 'ready'
        ? { ...said, by_package: [...said.by_package, ...said.by_package] }
        : said,
    ),
    'packages',
    /twice/,
  ],
  [
    'figures of the future',
    {
      deliveryOf: async (query) => sourceOf().deliveryOf({ ...query, now: NOW + 100 * HOUR_MS }),
    },
    'future',
    /future window/,
  ],
  ['sums that differ', sourceOf(withMetrics({ impressions: 70 })), 'sums', /70 impressions/],
  ['more spent than the budget', sourceOf(withMetrics({ spend: 5_000 })), 'budget', /5000 of 1000/],
  [
    'an error for an unknown buy',
    {
      deliveryOf: async (query) => {
        if (query.buy.media_buy_id !== 'mb_1') throw new Error('no such buy')
        return sourceOf().deliveryOf(query)
      },
    },
    'unknown',
    /no such buy/,
  ],
])('%s fails a check that says so', async (_, source, check, reason) => {
  const wrong = await wrongOf(source)
  expect(wrong).toContainEqual(
    expect.objectContaining({ check, result: 'failed', reason: expect.stringMatching(reason) }),
  )
})

test('final figures that change fail', async () => {
  let count = 0
  const source = sourceOf((said) => withMetrics({ clicks: ++count })(said, 0))
  expect((await wrongOf(source)).map(({ check }) => check)).toContain('repeats')
})

test('where nothing is final yet, what is about final figures is skipped', async () => {
  const source = sourceOf((said) => (said.status === 'ready' ? { ...said, is_final: false } : said))
  expect(await wrongOf(source)).toMatchObject([
    { check: 'repeats', result: 'skipped' },
    { check: 'sums', result: 'skipped' },
  ])
})

test('a source that never answers fails every check in the time given', async () => {
  const never: DeliverySource = { deliveryOf: () => new Promise(() => {}) }
  const wrong = await wrongOf(never, 5)
  expect(wrong).toHaveLength(8)
  expect(wrong[0]?.reason).toMatch(/no answer within 5 ms/)
})
