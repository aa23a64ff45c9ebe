// `GET /api/manifest-refs`: a page of the existing references (spec 4.5). Later pages use a cursor; an offset is
// accepted only for the first few, because the rows before it are read and discarded.

import { defineLimits } from '../lib/limit.ts'
import { NO_CURSOR } from '../protocol/cursor.ts'
import type {
  ManifestType,
  ReferenceRecord,
  VerificationStatus,
} from '../protocol/manifest-reference.ts'
import { type Refusal, refuse } from './refusal.ts'

export const LIST_LIMITS = defineLimits({
  pageLength: {
    what: 'references on one page of the list',
    value: 200,
    unit: '',
    beyond: '400',
  },
  offset: {
    what: '`offset` of the list of references',
    value: 1_000,
    unit: '',
    beyond: '400, which names the cursor',
  },
  lookedAt: {
    what: 'references that one page scans for matches of its filter',
    value: 1_000,
    unit: '',
    beyond: 'the page is short, or empty, and has a `cursor` to continue with',
  },
  counted: {
    what: 'references that are counted for `total`',
    value: 10_000,
    unit: '',
    beyond: '`total` is a lower bound, and `total_is_exact` is false',
  },
})

export interface ReferenceFilter {
  domain?: string | undefined
  /** What the domain begins with. */
  prefix?: string | undefined
  manifest_type?: ManifestType | undefined
  verification_status?: VerificationStatus | undefined
  contributed_by_org_id?: string | undefined
  limit: number
  /** Default 0. */
  offset?: number | undefined
  /** The cursor from the previous page. Default: the first page. */
  cursor?: string | undefined
}

export interface ReferencePage {
  references: ReferenceRecord[]
  total: number
  /** False when there are too many to count all of them. */
  total_is_exact: boolean
  /** Where the next page begins; null after the last one. */
  cursor: string | null
}

export interface ListPort {
  /** A page in the order of domain and rank. Its cursor must come from this list. */
  list(filter: ReferenceFilter): Promise<ReferencePage>
  /** Whether a cursor comes from this list. */
  isCursor(cursor: string): boolean
}

export async function listReferences(
  references: ListPort,
  filter: ReferenceFilter,
): Promise<{ ok: true; page: ReferencePage & { has_more: boolean } } | Refusal> {
  const { offset = 0, cursor } = filter
  if (offset > LIST_LIMITS.offset.value) {
    return refuse(
      400,
      `offset must be at most ${LIST_LIMITS.offset.value}: use the cursor of the previous page`,
    )
  }
  if (cursor !== undefined && offset > 0) {
    return refuse(400, 'send a cursor or an offset, not both')
  }
  if (cursor !== undefined && !references.isCursor(cursor)) {
    return refuse(400, NO_CURSOR)
  }
  const page = await references.list(filter)
  return { ok: true, page: { ...page, has_more: page.cursor !== null } }
}
