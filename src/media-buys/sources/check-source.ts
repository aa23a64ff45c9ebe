// The checks that a delivery source must pass before its figures are used in reports (docs/delivery-sources.md): for
// operators who connect an ad server, from their own program or with `adwire reports check-source`. The source is
// only read.

import { withDeadline } from '../../lib/deadline.ts'
import type {
  DeliverySource,
  DeliveryWindow,
  PackageMetrics,
  WindowDelivery,
} from '../delivery-source.ts'
import { type MediaBuyRecord, sumOf } from '../media-buy.ts'
import { createCheckedSource } from './checked.ts'

/** The test data for a source: a buy that the ad server knows and that has delivered. */
export interface TriedBuy {
  media_buy_id: string
  /** ISO 4217, such as EUR. Default USD. */
  currency?: string | undefined
  /** IANA name. Default UTC. */
  time_zone?: string | undefined
  /** First and last moment of the flight, in milliseconds. Default the last seven days. */
  start_at?: number | undefined
  end_at?: number | undefined
  packages: readonly TriedPackage[]
}

/** A package of the buy. */
export interface TriedPackage {
  package_id: string
  /** Default `product`. */
  product_id?: string | undefined
  /** Checked against the spend, if given. */
  budget?: number | undefined
}

/** What a source is checked with. */
export interface SourceCheckOptions {
  buy: TriedBuy
  /** In milliseconds. Default this machine's time. */
  now?: number | undefined
  /** Timeout of one request, in milliseconds. Default 10 000, as for reports. */
  timeoutMs?: number | undefined
}

