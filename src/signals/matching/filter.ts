// Which rows of a block match a query: the filters of get_signals (spec 4.3) over the columns. Shared values are
// evaluated once each, so a row costs a few comparisons of numbers.

import { ANY_PLACE, placeKey } from '../../protocol/target-place.ts'
import type { CatalogueSignal } from '../catalogue.ts'
import type { Block, Place, SharedValues } from './columns.ts'
import { FILTER_NAMES, type FilterName } from './filter-names.ts'
import type { SearchQuery } from './query.ts'

/** Writes 1 for each row that passes, and returns how many do. */
export type Filter = (block: Block, passes: Uint8Array) => number

export type Conditions = Omit<SearchQuery, 'signal_spec' | 'among' | 'limit' | 'offset'>

export function createFilter(query: Conditions, shared: SharedValues): Filter {
  const { min_coverage_percentage = 0 } = query
  const isType = flags(shared.types.values, typeRule(query))
  const isProvider = flags(shared.providers.values, providerRule(query))
  const isCountry = flags(shared.countries.values, countryRule(query))
  const isPlace = flags(shared.places.values, targetRule(query))
  const isVisible = flags(shared.visibilities.values, visibilityRule(query))
  const { isWithinCpm, isWithinPercent } = priceRules(query, shared)

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
        isIn === 1 &&
        block.coverage[row]! >= min_coverage_percentage &&
        isWithinCpm(block, row) &&
        isWithinPercent(block, row)
      passes[row] = isThrough ? 1 : 0
      if (isThrough) count++
    }
    return count
  }
}

/** Which of the filters exclude a row: for the few that are reported. */
export function createExplainer(
  query: Conditions,
  shared: SharedValues,
): (block: Block, row: number) => FilterName[] {
  const { isWithinCpm, isWithinPercent } = priceRules(query, shared)
  const rules: Record<FilterName, (block: Block, row: number) => boolean> = {
    catalog_types: (block, row) => typeRule(query)(shared.types.values[block.type[row]!]!),
    data_providers: (block, row) =>
      providerRule(query)(shared.providers.values[block.provider[row]!]!),
    countries: (block, row) => countryRule(query)(shared.countries.values[block.countries[row]!]!),
    deployments: (block, row) => targetRule(query)(shared.places.values[block.places[row]!]!),
    min_coverage_percentage: (block, row) =>
      block.coverage[row]! >= (query.min_coverage_percentage ?? 0),
    max_cpm: isWithinCpm,
    max_percent: isWithinPercent,
  }
  return (block, row) => FILTER_NAMES.filter((name) => !rules[name](block, row))
}

interface PriceRules {
  isWithinCpm: (block: Block, row: number) => boolean
  isWithinPercent: (block: Block, row: number) => boolean
}

function priceRules(query: Conditions, shared: SharedValues): PriceRules {
  const { max_cpm, currency: requested = 'USD', max_percent } = query
  const agreed = shared.ownPrices.values.map((prices) => agreedPrice(query, prices))
  const isFree = flags(shared.types.values, (type) => type === 'owned')
  const currency = shared.currencies.values.indexOf(requested)

  return {
    /** spec 4.3: a signal that is not sold by CPM in that currency has no price that is low enough. */
    isWithinCpm: (block, row) => {
      if (max_cpm === undefined || isFree[block.type[row]!] === 1) return true
      const own = agreed[block.ownPrices[row]!]
      if (own) return own.currency === requested && own.cpm <= max_cpm
      if (block.cpmCurrency[row] === currency && block.cpm[row]! <= max_cpm) return true
      const more = block.moreCpms.size > 0 ? block.moreCpms.get(row) : undefined
      return more?.some((one) => one.currency === currency && one.cpm <= max_cpm) ?? false
    },
    isWithinPercent: (block, row) => {
      if (max_percent === undefined || block.hasOther[row] === 1) return true
      const hasAgreed = agreed[block.ownPrices[row]!] !== undefined
      return hasAgreed || !(block.leastPercent[row]! > max_percent)
    },
  }
}

function typeRule({ catalog_types }: Conditions): (type: string) => boolean {
  return (type) => !catalog_types || catalog_types.includes(type)
}

function flags<Value>(values: readonly Value[], rule: (value: Value) => boolean): Uint8Array {
  return Uint8Array.from(values, (value) => (rule(value) ? 1 : 0))
}

function providerRule({ data_providers }: Conditions): (name: string) => boolean {
  if (!data_providers) return () => true
  const wanted = new Set(data_providers.map((name) => name.toLowerCase()))
  return (name) => wanted.has(name)
}

/** A signal without countries can be used everywhere. */
function countryRule({ countries }: Conditions): (usable: readonly string[]) => boolean {
  if (!countries || countries.length === 0) return () => true
  const wanted = new Set(countries.map((code) => code.toUpperCase()))
  return (usable) => usable.length === 0 || usable.some((code) => wanted.has(code))
}

function targetRule({ deployments }: Conditions): (places: readonly Place[]) => boolean {
  if (!deployments) return () => true
  const wanted = new Map<string, Set<string | undefined>>()
  for (const target of deployments) {
    const names = [placeKey(target), ANY_PLACE]
    for (const key of names.map((name) => `${target.type} ${name}`)) {
      wanted.set(key, (wanted.get(key) ?? new Set()).add(target.account))
    }
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
  seesAll,
}: Conditions): (principals: readonly string[] | undefined) => boolean {
  return (principals) =>
    seesAll === true ||
    principals === undefined ||
    (principal !== undefined &&
      (principals.includes(principal.principal_id) || principals.includes(principal.name)))
}

/** The caller's negotiated price, if it has one. */
function agreedPrice(
  { principal }: Conditions,
  prices: CatalogueSignal['custom_pricing'],
): { cpm: number; currency: string } | undefined {
  if (!principal || !prices) return undefined
  const own = [principal.principal_id, principal.name].find((name) => Object.hasOwn(prices, name))
  return own === undefined ? undefined : prices[own]
}
