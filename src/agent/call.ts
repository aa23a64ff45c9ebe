// One call of a task, whatever wire it came over: version, principal and scope, schema, idempotency,
// handler, answer. What a handler throws is caught here and nowhere else.

import { isNestedTooDeep, MAX_NESTING } from '../lib/nesting.ts'
import type { RateLimit } from '../lib/token-bucket.ts'
import { StorageUnavailable, type Transact } from '../lib/transaction.ts'
import { type Issue, ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { issuesOf } from '../protocol/schemas/issues.ts'
import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import { anyCallRequires, changeRequires } from '../protocol/schemas/seed-rules.ts'
import {
  type AnyTask,
  type CallContext,
  type Deferred,
  isPrepared,
  type Wire,
} from '../protocol/task.ts'
import { chooseVersion, SERVED_RELEASES } from '../protocol/versions.ts'
import { type Answer, doneAnswer, type Echo, echoOf, failedAnswer, isAboutTask } from './answer.ts'
import { type IdempotencyStore, runOnce } from './idempotency.ts'
import { authenticatePrincipal, type Principal, type PrincipalStore } from './principals.ts'
import type { TableEntry, TaskTable } from './task-table.ts'

export interface TaskCall {
  task: string
  /** The request object; anything else is refused. */
  arguments: unknown
  wire: Wire
  /** The Authorization header, if there was one. */
  authorization: string | undefined
  /** Whom a call without a key is counted against: the caller's address. */
  address: string
  calledOn: string
  /** Aborted when the caller has gone. */
  signal: AbortSignal
  /** What the wire has settled for work that is accepted for later. Default: nothing. */
  deferred?: Deferred | undefined
}

export interface CallRecord {
  task: string
  wire: Wire
  outcome: string
  duration_ms: number
  principal_id: string | undefined
}

export interface AgentPorts {
  tasks: TaskTable
  identifiers: Identifiers
  transact: Transact
  principals: Pick<PrincipalStore, 'byKeyHash'>
  idempotency: IdempotencyStore
  /** Calls of one principal, or of one address without a key. */
  rateLimit: RateLimit
  /** What is wrong with where a caller wants to be told, whatever the task. Default: nothing. */
  checkPush?: (config: PushNotificationConfig) => readonly Issue[]
  /** Longest time a caller waits, in milliseconds. */
  timeoutMs: number
  onCall?: (record: CallRecord) => void
  /** Hears of what a handler threw and should not have; the caller hears only that it failed. */
  onFault: (error: unknown, call: TaskCall) => void
}

export interface Agent {
  tasks: TaskTable
  /** Undefined when there is no task of that name: each wire says so in its own way. */
  call(call: TaskCall): Promise<Answer | undefined>
}

export function createAgent(ports: AgentPorts): Agent {
  return {
    tasks: ports.tasks,
    call: async (call) => {
      const entry = ports.tasks.find(call.task)
      if (!entry) return undefined
      const started = performance.now()
      const state: CallState = { echo: echoOf(call.arguments), principal: undefined }
      const answer = await answerCall(ports, entry, call, state)
      ports.onCall?.({
        task: entry.task.name,
        wire: call.wire,
        outcome: answer.ok ? String(answer.body.status) : answer.code,
        duration_ms: Math.round((performance.now() - started) * 1e3) / 1e3,
        principal_id: state.principal?.principal_id,
      })
      return answer
    },
  }
}

/** What is known of a call so far, also when it fails half-way. */
interface CallState {
  echo: Echo
  principal: Principal | undefined
}

async function answerCall(
  ports: AgentPorts,
  entry: TableEntry,
  call: TaskCall,
  state: CallState,
): Promise<Answer> {
  try {
    return await runCall(ports, entry, call, state)
  } catch (error) {
    const { area } = entry.task
    return failedAnswer(errorsOf(ports, error, call), state.echo, ports.identifiers, area)
  }
}

async function runCall(
  ports: AgentPorts,
  entry: TableEntry,
  call: TaskCall,
  state: CallState,
): Promise<Answer> {
  const { task } = entry
  const request = requestObject(call.arguments)
  const choice = chooseVersion(request, ports.identifiers, task.newerMembers ?? [])
  if (!choice.ok) {
    throw new ProtocolError('VERSION_UNSUPPORTED', choice.message, {
      details: { supported_versions: SERVED_RELEASES },
    })
  }
  state.echo.version = choice.version
  state.principal = await principalOf(ports, entry, call)
  if (state.principal) limitRate(ports, state.principal.principal_id)
  const parsed = parseRequest(ports, entry, request, choice.version.generation)

  const deadline = AbortSignal.any([call.signal, AbortSignal.timeout(ports.timeoutMs)])
  const context: CallContext = {
    principal: state.principal,
    wire: call.wire,
    version: choice.version,
    address: call.address,
    calledOn: call.calledOn,
    signal: deadline,
    deferred: call.deferred,
  }
  const aboutTask = { isAboutTask: isAboutTask(task) }
  const answerOf = (response: object): Answer =>
    isPrepared(response)
      ? doneAnswer(response.value, state.echo, ports.identifiers, {
          ...aboutTask,
          prepared: response,
        })
      : doneAnswer(response, state.echo, ports.identifiers, aboutTask)
  const work = async () => answerOf(await task.handle(parsed, context))
  // A caller who stops waiting does not stop the work: its key stays taken until the work has ended.
  const { principal } = state
  const once = task.changes
    ? runOnce(ports, { task: task.name, request, principal, answerOf }, work)
    : work()
  return untilAborted(once, deadline)
}

function requestObject(value: unknown): Record<string, unknown> {
  const given = value ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new ProtocolError('INVALID_REQUEST', 'the request must be a JSON object')
  }
  if (isNestedTooDeep(given)) {
    const message = `the request must not be nested deeper than ${MAX_NESTING} levels`
    throw new ProtocolError('INVALID_REQUEST', message)
  }
  return given as Record<string, unknown>
}

