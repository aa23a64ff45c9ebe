// One step of one claimed task: it runs while the lease is renewed, and its outcome is committed unless the claim has
// ended by then. A step that throws is retried, up to a limit.

import { backoffMs } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import { StorageUnavailable, type Transact, type Transaction } from '../lib/transaction.ts'
import { whenAvailable } from '../lib/when-available.ts'
import { ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import { type ChangePorts, changeTask, postponeTask, type TaskChange } from './change-task.ts'
import { type ClaimedTask, TASKS_DUE_TOPIC, type TaskRecord } from './store.ts'
import type { AnyWork, StepOutcome, Works } from './work.ts'

export interface StepPorts extends ChangePorts {
  transact: Transact
  works: Works
  clock: Clock
  /** Consecutive steps that may throw before the task fails. */
  maxTries: number
  /** Pauses between them. */
  backoff: { firstMs: number; maxMs: number }
  /** Consecutive processes that may die in a step before the task fails. */
  maxDeaths: number
  /** Receives errors thrown by a step or, without a task, errors outside the steps. */
  onFault: (error: unknown, task: Pick<TaskRecord, 'task_id' | 'task_type'> | undefined) => void
  onStep?: ((step: StepReport) => void) | undefined
}

/**
 * `late`: the claim had ended. `released`: the step did not finish and was returned to the queue. `abandoned`: it did
 * not run, since too many processes had died in it.
 */
export interface StepReport {
  task_type: string
  outcome: Outcome['status'] | 'threw' | 'overdue' | 'abandoned' | 'late' | 'released'
  duration_ms: number
  /** Delay until the task is due again, if it will be. */
  afterMs?: number
}

type Outcome = StepOutcome<unknown, object>
type Ending = Pick<StepReport, 'outcome' | 'afterMs'>

/** Never throws: errors are reported, and the expiring lease makes the task due again. */
export async function runStep(
  ports: StepPorts,
  claim: ClaimedTask,
  signal: AbortSignal,
): Promise<StepReport> {
  const started = ports.clock.now()
  const ending = await endingOf(ports, claim, signal).catch((error: unknown): Ending => {
    ports.onFault(error, claim)
    return { outcome: 'threw' }
  })
  const duration_ms = ports.clock.now() - started
  const report = { task_type: claim.task_type, duration_ms, ...ending }
  ports.onStep?.(report)
  return report
}

async function endingOf(
  ports: StepPorts,
  claim: ClaimedTask,
  signal: AbortSignal,
): Promise<Ending> {
  const work = ports.works.get(claim.task_type)
  if (!work) throw new Error(`there is no work for ${claim.task_type}`)
  if (claim.deadline_at <= claim.claimed_at)
    return giveUp(ports, claim, { error: overdueError(claim) })
  // This claim is one of those that have not ended yet.
  if (claim.lost > ports.maxDeaths) {
    ports.onFault(new Error(`${ports.maxDeaths} processes died in a step of this task`), claim)
    return giveUp(ports, claim, {
      error: abandonedError(claim, ports),
      outcome: 'abandoned',
    })
  }
  try {
    const { request, state, input, tries } = claim
    const attempt = tries + 1
    const outcome: Outcome = await work.step({
      task: claim,
      request,
      state,
      input,
      attempt,
      signal,
    })
    // A failure caused by our shutdown says nothing about the task.
    if (signal.aborted && outcome.status === 'failed') return release(ports, claim)
    return await commitOutcome(ports, claim, outcome)
  } catch (error) {
    if (signal.aborted) return release(ports, claim)
    if (error instanceof StorageUnavailable) return releaseLater(ports, claim, { error, signal })
    return afterThrow(ports, claim, error)
  }
}

/** Writes the outcome, with its accompanying changes, if the claim still holds. */
function commitOutcome(ports: StepPorts, claim: ClaimedTask, outcome: Outcome): Promise<Ending> {
  return ports.transact(async (tx) => {
    const task = await lockClaim(ports, tx, claim)
    if (!task) return { outcome: 'late' }
    await outcome.commit?.(tx)
    if (outcome.status === 'wait') {
      const { state, afterMs } = outcome
      await postponeTask(ports, tx, { task, state, afterMs, input: undefined, tries: 0 })
      return { outcome: 'wait', afterMs }
    }
    const more = outcome.status === 'completed' ? await outcome.alsoReports?.(tx) : undefined
    const next = 'state' in outcome ? { state: outcome.state } : {}
    const afterMs = outcome.status === 'working' ? (outcome.afterMs ?? 0) : undefined
    const pause = afterMs === undefined ? {} : { afterMs }
    const changed = await changeTask(ports, tx, {
      task,
      change: changeOf(outcome, more),
      next: { ...next, ...pause },
    })
    // Rolls back what the outcome wrote: the work requested an invalid transition.
    if (!changed.ok) throw new Error(changed.message)
    return { outcome: outcome.status, ...pause }
  })
}

/** The same, for a task that cannot continue whatever its work returns. */
function giveUp(
  ports: StepPorts,
  claim: ClaimedTask,
  { error, outcome = 'overdue' }: { error: TaskError; outcome?: 'overdue' | 'threw' | 'abandoned' },
): Promise<Ending> {
  return ports.transact(async (tx) => {
    const task = await lockClaim(ports, tx, claim)
    if (!task) return { outcome: 'late' }
    const work = ports.works.get(task.task_type) as AnyWork
    await work.onAbandon?.(tx, { task, state: task.state })
    await changeTask(ports, tx, { task, change: failedWith([error]) })
    return { outcome }
  })
}

/**
 * Renews the lease. False if the step runs in vain: the claim has ended, or the deadline has passed and the task has
 * ended with it.
 */
export async function keepClaim(
  ports: StepPorts,
  claim: ClaimedTask,
  leaseMs: number,
): Promise<boolean> {
  const isKept = await ports.transact(async (tx) => {
    if ((await tx.now()) >= claim.deadline_at) return undefined
    return ports.tasks.renew(tx, claim, leaseMs)
  })
  if (isKept !== undefined) return isKept
  await giveUp(ports, claim, { error: overdueError(claim) })
  return false
}

/** Makes the task due at once, as if the step had not started. */
export function release({ transact, tasks }: StepPorts, claim: ClaimedTask): Promise<Ending> {
  return transact(async (tx) => {
    if (!(await tasks.release(tx, claim))) return { outcome: 'late' }
    await tx.wake(TASKS_DUE_TOPIC)
    return { outcome: 'released' }
  })
}

/**
 * Nothing can be written now. The claim is released when the database is available again: if its lease simply
 * expired, that would count as if this process had died.
 */
async function releaseLater(
  ports: StepPorts,
  claim: ClaimedTask,
  { error, signal }: { error: StorageUnavailable; signal: AbortSignal },
): Promise<Ending> {
  ports.onFault(error, claim)
  return (await whenAvailable(() => release(ports, claim), signal)) ?? { outcome: 'threw' }
}

async function lockClaim(
  { tasks }: StepPorts,
  tx: Transaction,
  claim: ClaimedTask,
): Promise<TaskRecord | undefined> {
  const task = await tasks.lock(tx, claim)
  return task?.run === claim.run ? task : undefined
}

async function afterThrow(ports: StepPorts, claim: ClaimedTask, error: unknown): Promise<Ending> {
  if (error instanceof ProtocolError) {
    const { errors } = error
    return commitOutcome(ports, claim, { status: 'failed', errors })
  }
  ports.onFault(error, claim)
  const tries = claim.tries + 1
  if (tries >= ports.maxTries) {
    return giveUp(ports, claim, { error: faultError(claim), outcome: 'threw' })
  }
  const afterMs = backoffMs(tries, ports.backoff)
  return ports.transact(async (tx) => {
    const task = await lockClaim(ports, tx, claim)
    if (!task) return { outcome: 'late' }
    await postponeTask(ports, tx, { task, tries, afterMs })
    return { outcome: 'threw', afterMs }
  })
}

function changeOf(outcome: Exclude<Outcome, { status: 'wait' }>, more?: object): TaskChange {
  if (outcome.status === 'failed') return failedWith(outcome.errors, outcome.message)
  if (outcome.status === 'rejected') {
    const { status, errors, message = errors[0].message } = outcome
    return { status, errors, message }
  }
  if (outcome.status === 'completed') {
    const { status, result, message } = outcome
    return { status, result: { ...result, ...more }, message }
  }
  if (outcome.status !== 'input-required') return outcome
  const { status, reason, errors, message = HOW_TO_ANSWER } = outcome
  return { status, reason, errors, message }
}

const HOW_TO_ANSWER = 'Call provide_task_input with task_id, and input, message or approved.'

function failedWith(
  errors: readonly [TaskError, ...TaskError[]],
  message = errors[0].message,
): TaskChange {
  return { status: 'failed', errors, message }
}

function overdueError({ task_type, status, created_at, deadline_at }: TaskRecord): TaskError {
  const seconds = Math.round((deadline_at - created_at) / 1_000)
  return status === 'input-required'
    ? taskError('INVALID_STATE', `${task_type} waited for input that did not come in ${seconds} s`)
    : taskError(
        'SERVICE_UNAVAILABLE',
        `${task_type} did not finish within ${seconds} s and was abandoned: retry the request`,
      )
}

/** Terminal: what killed three processes would kill the next one. */
function abandonedError({ task_type }: TaskRecord, { maxDeaths }: StepPorts): TaskError {
  return taskError(
    'TASK_ABANDONED',
    `${task_type} was abandoned: the request crashed the server ${maxDeaths} times`,
    {
      suggestion: 'change the request before you retry, and report the task_id to the operator',
    },
  )
}

/** The error itself is shown only to the operator. */
function faultError({ task_type }: TaskRecord): TaskError {
  return taskError(
    'SERVICE_UNAVAILABLE',
    `${task_type} failed several times because of a server error: retry the request later`,
  )
}
