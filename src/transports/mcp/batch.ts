// Batches, which revisions up to 2025-03-26 may send: messages run one after the other, each in its own turn, within
// limits on their number and on the total length of their responses. Without a key both limits are small.

import { lengthOf, type TextPiece } from '../../lib/shared-text.ts'
import { TASK_ANSWER_BYTES } from '../http/answer-hooks.ts'
import { HTTP_LIMITS } from '../http/limits.ts'
import { readRpcMessage, rpcError } from '../json-rpc.ts'
import { RPC_INVALID_REQUEST } from '../rpc-error.ts'
import type { Dispatch, Dispatched, Incoming } from './dispatch.ts'
import { claimsRevision } from './revisions.ts'

interface BatchLimits {
  messages: number
  /** For the responses before the last one. */
  answerBytes: number
}

const KEYED: BatchLimits = {
  messages: HTTP_LIMITS.batchMessages.value,
  answerBytes: HTTP_LIMITS.batchAnswerBytes.value,
}
const KEYLESS: BatchLimits = {
  messages: HTTP_LIMITS.keylessBatchMessages.value,
  answerBytes: HTTP_LIMITS.keylessBatchAnswerBytes.value,
}

function limitsOf({ admitted }: Incoming['source']): BatchLimits {
  return admitted.principal ? KEYED : KEYLESS
}

/** The reason to refuse a batch, or undefined. */
export function batchFault(
  batch: readonly unknown[],
  source: Incoming['source'],
): string | undefined {
  const { messages } = limitsOf(source)
  if (batch.length === 0 || batch.length > messages) {
    const without = messages === KEYED.messages ? '' : ` without a key, ${KEYED.messages} with one`
    return `a batch must have 1 to ${messages} messages${without} (got ${batch.length})`
  }
  if (batch.some((message) => claimsRevision((message as { params?: unknown } | null)?.params))) {
    return 'the current revision has no batches: send one message at a time'
  }
  return undefined
}

/** The size reserved for the responses before the first message is read. */
export function estimatedBatchBytes(batch: readonly unknown[], source: Incoming['source']): number {
  return Math.min(batch.length * TASK_ANSWER_BYTES, limitsOf(source).answerBytes)
}

/** The responses as one text, or undefined if all messages were notifications. */
export async function dispatchBatch(
  dispatch: Dispatch,
  batch: readonly unknown[],
  shared: Omit<Incoming, 'message'>,
): Promise<{ pieces: readonly TextPiece[] | undefined; lacksKey: boolean }> {
  const { source } = shared
  const { answerBytes } = limitsOf(source)
  const answers: TextPiece[] = []
  let lacksKey = false
  let length = 0
  for (const [index, message] of batch.entries()) {
    if (index > 0) await nextTurn()
    const before = length
    const own = {
      ...source,
      // Its response is held in addition to the previous ones.
      ...(source.reserve && { reserve: (bytes: number) => source.reserve?.(before + bytes) }),
    }
    const { status, pieces } =
      length > answerBytes
        ? notDone(message)
        : await dispatch({ message, headers: shared.headers, source: own })
    lacksKey ||= status === 401
    if (!pieces) continue
    if (answers.length > 0) answers.push(',')
    answers.push(...pieces)
    length += lengthOf(pieces)
  }
  return { pieces: answers.length === 0 ? undefined : ['[', ...answers, ']'], lacksKey }
}

/** Other callers are served between two messages. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The response to the rest of a batch when the length limit of its responses is reached. */
function notDone(message: unknown): Dispatched {
  const read = readRpcMessage(message)
  if (read.kind !== 'request') return { status: 202, pieces: undefined }
  const fault = 'not processed: the responses of this batch are too long. Send this message alone'
  return {
    status: 200,
    pieces: [rpcError(read.id, { code: RPC_INVALID_REQUEST, message: fault })],
  }
}
