// A delivery source that a program brings along may be wrong in every way: no wrong figure is stored, sent or summed, no
// call waits for longer than its time, and other buys are not affected.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  DeliveryQuery,
  DeliverySource,
  WindowDelivery,
} from '../../src/media-buys/delivery-source.ts'
import { askSource } from '../../src/media-buys/reporting/ask-source.ts'
import { createCheckedSource } from '../../src/media-buys/sources/checked.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { buyRecord, packageRecord } from '../support/media-buys.ts'
import { reportingSeller } from '../support/reporting.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 1)
const hour = (at: number) => ({ start: START + at * HOUR_MS, end: START + (at + 1) * HOUR_MS })
const buyOf = (media_buy_id: string) =>
  buyRecord({ media_buy_id, packages: [packageRecord({ package_id: 'pk_1' })] })
const GOOD = { package_id: 'pk_1', impressions: 1_000, spend: 12.5, clicks: 3 }

/** What a program might return, whatever the types say. */
const ready = (...by_package: unknown[]) => ({ status: 'ready', by_package, is_final: true })
const package1 = (wrong: object) => [ready({ ...GOOD, ...wrong })]

/** One question about one window for each source, as a report or an answer asks it. */
async function ask(
  source: object,
  { buys = ['mb_1'], timeoutMs = 10_000 }: { buys?: string[]; timeoutMs?: number } = {},
) {
  const faults: Error[] = []
  const onFault = (error: unknown) => void faults.push(error as Error)
  const answers = await askSource(
    createCheckedSource({ source: source as DeliverySource, onFault }),
    buys.map((id) => ({ buy: buyOf(id), windows: [hour(0)], now: START + HOUR_MS })),
    { timeoutMs, concurrency: 2, signal: new AbortController().signal, onFault },
  )
  return { answers, faults: faults.map(({ message }) => message) }
}

const NOT_YET = { window: hour(0), status: 'not_yet' }

describe.each<[string, unknown, RegExp]>([
  ['NaN as impressions', package1({ impressions: Number.NaN }), /by_package\[0\]\.impressions/],
  ['Infinity as spend', package1({ spend: Number.POSITIVE_INFINITY }), /spend must be a number/],
  ['a negative spend', package1({ spend: -0.01 }), /spend must be a number between 0/],
  ['a figure too large to sum', package1({ spend: 1e300 }), /spend must be a number between 0/],
  ['parts of a click', package1({ clicks: 0.5 }), /clicks must be an integer/],
  ['text as impressions', package1({ impressions: '1000' }), /impressions must be an integer/],
  ['a BigInt', package1({ impressions: 1n }), /impressions must be an integer/],
  ['NaN among further metrics', package1({ more: { views: Number.NaN } }), /more\.views/],
  [
    'NaN as a qualified count',
    package1({ metric_values: [{ metric_id: 'views', qualifier: {}, value: Number.NaN }] }),
    /metric_values\[0\]\.value/,
  ],
  ['no package_id', package1({ package_id: undefined }), /package_id must be a string/],
  ['NaN as expected_at', [{ status: 'not_yet', expected_at: Number.NaN }], /expected_at must be/],
  ['a time beyond all dates', [{ status: 'not_yet', expected_at: 9e15 }], /expected_at must be/],
  ['an unknown status', [{ status: 'soon' }], /status must be ready or not_yet/],
  ['too many windows', [ready(GOOD), ready(GOOD)], /windows must be a list of 1/],
  ['nothing', undefined, /windows must be a list of 1/],
  ['null for a window', [null], /windows\[0\] must be an object/],
  ['an object for a list', [{ status: 'ready', by_package: { 0: GOOD } }], /must be a list/],
  [
    'a list of millions',
    [{ status: 'ready', by_package: Array(5_000_000).fill(GOOD) }],
    /must not make more than 100000 entries/,
  ],
  [
    'a member that throws',
    [
      {
        get status() {
          throw new Error('a trap')
        },
      },
    ],
    /a trap/,
  ],
])('a source that returns %s', (_what, answer, reason) => {
  test('has no figures yet, and the error names the value', async () => {
    const { answers, faults } = await ask({ deliveryOf: async () => answer })
    expect(answers).toEqual([[NOT_YET]])
    expect(faults).toEqual([expect.stringMatching(reason)])
  })

  test('for one of many buys does not spoil the others', async () => {
    const { answers, faults } = await ask(
      {
        deliveryOf: () => expect.unreachable(),
        deliveriesOf: async () => [answer, [ready(GOOD)]],
      },
      { buys: ['mb_1', 'mb_2'] },
    )
    expect(answers[0]).toEqual([NOT_YET])
    expect(answers[1]).toMatchObject([{ status: 'ready', by_package: [GOOD], is_final: true }])
    expect(faults).toEqual([expect.stringMatching(reason)])
  })
})

