// Batches, which revisions up to 2025-03-26 may send: one message after the other, within limits of their number and of
// how long their answers get together.

import { HTTP_LIMITS } from '../http/limits.ts'
import { readRpcMessage, rpcError } from '../json-rpc.ts'
import { RPC_INVALID_REQUEST } from '../rpc-error.ts'
import type { Dispatch, Dispatched, Incoming } from './dispatch.ts'
import { claimsRevision } from './revisions.ts'

const MAX_BATCH = HTTP_LIMITS.batchMessages.value
const MAX_BATCH_CHARS = HTTP_LIMITS.batchAnswerBytes.value

/** What keeps a batch from being looked at, or undefined. */
export function batchFault(batch: readonly unknown[]): string | undefined {
  if (batch.length === 0 || batch.length > MAX_BATCH) {
    return `a batch holds 1 to ${MAX_BATCH} messages`
  }
  if (batch.some((message) => claimsRevision((message as { params?: unknown } | null)?.params))) {
    return 'the current revision has no batches: send one message at a time'
  }
  return undefined
}

/** The answers as one text, or none where all were notifications. */
export async function dispatchBatch(
  dispatch: Dispatch,
  batch: readonly unknown[],
  shared: Omit<Incoming, 'message'>,
): Promise<{ text: string | undefined; lacksKey: boolean }> {
  const texts: string[] = []
  let lacksKey = false
  let chars = 0
  // One after the other: a batch is no way to more than one call at a time.
  for (const message of batch) {
    const { status, text } =
      chars > MAX_BATCH_CHARS ? notDone(message) : await dispatch({ message, ...shared })
    if (text !== undefined) texts.push(text)
    chars += text?.length ?? 0
    lacksKey ||= status === 401
  }
  return { text: texts.length === 0 ? undefined : `[${texts.join(',')}]`, lacksKey }
}

/** What is left of a batch whose answers are as long as they may be. */
function notDone(message: unknown): Dispatched {
  const read = readRpcMessage(message)
  if (read.kind !== 'request') return { status: 202, text: undefined }
  const fault = 'not done: the answers of this batch are too long already, send it again alone'
  return { status: 200, text: rpcError(read.id, { code: RPC_INVALID_REQUEST, message: fault }) }
}
