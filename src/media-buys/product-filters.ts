// Which products a get_products call wants (spec 4.5): all filters that are given must hold.

import type { ProductFilters } from '../protocol/schemas/get-products.ts'
import type { CatalogueProduct, ProductPricingOption } from '../protocol/schemas/product.ts'

type Judge = (product: CatalogueProduct) => boolean

/** Made once for a call: lists become sets. */
export function productFilter(
  filters: ProductFilters | undefined,
  { optionOf, overlay }: FilterContext = {},
): Judge {
  const places = overlay?.geo_countries
  const judges = [
    ...(places && places.length > 0 ? placeJudges({ countries: places }) : []),
    ...(filters ? judgesOf(filters, optionOf) : []),
  ]
  return (product) => judges.every((judge) => judge(product))
}

/** A format of a product by its canonical kind; undefined where there is none. */
export type FindOption = (
  formatId: CatalogueProduct['format_ids'][number],
) => { format_option_id: string; format_kind: string } | undefined

interface FilterContext {
  /** Default no format has a kind. */
  optionOf?: FindOption | undefined
  /** The targeting that packages will have. */
  overlay?: { geo_countries?: readonly string[] | undefined } | undefined
}

function judgesOf(filters: ProductFilters, optionOf: FindOption = () => undefined): Judge[] {
  return [
    ...deliveryJudges(filters),
    ...kindJudges(filters, optionOf),
    ...priceJudges(filters),
    ...placeJudges(filters),
    ...dateJudges(filters),
  ]
}

function kindJudges(
  { format_kinds, format_option_refs }: ProductFilters,
  optionOf: FindOption,
): Judge[] {
  const judges: Judge[] = []
  if (format_kinds) {
    const wanted = new Set(format_kinds)
    judges.push(({ format_ids }) =>
      format_ids.some((id) => wanted.has(optionOf(id)?.format_kind ?? '')),
    )
  }
  if (format_option_refs) {
    const wanted = new Set(format_option_refs.map(({ format_option_id }) => format_option_id))
    judges.push(({ format_ids }) =>
      format_ids.some((id) => wanted.has(optionOf(id)?.format_option_id ?? '')),
    )
  }
  return judges
}

function deliveryJudges(filters: ProductFilters): Judge[] {
  const { delivery_type, format_ids, required_metrics } = filters
  const judges: Judge[] = []
  if (delivery_type) judges.push((product) => product.delivery_type === delivery_type)
  if (format_ids) {
    const wanted = new Set(format_ids.map(({ id }) => id))
    judges.push((product) => product.format_ids.some(({ id }) => wanted.has(id)))
  }
  if (required_metrics) {
    judges.push(({ reporting_capabilities: { available_metrics } }) => {
      const known = new Set(available_metrics)
      return required_metrics.every((metric) => known.has(metric))
    })
  }
  return judges
}

function priceJudges({ is_fixed_price, pricing_models, budget_range }: ProductFilters): Judge[] {
  const judges: ((option: ProductPricingOption) => boolean)[] = []
  if (is_fixed_price !== undefined) {
    judges.push(({ fixed_price }) => (fixed_price !== undefined) === is_fixed_price)
  }
  if (pricing_models) {
    const wanted = new Set<string>(pricing_models)
    judges.push(({ pricing_model }) => wanted.has(pricing_model))
  }
  if (budget_range) {
    const { max, currency } = budget_range
    judges.push(
      (option) =>
        (currency === undefined || option.currency === currency) &&
        (max === undefined || (option.min_spend_per_package ?? 0) <= max),
    )
  }
  if (judges.length === 0) return []
  // One option has to have it all.
  return [
    ({ pricing_options }) => pricing_options.some((one) => judges.every((judge) => judge(one))),
  ]
}

function placeJudges({
  channels,
  countries,
  publisher_domains,
}: {
  channels?: readonly string[] | undefined
  countries?: readonly string[] | undefined
  publisher_domains?: readonly string[] | undefined
}): Judge[] {
  const judges: Judge[] = []
  if (channels) {
    const wanted = new Set(channels.map((one) => one.toLowerCase()))
    judges.push(({ channels: has = [] }) => has.some((one) => wanted.has(one.toLowerCase())))
  }
  if (countries) {
    const wanted = new Set(countries.map((one) => one.toUpperCase()))
    judges.push(({ countries: has }) => !has || has.some((one) => wanted.has(one)))
  }
  if (publisher_domains) {
    const wanted = new Set(publisher_domains.map((one) => one.toLowerCase()))
    judges.push(({ publisher_properties }) =>
      publisher_properties.some(({ publisher_domain }) =>
        wanted.has(publisher_domain.toLowerCase()),
      ),
    )
  }
  return judges
}

/** One that cannot be bought any more by then is left out. */
function dateJudges({ start_date }: ProductFilters): Judge[] {
  if (start_date === undefined) return []
  const from = Date.parse(start_date)
  return [({ expires_at }) => expires_at === undefined || Date.parse(expires_at) > from]
}
