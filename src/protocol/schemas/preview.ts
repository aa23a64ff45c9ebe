// Previews (spec 2.5): the variants a caller requests, and what is returned for each of them. The flat `preview_url`
// and `preview_html` of the specification repeat the first render of 3.x.

import { z } from 'zod'
import { withRule } from './checks.ts'
import { count, isoTime, opaqueId, quantity, text, webUrl } from './common.ts'
import { formatId } from './format-id.ts'

/** `image` is our addition to the protocol: a still picture, at its `preview_url`. */
export const previewOutput = z.enum(['url', 'html', 'both', 'image'])
export type PreviewOutput = z.infer<typeof previewOutput>

export const creativeQuality = z.enum(['draft', 'production'])
export type CreativeQuality = z.infer<typeof creativeQuality>

export const macroValues = z.record(z.string().max(100), z.string().max(4096))

export const previewInput = z.looseObject({
  name: text(200).describe('Name of the variant.'),
  macros: macroValues.optional().describe('Values of macros, by name.'),
  context_description: z
    .string()
    .max(2000)
    .optional()
    .describe('The situation, described in text.'),
})
export type PreviewInput = z.infer<typeof previewInput>

/** Variants of one creative. */
export const MAX_INPUTS = 50

export const previewInputs = z.array(previewInput).max(MAX_INPUTS)

const renderMembers = z.strictObject({
  render_id: opaqueId.describe('The render.'),
  output_format: previewOutput.describe('Which of preview_url and preview_html is present.'),
  preview_url: webUrl.optional().describe('Page to open or embed; for image a PNG.'),
  preview_html: z.string().optional().describe('Markup to embed in a sandboxed frame.'),
  role: z.string().describe('What it is in the creative: primary, companion …'),
  dimensions: z.strictObject({ width: quantity, height: quantity }).optional(),
  embedding: z
    .strictObject({
      recommended_sandbox: z.string().optional(),
      requires_https: z.boolean().optional(),
      supports_fullscreen: z.boolean().optional(),
      csp_policy: z.string().optional(),
    })
    .optional()
    .describe('How to embed it safely.'),
})

export const previewRender = withRule(renderMembers, (members, report) => {
  const { output_format, preview_url, preview_html } = members
  if (output_format !== 'html' && preview_url === undefined) {
    report(['preview_url'], 'A render of this output has a preview_url.', 'required')
  }
  if ((output_format === 'html' || output_format === 'both') && preview_html === undefined) {
    report(['preview_html'], 'A render of this output has a preview_html.', 'required')
  }
})
export type PreviewRender = z.infer<typeof previewRender>

export const preview = withRule(
  z.strictObject({
    preview_id: opaqueId.describe('The preview.'),
    preview_url: webUrl.optional().describe('Page, or PNG, of the first render.'),
    preview_html: z.string().optional().describe('Markup of the first render.'),
    input: previewInput.describe('The rendered variant.'),
    renders: z.array(previewRender).min(1).describe('One for each part of the creative.'),
    format_id: formatId.optional().describe('The rendered format.'),
    request_index: count.optional().describe('Which request of a batch it answers, from 0.'),
  }),
  ({ preview_url, preview_html }, report) => {
    if (preview_url === undefined && preview_html === undefined) {
      report([], 'A preview has a preview_url or a preview_html.', 'anyOf')
    }
  },
)
export type Preview = z.infer<typeof preview>

/** Previews with the members common to all of them. */
export const previewSet = z.strictObject({
  previews: z.array(preview).min(1),
  interactive_url: webUrl.optional().describe('Page on which macros and size can be changed.'),
  expires_at: isoTime.describe('Until when the URLs can be opened.'),
})
