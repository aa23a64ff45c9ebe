// Queries of an inbox for the console: messages by any id that users have, last received first.

import type { KeptMessage, MessageState, MessageSummary } from '../webhooks/receiver/store.ts'

export interface ReceivedFilter {
  message_id?: number | undefined
  sender?: string | undefined
  task_id?: string | undefined
  operation_id?: string | undefined
  idempotency_key?: string | undefined
  state?: MessageState | undefined
  /** Received at this time or later, in milliseconds. */
  since?: number | undefined
  /** The last one of the page before. */
  after?: Pick<MessageSummary, 'received_at' | 'message_id'> | undefined
  limit: number
}

export interface SerializedMessage extends KeptMessage {
  /** SHA-256 of the body. */
  digest: string
  /** Until when its key is known. */
  expires_at: number
}

export interface ReceivedQueries {
  list(filter: ReceivedFilter): Promise<MessageSummary[]>
  show(messageId: number): Promise<SerializedMessage | undefined>
  /** Dead letters, up to `most`, and the time of the first one. */
  dead(most: number): Promise<{ count: number; since: number | undefined }>
}
