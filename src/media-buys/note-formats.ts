// Formats of a get_products filter that no product has (spec 4.5): the answer says so, since a list without them looks as
// if nothing were sold.

import { filterPaced } from '../lib/chunks.ts'
import { noteMissing } from '../protocol/note-missing.ts'
import type { ProductFilters } from '../protocol/schemas/get-products.ts'
import type { CatalogueProduct } from '../protocol/schemas/product.ts'
import type { CallContext } from '../protocol/task.ts'
import type { FindOption } from './product-filters.ts'
import type { ProductSearch } from './product-search.ts'

/** Whether products have to be looked through for them. */
export function namesFormats(filters: ProductFilters | undefined): boolean {
  return filters?.format_ids !== undefined || filters?.format_option_refs !== undefined
}

/** A product that another filter leaves out still has its formats. */
export async function noteUnknownFormats(
  { search, formatOption }: { search: ProductSearch; formatOption?: FindOption },
  filters: ProductFilters = {},
  { call, mayBuy }: { call: CallContext; mayBuy: (product: CatalogueProduct) => boolean },
): Promise<void> {
  if (!call.note || !namesFormats(filters)) return
  const [formats, options] = [new Set<string>(), new Set<string>()]
  await filterPaced(await search.find(undefined), ({ product }) => {
    for (const format of mayBuy(product) ? product.format_ids : []) {
      formats.add(format.id)
      const option = formatOption?.(format)
      if (option) options.add(option.format_option_id)
    }
    return false
  })
  noteMissing(call, {
    field: '/filters/format_ids',
    ids: filters.format_ids?.map(({ id }) => id),
    found: formats,
    what: 'product with format',
  })
  noteMissing(call, {
    field: '/filters/format_option_refs',
    ids: filters.format_option_refs?.map(({ format_option_id }) => format_option_id),
    found: options,
    what: 'product with format option',
  })
}
