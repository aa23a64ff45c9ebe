// The products that match a get_products call (spec 4.5): all given filters must match.

import type { ProductFilters } from '../protocol/schemas/get-products.ts'
import type { CatalogueProduct, ProductPricingOption } from '../protocol/schemas/product.ts'

type Check = (product: CatalogueProduct) => boolean

/** Created once per call: lists become sets. */
export function productFilter(
  filters: ProductFilters | undefined,
  { optionOf, overlay }: FilterContext = {},
): Check {
  const checks = [...overlayChecks(overlay ?? {}), ...(filters ? checksOf(filters, optionOf) : [])]
  return (product) => checks.every((check) => check(product))
}

/** A format of a product by its canonical kind; undefined where there is none. */
export type FindOption = (
  formatId: CatalogueProduct['format_ids'][number],
) => { format_option_id: string; format_kind: string } | undefined

interface FilterContext {
  /** Default no format has a kind. */
  optionOf?: FindOption | undefined
  /** The targeting that packages will have. */
  overlay?: Overlay | undefined
}

interface Overlay {
  geo_countries?: readonly string[] | undefined
  /** As it was sent. */
  geo_countries_exclude?: unknown
}

/** A product that delivers only to countries that are excluded delivers to none. */
function overlayChecks({ geo_countries, geo_countries_exclude }: Overlay): Check[] {
  const checks = geo_countries?.length ? placeChecks({ countries: geo_countries }) : []
  if (!Array.isArray(geo_countries_exclude)) return checks
  const excluded = new Set(geo_countries_exclude.map((one) => String(one).toUpperCase()))
  return [...checks, ({ countries }) => !countries || countries.some((one) => !excluded.has(one))]
}

function checksOf(filters: ProductFilters, optionOf: FindOption = () => undefined): Check[] {
  return [
    ...deliveryChecks(filters),
    ...kindChecks(filters, optionOf),
    ...priceChecks(filters),
    ...placeChecks(filters),
    ...dateChecks(filters),
  ]
}

function kindChecks(
  { format_kinds, format_option_refs }: ProductFilters,
  optionOf: FindOption,
): Check[] {
  const checks: Check[] = []
  if (format_kinds) {
    const wanted = new Set(format_kinds)
    checks.push(({ format_ids }) =>
      format_ids.some((id) => wanted.has(optionOf(id)?.format_kind ?? '')),
    )
  }
  if (format_option_refs) {
    const wanted = new Set(format_option_refs.map(({ format_option_id }) => format_option_id))
    checks.push(({ format_ids }) =>
      format_ids.some((id) => wanted.has(optionOf(id)?.format_option_id ?? '')),
    )
  }
  return checks
}

function deliveryChecks(filters: ProductFilters): Check[] {
  const { delivery_type, format_ids, required_metrics } = filters
  const checks: Check[] = []
  if (delivery_type) checks.push((product) => product.delivery_type === delivery_type)
  if (format_ids) {
    const wanted = new Set(format_ids.map(({ id }) => id))
    checks.push((product) => product.format_ids.some(({ id }) => wanted.has(id)))
  }
  if (required_metrics) {
    checks.push(({ reporting_capabilities: { available_metrics } }) => {
      const known = new Set(available_metrics)
      return required_metrics.every((metric) => known.has(metric))
    })
  }
  return checks
}

function priceChecks({ is_fixed_price, pricing_models, budget_range }: ProductFilters): Check[] {
  const checks: ((option: ProductPricingOption) => boolean)[] = []
  if (is_fixed_price !== undefined) {
    checks.push(({ fixed_price }) => (fixed_price !== undefined) === is_fixed_price)
  }
  if (pricing_models) {
    const wanted = new Set<string>(pricing_models)
    checks.push(({ pricing_model }) => wanted.has(pricing_model))
  }
  if (budget_range) {
    const { max, currency } = budget_range
    checks.push(
      (option) =>
        (currency === undefined || option.currency === currency) &&
        (max === undefined || (option.min_spend_per_package ?? 0) <= max),
    )
  }
  if (checks.length === 0) return []
  // One option has to have it all.
  return [
    ({ pricing_options }) => pricing_options.some((one) => checks.every((check) => check(one))),
  ]
}

function placeChecks({
  channels,
  countries,
  publisher_domains,
}: {
  channels?: readonly string[] | undefined
  countries?: readonly string[] | undefined
  publisher_domains?: readonly string[] | undefined
}): Check[] {
  const checks: Check[] = []
  if (channels) {
    const wanted = new Set(channels.map((one) => one.toLowerCase()))
    checks.push(({ channels: has = [] }) => has.some((one) => wanted.has(one.toLowerCase())))
  }
  if (countries) {
    const wanted = new Set(countries.map((one) => one.toUpperCase()))
    checks.push(({ countries: has }) => !has || has.some((one) => wanted.has(one)))
  }
  if (publisher_domains) {
    const wanted = new Set(publisher_domains.map((one) => one.toLowerCase()))
    checks.push(({ publisher_properties }) =>
      publisher_properties.some(({ publisher_domain }) =>
        wanted.has(publisher_domain.toLowerCase()),
      ),
    )
  }
  return checks
}

/** A product that can no longer be bought by then is omitted. */
function dateChecks({ start_date }: ProductFilters): Check[] {
  if (start_date === undefined) return []
  const from = Date.parse(start_date)
  return [({ expires_at }) => expires_at === undefined || Date.parse(expires_at) > from]
}