async function principalOf(
  ports: AgentPorts,
  { task, name }: TableEntry,
  { authorization, address }: TaskCall,
): Promise<Principal | undefined> {
  if (authorization === undefined || authorization.trim() === '') {
    limitRate(ports, `address ${address}`)
    if (task.access === 'public') return undefined
    throw new ProtocolError('AUTH_MISSING', `${name} needs a key: send Authorization: Bearer adw_…`)
  }
  const key = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1]
  const principal =
    key === undefined ? undefined : await authenticatePrincipal(ports.principals, key)
  if (!principal) {
    // Guessing keys is counted too.
    limitRate(ports, `address ${address}`)
    throw new ProtocolError(
      'AUTH_INVALID',
      'the key is unknown or revoked: send Authorization: Bearer and a key that begins with adw_',
    )
  }
  if (task.access !== 'public' && !principal.scopes.includes(task.access)) {
    throw new ProtocolError(
      'PERMISSION_DENIED',
      `${name} needs a key with the scope ${task.access}`,
    )
  }
  return principal
}

function limitRate({ rateLimit }: AgentPorts, caller: string): void {
  const taken = rateLimit.take(caller)
  if (taken.ok) return
  const seconds = Math.min(taken.retryAfterSeconds, 3_600)
  throw new ProtocolError('RATE_LIMITED', `too many calls: wait ${seconds} s and repeat`, {
    retry_after: seconds,
  })
}

function defaultRule(task: AnyTask) {
  return task.changes ? changeRequires : anyCallRequires
}

function parseRequest(
  { checkPush }: AgentPorts,
  { task, request: schema }: TableEntry,
  request: Record<string, unknown>,
  generation: 'seed' | '3.x',
): unknown {
  const parsed = schema.safeParse(request)
  const issues = [
    ...(parsed.success ? [] : issuesOf(parsed.error, request)),
    ...(task.alsoRequired ?? defaultRule(task))(request, generation),
  ]
  const push = parsed.success ? parsed.data.push_notification_config : undefined
  if (push) issues.push(...(checkPush?.(push as PushNotificationConfig) ?? []))
  if (issues.length === 0 && parsed.success) return parsed.data
  const refusal = task.refusalFor?.(issues, request)
  throw new ProtocolError(
    refusal ?? 'INVALID_REQUEST',
    issues.map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message)).join('; '),
    { issues },
  )
}

/** Ends when the work does or the signal is aborted; what the work does after that nobody waits for. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(
        new ProtocolError(
          'SERVICE_UNAVAILABLE',
          'the call took too long: repeat it, with the same idempotency_key if it had one',
          { retry_after: 5 },
        ),
      )
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function errorsOf(
  { onFault }: AgentPorts,
  error: unknown,
  call: TaskCall,
): readonly [TaskError, ...TaskError[]] {
  if (error instanceof ProtocolError) return error.errors
  onFault(error, call)
  const message =
    error instanceof StorageUnavailable
      ? 'the database is unavailable: nothing was accepted, repeat the call'
      : 'the call failed inside the server: repeat it, and tell the operator if it fails again'
  return [taskError('SERVICE_UNAVAILABLE', message, { retry_after: 5 })]
}
