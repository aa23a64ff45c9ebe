// list_creatives (spec 4.5): what is in the creative library.

import { z } from 'zod'
import {
  count,
  ext,
  isoTime,
  opaqueId,
  paginationRequest,
  paginationResponse,
  sortDirection,
  text,
} from './common.ts'
import { creativeStatus, libraryCreative } from './creative-library.ts'
import { errorList } from './error-object.ts'
import { formatId } from './format-id.ts'
import { sortBy } from './sort-by.ts'

const ids = z.array(opaqueId).max(100).optional()
const tags = z.array(text(100)).max(50).optional()

const creativeFilters = z.looseObject({
  creative_ids: ids.describe('Only these.'),
  statuses: z.array(creativeStatus).max(10).optional().describe('Only these states.'),
  status: creativeStatus.optional().describe('Only this state.'),
  format_ids: z.array(formatId).max(100).optional().describe('Only these formats.'),
  name_contains: z.string().max(200).optional().describe('Part of the name, in any case.'),
  tags: tags.describe('With all of these tags.'),
  tags_any: tags.describe('With any of these tags.'),
  concept_ids: ids.describe('Of these concepts.'),
  media_buy_ids: ids.describe('In these media buys.'),
  unassigned: z.boolean().optional().describe('In no package.'),
  created_after: isoTime.optional(),
  created_before: isoTime.optional(),
  updated_after: isoTime.optional(),
  updated_before: isoTime.optional(),
})

const SORT_FIELDS = ['created_date', 'updated_date', 'name', 'status', 'assignment_count'] as const

export const listCreativesRequest = z.looseObject({
  filters: creativeFilters.optional().describe('Which creatives; filters combine.'),
  sort: sortBy(SORT_FIELDS),
  pagination: paginationRequest.optional().describe('Pages; default 50 a page.'),
  include_assignments: z.boolean().optional().describe('Default true.'),
  include_snapshot: z.boolean().optional().describe('Default false.'),
  include_items: z.boolean().optional().describe('Default false.'),
  include_variables: z.boolean().optional().describe('Default false.'),
  fields: z.array(text(100)).max(50).optional().describe('Members wanted; default all.'),
})
export type ListCreativesRequest = z.infer<typeof listCreativesRequest>

export const listCreativesResponse = z.strictObject({
  query_summary: z.strictObject({
    total_matching: count,
    returned: count,
    filters_applied: z.array(z.string()).optional(),
    sort_applied: z.strictObject({ field: z.string(), direction: sortDirection }).optional(),
  }),
  pagination: paginationResponse,
  creatives: z.array(libraryCreative),
  format_summary: z.record(z.string(), count).optional(),
  status_summary: z.record(z.string(), count).optional(),
  errors: errorList.optional().describe('Warnings.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type ListCreativesResponse = z.infer<typeof listCreativesResponse>
