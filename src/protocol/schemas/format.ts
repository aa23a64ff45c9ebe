// The format definition as it is sent (spec 2.3): what both generations read, `assets_required` beside
// `assets`. Open, because operators define formats of their own.

import { z } from 'zod'
import { assetRequirements } from './asset-requirements.ts'
import { assetType } from './assets.ts'
import { atLeastOne, count, ext, name, opaqueId, webUrl } from './common.ts'
import { formatId } from './format-id.ts'

/** Types that a format may have, and those that the list_creative_formats filter accepts. */
export const FORMAT_TYPES = [
  'audio',
  'video',
  'display',
  'native',
  'dooh',
  'rich_media',
  'universal',
] as const
export const FORMAT_FILTER_TYPES = ['video', 'display', 'audio', 'dooh', 'native'] as const

const size = z.number().gt(0).optional()

export const renderDimensions = z.looseObject({
  width: size.describe('Width in pixels, or in unit.'),
  height: size.describe('Height in pixels, or in unit.'),
  min_width: size,
  max_width: size,
  min_height: size,
  max_height: size,
  unit: z.enum(['px', 'dp', 'inches', 'cm', 'mm', 'pt']).optional().describe('Default px.'),
  responsive: z
    .looseObject({ width: z.boolean(), height: z.boolean() })
    .optional()
    .describe('Which side adapts to its place.'),
  aspect_ratio: z
    .string()
    .regex(/^\d+(\.\d+)?:\d+(\.\d+)?$/, 'This must be a ratio, such as 16:9.')
    .optional()
    .describe('Width to height.'),
})

const role = z.string().min(1).describe('What it is in the creative: primary, companion …')

export const formatRender = z.union([
  z.looseObject({ role, dimensions: renderDimensions }),
  z.looseObject({
    role,
    parameters_from_format_id: z.literal(true).describe('The format id carries the size.'),
  }),
])

const slotMembers = {
  asset_type: assetType.describe('What belongs in the slot.'),
  asset_role: z.string().optional().describe('What it is for, such as hero_image.'),
  requirements: assetRequirements.optional().describe('What the asset must satisfy.'),
}

export const individualSlot = z.looseObject({
  item_type: z.literal('individual'),
  asset_id: opaqueId.describe('Name of the slot, the key in a manifest.'),
  required: z.boolean().describe('Whether a manifest must fill it.'),
  ...slotMembers,
})
export type IndividualSlot = z.infer<typeof individualSlot>

export const repeatableSlot = z.looseObject({
  item_type: z.literal('repeatable_group'),
  asset_group_id: opaqueId.describe('Name of the group, the key in a manifest.'),
  required: z.boolean().describe('Whether a manifest must fill it.'),
  min_count: count.describe('Fewest repetitions.'),
  max_count: atLeastOne.describe('Most repetitions.'),
  selection_mode: z.enum(['sequential', 'optimize']).optional().describe('Default sequential.'),
  assets: z.array(z.looseObject({ asset_id: opaqueId, ...slotMembers })).min(1),
})
export type RepeatableSlot = z.infer<typeof repeatableSlot>

export const formatSlot = z.discriminatedUnion('item_type', [individualSlot, repeatableSlot])
export type FormatSlot = z.infer<typeof formatSlot>

const card = z.looseObject({ format_id: formatId, manifest: z.looseObject({}) })

export const format = z.looseObject({
  format_id: formatId,
  name: name.describe('Display name.'),
  description: z.string().optional().describe('What it looks like and where it runs.'),
  type: z.enum(FORMAT_TYPES).describe('Kind of format.'),
  example_url: webUrl.optional().describe('URL of an example page.'),
  accepts_parameters: z
    .array(z.enum(['dimensions', 'duration']))
    .optional()
    .describe('What the format id of a template carries.'),
  renders: z.array(formatRender).min(1).optional().describe('What is rendered; audio has no size.'),
  assets_required: z.array(formatSlot).describe('The slots that must be filled.'),
  assets: z.array(formatSlot).describe('All slots.'),
  delivery: z.looseObject({}).optional().describe('How it is delivered.'),
  supported_macros: z.array(z.string()).optional().describe('Macros it substitutes.'),
  input_format_ids: z.array(formatId).optional().describe('Formats it can be built from.'),
  output_format_ids: z.array(formatId).optional().describe('Formats that it builds.'),
  format_card: card.optional().describe('How to present the format itself.'),
  format_card_detailed: card.optional().describe('The same, at length.'),
  accessibility: z
    .looseObject({
      wcag_level: z.enum(['A', 'AA', 'AAA']).describe('Level that it meets.'),
      requires_accessible_assets: z.boolean().optional(),
    })
    .optional()
    .describe('How it serves people with disabilities.'),
  supported_disclosure_positions: z.array(z.string()).min(1).optional(),
  disclosure_capabilities: z
    .array(z.looseObject({ position: z.string(), persistence: z.array(z.string()).min(1) }))
    .min(1)
    .optional(),
  reported_metrics: z.array(z.string()).min(1).optional().describe('Metrics it reports.'),
  ext: ext.optional(),
})
export type Format = z.infer<typeof format>
