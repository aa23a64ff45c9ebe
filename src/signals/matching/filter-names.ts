// The filters of a search, by the names that responses use for them.

/** The filters by the names that a request has for them. */
export const FILTER_NAMES = [
  'catalog_types',
  'data_providers',
  'countries',
  'deployments',
  'min_coverage_percentage',
  'max_cpm',
  'max_percent',
] as const

/** A limit of a search that may exclude signals. */
export type FilterName = (typeof FILTER_NAMES)[number]
