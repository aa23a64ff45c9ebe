// Where a request describes its brand.

import type { BrandRef } from '../../protocol/schemas/common.ts'
import type { BrandContext } from './brand-context.ts'

/** The parts of a request that describe its brand. */
export interface NamedBrand {
  /** The brand as described in the request itself. */
  described: BrandContext | undefined
  /** The address of a brand manifest. */
  manifestUrl: string | undefined
  /** The brand by its domain. */
  brand: BrandRef | undefined
}
