// The product criteria of a 3.2 request, as a predicate. An unsupported criterion is refused: otherwise a product
// that does not meet it would be returned as if it did.

import type {
  OfferFilters,
  ProductCriteria,
} from '../../protocol/schemas/compact/product-criteria.ts'
import type { CatalogueProduct } from '../../protocol/schemas/product.ts'
import { createFaults, type Faults } from '../faults.ts'
import { type FindOption, productFilter } from '../product-filters.ts'
import { refuseOverlay } from '../targeting.ts'

type Check = (product: CatalogueProduct) => boolean

const CRITERIA: ReadonlySet<string> = new Set([
  'product_ids',
  'offer_filters',
  'targeting_overlay',
  'acceptance_context',
  'ext',
])

const FILTERS: ReadonlySet<string> = new Set([
  'delivery_type',
  'is_fixed_price',
  'pricing_currencies',
  'format_kinds',
  'format_option_refs',
  'channels',
  'countries',
  'required_metrics',
  'start_date',
  'end_date',
  'budget_range',
  'ext',
])

export interface CriteriaOptions {
  optionOf?: FindOption | undefined
  /** The location of the criteria in the request. Default `/criteria`. */
  pointer?: string
  /** Criteria that are accepted but have no effect. Default none. */
  inert?: readonly string[]
}

/** Throws what refuses them. */
export function criteriaFilter(
  criteria: ProductCriteria | undefined,
  { optionOf, pointer = '/criteria', inert = [] }: CriteriaOptions,
): Check {
  if (!criteria) return () => true
  const faults = createFaults()
  const { product_ids, offer_filters: filters, targeting_overlay: overlay } = criteria
  const known = new Set([...CRITERIA, ...inert])
  refuseOthers(criteria, known, { pointer, faults })
  if (filters) refuseOthers(filters, FILTERS, { pointer: `${pointer}/offer_filters`, faults })
  refuseOverlay(overlay, `${pointer}/targeting_overlay`, faults)
  faults.refuse()
  const ids = product_ids && new Set(product_ids)
  const matches = productFilter(filters, { optionOf, overlay })
  const hasCurrency = currencyCheck(filters)
  return (product) =>
    (ids === undefined || ids.has(product.product_id)) && matches(product) && hasCurrency(product)
}

function refuseOthers(
  given: object,
  known: ReadonlySet<string>,
  { pointer, faults }: { pointer: string; faults: Faults },
): void {
  for (const member of Object.keys(given)) {
    if (known.has(member)) continue
    const message = `This is not served: leave it out. Served are ${[...known].join(', ')}.`
    faults.add('UNSUPPORTED_FEATURE', message, { pointer: `${pointer}/${member.slice(0, 100)}` })
  }
}

function currencyCheck({ pricing_currencies }: OfferFilters = {}): Check {
  if (!pricing_currencies) return () => true
  const wanted = new Set(pricing_currencies)
  return ({ pricing_options }) => pricing_options.some(({ currency }) => wanted.has(currency))
}
