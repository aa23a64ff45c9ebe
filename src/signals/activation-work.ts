// The steps of an activation (spec 3.3). First every target that is not live yet becomes `activating` under this
// task, each with an `activation_id`; then the connectors are called until each target has settled; then the response
// is built from the store. If two tasks want the same target, the second one only follows the first.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type {
  ActivateSignalRequest,
  ActivateSignalResponse,
} from '../protocol/schemas/activate-signal.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import type { TaskRecord } from '../tasks/store.ts'
import type { StepOutcome, StepRun } from '../tasks/work.ts'
import type { Known } from './access.ts'
import type { RunState, TargetRun } from './activation-run.ts'
import {
  type Activation,
  type ActivationEvent,
  moveActivation,
  remainingMinutes,
} from './activation-state.ts'
import { progressOf, statusSoFar } from './activation-status.ts'
import type { ActivationStore } from './activation-store.ts'
import { type CallResult, callConnector, type RetryOptions } from './call-connector.ts'
import {
  type ActivationPlan,
  activationFailed,
  alreadyActivated,
  interim,
  isTargetLive,
  type PlannedTarget,
  type PlanPorts,
  planActivation,
  unreachable,
} from './plan-activation.ts'

export interface ActivationWorkPorts extends PlanPorts {
  activations: ActivationStore
  clock: Clock
  /** Default: ten calls, with pauses from 1 s to 5 min. */
  retry?: RetryOptions | undefined
  /** Hears how a target settled. */
  onSettled?: ((outcome: 'live' | 'failed' | 'off') => void) | undefined
}

type Run = StepRun<ActivateSignalRequest, RunState>
type Outcome = StepOutcome<RunState, ActivateSignalResponse>

/** Waits for a call in progress to finish before its effect is undone. */
export const UNDO_AFTER_MS = 2_000

export async function activateStep(ports: ActivationWorkPorts, run: Run): Promise<Outcome> {
  if (run.state.phase === 'begin') {
    return beginAll(ports, run, await planActivation(ports, run.request, run.state.caller))
  }
  try {
    const plan = await planActivation(ports, run.request, run.state.caller)
    const runs = run.state.runs ?? {}
    const isOver = Object.values(runs).every(({ isSettled }) => isSettled)
    return isOver ? finish(ports, run, plan) : await drive(ports, run, plan)
  } catch (error) {
    // The signal was deleted, or the caller may no longer have it: nothing of it is kept.
    if (!(error instanceof ProtocolError)) throw error
    const commit = (tx: Transaction) => giveUpActivating(ports, tx, run.task)
    return { status: 'failed', errors: error.errors, commit }
  }
}

function beginAll(ports: ActivationWorkPorts, run: Run, plan: ActivationPlan): Outcome {
  const { request, state, task } = run
  const reached = plan.targets.filter((one) => !isTargetLive(one))
  const faults = reached.map((one) => unreachable(ports, request, one))
  const pending = reached.filter((_, n) => faults[n] === undefined)
  const reported = plan.targets.filter(isTargetLive).map((one) => alreadyActivated(request, one))
  const errors = [...plan.refused, ...reported, ...faults.filter((fault) => fault !== undefined)]
  const runs = Object.fromEntries(pending.map(({ key }) => [key, { tries: 0, dueAt: 0 }]))
  // Reported once the platforms have said how long they take.
  return {
    status: 'wait',
    afterMs: 0,
    state: { ...state, phase: 'drive', runs, errors },
    commit: (tx) => beginActivating(ports, tx, { run: { request, task, state }, pending }),
  }
}

interface Beginning {
  run: Pick<Run, 'request' | 'task' | 'state'>
  pending: readonly PlannedTarget[]
}

/** Targets that another task is already activating are left to that task. */
async function beginActivating(
  { activations }: Pick<ActivationWorkPorts, 'activations'>,
  tx: Transaction,
  { run: { request, task, state }, pending }: Beginning,
): Promise<void> {
  const at = await tx.now()
  const { signal_agent_segment_id, pricing_option_id } = request
  const place = { principal_id: state.caller.principal_id, signal_agent_segment_id }
  const locked = await activations.lock(
    tx,
    place,
    pending.map(({ target }) => target),
  )
  for (const [n, activation] of locked.entries()) {
    const served = pending[n]?.place
    const minutes = served?.estimated_activation_duration_minutes
    const moved = moveActivation(activation, {
      type: 'begin',
      at,
      activation_id: randomUUID(),
      origin: served?.is_live ? 'catalogue' : 'platform',
      task_id: task.task_id,
      eta_at: minutes === undefined ? undefined : at + minutes * 60_000,
      pricing_option_id,
    })
    if (moved.ok) await activations.save(tx, moved.activation)
  }
}

/** The result of one check of a target. */
interface Look {
  planned: PlannedTarget
  next: TargetRun
  event?: ActivationEvent
  /** Its own task undid it, and this task starts it again. */
  isTakenOver?: true
  /** The platform may have done something even though the run failed. */
  isUnsure?: boolean
}

