// The webhooks that are not about a task (spec 6.4): the schemas of their bodies, and how they are distinguished.
// Unlisted members are kept.

import { z } from 'zod'
import { count, idempotencyKey, isoTime, opaqueId } from '../../protocol/schemas/common.ts'
import type { MessageFamily } from './store.ts'

const listChanged = {
  idempotency_key: idempotencyKey,
  list_id: opaqueId,
  /** When the list was resolved. */
  resolved_at: isoTime,
  list_name: z.string().nullish(),
  cache_valid_until: isoTime.nullish(),
  /** A copy for convenience: verification uses the headers. */
  signature: z.string().nullish(),
}

const collectionListChanged = z.looseObject({
  ...listChanged,
  event: z.literal('collection_list_changed'),
  change_summary: z
    .looseObject({
      collections_added: count.nullish(),
      collections_removed: count.nullish(),
      total_collections: count.nullish(),
    })
    .nullish(),
})
/** Only a summary: the list itself is read with its `get_*` task. */
export type CollectionListChanged = z.infer<typeof collectionListChanged>

const propertyListChanged = z.looseObject({
  ...listChanged,
  event: z.literal('property_list_changed'),
  change_summary: z
    .looseObject({
      properties_added: count.nullish(),
      properties_removed: count.nullish(),
      total_properties: count.nullish(),
    })
    .nullish(),
})
/** Only a summary: the list itself is read with its `get_*` task. */
export type PropertyListChanged = z.infer<typeof propertyListChanged>

const artifactPush = z.looseObject({
  idempotency_key: idempotencyKey,
  media_buy_id: opaqueId,
  batch_id: opaqueId,
  timestamp: isoTime,
  artifacts: z.array(
    z.looseObject({
      artifact: z.unknown().refine((artifact) => artifact !== undefined && artifact !== null),
      delivered_at: isoTime,
      impression_id: z.string().nullish(),
      package_id: z.string().nullish(),
    }),
  ),
  pagination: z
    .looseObject({
      total_artifacts: count.nullish(),
      batch_number: z.int().min(1).nullish(),
      total_batches: count.nullish(),
    })
    .nullish(),
})
/** The same `batch_id` under a new key is a new push, not a retry. */
export type ArtifactPush = z.infer<typeof artifactPush>

const revocationNotification = z.looseObject({
  idempotency_key: idempotencyKey,
  rights_id: opaqueId,
  brand_id: opaqueId,
  reason: z.string(),
  /** When serving must have stopped. */
  effective_at: isoTime,
  /** Absent: all uses. */
  revoked_uses: z.array(z.unknown()).min(1).nullish(),
})
export type RevocationNotification = z.infer<typeof revocationNotification>

/** Notifications of accounts, which this receiver stores for its handler without interpreting them. */
const otherNotification = z.looseObject({
  idempotency_key: idempotencyKey,
  notification_type: opaqueId,
  fired_at: isoTime,
})
export type OtherNotification = z.infer<typeof otherNotification>

export interface Family {
  name: Exclude<MessageFamily, 'task' | 'a2a-task'>
  schema: z.ZodType
  /** The member with the time of the event; undefined if that time is in the future. */
  time?: string
}

const FAMILIES: readonly (Family & { isMeant(body: Record<string, unknown>): boolean })[] = [
  {
    name: 'collection_list_changed',
    schema: collectionListChanged,
    time: 'resolved_at',
    isMeant: ({ event }) => event === 'collection_list_changed',
  },
  {
    name: 'property_list_changed',
    schema: propertyListChanged,
    time: 'resolved_at',
    isMeant: ({ event }) => event === 'property_list_changed',
  },
  {
    name: 'artifact',
    schema: artifactPush,
    time: 'timestamp',
    isMeant: (body) => 'batch_id' in body && 'artifacts' in body,
  },
  {
    name: 'revocation',
    schema: revocationNotification,
    isMeant: (body) => 'rights_id' in body && 'effective_at' in body,
  },
  {
    name: 'other',
    schema: otherNotification,
    time: 'fired_at',
    isMeant: (body) => 'notification_type' in body && 'fired_at' in body,
  },
]

/** The family of a body. A body with a member of the task envelope belongs to a task. */
export function familyOf(body: Record<string, unknown>): Family | undefined {
  if ('task_id' in body || 'task_type' in body) return undefined
  return FAMILIES.find(({ isMeant }) => isMeant(body))
}
