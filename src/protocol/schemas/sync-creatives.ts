// sync_creatives (spec 4.5): creates or updates creatives in the library, and assigns them to packages. Each creative
// has its own result.

import { z } from 'zod'
import { assets } from './assets.ts'
import { ext, isoTime, name, opaqueId, text, webUrl } from './common.ts'
import { creativeStatus } from './creative-library.ts'
import { creativeManifest } from './creative-manifest.ts'
import { errorList } from './error-object.ts'
import { formatId } from './format-id.ts'
import { briefly } from './json-schema.ts'
import { previewInputs } from './preview.ts'

const weight = z.number().min(0).max(100).optional().describe('Share in the rotation.')
const placementIds = z.array(opaqueId).min(1).max(100).optional().describe('Where it runs.')

export const syncedCreative = z
  .looseObject({
    creative_id: opaqueId.describe('The caller’s own id.'),
    name: name.optional().describe('Name for people; default the id.'),
    format_id: formatId.optional().describe('The format; default that of the manifest.'),
    format_kind: text(100)
      .optional()
      .describe('Canonical kind, where there is no format_id: the format that fits is taken.'),
    assets: assets.optional().describe('Assets by the name of their slot.'),
    creative_manifest: briefly(
      creativeManifest,
      'Format and assets together: format_id and assets as here.',
    ).optional(),
    inputs: previewInputs.optional().describe('Variants to preview.'),
    tags: z.array(text(100)).max(50).optional(),
    status: creativeStatus.optional().describe('approved finishes a generative creative.'),
    weight,
    placement_ids: placementIds,
  })
  .meta({
    examples: [
      {
        creative_id: 'banner_1',
        format_id: { agent_url: 'https://ads.example', id: 'display_300x250_image' },
        assets: { headline: { asset_type: 'text', content: 'Summer sale' } },
      },
    ],
  })
export type SyncedCreative = z.infer<typeof syncedCreative>

const assignment = z.looseObject({
  creative_id: opaqueId,
  package_id: opaqueId,
  weight,
  placement_ids: placementIds,
})

export const MAX_SYNCED_CREATIVES = 100

export const syncCreativesRequest = z.looseObject({
  creatives: z.array(syncedCreative).min(1).max(MAX_SYNCED_CREATIVES).describe('1 to 100.'),
  assignments: z
    .union([
      z.array(assignment).max(1000),
      z.record(z.string().max(255), z.array(opaqueId).max(1000)),
    ])
    .optional()
    .describe('A list, or packages by the id of the creative.'),
  creative_ids: z.array(opaqueId).min(1).max(100).optional().describe('Only these of them.'),
  delete_missing: z
    .boolean()
    .optional()
    .describe('Archive creatives that are not listed; default false.'),
  dry_run: z
    .boolean()
    .optional()
    .describe('Report what would change without changing it; default false.'),
  validation_mode: z
    .enum(['strict', 'lenient'])
    .optional()
    .describe(
      'Default lenient, each creative for itself; for calls without a version strict, all or nothing.',
    ),
})
export type SyncCreativesRequest = z.infer<typeof syncCreativesRequest>

export const syncCreativesResponse = z.strictObject({
  dry_run: z.boolean().optional().describe('Whether nothing was changed.'),
  creatives: z
    .array(
      z.strictObject({
        creative_id: opaqueId,
        action: z
          .enum(['created', 'updated', 'unchanged', 'failed', 'deleted'])
          .describe('What was done.'),
        status: creativeStatus.optional().describe('Status of its review.'),
        platform_id: z.string().optional(),
        changes: z.array(z.string()).optional().describe('Members that changed.'),
        errors: errorList.optional().describe('Why it failed.'),
        warnings: z.array(z.string()).optional(),
        preview_url: webUrl.optional(),
        expires_at: isoTime.optional().describe('Until when the preview can be opened.'),
        assigned_to: z.array(z.string()).optional().describe('Packages it was assigned to.'),
        assignment_errors: z.record(z.string(), z.string()).optional(),
      }),
    )
    .describe('One for each creative.'),
  errors: errorList.optional().describe('Warnings.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type SyncCreativesResponse = z.infer<typeof syncCreativesResponse>