async function drive(ports: ActivationWorkPorts, run: Run, plan: ActivationPlan): Promise<Outcome> {
  const { state, task, request } = run
  const runs = state.runs ?? {}
  const looks = await Promise.all(
    Object.entries(runs)
      .filter(([, { isSettled }]) => !isSettled)
      .map(([key, target]) => look(ports, run, { plan, key, target })),
  )
  const next = { ...runs }
  for (const { planned, next: after } of looks) next[planned.key] = after
  const settled = (of: Record<string, TargetRun>) =>
    Object.values(of).filter(({ isSettled }) => isSettled).length
  const total = Object.keys(runs).length
  const done = settled(next)
  const now = ports.clock.now()
  const waits = Object.values(next).filter(({ isSettled }) => !isSettled)
  const afterMs = Math.max(0, Math.min(...waits.map(({ dueAt }) => dueAt - now)))
  const isReported = !state.isLookedAt || (done > settled(runs) && done < total)
  const takenOver = looks.filter(({ isTakenOver }) => isTakenOver).map(({ planned }) => planned)
  return {
    ...(isReported
      ? {
          status: 'working',
          ...progressOf(done, total, minutesLeft(looks, now)),
          interim: statusSoFar(plan.targets.map(afterLook(looks)), {
            caller: state.caller,
            now,
          }),
        }
      : { status: 'wait' }),
    state: { ...state, runs: next, isLookedAt: true },
    afterMs: done === total ? 0 : afterMs,
    commit: async (tx) => {
      await settle(ports, tx, { looks, request, caller: state.caller })
      await beginActivating(ports, tx, { run: { request, task, state }, pending: takenOver })
    },
  }
}

/** The state of a target after its platform's response has been committed. */
function afterLook(looks: readonly Look[]): (target: PlannedTarget) => PlannedTarget {
  return (target) => {
    const event = looks.find(({ planned }) => planned.key === target.key)?.event
    const moved = event && target.activation && moveActivation(target.activation, event)
    return moved?.ok ? { ...target, activation: moved.activation } : target
  }
}

interface Looking {
  plan: ActivationPlan
  key: string
  target: TargetRun
}

async function look(
  ports: ActivationWorkPorts,
  { task, state, signal: abort }: Run,
  { plan, key, target: run }: Looking,
): Promise<Look> {
  const planned = plan.targets.find((one) => one.key === key)
  // A caller that lost the right to a target during activation gets nothing there.
  if (!planned) return { planned: lostTarget(key), next: { ...run, isSettled: true } }
  const { activation, place } = planned
  const now = ports.clock.now()
  if (activation?.state === 'inactive' && activation.ended_by === 'cancellation') {
    return { planned, next: { tries: 0, dueAt: now }, isTakenOver: true }
  }
  if (activation?.state !== 'activating') return { planned, next: { ...run, isSettled: true } }
  if (activation.task_id !== task.task_id) {
    return { planned, next: { ...run, dueAt: now + followPauseMs(activation, now) } }
  }
  if (activation.origin === 'catalogue') {
    const { activation_id } = activation
    const event = { type: 'live', at: now, activation_id } as const
    const { activation_key } = place
    return { planned, next: { ...run, isSettled: true }, event: { ...event, activation_key } }
  }
  if (run.dueAt > now) return { planned, next: run }
  const called = await callConnector(ports, {
    activation,
    run,
    abort,
    signal: plan.signal,
    caller: state.caller,
  })
  return { planned, ...lookOf(called, { activation, run }, ports.clock.now()) }
}

function lookOf(
  { answer, isExhausted, afterMs }: CallResult,
  { activation: { activation_id }, run }: { activation: Activation; run: TargetRun },
  at: number,
): Omit<Look, 'planned'> {
  const settled: TargetRun = { ...run, isSettled: true }
  if (answer.status === 'live') {
    return { next: settled, event: { type: 'live', at, activation_id, activation_key: answer.key } }
  }
  if (answer.status === 'pending') {
    // Null means that the platform has responded, but without a handle for later calls.
    const { handle = null, etaMinutes } = answer
    const eta_at = etaMinutes === undefined ? undefined : at + etaMinutes * 60_000
    const event = { type: 'pending', at, activation_id, handle, eta_at } as const
    return { next: { tries: 0, dueAt: at + afterMs }, event }
  }
  if (answer.retryable && !isExhausted) {
    return { next: { tries: run.tries + 1, dueAt: at + afterMs } }
  }
  const { reason } = answer
  const event = { type: 'fail', at, activation_id, by: 'platform', reason } as const
  return { next: settled, event, isUnsure: isExhausted }
}

interface Settling {
  looks: readonly Look[]
  request: ActivateSignalRequest
  caller: Known
}

