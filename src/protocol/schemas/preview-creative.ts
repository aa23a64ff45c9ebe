// preview_creative (spec 4.2): one creative, a batch of them, or a served variant. One flat object, because tools
// need it; separate rules state what each kind of request must have.

import { z } from 'zod'
import { hasSound, isObject, type Report, type UncheckedMembers, withRule } from './checks.ts'
import { atLeastOne, ext, isoTime, opaqueId, text, webUrl } from './common.ts'
import { creativeManifest, isSoundManifest, sentCreativeManifest } from './creative-manifest.ts'
import { creativeError, errorList } from './error-object.ts'
import { formatId, formatIdFault } from './format-id.ts'
import { briefly, toJsonSchema } from './json-schema.ts'
import { creativeQuality, preview, previewInputs, previewOutput, previewSet } from './preview.ts'

export const MAX_PREVIEW_BATCH = 50

const members = {
  format_id: formatId.optional().describe('The format; default that of the manifest.'),
  target_capability_id: opaqueId.optional().describe('The capability to preview by, of 3.2.'),
  creative_manifest: creativeManifest.optional().describe('The creative, complete.'),
  inputs: previewInputs.optional().describe('Number of variants to preview. Default 1.'),
  template_id: text(200).optional().describe('A layout of the agent.'),
  quality: creativeQuality.optional().describe('How carefully to render.'),
  output_format: previewOutput
    .optional()
    .describe('Pages to open, markup, or a PNG (image); default url.'),
  item_limit: atLeastOne
    .max(1000)
    .optional()
    .describe('Maximum number of catalogue items to preview.'),
  creative_id: opaqueId.optional().describe('A creative of the library.'),
}

/** One request of a batch. Validated separately, so that a bad one does not fail the others. */
export const previewCreativeItem = withRule(z.looseObject(members), checkCreative)
export type PreviewCreativeItem = z.infer<typeof previewCreativeItem>

const { format_id: _id, creative_manifest: _manifest, ...otherMembers } = members
const hasSoundMembers = hasSound(otherMembers)

/** Whether `previewCreativeItem` would accept a value unchanged: much faster for valid values. */
export function isSoundItem(value: unknown): value is PreviewCreativeItem {
  if (!isObject(value)) return false
  const { format_id, creative_manifest } = value
  let isSound =
    (format_id === undefined || formatIdFault(format_id) === undefined) &&
    isSoundManifest(creative_manifest) &&
    hasSoundMembers(value)
  checkCreative(value, () => {
    isSound = false
  })
  return isSound
}

/** Accepts any value, but is documented as what it should be. */
const unjudgedItem = z.unknown().meta(
  toJsonSchema(
    z.looseObject({
      ...members,
      creative_manifest: briefly(creativeManifest, 'A creative, as for single.'),
    }),
  ),
)

export const previewCreativeRequest = withRule(
  z.looseObject({
    request_type: z.enum(['single', 'batch', 'variant']).describe('Kind of the request.'),
    ...members,
    requests: z
      .array(unjudgedItem)
      .min(1)
      .max(MAX_PREVIEW_BATCH)
      .optional()
      .describe('For batch: 1 to 50 creatives.'),
    variant_id: opaqueId.optional().describe('For variant: which one was served.'),
  }),
  (request, report) => {
    if (request.request_type === 'single') checkCreative(request, report)
    if (request.request_type === 'batch' && request.requests === undefined) {
      report(['requests'], 'A batch needs requests: a list of 1 to 50 creatives.', 'required')
    }
    if (request.request_type === 'variant' && request.variant_id === undefined) {
      report(['variant_id'], 'A variant needs variant_id.', 'required')
    }
  },
)
export type PreviewCreativeRequest = z.infer<typeof previewCreativeRequest>

function checkCreative(
  { creative_manifest, format_id, target_capability_id }: UncheckedMembers,
  report: Report,
): void {
  if (creative_manifest === undefined) {
    report(
      ['creative_manifest'],
      'creative_manifest is required: the creative to preview.',
      'required',
    )
  }
  const { format_id: named, format_kind } = isObject(creative_manifest) ? creative_manifest : {}
  const own = named ?? format_kind
  if (target_capability_id === undefined && format_id === undefined && own === undefined) {
    const message = 'Give format_id as an object with agent_url and id, here or in the manifest.'
    report(['format_id'], message, 'required')
  }
}

const result = withRule(
  z.strictObject({
    success: z.boolean().describe('Whether this request of the batch was rendered.'),
    creative_id: z
      .string()
      .optional()
      .describe('The creative; in 3.x request_0 and so on if the request has no id.'),
    quality_used: creativeQuality.optional().describe('How carefully it was rendered.'),
    response: briefly(
      previewSet,
      'Its previews, interactive_url and expires_at, as at the top.',
    ).optional(),
    error: creativeError.optional().describe('Why not.'),
    errors: errorList.min(1).optional().describe('Why not, at length.'),
  }),
  ({ success, response, errors }, report) => {
    if (success === true && response === undefined) {
      report(['response'], 'A success has its response.', 'required')
    }
    if (success === false && errors === undefined) {
      report(['errors'], 'A failure has its errors.', 'required')
    }
  },
)

export const previewCreativeResponse = withRule(
  z.strictObject({
    response_type: z
      .enum(['single', 'batch', 'variant'])
      .describe('The output that was requested.'),
    previews: z.array(preview).describe('Every preview; those of a batch in its order.'),
    results: z.array(result).optional().describe('For batch: one for each request, in order.'),
    interactive_url: webUrl.optional().describe('Page on which macros and size can be changed.'),
    expires_at: isoTime.describe('Until when the URLs can be opened.'),
    quality_used: creativeQuality.optional().describe('How carefully it was rendered.'),
    variant_id: z.string().optional().describe('For variant: which one.'),
    creative_id: z.string().optional().describe('For variant: of which creative.'),
    manifest: briefly(
      sentCreativeManifest,
      'For variant: the manifest that was served.',
    ).optional(),
    errors: errorList.optional().describe('Warnings.'),
    ext: ext.optional(),
  }),
  ({ response_type, results, previews }, report) => {
    if (response_type === 'batch' && results === undefined) {
      report(['results'], 'A batch has results.', 'required')
    }
    if (response_type === 'single' && Array.isArray(previews) && previews.length === 0) {
      report(['previews'], 'A single answer has a preview.', 'minItems')
    }
  },
)
export type PreviewCreativeResponse = z.infer<typeof previewCreativeResponse>
