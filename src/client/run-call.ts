// One call of another agent's task, from the request to its end (spec 3.2, 4.2, 6.4).

import { startDeadline, withDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { pause } from '../lib/pause.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import type { CallResult } from '../transports/client.ts'
import { agentError } from './agent-error.ts'
import { acceptedCall, type Ending, endedCall, failedCall } from './end-call.ts'
import type { FoundTransport } from './find-transport.ts'
import { type Following, followCall } from './follow-call.ts'
import { knownTask } from './known-tasks.ts'
import { type Listening, listen } from './listen.ts'
import type { CallOptions, CallProgress, ResumeOptions } from './options.ts'
import type { CallIdentity, CallOutcome } from './outcome.ts'
import { type PreparedCall, prepareRequest } from './prepare-request.ts'
import { sendCall } from './send-call.ts'
import type { Session } from './session.ts'
import { type TaskUpdate, updateFromResponse } from './task-update.ts'
import { type CallUpdates, createCallUpdates } from './task-updates.ts'

const WAIT_MS = 15 * 60 * 1_000
const ANSWER_MS = 60_000
const ATTEMPTS = 3
/** How long to wait for the answer once a webhook has reported the end. */
const LATE_ANSWER_MS = 5_000

export interface RunOptions extends CallOptions {
  task: string
  params?: Record<string, unknown>
}

export type CallToResume = Pick<ResumeOptions, 'task' | 'taskId' | 'operationId'> & CallOptions

/** Makes a call. Never rejects because of anything that the agent does. */
export function runCall(session: Session, options: RunOptions): Promise<CallOutcome> {
  const { task, params = {}, wait = true } = options
  return withinTime(options, async (deadline, time) => {
    const at = await session.connect(deadline)
    if (!at.ok) return failedCall(at, {})
    const given = { ...options, signal: deadline }
    const prepared = await prepareRequest(session, { task, params }, given)
    const run = startRun({ session, options, deadline, time }, prepared)
    if (wait && prepared.isReceived) run.listen()
    try {
      const { answer, update } = await firstAnswer(run, at, prepared)
      const isAboutTask = knownTask(task)?.isAboutTask === true
      if (isAboutTask && update?.taskId !== undefined) {
        return endedCall({ ...update, status: 'completed' }, run.ending())
      }
      if (update) receiveResponse(run, answer, update)
      if (run.received.end()) return run.end()
      if (!answer.ok || !update)
        return failedCall(answer as CallResult & { ok: false }, run.identity())
      if (!wait || acceptedCall(update, run.ending()).ok === false) {
        return acceptedCall(update, run.ending())
      }
      return await toTheEnd(run, update)
    } finally {
      run.stopListening()
    }
  })
}

/** Resumes a call that was started earlier: looks up the webhook that arrived meanwhile, and polls the task. */
export async function runResumed(session: Session, options: CallToResume): Promise<CallOutcome> {
  const { taskId, operationId } = options
  const isReceived = session.options.receiver !== undefined && operationId !== undefined
  if (taskId === undefined && !isReceived) {
    throw new TypeError('set taskId, or operationId and the receiver of its webhook')
  }
  return withinTime(options, async (deadline, time) => {
    const begun = { request: {}, isSafe: true, idempotencyKey: undefined, operationId, isReceived }
    const run = startRun({ session, options, deadline, time }, begun)
    run.following.taskId = taskId
    if (isReceived) run.listen()
    try {
      return await toTheEnd(run, undefined)
    } finally {
      run.stopListening()
    }
  })
}

interface Time {
  timeoutMs: number
  remainingMs(): number
}

function withinTime(
  { timeoutMs: given, wait = true, signal }: CallOptions,
  work: (deadline: AbortSignal, time: Time) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const timeoutMs = given ?? (wait ? WAIT_MS : ANSWER_MS)
  const startedMs = performance.now()
  const remainingMs = () => timeoutMs - (performance.now() - startedMs)
  return withDeadline({ timeoutMs, signals: signal ? [signal] : [] }, (deadline) =>
    work(deadline, { timeoutMs, remainingMs }),
  )
}

interface Parts {
  session: Session
  options: CallOptions & { task: string }
  deadline: AbortSignal
  time: Time
}

interface Run extends Parts {
  received: CallUpdates
  following: Following
  report(progress: CallProgress): void
  listen(): void
  stopListening(): void
  identity(): CallIdentity
  ending(): Ending
  /** The outcome, once an end was reported. */
  end(): CallOutcome
}

function startRun(parts: Parts, { request, operationId, idempotencyKey }: PreparedCall): Run {
  const { session, options, deadline, time } = parts
  const { task } = options
  const { names } = session
  const { receiver, check, onConflict } = session.options
  const received = createCallUpdates({ task, operationId, onConflict: unthrown(onConflict) })
  const report = unthrown(options.onProgress)
  let listening: Listening | undefined
  const following: Following = {
    session,
    connect: session.connect,
    task,
    request,
    received,
    deadline,
    options,
    report,
    taskId: undefined,
    native: undefined,
    isReceived: () => listening?.isOn() ?? false,
  }
  const run: Run = {
    ...parts,
    received,
    following,
    report,
    listen: () => {
      if (!receiver || operationId === undefined) return
      const taskId = () => following.taskId
      const { timeoutMs } = time
      const { closing } = session
      const requested = { task, names, receiver, operationId, received, taskId }
      listening = listen({ ...requested, timeoutMs, closing, report })
    },
    stopListening: () => {
      // A webhook that differs from the answer can only be reported while the call still listens.
      const end = received.end()
      const isKept = end !== undefined && end.by !== 'webhook' && onConflict !== undefined
      listening?.end({ isKept })
    },
    identity: () => {
      // A transport's own id for a task is not a task_id: it is reported only when there is no other id to query
      // with.
      const native = received.end() ? undefined : following.native?.taskId
      const taskId = following.taskId ?? native
      const conflicts = received.conflicts.length > 0 ? [...received.conflicts] : undefined
      const transport = session.transport()
      return { ...defined({ taskId, operationId, idempotencyKey, transport, conflicts }) }
    },
    ending: () => ({ task, names, check, identity: run.identity() }),
    end: () => endedCall(received.end() as TaskUpdate, run.ending()),
  }
  return run
}

/** The answer, requested again if that is safe; if a webhook arrives first, it does not wait for the answer long. */
async function firstAnswer(
  run: Run,
  { client }: FoundTransport,
  { request, isSafe }: PreparedCall,
): Promise<{ answer: CallResult; update: TaskUpdate | undefined }> {
  const { options, deadline, time, received, following, session, report } = run
  const { task, attempts = ATTEMPTS } = options
  const over = new AbortController()
  const sending = startDeadline({ signals: [deadline, over.signal] })
  const { signal } = sending
  const onNative = (native: Following['native']) => {
    following.native = native
  }
  const answered = sendCall(() => client.call(task, request, { signal, onNative }), {
    attempts,
    isSafe,
    signal,
    remainingMs: time.remainingMs,
    onRepeat: ({ message }, inMs) =>
      report({ by: 'answer', fault: `${message}; again in ${Math.round(inMs)} ms` }),
  })
  const answer = await Promise.race([answered, tooLate(received.ended, over.signal)])
  over.abort()
  sending.end()
  const update = updateFromResponse(answer, { task, names: session.names })
  following.taskId = update?.taskId
  return { answer, update }
}

function tooLate(ended: AbortSignal, over: AbortSignal): Promise<CallResult> {
  const message = 'the webhook arrived before the response, so the response was no longer awaited'
  return new Promise((resolve) => {
    const wait = () =>
      void pause(LATE_ANSWER_MS, over).then(() => resolve({ ok: false, kind: 'timeout', message }))
    if (ended.aborted) wait()
    else ended.addEventListener('abort', wait, { once: true, signal: over })
  })
}

/** A refusal that may not recur on a retry says nothing about the task: an earlier attempt may have started it. */
function receiveResponse({ received, report }: Run, answer: CallResult, update: TaskUpdate): void {
  const { by, status, message, taskId } = update
  if (isFinalStatus(status)) {
    const isPassing = !answer.ok && agentError(answer).recovery === 'transient'
    if (!isPassing || taskId !== undefined) received.receive(update)
    return
  }
  received.receive(update)
  report({ by, status, ...defined({ message, taskId }) })
}

/** If a listener throws, a warning is logged, and the call is not affected. */
function unthrown<T>(listener: ((value: T) => void) | undefined): (value: T) => void {
  return (value) => {
    try {
      listener?.(value)
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
}

async function toTheEnd(run: Run, latest: TaskUpdate | undefined): Promise<CallOutcome> {
  const followed = await followCall(run.following, latest)
  if (followed.kind === 'ended') return run.end()
  if (followed.kind === 'asks') return acceptedCall(followed.update, run.ending())
  return failedCall(followed.failure, run.identity())
}