/** Applies the platforms' responses, unless the run they refer to has ended in the meantime. */
async function settle(
  { activations }: Pick<ActivationWorkPorts, 'activations'>,
  tx: Transaction,
  { looks, request, caller }: Settling,
): Promise<void> {
  const said = looks.filter(({ event }) => event !== undefined)
  if (said.length === 0) return
  const at = await tx.now()
  const { signal_agent_segment_id } = request
  const place = { principal_id: caller.principal_id, signal_agent_segment_id }
  const locked = await activations.lock(
    tx,
    place,
    said.map(({ planned }) => planned.target),
  )
  for (const [n, activation] of locked.entries()) {
    const { event, isUnsure } = said[n] as Look
    const moved = moveActivation(activation, event as ActivationEvent)
    if (!moved.ok) continue
    await activations.save(tx, moved.activation)
    if (isUnsure) await activations.addTakedown(tx, moved.activation, at + UNDO_AFTER_MS)
  }
}

/** The response: it has failed only if the signal is live nowhere. */
function finish(ports: ActivationWorkPorts, run: Run, plan: ActivationPlan): Outcome {
  const { request, state, task } = run
  const runs = state.runs ?? {}
  // For targets that the caller lost in the meantime.
  const commit = (tx: Transaction) => giveUpActivating(ports, tx, task)
  const tried = plan.targets.filter(({ key }) => Object.hasOwn(runs, key))
  for (const one of tried) ports.onSettled?.(isTargetLive(one) ? 'live' : 'failed')
  const failed = tried
    .filter((one) => !isTargetLive(one))
    .map((one) =>
      activationFailed(request, one, { reason: one.activation?.reason ?? 'it is not live' }),
    )
  const errors = [...failed, ...(state.errors ?? [])]
  const [first, ...others] = errors
  const live = plan.targets.filter(isTargetLive).length
  if (live === 0 && first) return { status: 'failed', errors: [first, ...others], commit }
  return {
    status: 'completed',
    // A target that failed is listed only among the errors.
    result: interim(plan.targets.filter(isTargetLive), errors, {
      caller: state.caller,
      now: ports.clock.now(),
    }),
    message: `the signal is live on ${live} of ${plan.targets.length} targets`,
    commit,
  }
}

/** Reverts what the task started and what is not live yet (spec 3.3). */
export async function undoActivating(
  { activations }: Pick<ActivationWorkPorts, 'activations'>,
  tx: Transaction,
  { task_id }: Pick<TaskRecord, 'task_id'>,
): Promise<void> {
  const at = await tx.now()
  for (const activation of await activations.lockOfTask(tx, task_id)) {
    const reason = 'the task that activated it was canceled'
    const event = { type: 'stop', at, by: 'cancellation', reason } as const
    await endRun(activations, tx, { activation, event, dueAt: at + UNDO_AFTER_MS })
  }
}

/** The same after a timeout: then it has failed. */
export async function giveUpActivating(
  { activations }: Pick<ActivationWorkPorts, 'activations'>,
  tx: Transaction,
  { task_id }: Pick<TaskRecord, 'task_id'>,
): Promise<void> {
  const at = await tx.now()
  for (const activation of await activations.lockOfTask(tx, task_id)) {
    const { activation_id } = activation
    const reason = 'it was not live in time'
    const event = { type: 'fail', at, activation_id, by: 'giving_up', reason } as const
    await endRun(activations, tx, { activation, event, dueAt: at + UNDO_AFTER_MS })
  }
}

/** Ends a run with the event, and removes it from the platform, if the platform was notified of it. */
export async function endRun(
  activations: ActivationStore,
  tx: Transaction,
  { activation, event, dueAt }: { activation: Activation; event: ActivationEvent; dueAt: number },
): Promise<void> {
  const moved = moveActivation(activation, event)
  if (!moved.ok) return
  await activations.save(tx, moved.activation)
  if (activation.origin === 'catalogue') return
  await activations.addTakedown(tx, moved.activation, dueAt)
}

/** Polled rarely for a slow run: a task is not notified about another's. */
function followPauseMs({ started_at }: Activation, now: number): number {
  return Math.min(Math.max((now - started_at) / 4, 250), 30_000)
}

function minutesLeft(looks: readonly Look[], now: number): number {
  const left = looks.map(({ planned: { activation }, event }) => {
    const eta_at = event?.type === 'pending' ? event.eta_at : activation?.eta_at
    return remainingMinutes({ eta_at }, now) ?? 0
  })
  return Math.max(0, ...left)
}

function lostTarget(key: string): PlannedTarget {
  const [type, place, account] = JSON.parse(key) as [string, string, string | null]
  const named = account === null ? {} : { account }
  const target: DeploymentTarget =
    type === 'platform'
      ? { type: 'platform', platform: place, ...named }
      : { type: 'agent', agent_url: place, ...named }
  const none = { ...target, is_live: false }
  return { key, target, place: none, activation: undefined, liveSince: '' }
}