test('figures of packages that the buy has not are left out', async () => {
  const { answers, faults } = await ask({
    deliveryOf: async () => [ready({ ...GOOD, package_id: '__proto__' }, GOOD)],
  })
  expect(answers).toMatchObject([[{ by_package: [GOOD] }]])
  expect(faults).toEqual([])
})

test('data that a source returns for another window counts for the requested one', async () => {
  const { answers } = await ask({
    deliveryOf: async () => [{ ...ready(GOOD), window: { start: Number.NaN, end: 'never' } }],
  })
  expect(answers).toMatchObject([[{ window: hour(0), status: 'ready' }]])
})

describe.each<[string, object]>([
  ['never answers', { deliveryOf: () => new Promise(() => {}) }],
  ['never answers about many', { deliveriesOf: () => new Promise(() => {}) }],
])('a source that %s', (_what, source) => {
  test('is waited for no longer than its time', async () => {
    const { answers, faults } = await ask(source, { buys: ['mb_1', 'mb_2'], timeoutMs: 20 })
    expect(answers).toEqual([[NOT_YET], [NOT_YET]])
    expect(faults).toEqual(['the delivery source timed out'])
  })
})

test('a source that never answers about one buy does not hold up the others', async () => {
  const { answers } = await ask(
    {
      deliveryOf: ({ buy }: DeliveryQuery) =>
        buy.media_buy_id === 'mb_1' ? new Promise(() => {}) : Promise.resolve([ready(GOOD)]),
    },
    { buys: ['mb_1', 'mb_2', 'mb_3', 'mb_4'], timeoutMs: 500 },
  )
  expect(answers.map(([one]) => one?.status)).toEqual(['not_yet', 'ready', 'ready', 'ready'])
})

test.each([
  [
    'throws at once',
    {
      deliveryOf: () => {
        throw new Error('away')
      },
    },
  ],
  ['rejects', { deliveryOf: () => Promise.reject(new Error('away')) }],
  ['rejects for many', { deliveriesOf: () => Promise.reject(new Error('away')) }],
])('a source that %s is reported once, and queried again later', async (_what, source) => {
  const { answers, faults } = await ask(source, { buys: ['mb_1', 'mb_2'] })
  expect(answers).toEqual([[NOT_YET], [NOT_YET]])
  expect(faults).toEqual(['away'])
})

describe('the reports of a buy', () => {
  const clock = fakeClock(START - HOUR_MS)
  let opened: TestDatabase
  beforeAll(async () => {
    opened = await testDatabase('sqlite', { clock })
  })
  afterAll(async () => {
    await opened.database.close()
    const { dataDir } = opened.location as { dataDir: string }
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('hold no wrong figure, and the right ones as soon as the source has them', async () => {
    let isWrong = true
    const faults: unknown[] = []
    const source = createCheckedSource({
      source: {
        deliveryOf: async ({ windows }) =>
          windows.map(
            (window): WindowDelivery => ({
              window,
              status: 'ready',
              by_package: [{ ...GOOD, spend: isWrong ? Number.NaN : 12.5 }],
              is_final: true,
            }),
          ),
      },
      onFault: (error) => faults.push(error),
    })
    const seller = reportingSeller(() => opened.database, clock, { source })
    await seller.add(
      buyRecord({
        media_buy_id: 'mb_nan',
        packages: [packageRecord({ package_id: 'pk_1' })],
        start_at: START,
        end_at: START + 2 * HOUR_MS,
        status: 'active',
        reporting: { reporting_frequency: 'hourly' },
      }),
    )
    await seller.runUntil(START + 3 * HOUR_MS)
    const wrong = await seller.sent('mb_nan')
    expect(wrong.map(({ report }) => report.notification_type)).toEqual(['delayed', 'delayed'])
    expect(seller.faults.length).toBeGreaterThan(0)
    isWrong = false
    await seller.runUntil(START + 5 * HOUR_MS)
    const right = (await seller.sent('mb_nan')).slice(wrong.length)
    expect(right.map(({ report }) => report.media_buy_deliveries[0]?.totals.spend)).toEqual([
      12.5, 12.5,
    ])
  })
})