/** The result of one check. */
export interface SourceCheck {
  /** Such as `repeats`. */
  check: string
  /** What was checked, as a sentence. */
  about: string
  /** `skipped`: the buy has no figures that this check can use. */
  result: 'passed' | 'failed' | 'skipped'
  /** The error, or why the check was skipped. */
  reason?: string
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Runs all checks, in order. Does not throw if the source does: that is a failed check. */
export async function checkDeliverySource(
  source: DeliverySource,
  { buy: tried, now = Date.now(), timeoutMs = 10_000 }: SourceCheckOptions,
): Promise<SourceCheck[]> {
  const buy = recordOf(tried, now)
  const strict = createCheckedSource({ source, onFault: () => {} })
  const ask = (windows: readonly DeliveryWindow[], of: MediaBuyRecord = buy, from = strict) =>
    inTime((signal) => from.deliveryOf({ buy: of, windows, now, signal }), timeoutMs)
  const trial: Trial = { buy, tried, now, ask, askUnchecked: (all) => ask(all, buy, source) }
  const results: SourceCheck[] = []
  for (const { check, about, run } of CHECKS) {
    const outcome = await run(trial).catch((error: unknown) => failed(String(error)))
    results.push({ check, about, ...outcome })
  }
  return results
}

type Outcome = Pick<SourceCheck, 'result' | 'reason'>

interface Trial {
  buy: MediaBuyRecord
  tried: TriedBuy
  now: number
  ask: (
    windows: readonly DeliveryWindow[],
    buy?: MediaBuyRecord,
  ) => Promise<readonly WindowDelivery[]>
  /** The source's raw answer, including what Adwire omits. */
  askUnchecked: (windows: readonly DeliveryWindow[]) => Promise<readonly WindowDelivery[]>
}

interface Check {
  check: string
  about: string
  run(trial: Trial): Promise<Outcome>
}

const PASSED: Outcome = { result: 'passed' }
const failed = (reason: string): Outcome => ({ result: 'failed', reason })
const skipped = (reason: string): Outcome => ({ result: 'skipped', reason })
const NO_FIGURES = 'no window of the flight is final yet: use a buy that has delivered'

const CHECKS: readonly Check[] = [
  {
    check: 'answers',
    about: 'Each requested window has one entry, in order, with valid figures.',
    run: async ({ ask, ...of }) => {
      await ask(pastHours(of))
      return PASSED
    },
  },
  {
    check: 'figures',
    about: 'A window of the flight that has ended has figures.',
    run: async ({ ask, ...of }) => {
      const said = await ask(pastHours(of))
      return said.some(isReady) ? PASSED : failed('every window of the flight is not_yet')
    },
  },
  {
    check: 'packages',
    about: 'Figures are of packages of the buy, each at most once in a window.',
    run: async ({ askUnchecked, buy, ...of }) => {
      const known = new Set(buy.packages.map(({ package_id }) => package_id))
      for (const one of await askUnchecked(pastHours({ buy, ...of }))) {
        const ids = isReady(one) ? one.by_package.map(({ package_id }) => package_id) : []
        const strange = ids.find((id) => !known.has(id))
        if (strange !== undefined) return failed(`${strange} is no package of the buy`)
        const twice = ids.find((id, at) => ids.indexOf(id) < at)
        if (twice !== undefined) return failed(`${twice} is in ${nameOf(one.window)} twice`)
      }
      return PASSED
    },
  },
  {
    check: 'future',
    about: 'A window that has not begun is not_yet, and none is final before it has ended.',
    run: async ({ ask, now }) => {
      const begun = { start: now - HOUR_MS, end: now + HOUR_MS }
      const [current, next] = await ask([begun, { start: now + HOUR_MS, end: now + 2 * HOUR_MS }])
      if (next && isReady(next) && spent(next) > 0) return failed('a future window has figures')
      const early = [current, next].find((one) => one && isReady(one) && one.is_final)
      return early ? failed(`${nameOf(early.window)} is final before its end`) : PASSED
    },
  },
  {
    check: 'repeats',
    about: 'The same request has the same final figures.',
    run: async ({ ask, ...of }) => {
      const windows = pastHours(of)
      const before = finals(await ask(windows))
      if (before.length === 0) return skipped(NO_FIGURES)
      const after = new Map(finals(await ask(windows)).map((one) => [nameOf(one.window), one]))
      const changed = before.find(
        (one) => textOf(one) !== textOf(after.get(nameOf(one.window)) ?? one),
      )
      if (changed) return failed(`${nameOf(changed.window)} is final and has other figures now`)
      return after.size < before.length ? failed('a final window is not_yet again') : PASSED
    },
  },
  {
    check: 'sums',
    about: 'The figures of a day are the sum of those of its hours.',
    run: async ({ ask, buy, now }) => {
      const start = Math.max(Math.ceil(buy.start_at / HOUR_MS) * HOUR_MS, now - 2 * DAY_MS)
      const hours = hoursFrom(Math.floor(start / HOUR_MS) * HOUR_MS, 24)
      const day = { start: hours[0]?.start ?? 0, end: hours.at(-1)?.end ?? 0 }
      const [whole, ...parts] = finals(await ask([day, ...hours]))
      if (!whole || parts.length < hours.length) return skipped(NO_FIGURES)
      const impressions = sumOf(parts.map(returned))
      if (returned(whole) !== impressions) {
        return failed(
          `${returned(whole)} impressions in ${nameOf(day)}, and ${impressions} by hours`,
        )
      }
      const money = sumOf(parts.map(spent))
      const isSame = Math.abs(spent(whole) - money) < 0.01 * hours.length
      return isSame ? PASSED : failed(`${spent(whole)} spent in the day, and ${money} by hours`)
    },
  },
  {
    check: 'budget',
    about: 'The spend of a package stays within its budget.',
    run: async ({ ask, buy, tried, now }) => {
      const budgets = new Map(tried.packages.map((one) => [one.package_id, one.budget]))
      const [whole] = await ask([{ start: buy.start_at, end: Math.min(buy.end_at, now) }])
      if (!whole || !isReady(whole)) return skipped('the flight as one window is not_yet')
      for (const { package_id, spend } of whole.by_package) {
        const budget = budgets.get(package_id)
        if (budget !== undefined && spend > budget * 1.001) {
          return failed(`${package_id} spent ${spend} of ${budget}`)
        }
      }
      return PASSED
    },
  },
  {
    check: 'unknown',
    about: 'A buy that the ad server does not know has no figures, and is no error.',
    run: async ({ ask, buy, ...of }) => {
      const other = { ...buy, media_buy_id: `${buy.media_buy_id}-that-does-not-exist` }
      const said = await ask(pastHours({ buy, ...of }).slice(0, 1), other)
      return said.some((one) => isReady(one) && spent(one) > 0) ? failed('it has figures') : PASSED
    },
  },
]

/** The last hours of the flight that have ended. */
function pastHours({ buy, now }: Pick<Trial, 'buy' | 'now'>): DeliveryWindow[] {
  const end = Math.floor(Math.min(buy.end_at, now) / HOUR_MS) * HOUR_MS
  return hoursFrom(end - DAY_MS, 24).filter(({ end: until }) => until > buy.start_at)
}

function hoursFrom(start: number, count: number): DeliveryWindow[] {
  return Array.from({ length: count }, (_, hour) => ({
    start: start + hour * HOUR_MS,
    end: start + (hour + 1) * HOUR_MS,
  }))
}

type Ready = Extract<WindowDelivery, { status: 'ready' }>

function isReady(one: WindowDelivery): one is Ready {
  return one.status === 'ready'
}

function finals(said: readonly WindowDelivery[]): Ready[] {
  return said.filter(isReady).filter(({ is_final }) => is_final)
}

const returned = ({ by_package }: Ready) => sumOf(by_package.map(({ impressions }) => impressions))
const spent = ({ by_package }: Ready) => sumOf(by_package.map(({ spend }) => spend))

/** The figures in a fixed order, since sources need not keep one. */
function textOf({ by_package }: Ready): string {
  const rows = by_package.map(({ package_id, impressions, spend, clicks }: PackageMetrics) =>
    JSON.stringify([package_id, impressions, spend, clicks ?? null]),
  )
  return rows.sort().join(' ')
}

function nameOf({ start, end }: DeliveryWindow): string {
  return `${new Date(start).toISOString()} to ${new Date(end).toISOString()}`
}

async function inTime<Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
  timeoutMs: number,
): Promise<Answer> {
  return withDeadline({ timeoutMs }, (signal) => {
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error(`no answer within ${timeoutMs} ms`)))
    })
    return Promise.race([work(signal), late])
  })
}

function recordOf({ packages, ...tried }: TriedBuy, now: number): MediaBuyRecord {
  const { currency = 'USD', time_zone = 'UTC', start_at = now - 7 * DAY_MS } = tried
  const made: MediaBuyRecord['packages'] = packages.map(
    ({ package_id, product_id = 'product', budget = 0 }) => ({
      package_id,
      product_id,
      pricing_option_id: 'cpm',
      pricing: { pricing_model: 'cpm', rate: 1 },
      budget,
      paused: false,
      signals: [],
    }),
  )
  return {
    media_buy_id: tried.media_buy_id,
    owner: 'check',
    account_id: undefined,
    revision: 1,
    status: 'active',
    is_held: false,
    currency,
    total_budget: sumOf(made.map(({ budget }) => budget)),
    time_zone,
    start_at,
    end_at: tried.end_at ?? now,
    confirmed_at: start_at,
    status_changed_at: start_at,
    created_at: start_at,
    updated_at: start_at,
    due_at: undefined,
    reporting: undefined,
    terms: {},
    context: undefined,
    ending: undefined,
    packages: made,
  }
}
