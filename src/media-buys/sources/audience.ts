// The audience of a simulated ad server: what share of people remains after targeting, and how often each may see a
// package. The data is made up, and always the same.

import { isObject } from '../../protocol/schemas/checks.ts'

export interface Audience {
  /** The share of all people, above 0 and up to 1. */
  share: number
  /** Maximum impressions per person within a time, in milliseconds. */
  cap?: { impressions: number; window_ms: number } | undefined
}

/** Shares of all people, for countries with large populations; others have `OTHER_COUNTRY`. */
const COUNTRIES: ReadonlyMap<string, number> = new Map([
  ['US', 0.25],
  ['GB', 0.06],
  ['DE', 0.06],
  ['FR', 0.05],
  ['CA', 0.04],
  ['IN', 0.08],
  ['JP', 0.06],
  ['BR', 0.06],
])
const OTHER_COUNTRY = 0.01
/** Smaller places, each as a share of all people. */
const PLACES = { geo_regions: 0.01, geo_metros: 0.005, geo_postal_areas: 0.0005 } as const
const LEAST_SHARE = 0.0001

const UNITS: ReadonlyMap<string, number> = new Map([
  ['seconds', 1_000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
  ['weeks', 7 * 86_400_000],
])

type Overlay = Readonly<Record<string, unknown>>

/** Undefined: everyone, without a frequency cap. `flightMs` is the meaning of `campaign`. */
export function audienceOf(overlay: Overlay | undefined, flightMs: number): Audience | undefined {
  if (!overlay) return undefined
  const share = shareOf(overlay)
  const cap = capOf(overlay.frequency_cap, flightMs)
  if (share === 1 && !cap) return undefined
  return { share, ...(cap ? { cap } : {}) }
}

function shareOf(overlay: Overlay): number {
  const values = new Map(Object.entries(overlay))
  const countries = listOf(values.get('geo_countries'))
  const small = Object.entries(PLACES).map(([name, part]) => part * placesIn(values.get(name)))
  const smaller = small.reduce<number>((sum, part) => sum + part, 0)
  const larger = countries.reduce<number>((sum, one) => sum + countryShare(one), 0)
  // Places narrow their countries.
  const included = smaller > 0 ? smaller : countries.length > 0 ? larger : 1
  const excluded =
    listOf(values.get('geo_countries_exclude')).reduce<number>(
      (sum, one) => sum + countryShare(one),
      0,
    ) +
    Object.entries(PLACES).reduce<number>(
      (sum, [name, part]) => sum + part * placesIn(values.get(`${name}_exclude`)),
      0,
    )
  const left = Math.min(1, included) - (countries.length > 0 ? 0 : excluded)
  return Math.max(LEAST_SHARE, left)
}

function countryShare(one: unknown): number {
  return COUNTRIES.get(String(one).toUpperCase()) ?? OTHER_COUNTRY
}

/** Regions are a list; metros and postal areas are lists of lists of values. */
function placesIn(value: unknown): number {
  return listOf(value).reduce<number>((sum, one) => {
    const values = isObject(one) && Array.isArray(one.values) ? one.values.length : 1
    return sum + values
  }, 0)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Undefined for an empty cap: a checked one has either a frequency or a time during which nothing is displayed again.
 */
export function capOf(value: unknown, flightMs: number): Audience['cap'] {
  if (!isObject(value)) return undefined
  const { max_impressions, window, suppress, suppress_minutes } = value
  const within = durationOf(window, flightMs)
  if (typeof max_impressions === 'number' && max_impressions >= 1 && within !== undefined) {
    return { impressions: max_impressions, window_ms: within }
  }
  const minutes = typeof suppress_minutes === 'number' ? suppress_minutes * 60_000 : undefined
  const pause = durationOf(suppress, flightMs) ?? minutes
  return pause !== undefined && pause > 0 ? { impressions: 1, window_ms: pause } : undefined
}

function durationOf(value: unknown, flightMs: number): number | undefined {
  if (!isObject(value)) return undefined
  const { interval, unit } = value
  if (unit === 'campaign') return Math.max(1, flightMs)
  const ms = typeof unit === 'string' ? UNITS.get(unit) : undefined
  return ms !== undefined && typeof interval === 'number' && interval > 0
    ? interval * ms
    : undefined
}
