// The stored data of a creative in the library, for sync_creatives and list_creatives (spec 4.5).

import { z } from 'zod'
import { sentAssets } from './assets.ts'
import { count, ext, isoTime, opaqueId } from './common.ts'
import { formatId } from './format-id.ts'

export const creativeStatus = z.enum([
  'processing',
  'pending_review',
  'approved',
  'suspended',
  'rejected',
  'archived',
])
export type CreativeStatus = z.infer<typeof creativeStatus>

export const libraryCreative = z.looseObject({
  creative_id: opaqueId.describe('The creative, as its owner named it.'),
  name: z.string().describe('Display name.'),
  format_id: formatId.optional(),
  format_kind: z
    .string()
    .optional()
    .describe('Canonical kind in place of format_id, for callers of 3.2 where the owner named it.'),
  status: creativeStatus.describe('Status of its review.'),
  created_date: isoTime.describe('When it was first synced.'),
  updated_date: isoTime.describe('When it was last changed.'),
  assets: sentAssets.optional().describe('Assets by the name of their slot.'),
  tags: z.array(z.string()).optional(),
  concept_id: z.string().optional(),
  concept_name: z.string().optional(),
  assignments: z
    .strictObject({
      assignment_count: count,
      assigned_packages: z
        .array(z.looseObject({ package_id: opaqueId, assigned_date: isoTime }))
        .optional(),
    })
    .optional()
    .describe('Packages it runs in.'),
  ext: ext.optional(),
})
export type LibraryCreative = z.infer<typeof libraryCreative>
