// Which fields of a brand are part of agreed terms: those that identify it, without any additional data.

import { defined } from '../../lib/defined.ts'
import type { BrandRef } from '../../protocol/schemas/common.ts'

/** Schemas require a brand wherever terms are agreed. */
export function brandKeyOf(brand: BrandRef | undefined): BrandRef {
  if (!brand) throw new Error('agreed terms need a brand')
  const { domain, brand_id } = brand
  const { countries } = brand as { countries?: readonly string[] }
  return { domain, ...defined({ brand_id, countries: countries && [...countries].sort() }) }
}
