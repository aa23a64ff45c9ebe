// A task for the table that may outlive its call (spec 3.2). A caller with a webhook gets an immediate response
// and further updates by webhook. Without one, the call waits for a while and returns the result inline if the
// work ends by then.

import { randomUUID } from 'node:crypto'
import { canonicalDigest } from '../lib/canonical-json.ts'
import { defined } from '../lib/defined.ts'
import { pause } from '../lib/pause.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ManyErrors, ProtocolError } from '../protocol/errors.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import { type Accepted, type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { beginTask, type ChangePorts } from './change-task.ts'
import type { KeptRequest, TaskRecord } from './store.ts'
import type { TaskWait } from './wait-for-task.ts'
import type { AnyWork, Work } from './work.ts'

/** A task as stored in the table, with steps instead of a handler. */
export interface LongTask<Request, State, Response extends object>
  extends Omit<Task<Request, Response>, 'name' | 'handle'> {
  /** Its `task_type` is the task's name. */
  work: Work<Request, State, Response>
  /** How long a caller without a webhook waits; shorter than the longest call. */
  inlineWaitMs: number
  /**
   * Rejects with a ProtocolError what can be rejected at once, and returns the response if the work is already done:
   * then there is no task and no webhook. Undefined if there is work to do.
   */
  immediately?(request: Request, call: CallContext): Promise<Response | undefined>
  /** The part of the request that is stored until the task ends; secrets must be stored elsewhere. Default: all. */
  keeps?(request: Request): Request
  /** Additional writes at the start of the task, in its transaction; throws a ProtocolError to reject. */
  onBegin?(tx: Transaction, begun: { request: Request; state: State; owner: string }): Promise<void>
}

export interface LongTaskPorts extends ChangePorts {
  transact: Transact
  waits: TaskWait
}

export function longTask<Request extends object, State, Response extends object>(
  {
    work,
    inlineWaitMs,
    immediately,
    keeps,
    onBegin,
    ...returned
  }: LongTask<Request, State, Response>,
  ports: LongTaskPorts,
): Task<Request, Response> {
  const { transact, tasks, waits } = ports

  async function handle(request: Request, call: CallContext): Promise<Response | Accepted> {
    const requested = requestOf(keeps?.(request) ?? request, call, work)
    const task = (await begun(requested)) ?? (await begin(request, requested))
    if ('response' in task) return task.response
    if (task.has_webhook || call.deferred?.isFollowed) {
      await untilReported(task, call.signal)
      return { ...(await healthOf(task)), status: 'submitted', task_id: task.task_id }
    }
    const timeoutMs = Math.min(call.deferred?.waitMs ?? inlineWaitMs, inlineWaitMs)
    await waits.wait(task.task_id, { timeoutMs, signal: call.signal })
    return answer(task)
  }

  /** Checked first: a repetition of a started request is neither rejected nor reported as already done. */
  async function begun(requested: Requested): Promise<TaskRecord | undefined> {
    if (requested.envelope.idempotency_key === undefined) return undefined
    return transact((tx) => findBegun(ports, tx, requested))
  }

  async function begin(
    request: Request,
    requested: Requested,
  ): Promise<TaskRecord | { response: Response }> {
    const response = await immediately?.(request, requested.call)
    if (response) return { response }
    const { deadlineMs } = work
    const state = work.begin(request, requested.call)
    return transact(async (tx) => {
      const found = await findBegun(ports, tx, requested)
      if (found) return found
      await onBegin?.(tx, { request, state, owner: requested.owner })
      const begins = { domain: returned.area, state, deadlineMs }
      return beginRequested(ports, tx, { requested, begins })
    })
  }

  async function answer(key: TaskRecord): Promise<Response | Accepted> {
    const waited = await tasks.get(key, { evenUntold: true })
    // Record that the id is returned before returning it: from then on the caller may request the task.
    const isOver = waited !== undefined && isFinalStatus(waited.status)
    const reported = isOver ? undefined : await transact((tx) => tasks.report(tx, key))
    if (reported) return { ...(await healthOf(reported)), ...acceptedAs(reported) }
    const ended = isOver ? waited : await tasks.get(key, { evenUntold: true })
    if (!ended) throw new Error(`the task ${key.task_id} no longer exists`)
    return inlineOf<Response>(ended)
  }

  /** Polls with growing pauses, half a second in total, to include a platform's response that arrives by then. */
  async function untilReported(key: TaskRecord, signal: AbortSignal): Promise<void> {
    if (!work.isReportedTo) return
    for (const ms of FIRST_LOOKS_MS) {
      const task = await tasks.get(key, { evenUntold: true })
      if (!task || isFinalStatus(task.status) || work.isReportedTo(task.state as State)) return
      await pause(ms, signal)
    }
  }

  async function healthOf(key: TaskRecord): Promise<object | undefined> {
    if (!work.interim) return undefined
    const task = await tasks.get(key, { evenUntold: true })
    if (!task) return undefined
    return task.status === 'completed' ? task.result : interimIn(work, task)
  }

  return defineTask({ ...returned, name: work.task_type, handle })
}

const FIRST_LOOKS_MS = [5, 10, 20, 40, 75, 150, 200]

/** For work in progress. An error it throws is no reason to withhold the task itself. */
export async function interimIn(
  work: Pick<AnyWork, 'interim'> | undefined,
  task: TaskRecord,
): Promise<object | undefined> {
  if (!work?.interim || isFinalStatus(task.status)) return undefined
  try {
    return await work.interim(task)
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

interface Requested {
  owner: string
  task_type: string
  request: KeptRequest
  envelope: RequestEnvelope
  call: CallContext
}

/** The request without the parts that belong to the call: the webhook's secrets are stored elsewhere. */
function requestOf(
  request: object,
  call: CallContext,
  { task_type }: Pick<Requested, 'task_type'>,
): Requested {
  if (!call.principal) {
    throw new ProtocolError(
      'AUTH_MISSING',
      `${task_type} requires a key: an anonymous caller has no task to follow`,
    )
  }
  const { context, context_id, push_notification_config, idempotency_key, ...kept } =
    request as RequestEnvelope & Record<string, unknown>
  const envelope = { context, context_id, push_notification_config, idempotency_key }
  return { owner: call.principal.principal_id, task_type, request: kept, envelope, call }
}

/**
 * The task that an earlier call with the same key started, if that call was never answered: a crash between the work
 * and the response must not cause the work to be done twice.
 */
async function findBegun(
  { tasks }: LongTaskPorts,
  tx: Transaction,
  { owner, task_type, request, envelope: { idempotency_key } }: Requested,
): Promise<TaskRecord | undefined> {
  if (idempotency_key === undefined) return undefined
  const found = await tasks.findByKey(tx, { owner, task_type, idempotency_key })
  // A call that returned a failure has released its key.
  if (!found || (found.errors && !found.is_told)) return undefined
  if (found.status === 'canceled' && !found.is_told) return undefined
  if (found.requestDigest === canonicalDigest(request)) return found
  throw new ProtocolError(
    'IDEMPOTENCY_CONFLICT',
    'this idempotency_key was used for another request: send a new key with a new request',
  )
}

interface BegunWork {
  domain: string
  state: unknown
  deadlineMs: number
}

async function beginRequested(
  ports: LongTaskPorts,
  tx: Transaction,
  { requested, begins }: { requested: Requested; begins: BegunWork },
): Promise<TaskRecord> {
  const { owner, task_type, request, envelope } = requested
  const { deferred, version } = requested.call
  const { push_notification_config: config } = envelope
  const hasWebhook = config !== undefined || deferred?.hasWebhook === true
  const task = await beginTask(ports, tx, {
    ...begins,
    task_id: deferred?.task_id ?? randomUUID(),
    owner,
    task_type,
    request,
    status: hasWebhook ? 'submitted' : 'working',
    context: envelope.context,
    context_id: envelope.context_id ?? deferred?.context_id,
    generation: version.level,
    idempotency_key: envelope.idempotency_key,
    is_told: hasWebhook || deferred?.isFollowed === true,
    has_webhook: hasWebhook,
  })
  if (config) await ports.events.register(tx, task, config)
  return task
}

function acceptedAs({ status, task_id, message }: TaskRecord): Accepted {
  const isWaiting = status === 'submitted' || status === 'input-required'
  return {
    status: isWaiting ? status : 'working',
    task_id,
    ...defined({ message }),
  }
}

/** The answer without a task_id: the task's response or its rejection. */
function inlineOf<Response extends object>(task: TaskRecord): Response {
  if (task.status === 'completed') return task.result as Response
  const [first, ...others] = task.errors ?? []
  if (first) throw new ManyErrors([first, ...others])
  const because = task.message === undefined ? '' : `: ${task.message}`
  throw new ProtocolError('INVALID_STATE', `${task.task_type} was ${task.status}${because}`)
}
