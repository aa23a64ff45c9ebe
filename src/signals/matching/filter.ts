// Which rows of a block a question lets through: the filters of get_signals (spec 4.3) over the columns.
// What rows share is judged once for each value, so a row costs some comparisons of numbers.

import type { Block, Place, SharedValues } from './columns.ts'
import type { SearchQuery } from './search.ts'

/** Writes 1 for each row that passes, and answers how many do. */
export type Filter = (block: Block, passes: Uint8Array) => number

type Conditions = Omit<SearchQuery, 'spec' | 'among' | 'limit' | 'offset'>

export function createFilter(query: Conditions, shared: SharedValues): Filter {
  const { types, maxCpm, maxPercent, minCoverage = 0 } = query
  const isType = flags(shared.types.values, (type) => !types || types.includes(type))
  const isProvider = flags(shared.providers.values, providerRule(query))
  const isCountry = flags(shared.countries.values, countryRule(query))
  const isPlace = flags(shared.places.values, targetRule(query))
  const isVisible = flags(shared.visibilities.values, visibilityRule(query))
  const agreed = agreedPrices(query, shared)

  const isAffordable = (block: Block, row: number): boolean => {
    if (maxCpm !== undefined && (block.others[row]! & 1) === 0) {
      const own = agreed[block.ownPrices[row]!]!
      const price = Number.isNaN(own) ? block.leastCpm[row]! : own
      // Without any option at all there is no price that would be too high.
      if (price > maxCpm) return false
    }
    if (maxPercent === undefined || (block.others[row]! & 2) !== 0) return true
    const hasAgreed = !Number.isNaN(agreed[block.ownPrices[row]!]!)
    return hasAgreed || !(block.leastPercent[row]! > maxPercent)
  }

  return (block, passes) => {
    let count = 0
    for (let row = 0; row < block.used; row++) {
      const isIn =
        block.isLive[row]! &
        isType[block.type[row]!]! &
        isProvider[block.provider[row]!]! &
        isCountry[block.countries[row]!]! &
        isPlace[block.places[row]!]! &
        isVisible[block.visibility[row]!]!
      const isThrough =
        isIn === 1 && block.coverage[row]! >= minCoverage && isAffordable(block, row)
      passes[row] = isThrough ? 1 : 0
      if (isThrough) count++
    }
    return count
  }
}

function flags<Value>(values: readonly Value[], rule: (value: Value) => boolean): Uint8Array {
  return Uint8Array.from(values, (value) => (rule(value) ? 1 : 0))
}

function providerRule({ providers }: Conditions): (name: string) => boolean {
  if (!providers) return () => true
  const wanted = new Set(providers.map((name) => name.toLowerCase()))
  return (name) => wanted.has(name)
}

/** A signal without countries can be used everywhere. */
function countryRule({ countries }: Conditions): (usable: readonly string[]) => boolean {
  if (!countries || countries.length === 0) return () => true
  const wanted = new Set(countries.map((code) => code.toUpperCase()))
  return (usable) => usable.length === 0 || usable.some((code) => wanted.has(code))
}

function targetRule({ targets }: Conditions): (places: readonly Place[]) => boolean {
  if (!targets) return () => true
  const wanted = new Map<string, Set<string | undefined>>()
  for (const target of targets) {
    const name = target.type === 'platform' ? target.platform : target.agent_url
    const key = `${target.type} ${name}`
    wanted.set(key, (wanted.get(key) ?? new Set()).add(target.account))
  }
  return (places) => places.some((place) => serves(place, wanted))
}

/** A deployment without an account serves every account of its platform. */
function serves(
  place: Place,
  wanted: ReadonlyMap<string, ReadonlySet<string | undefined>>,
): boolean {
  const accounts = wanted.get(`${place.type} ${place.name}`)
  return accounts !== undefined && (place.account === undefined || accounts.has(place.account))
}

function visibilityRule({
  principal,
}: Conditions): (principals: readonly string[] | undefined) => boolean {
  return (principals) =>
    principals === undefined ||
    (principal !== undefined &&
      (principals.includes(principal.principal_id) || principals.includes(principal.name)))
}

/** The caller's own price for each agreement there is; NaN where it has none. */
function agreedPrices({ principal }: Conditions, { ownPrices }: SharedValues): Float64Array {
  return Float64Array.from(ownPrices.values, (prices) => {
    if (!principal || !prices) return Number.NaN
    const own = [principal.principal_id, principal.name].find((name) => Object.hasOwn(prices, name))
    return own === undefined ? Number.NaN : prices[own]!.cpm
  })
}
