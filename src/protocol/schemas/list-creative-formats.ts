// list_creative_formats (spec 4.2): every member of the request is a filter, and filters combine.

import { z } from 'zod'
import { assetType } from './assets.ts'
import { count, ext, name, paginationRequest, paginationResponse, text, webUrl } from './common.ts'
import { errorList } from './error-object.ts'
import { FORMAT_FILTER_TYPES, format } from './format.ts'
import { formatId } from './format-id.ts'

const formatIds = z.array(formatId).max(100).optional()
const words = z.array(text(100)).max(50).optional()

const FORMAT_DETAILS = ['full', 'summary'] as const

export const listCreativeFormatsRequest = z.looseObject({
  format_ids: formatIds.describe('Only these formats.'),
  type: z.enum(FORMAT_FILTER_TYPES).optional().describe('Only formats of this type.'),
  asset_types: z.array(assetType).max(50).optional().describe('Formats with any of these.'),
  max_width: count.optional().describe('A render at most this wide, in pixels.'),
  max_height: count.optional().describe('A render at most this high, in pixels.'),
  min_width: count.optional().describe('Minimum width of a render, in pixels.'),
  min_height: count.optional().describe('Minimum height of a render, in pixels.'),
  is_responsive: z.boolean().optional().describe('Formats that adapt to their place, or the rest.'),
  name_search: z.string().max(200).optional().describe('Part of the name, in any case.'),
  wcag_level: z.enum(['A', 'AA', 'AAA']).optional().describe('Minimum level.'),
  disclosure_positions: words.describe('Formats that can disclose at all of these.'),
  disclosure_persistence: words.describe('Formats that can keep disclosures so.'),
  output_format_ids: formatIds.describe('Formats that build any of these.'),
  input_format_ids: formatIds.describe('Formats that can be built from any of these.'),
  include_pricing: z.boolean().optional().describe('Prices too; default false.'),
  pagination: paginationRequest.optional().describe('Pages; without it, all formats.'),
  detail: z
    .enum(FORMAT_DETAILS)
    .optional()
    .describe('summary: short entries, 20 per page. Default full.'),
})
export type ListCreativeFormatsRequest = z.infer<typeof listCreativeFormatsRequest>

export const CREATIVE_CAPABILITIES = [
  'validation',
  'assembly',
  'generation',
  'preview',
  'delivery',
] as const

export const listCreativeFormatsResponse = z.strictObject({
  formats: z
    .array(format.partial({ assets: true }))
    .describe('The formats that pass every filter; without assets in a summary.'),
  creative_agents: z
    .array(
      z.strictObject({
        agent_url: webUrl.describe('The agent.'),
        agent_name: name.optional().describe('Its name.'),
        capabilities: z.array(z.enum(CREATIVE_CAPABILITIES)).optional().describe('What it can do.'),
      }),
    )
    .optional()
    .describe('Other agents that provide more formats.'),
  errors: errorList.optional().describe('Warnings.'),
  pagination: paginationResponse
    .optional()
    .describe('Present when pagination or a summary was requested.'),
  message: z.string().optional().describe('Of a summary: how to get the rest.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type ListCreativeFormatsResponse = z.infer<typeof listCreativeFormatsResponse>
