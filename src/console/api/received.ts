// Webhooks that were received here, and their outcome.

import { z } from 'zod'
import { MESSAGE_FAMILIES, MESSAGE_STATES } from '../../webhooks/receiver/store.ts'
import { pageOf, pageQuery, textFilter, time, timeFilter } from './common.ts'

const receivedItem = z.strictObject({
  message_id: z.number(),
  /** Taken from the signature or credential, never from the content of the message. */
  sender: z.string(),
  idempotency_key: z.string(),
  route: z.string(),
  family: z.enum(MESSAGE_FAMILIES),
  task_id: z.string().optional(),
  operation_id: z.string().optional(),
  /** The task's status. */
  status: z.string().optional(),
  state: z.enum(MESSAGE_STATES),
  /** Why it stands so. */
  reason: z.string().optional(),
  attempts: z.number(),
  /** By the sender's clock. */
  event_at: time.optional(),
  received_at: time,
  ended_at: time.optional(),
})
export type ReceivedItem = z.infer<typeof receivedItem>

export const receivedQuery = z.strictObject({
  ...pageQuery,
  sender: textFilter.optional(),
  task_id: textFilter.optional(),
  operation_id: textFilter.optional(),
  state: z.enum(MESSAGE_STATES).optional(),
  /** Received at or after. */
  since: timeFilter.optional(),
  /** One search field for users: an id of any of these kinds, a sender's URL, or the number of a message. */
  q: textFilter.optional(),
})
export type ReceivedQuery = z.infer<typeof receivedQuery>

export const receivedPage = pageOf(receivedItem)
export type ReceivedPage = z.infer<typeof receivedPage>

export const receivedMessage = z.strictObject({
  ...receivedItem.shape,
  body: z.strictObject({
    text: z.string(),
    bytes: z.number(),
    /** SHA-256. */
    digest: z.string(),
    /** It contains the token of a registration, which is not displayed. */
    has_token: z.boolean(),
    is_cut: z.boolean(),
  }),
  next_attempt_at: time.optional(),
  /** How long its key is remembered, so that a copy of it is recognized. */
  known_until: time,
  may: z.strictObject({ apply: z.boolean(), drop: z.boolean() }),
})
export type ReceivedMessage = z.infer<typeof receivedMessage>

export const receivedParams = z.strictObject({
  message_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
})
