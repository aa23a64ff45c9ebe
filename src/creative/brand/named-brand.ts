// Where a request describes its brand.

import type { BrandRef } from '../../protocol/schemas/common.ts'
import type { BrandContext } from './brand-context.ts'

/** Where a request describes its brand. */
export interface NamedBrand {
  /** As the request itself describes it. */
  described: BrandContext | undefined
  /** The address of a brand manifest. */
  manifestUrl: string | undefined
  /** The brand by its domain. */
  brand: BrandRef | undefined
}
