// Follows a task that was accepted to its end (spec 3.2, 6.4): polls it, less often if a webhook is expected, until
// either source has reported a final status; and lets the caller answer its requests for input.

import { startDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { pause } from '../lib/pause.ts'
import { type CallFailure, type CallResult, stopped } from '../transports/client.ts'
import { agentError } from './agent-error.ts'
import { type Answering, answerInput, lists } from './answer-input.ts'
import type { CallProgress } from './options.ts'
import type { Session } from './session.ts'
import { type TaskUpdate, updateFromPoll, updateFromResponse } from './task-update.ts'
import type { CallUpdates } from './task-updates.ts'

export interface Following extends Answering {
  session: Session
  received: CallUpdates
  /** Whether a webhook may still report the end. */
  isReceived: () => boolean
  /** The end of the whole call. */
  deadline: AbortSignal
  report(progress: CallProgress): void
}

export type Followed =
  | { kind: 'ended' }
  /** It requests input that no one provides. */
  | { kind: 'asks'; update: TaskUpdate }
  | { kind: 'failed'; failure: CallFailure }

const HEARD_INTERVAL_MS = 120_000
const FIRST_INTERVAL_MS = 2_000
const MAX_INTERVAL_MS = 30_000
/** Maximum number of consecutive answers that are not a task. */
const MAX_INVALID = 3

/** `latest` is the last known state of the task; without it, the task is polled immediately. */
export async function followCall(
  following: Following,
  latest: TaskUpdate | undefined,
): Promise<Followed> {
  const { received, deadline } = following
  const over = startDeadline({ signals: [deadline, received.ended] })
  try {
    const followed = await pollToEnd(following, latest, over.signal)
    if (received.end()) return { kind: 'ended' }
    if (deadline.aborted) return { kind: 'failed', failure: late(deadline) }
    return followed
  } finally {
    over.end()
  }
}

async function pollToEnd(
  following: Following,
  first: TaskUpdate | undefined,
  over: AbortSignal,
): Promise<Followed> {
  const { received, report } = following
  let latest = first
  let invalid = 0
  let leastPauseMs = 0
  for (let polls = 0; ; polls++) {
    if (latest) {
      const answered = await answerInput(following, latest, over)
      if (answered.kind !== 'goes-on') return answered
    }
    if (following.taskId === undefined && following.native === undefined) {
      return outOfPolls(following, unnamed(), over)
    }
    if (latest || polls > 0) {
      await pause(Math.max(intervalOf(following, polls), leastPauseMs), over)
    }
    if (over.aborted) return { kind: 'ended' }
    const polled = await poll(following, over)
    if (over.aborted) return { kind: 'ended' }
    if ('by' in polled) {
      latest = polled
      following.taskId ??= polled.taskId
      leastPauseMs = 0
      invalid = 0
      if (received.receive(polled) === 'settled') return { kind: 'ended' }
      const { by, status, message, progress, taskId } = polled
      report({ by, status, ...defined({ message, progress, taskId }) })
      continue
    }
    const error = agentError(polled)
    report({ by: 'poll', fault: error.message, ...defined({ taskId: following.taskId }) })
    leastPauseMs = (error.retry_after ?? 0) * 1_000
    invalid = error.kind === 'invalid-answer' ? invalid + 1 : 0
    const isOver = error.recovery !== 'transient' && (invalid === 0 || invalid >= MAX_INVALID)
    if (isOver) return outOfPolls(following, polled, over)
  }
}

/** Polling yields nothing more: either the webhook may still arrive, or the call ends here. */
async function outOfPolls(
  { isReceived }: Following,
  failure: CallFailure,
  over: AbortSignal,
): Promise<Followed> {
  while (isReceived() && !over.aborted) await pause(MAX_INTERVAL_MS, over)
  return over.aborted ? { kind: 'ended' } : { kind: 'failed', failure }
}

function intervalOf({ options, isReceived }: Following, polls: number): number {
  if (options.pollIntervalMs !== undefined) return options.pollIntervalMs
  if (isReceived()) return HEARD_INTERVAL_MS
  return Math.min(FIRST_INTERVAL_MS * 1.5 ** Math.min(polls, 20), MAX_INTERVAL_MS)
}

async function poll(following: Following, signal: AbortSignal): Promise<TaskUpdate | CallFailure> {
  const { connect, taskId, native, session, task } = following
  const at = await connect(signal)
  if (!at.ok) return at
  const { client } = at
  const requested = { task, names: session.names }
  const own = native ?? (taskId === undefined ? undefined : { taskId })
  if (client.getTask && own && !(await lists(client, 'get_task_status', signal))) {
    const result = await client.getTask(own, { signal })
    return updateFromResponse(result, requested, 'poll') ?? (result as CallFailure)
  }
  if (taskId === undefined) return unnamed()
  const { versionMember } = session.names
  const request = {
    task_id: taskId,
    ...defined({ [versionMember]: session.options.version }),
  }
  const result: CallResult = await client.call('get_task_status', request, { signal })
  const polled = updateFromPoll(result, requested)
  return 'by' in polled && polled.taskId !== taskId ? otherTask() : polled
}

/** The outcome of another task says nothing about this one. */
function otherTask(): CallFailure {
  const message = 'the poll returned the status of another task'
  return { ok: false, kind: 'invalid-answer', message }
}

function unnamed(): CallFailure {
  const message = 'the task has no known task_id, so it cannot be polled'
  return { ok: false, kind: 'unsupported', message }
}

function late(deadline: AbortSignal): CallFailure {
  const { kind } = stopped(deadline)
  return kind === 'timeout'
    ? { ok: false, kind, message: 'the time limit ended before the task did: resume it later' }
    : { ok: false, kind: 'cancelled', message: 'the call was cancelled before the task ended' }
}
