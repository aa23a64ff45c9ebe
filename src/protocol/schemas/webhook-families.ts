// The webhooks that are not about a task (spec 6.4), as they are sent: with separate bodies instead of the task's
// envelope, each with an idempotency_key. Changes of lists are closed objects, the other two open ones. A received
// body may omit what other senders leave out; the receiver has its own schemas for that.

import { z } from 'zod'
import type { WebhookFamily } from '../webhook-family.ts'
import { atLeastOne, context, count, ext, idempotencyKey, isoTime, opaqueId } from './common.ts'

const key = idempotencyKey.describe('One per event, the same in every attempt.')

const listChanged = {
  idempotency_key: key,
  list_id: opaqueId.describe('The list.'),
  list_name: z.string().max(500).optional().describe('Its display name.'),
  resolved_at: isoTime.describe('When the list was last resolved.'),
  cache_valid_until: isoTime.optional().describe('Until when what is read then may be kept.'),
  signature: z.string().min(1).max(8192).describe('For convenience; the headers are what counts.'),
  ext: ext.optional(),
}

export const collectionListChangedWebhook = z.strictObject({
  event: z.literal('collection_list_changed'),
  ...listChanged,
  change_summary: z
    .strictObject({
      collections_added: count.optional().describe('How many came.'),
      collections_removed: count.optional().describe('How many went.'),
      total_collections: count.optional().describe('How many there are now.'),
    })
    .optional()
    .describe('Numbers alone: the list itself is read with its get task.'),
})
export type CollectionListChangedWebhook = z.infer<typeof collectionListChangedWebhook>

export const propertyListChangedWebhook = z.strictObject({
  event: z.literal('property_list_changed'),
  ...listChanged,
  change_summary: z
    .strictObject({
      properties_added: count.optional().describe('How many came.'),
      properties_removed: count.optional().describe('How many went.'),
      total_properties: count.optional().describe('How many there are now.'),
    })
    .optional()
    .describe('Numbers alone: the list itself is read with its get task.'),
})
export type PropertyListChangedWebhook = z.infer<typeof propertyListChangedWebhook>

export const artifactWebhook = z.looseObject({
  idempotency_key: key,
  media_buy_id: opaqueId.describe('The media buy.'),
  batch_id: opaqueId.describe('The batch. A batch that is sent again has a new idempotency_key.'),
  timestamp: isoTime.describe('When the batch was made.'),
  artifacts: z
    .array(
      z.looseObject({
        artifact: z.looseObject({}).describe('The content that an ad appeared next to.'),
        delivered_at: isoTime.describe('When the ad was displayed.'),
        impression_id: z.string().min(1).max(255).optional().describe('The impression.'),
        package_id: opaqueId.optional().describe('The package.'),
      }),
    )
    .describe('The artifacts.'),
  pagination: z
    .looseObject({
      total_artifacts: count.optional().describe('In all batches.'),
      batch_number: atLeastOne.optional().describe('Which batch, from 1.'),
      total_batches: atLeastOne.optional().describe('How many batches.'),
    })
    .optional(),
})
export type ArtifactWebhook = z.infer<typeof artifactWebhook>

export const revocationWebhook = z.looseObject({
  idempotency_key: key,
  rights_id: opaqueId.describe('The rights that are revoked.'),
  brand_id: opaqueId.describe('The brand whose rights they are.'),
  reason: z.string().min(1).max(2000).describe('Why.'),
  effective_at: isoTime.describe('By when serving must have stopped.'),
  revoked_uses: z
    .array(z.union([z.string().min(1).max(255), z.looseObject({})]))
    .min(1)
    .max(1000)
    .optional()
    .describe('Only these uses; left out: all.'),
  context: context.optional(),
  ext: ext.optional(),
})
export type RevocationWebhook = z.infer<typeof revocationWebhook>

/** The body of each family. */
export const FAMILY_BODIES = {
  collection_list_changed: collectionListChangedWebhook,
  property_list_changed: propertyListChangedWebhook,
  artifact: artifactWebhook,
  revocation: revocationWebhook,
} as const satisfies Record<WebhookFamily, z.ZodType>
