// get_signals (spec 4.3): a text search, or 3.x's lookup by reference and wholesale listing. The destination of the
// signals has several names, all read by the field map.

import { z } from 'zod'
import { MAX_SPEC_LENGTH } from '../spec-length.ts'
import {
  atLeastOne,
  countries,
  currency,
  ext,
  opaqueId,
  paginationRequest,
  paginationResponse,
  percentage,
  quantity,
  text,
} from './common.ts'
import { deploymentTargets, MAX_DEPLOYMENTS } from './deployment.ts'
import { errorList } from './error-object.ts'
import { SIGNAL_TYPES, signal, signalId, signalRef } from './signal.ts'

export const MAX_RESULTS = 100
export const DEFAULT_RESULTS = 10

const platforms = z.union([
  z.literal('all'),
  z
    .array(z.looseObject({ platform: opaqueId, account: opaqueId.optional() }))
    .min(1)
    .max(MAX_DEPLOYMENTS),
])

const deliverTo = z
  .looseObject({
    deployments: deploymentTargets.optional().describe('Platforms and agents, 1 to 50.'),
    platforms: platforms
      .optional()
      .describe('The same, under an older name; all means every platform.'),
    countries: countries.optional().describe('ISO country codes.'),
  })
  .meta({
    examples: [
      { deployments: [{ type: 'platform', platform: 'the-trade-desk' }], countries: ['US'] },
    ],
  })
export type DeliverTo = z.infer<typeof deliverTo>

export const signalFilters = z.looseObject({
  catalog_types: z.array(z.enum(SIGNAL_TYPES)).max(10).optional().describe('Only these types.'),
  data_providers: z.array(text(200)).max(100).optional().describe('Only these providers.'),
  max_cpm: quantity
    .optional()
    .describe('Only signals sold by CPM at or below this price, in the currency.'),
  currency: currency.optional().describe('Of max_cpm; default the request’s, else USD.'),
  max_percent: percentage.optional().describe('At most this share of media.'),
  min_coverage_percentage: percentage.optional().describe('Minimum coverage.'),
})
export type SignalFilters = z.infer<typeof signalFilters>

export const getSignalsRequest = z.looseObject({
  // Empty is treated as omitted: where a text is required, the rules of the generation enforce it.
  signal_spec: z
    .string()
    .max(MAX_SPEC_LENGTH)
    .optional()
    .describe('The audience, in natural language.'),
  brief: z.string().max(MAX_SPEC_LENGTH).optional().describe('Another name for signal_spec.'),
  deliver_to: deliverTo.optional().describe('Where the signals will be used.'),
  destinations: z
    .union([deploymentTargets, deliverTo])
    .optional()
    .describe('Platforms and agents, under the 3.x name.'),
  deployments: deploymentTargets.optional().describe('Platforms and agents.'),
  countries: countries.optional().describe('ISO country codes.'),
  currency: currency.optional().describe('Of the filters’ prices; default USD.'),
  filters: signalFilters.optional().describe('Further limits.'),
  max_results: atLeastOne.max(MAX_RESULTS).optional().describe('1 to 100; default 10.'),
  pagination: paginationRequest.optional().describe('Pages.'),
  discovery_mode: z
    .enum(['brief', 'wholesale'])
    .optional()
    .describe('Search, or all; default brief.'),
  signal_refs: z.array(signalRef).min(1).max(100).optional().describe('These signals.'),
  signal_ids: z.array(signalId).min(1).max(100).optional().describe('These, under an older name.'),
  fields: z.array(text(100)).max(50).optional().describe('Members wanted; default all.'),
  if_wholesale_feed_version: text(255)
    .optional()
    .describe('Return the list only if it changed since this version.'),
  if_pricing_version: text(255)
    .optional()
    .describe('Return prices only if they changed since this version.'),
})
export type GetSignalsRequest = z.infer<typeof getSignalsRequest>

export const getSignalsResponse = z.strictObject({
  signals: z
    .array(signal)
    .optional()
    .describe('The best matches first; missing where nothing has changed.'),
  errors: errorList.optional().describe('Warnings.'),
  pagination: paginationResponse.optional().describe('Whether there are more.'),
  incomplete: z
    .array(
      z.strictObject({
        scope: z.enum(['signals', 'pricing', 'wholesale_feed']),
        description: z.string(),
        estimated_wait: z.looseObject({}).optional(),
      }),
    )
    .min(1)
    .optional()
    .describe('What could not be found in time.'),
  wholesale_feed_version: z.string().optional().describe('Version of the whole list.'),
  pricing_version: z.string().optional().describe('Version of the prices.'),
  cache_scope: z
    .enum(['public', 'account'])
    .optional()
    .describe('The accounts the response applies to.'),
  unchanged: z.literal(true).optional().describe('Nothing has changed since that version.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type GetSignalsResponse = z.infer<typeof getSignalsResponse>
