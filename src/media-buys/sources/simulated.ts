// A simulated ad server: its deliveries are a pure function of a seed, of what was ordered when, and of the time. A
// budget is spent over the flight by its pacing, with more in the evening than at night; nothing is delivered while a
// buy is paused, and never more than was paid for. Figures are available after a delay; in some hours part of them
// arrives even later, so that those windows are corrected.

import type {
  DeliveryQuery,
  DeliverySource,
  DeliveryWindow,
  PackageMetrics,
  WindowDelivery,
} from '../delivery-source.ts'
import { LEAST_RATE } from '../media-buy.ts'
import type { Order, OrderedPackage, OrderStore } from './orders.ts'

export interface SimulatedOptions {
  orders: Pick<OrderStore, 'list'>
  /** Other seeds give other deliveries. Default `adwire`. */
  seed?: string | undefined
  /** Delay after the end of a window until its figures are available, in milliseconds. Default 10 minutes. */
  delayMs?: number | undefined
  /** Share of hours whose figures arrive partly late. Default 0.05. */
  lateShare?: number | undefined
  /** Delay after the first figures until the rest is available, in milliseconds. Default 6 hours. */
  correctionMs?: number | undefined
  /** Whether it is unavailable at a given time. Default never. */
  isAway?: ((now: number) => boolean) | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MICRO = 1e6

interface Settings {
  seed: string
  delayMs: number
  lateShare: number
  correctionMs: number
}

export function createSimulatedSource(options: SimulatedOptions): DeliverySource {
  const { orders, isAway = () => false } = options
  const settings: Settings = {
    seed: options.seed ?? 'adwire',
    delayMs: options.delayMs ?? 10 * 60_000,
    lateShare: options.lateShare ?? 0.05,
    correctionMs: options.correctionMs ?? 6 * HOUR_MS,
  }
  const deliveriesOf = async (queries: readonly DeliveryQuery[]) => {
    const ids = queries.map(({ buy }) => buy.media_buy_id)
    const ordered = await orders.list(ids)
    return queries.map(({ buy, windows, now }) => {
      if (isAway(now)) throw new Error('the simulated ad server is unavailable')
      return simulate(ordered.get(buy.media_buy_id) ?? [], windows, { now, settings })
    })
  }
  return {
    deliveriesOf,
    deliveryOf: async (query) => (await deliveriesOf([query]))[0] as WindowDelivery[],
  }
}

/** The figures of the windows, as they are known at `now`. @internal */
export function simulate(
  orders: readonly Order[],
  windows: readonly DeliveryWindow[],
  { now, settings }: { now: number; settings: Settings },
): WindowDelivery[] {
  const curves = [...byPackage(orders)].map(([id, own]) => ({
    id,
    counted: createCurve(own, id, settings),
  }))
  return windows.map((window) => {
    const readyAt = window.end + settings.delayMs
    if (now < readyAt) return { window, status: 'not_yet', expected_at: readyAt }
    const is_final = settings.lateShare === 0 || now >= readyAt + settings.correctionMs
    const by_package = curves.map(({ id, counted }) => ({
      package_id: id,
      ...(is_final
        ? difference(counted(window.start), counted(window.end))
        : withoutLate(window, counted, { now, id, settings })),
    }))
    return { window, status: 'ready', is_final, by_package }
  })
}

/** Since the beginning; whole numbers, money in millionths. */
interface Counted {
  impressions: number
  clicks: number
  micros: number
}

type Curve = (at: number) => Counted

function difference(from: Counted, to: Counted): Omit<PackageMetrics, 'package_id'> {
  return {
    impressions: to.impressions - from.impressions,
    clicks: to.clicks - from.clicks,
    spend: (to.micros - from.micros) / MICRO,
  }
}

/** Part of the figures of the window's late hours is missing until the rest is available. */
function withoutLate(
  window: DeliveryWindow,
  counted: Curve,
  { now, id, settings }: { now: number; id: string; settings: Settings },
): Omit<PackageMetrics, 'package_id'> {
  const { seed, lateShare, correctionMs, delayMs } = settings
  let [impressions, clicks, micros] = [0, 0, 0]
  const first = now - delayMs - correctionMs
  const from = Math.max(Math.floor(window.start / HOUR_MS), Math.floor(first / HOUR_MS))
  for (let hour = from; hour * HOUR_MS < window.end; hour++) {
    if (now >= (hour + 1) * HOUR_MS + delayMs + correctionMs) continue
    if (share(seed, 'late', id, String(hour)) >= lateShare) continue
    const base = counted(hour * HOUR_MS)
    // Counted from the start of the hour, so that parts of an hour add up to it.
    const missing = (at: number) => {
      const until = difference(base, counted(at))
      const part = 0.04
      return {
        impressions: Math.floor(until.impressions * part),
        clicks: Math.floor((until.clicks ?? 0) * part),
        micros: Math.floor(until.spend * MICRO * part),
      }
    }
    const start = missing(Math.max(window.start, hour * HOUR_MS))
    const end = missing(Math.min(window.end, (hour + 1) * HOUR_MS))
    impressions += end.impressions - start.impressions
    clicks += end.clicks - start.clicks
    micros += end.micros - start.micros
  }
  const whole = difference(counted(window.start), counted(window.end))
  return {
    impressions: whole.impressions - impressions,
    clicks: (whole.clicks ?? 0) - clicks,
    spend: (Math.round(whole.spend * MICRO) - micros) / MICRO,
  }
}

/** A period with one order, and the amount spent when it began. */
interface Stretch {
  from: number
  ordered: OrderedPackage
  spent: number
  /** What is left to spend over the rest of the flight. */
  left: number
}

interface OrderedAt {
  at: number
  ordered: OrderedPackage
}

/** The orders of each package, and when they were made, in order. */
function byPackage(orders: readonly Order[]): Map<string, OrderedAt[]> {
  const found = new Map<string, OrderedAt[]>()
  for (const { at, packages } of orders) {
    for (const ordered of packages) {
      const own = found.get(ordered.package_id) ?? []
      found.set(ordered.package_id, own)
      own.push({ at, ordered })
    }
  }
  return found
}

/** What one package has delivered by a given time. */
function createCurve(orders: readonly OrderedAt[], id: string, { seed }: Settings): Curve {
  const draw = (what: string) => share(seed, what, id)
  const wave = { depth: 0.3 + 0.5 * draw('depth'), phase: 2 * Math.PI * draw('phase') }
  const reach = 0.9 + 0.1 * draw('reach')
  const ctr = 0.0005 + 0.004 * draw('ctr')
  const stretches: Stretch[] = []
  for (const { at, ordered } of orders) {
    const last = stretches.at(-1)
    const from = Math.max(at, ordered.start)
    const spent = last ? spentBy(last, at, wave) : 0
    const most = Math.min(ordered.impressions ?? Number.POSITIVE_INFINITY, roomFor(ordered))
    const wanted = most * (cpmOf(ordered, ctr) / 1_000)
    const left = Math.max(0, Math.min(ordered.budget * reach, wanted) - spent)
    stretches.push({ from: last ? at : from, ordered, spent, left })
  }
  return (at) => {
    let stretch = stretches[0]
    if (!stretch || at <= stretch.from) return { impressions: 0, clicks: 0, micros: 0 }
    for (const next of stretches) if (next.from <= at) stretch = next
    const money = spentBy(stretch, at, wave)
    return countedFor(money, stretch.ordered, ctr)
  }
}

/** Number of people that a package without targeting can reach. */
const PEOPLE = 500_000
/** Impressions per person and day, without a frequency cap. */
const USUAL_A_DAY = 4

/** Maximum impressions of the reached people in the flight, within the frequency cap. */
function roomFor({ audience, start, end }: OrderedPackage): number {
  if (!audience) return Number.POSITIVE_INFINITY
  const { share: part, cap } = audience
  const flight = Math.max(0, end - start)
  const usual = USUAL_A_DAY * Math.ceil(flight / DAY_MS)
  const capped = cap ? cap.impressions * Math.ceil(flight / cap.window_ms) : usual
  return Math.floor(PEOPLE * part) * Math.min(usual, capped)
}

interface Wave {
  depth: number
  phase: number
}

function spentBy(stretch: Stretch, at: number, wave: Wave): number {
  const { ordered, spent, left } = stretch
  const begin = beginOf(stretch)
  if (!ordered.runs || at <= begin || ordered.end <= begin) return spent
  return spent + left * paced(stretch, at, wave)
}

function beginOf({ from, ordered }: Stretch): number {
  return Math.max(from, ordered.start)
}

/** The share of the money that is spent by a time within the stretch: from 0 to 1, never decreasing. */
function paced(stretch: Stretch, at: number, wave: Wave): number {
  const { pacing, end } = stretch.ordered
  const begin = beginOf(stretch)
  const x = Math.min(1, (at - begin) / (end - begin))
  const days = (end - begin) / DAY_MS
  if (pacing === 'asap') return waved(Math.min(1, 3 * x), days / 3, wave)
  const even = waved(x, days, wave)
  return pacing === 'front_loaded' ? 1 - (1 - even) ** 2 : even
}

/** More in one half of each day than in the other. */
function waved(x: number, days: number, { depth, phase }: Wave): number {
  const turns = 2 * Math.PI * Math.max(1, Math.round(days))
  const share = x + (depth * (Math.sin(turns * x + phase) - Math.sin(phase))) / turns
  return Math.min(1, Math.max(0, share))
}

/** Money for a thousand impressions if the price is not based on impressions. */
const USUAL_CPM = 5

function countedFor(money: number, ordered: OrderedPackage, ctr: number): Counted {
  const { pricing_model, rate } = ordered
  const impressions = Math.floor((money / cpmOf(ordered, ctr)) * 1_000)
  const clicks = Math.floor(impressions * ctr)
  if (rate < LEAST_RATE) return { impressions, clicks, micros: 0 }
  if (BY_CLICK.has(pricing_model)) {
    return { impressions, clicks, micros: Math.floor(clicks * rate * MICRO) }
  }
  if (!BY_THOUSAND.has(pricing_model)) {
    return { impressions, clicks, micros: Math.floor(money * MICRO) }
  }
  // A thousandth of the rate for each impression, in millionths.
  return { impressions, clicks, micros: Math.floor(impressions * rate * 1_000) }
}

const BY_THOUSAND: ReadonlySet<string> = new Set(['cpm', 'vcpm'])
const BY_CLICK: ReadonlySet<string> = new Set(['cpc'])

/** What a thousand impressions cost. */
function cpmOf({ pricing_model, rate }: OrderedPackage, ctr: number): number {
  if (rate < LEAST_RATE) return USUAL_CPM
  if (BY_CLICK.has(pricing_model)) return rate * ctr * 1_000
  return BY_THOUSAND.has(pricing_model) ? rate : USUAL_CPM
}

/** From 0 to 1, deterministic for the same words: FNV-1a, with its bits mixed once more. */
function share(...words: readonly string[]): number {
  let hash = 0x811c9dc5
  for (const word of words) {
    for (let at = 0; at < word.length; at++) {
      hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
    }
    hash = Math.imul(hash ^ 0xff, 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
