// A product of the catalogue in the form of 3.2: closed objects, so that only members of that form are returned.

import { defined } from '../../lib/defined.ts'
import type {
  CanonicalPricing,
  CanonicalProduct,
} from '../../protocol/schemas/compact/canonical-product.ts'
import type { CatalogueProduct, ProductPricingOption } from '../../protocol/schemas/product.ts'
import type { FindOption } from '../product-filters.ts'
import type { FoundProduct } from '../product-search.ts'

export interface ShowOptions {
  /** The formats of products by their canonical kinds. Default none. */
  formatOption?: FindOption | undefined
  /** Members in addition to product_id and name. Default all. */
  fields?: readonly string[] | undefined
}

export function canonicalProductOf(
  { product, matched }: Pick<FoundProduct, 'product' | 'matched'>,
  { formatOption, fields }: ShowOptions,
): CanonicalProduct {
  const { product_id, name, description, publisher_properties, channels } = product
  const { delivery_type, pricing_options, expires_at, ext } = product
  const words = matched.join(', ')
  const rest: Omit<CanonicalProduct, 'product_id' | 'name'> = {
    description,
    publisher_properties,
    delivery_type,
    pricing_options: pricing_options.map(canonicalPricingOf),
    reporting_capabilities: reportingOf(product),
    ...defined({
      channels,
      format_options: optionsOf(product, formatOption),
      expires_at,
      ext,
      brief_relevance: words === '' ? undefined : `it shares these words: ${words}`,
    }),
  }
  const wanted = fields && new Set(fields)
  const returned = Object.entries(rest).filter(([member]) => !wanted || wanted.has(member))
  return { product_id, name, ...(Object.fromEntries(returned) as typeof rest) }
}

const PRICING_MEMBERS = [
  'pricing_option_id',
  'pricing_model',
  'currency',
  'fixed_price',
  'floor_price',
  'price_guidance',
  'min_spend_per_package',
  'price_breakdown',
  'eligible_adjustments',
  'parameters',
  'event_type',
  'custom_event_name',
  'event_source_id',
  'commission_rate',
  'commission_basis_description',
] as const

export function canonicalPricingOf(option: ProductPricingOption): CanonicalPricing {
  return onlyOf(option, PRICING_MEMBERS) as CanonicalPricing
}

const OPTION_MEMBERS = [
  'format_option_id',
  'publisher_domain',
  'display_name',
  'sample_render_url',
  'applies_to_channels',
  'seller_preference',
  'locale_policy',
  'experimental',
  'format_kind',
  'params',
  'format_shape',
  'format_schema',
] as const

function optionsOf(
  { format_ids }: CatalogueProduct,
  formatOption: FindOption | undefined,
): CanonicalProduct['format_options'] {
  const options = format_ids.flatMap((id) => formatOption?.(id) ?? [])
  if (options.length === 0) return undefined
  type Returned = NonNullable<CanonicalProduct['format_options']>[number]
  return options.map((one) => onlyOf(one, OPTION_MEMBERS) as Returned)
}

const REPORTING_MEMBERS = [
  'available_reporting_frequencies',
  'expected_delay_minutes',
  'timezone',
  'supports_webhooks',
  'available_metrics',
  'date_range_support',
  'windowed_pull_granularities',
] as const

function reportingOf({ reporting_capabilities }: CatalogueProduct) {
  return onlyOf(reporting_capabilities, REPORTING_MEMBERS) as { timezone: string }
}

function onlyOf(value: object, members: readonly string[]): object {
  const given = new Map(Object.entries(value))
  return Object.fromEntries(
    members.flatMap((member) => (given.has(member) ? [[member, given.get(member)]] : [])),
  )
}
