// One call of a task, over any transport. Its caller was admitted before its body was read. Errors that a handler
// throws are caught only here.

import { startDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import { StorageUnavailable } from '../lib/transaction.ts'
import { noteWork } from '../lib/turn-watch.ts'
import { FAULT_LIMITS } from '../protocol/error-limits.ts'
import { type ErrorCode, ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import type { ReleaseTable, Version } from '../protocol/releases/release-table.ts'
import { hasFeature, RELEASES } from '../protocol/releases/releases.ts'
import { requestNotes } from '../protocol/schemas/request-notes.ts'
import { type AnyTask, type CallContext, isPrepared } from '../protocol/task.ts'
import type { Agent, AgentPorts, TaskCall } from './agent.ts'
import {
  type Answer,
  doneAnswer,
  type Echo,
  echoOf,
  failedAnswer,
  isAboutTask,
  refusedAnswer,
} from './answer.ts'
import { admit, takeMore } from './authentication.ts'
import {
  callerOf,
  keyFault,
  parseRequest,
  requestObject,
  versionOf,
  versionWith,
} from './call-steps.ts'
import { checkCost, estimatedBytes } from './check-cost.ts'
import { type CostBudget, createCostBudget } from './cost-budget.ts'
import { runOnce } from './idempotency.ts'
import { registrationFault } from './legacy-registration.ts'
import { CALL_LIMITS, COST_LIMITS } from './limits.ts'
import { operationFault } from './signing-policy.ts'
import type { TableEntry } from './task-table.ts'

export function createAgent(given: AgentPorts): Agent {
  const waitMs = Math.min(COST_LIMITS.waitSeconds.value * 1_000, given.timeoutMs)
  const { budget = createCostBudget({ waitMs }), releases = RELEASES } = given
  const ports: CallPorts = { ...given, budget, releases }
  return {
    tasks: ports.tasks,
    identifiers: ports.identifiers,
    admit: (bearer) => admit(ports, bearer),
    takeMore: (admitted, calls) => {
      const taken = takeMore(ports, admitted, calls)
      return taken.ok ? undefined : taken.error
    },
    keyFault,
    operationFault: (admitted, { task, method }) => {
      if (!ports.signing) return undefined
      const name = task === undefined ? undefined : (ports.tasks.find(task)?.task.name ?? task)
      return operationFault(ports.signing.policy, admitted, { task: name, method })
    },
    registrationFault: (admitted, body) => registrationFault(ports, admitted, body),
    call: async (call) => {
      const entry = ports.tasks.find(call.task)
      if (!entry) return undefined
      const started = performance.now()
      const endWork = noteWork(entry.task.name)
      const echo = echoOf(call.arguments)
      const answer = await answerCall(ports, { entry, call, echo })
      endWork()
      ports.onCall?.({
        task: entry.task.name,
        transport: call.transport,
        outcome: answer.ok ? String(answer.body.status ?? answer.callStatus) : answer.code,
        duration_ms: Math.round((performance.now() - started) * 1e3) / 1e3,
        principal_id: call.admitted.principal?.principal_id,
      })
      observe?.({
        entry,
        identifiers: ports.identifiers,
        releases: ports.releases,
        version: echo.version,
        answer,
      })
      return answer
    },
  }
}

/** @internal */
export interface Answered extends Pick<CallPorts, 'identifiers' | 'releases'> {
  entry: TableEntry
  /** Undefined when the call was refused before its version was known. */
  version: Version | undefined
  answer: Answer
}

let observe: ((answered: Answered) => void) | undefined

/** Calls back with every answer of every agent in this process. @internal */
export function onAnswer(callback: (answered: Answered) => void): void {
  observe = callback
}

interface CallPorts extends AgentPorts {
  budget: CostBudget
  releases: ReleaseTable
}

interface FoundCall {
  entry: TableEntry
  call: TaskCall
  /** What is known about the call so far, even when it fails midway. */
  echo: Echo
}

/**
 * A call in ten steps; the first one that refuses provides the answer. (1) The task was found; (2) the caller may
 * call it; (3) the request is an object; (4) information for its caller is noted; (5) its version is served; (6) it
 * matches the schema; (7) it is done once under its key; (8) its cost is within limits; (9) the task does it, within
 * the time; (10) the answer is within its limits.
 */
async function runCall(ports: CallPorts, found: FoundCall): Promise<Answer> {
  const { entry, call, echo } = found
  const { task } = entry
  const principal = callerOf(entry, call)
  const request = requestObject(call.arguments)
  echo.notes = requestNotes(entry.request, request)
  const requested = versionOf(ports, entry, request)
  echo.version = requested
  const version = versionWith(entry, requested, ports.releases)
  echo.version = version
  const { idempotency_key: key } = request
  const isKey = typeof key === 'string' && key.length <= MAX_ECHOED_KEY
  if (task.changes && hasFeature(version, 'keys_of_changes') && isKey) {
    echo.idempotency_key = key
  }
  const read = ports.releases.requestOf(version, task.name, request)
  if (read !== request) echo.notes = requestNotes(entry.request, read)
  const { notes } = echo
  const parsed = parseRequest(entry, read, { version, notes, checkPush: ports.checkPush })

  const deadline = startDeadline({ timeoutMs: ports.timeoutMs, signals: [call.signal] })
  const context: CallContext = {
    principal,
    version,
    signal: deadline.signal,
    account: call.admitted.account,
    transport: call.transport,
    calledOn: call.calledOn,
    deferred: call.deferred,
    hops: call.hops,
    note: (sentence) => {
      if (notes.length < FAULT_LIMITS.misspelt.value) notes.push(sentence)
    },
  }
  const answerOf = (response: object) => answered(ports, found, response)
  const work = async () => {
    const units = await checkCost(task, parsed, context)
    const end = await ports.budget.start(call.admitted.account, units, deadline.signal)
    try {
      reserveAnswer(call, estimatedBytes(units))
      const response: unknown = await task.handle(parsed, context)
      refuseNonObject(task.name, response)
      // What was prepared was measured then.
      const answer = isPrepared(response)
        ? answerOf(response)
        : await withinLimit(answerOf(response))
      // A call that has changed something is always answered.
      if (!task.changes) reserveAnswer(call, answer.json().length)
      return answer
    } finally {
      end()
    }
  }
  // A caller that stops waiting does not stop the work: its key stays in use until the work has ended.
  const about = { task: task.name, request: withoutSecrets(task, request), principal, answerOf }
  const once = mayReplay(task)
    ? runOnce(ports, { ...about, ...(task.changes ? {} : { mostKept: MAX_KEPT_READ }) }, work)
    : work()
  return untilAborted(once.finally(deadline.end), deadline.signal)
}

/**
 * spec 3.2: a key makes any call repeatable, reads too. Calls that query the status of a task are excluded: they are
 * repeated to learn what has changed.
 */
function mayReplay({ changes, area }: AnyTask): boolean {
  return changes || (area !== 'tasks' && area !== 'protocol')
}

/** The answer of a read is kept up to this length, since it can be generated again. */
const MAX_KEPT_READ = CALL_LIMITS.keptRead.value

/** Throws when there is no room for the answer. */
function reserveAnswer({ reserve }: TaskCall, bytes: number): void {
  const full = reserve?.(bytes)
  if (!full) return
  const { code, message, retry_after } = full
  throw new ProtocolError(code, message, { ...defined({ retry_after }) })
}

/** What is compared with the request of another call: it stays the same request if a secret in it was renewed. */
function withoutSecrets(
  { secretMembers = [] }: AnyTask,
  request: Record<string, unknown>,
): Record<string, unknown> {
  if (secretMembers.length === 0) return request
  return Object.fromEntries(
    Object.entries(request).filter(([member]) => !secretMembers.includes(member)),
  )
}

function answered(
  { identifiers, releases }: CallPorts,
  { entry: { task }, echo }: FoundCall,
  response: object,
): Answer {
  const hasNoStatus = task.hasNoStatus ?? false
  const about = { identifiers, isAboutTask: isAboutTask(task), hasNoStatus }
  const { version } = echo
  if (!isPrepared(response)) {
    const reported = version ? releases.answerFor(version, task.name, response) : response
    return doneAnswer(reported, echo, about)
  }
  const { value } = response
  const reported = version ? releases.membersFor(version, task.name, value) : value
  // If another release represents it differently, the prepared JSON cannot be used.
  const prepared = reported === value ? { prepared: response } : {}
  return doneAnswer(reported, echo, { ...about, ...prepared })
}

/** A longer one is ignored, and is not sent back. */
const MAX_ECHOED_KEY = 255

const MAX_ANSWER_BYTES = CALL_LIMITS.answerBytes.value

class AnswerTooLarge extends ProtocolError {
  constructor() {
    const message = `the response would be larger than ${MAX_ANSWER_BYTES} bytes: request less at once`
    super('UNSUPPORTED_FEATURE', message)
  }
}

/** From this length on an answer is written in slices. */
const PACED_CHARS = 131_072

async function withinLimit(answer: Answer): Promise<Answer> {
  const isSmall = !isLongerAsJson(answer.body, PACED_CHARS)
  if (!isSmall && !(await answer.writePaced(MAX_ANSWER_BYTES))) throw new AnswerTooLarge()
  return answer
}

/** Ends when the work ends or the signal is aborted; what the work does after that is ignored. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(
        new ProtocolError(
          'SERVICE_UNAVAILABLE',
          'the call timed out: retry it, with the same idempotency_key if it had one',
          { retry_after: 5 },
        ),
      )
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** With these codes the request was not read, and nothing in it is sent back. */
const UNSEEN: readonly ErrorCode[] = ['AUTH_MISSING', 'AUTH_INVALID', 'RATE_LIMITED']

async function answerCall(ports: CallPorts, found: FoundCall): Promise<Answer> {
  const { area } = found.entry.task
  const { identifiers, releases } = ports
  try {
    return await runCall(ports, found)
  } catch (error) {
    const errors = errorsOf(ports, error, found.call)
    if (UNSEEN.includes(errors[0].code)) return refusedAnswer(errors[0], identifiers)
    const { version } = found.echo
    const inWords = (one: TaskError) => (version ? releases.errorFor(version, one) : one)
    const [first, ...others] = errors
    const reported = [inWords(first), ...others.map(inWords)] as const
    const echo = error instanceof AnswerTooLarge ? defined({ version }) : found.echo
    const failed = failedAnswer(reported, identifiers, { echo, area })
    return { ...failed, code: releases.knownCode(failed.code) }
  }
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
      ? 'the database is unavailable and nothing was changed: retry the call'
      : 'the call failed because of a server error. Retry it, and contact the operator if it fails again'
  return [taskError('SERVICE_UNAVAILABLE', message, { retry_after: 5 })]
}

/** Handlers of a program that embeds the server may be plain JavaScript. */
function refuseNonObject(name: string, response: unknown): asserts response is object {
  if (typeof response === 'object' && response !== null && !Array.isArray(response)) return
  throw new TypeError(`the handler of ${name} must return an object`)
}
