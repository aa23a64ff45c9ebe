// The steps of a deactivation (spec 3.3). First the signal becomes inactive for the caller, immediately and
// permanently; then its platforms are notified. A platform that cannot be reached now is notified later by the
// takedown worker.

import { randomUUID } from 'node:crypto'
import { backoffMs } from '../lib/backoff.ts'
import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import type {
  ActivateSignalRequest,
  ActivateSignalResponse,
} from '../protocol/schemas/activate-signal.ts'
import type { StepOutcome, StepRun } from '../tasks/work.ts'
import type { RunState } from './activation-run.ts'
import { type Activation, moveActivation } from './activation-state.ts'
import { progressOf } from './activation-status.ts'
import { type ActivationWorkPorts, endRun } from './activation-work.ts'
import {
  type ActivationPlan,
  activationFailed,
  interim,
  isTargetLive,
  type PlannedTarget,
  planActivation,
} from './plan-activation.ts'
import { takeOff } from './takedowns.ts'

type Run = StepRun<ActivateSignalRequest, RunState>
type Outcome = StepOutcome<RunState, ActivateSignalResponse>

/** The task notifies the platforms itself; if it dies, the worker does so after this time. */
const WORKER_AFTER_MS = 60_000
const RETRY = { calls: 4, firstMs: 1_000, maxMs: 10_000 }

export async function deactivateStep(ports: ActivationWorkPorts, run: Run): Promise<Outcome> {
  const plan = await planActivation(ports, run.request, run.state.caller)
  return run.state.phase === 'begin' ? stopAll(ports, run, plan) : reportPlatforms(ports, run, plan)
}

function stopAll(
  ports: ActivationWorkPorts,
  run: Run,
  { targets, refused }: ActivationPlan,
): Outcome {
  const on = targets.filter((one) => isTargetLive(one) || one.activation?.state === 'activating')
  const runs = Object.fromEntries(on.map(({ key }) => [key, { tries: 0, dueAt: 0 }]))
  return {
    status: 'working',
    ...progressOf(0, on.length, 0),
    state: { ...run.state, phase: 'drive', runs, errors: refused },
    commit: (tx) => stopEach(ports, tx, { run, on }),
  }
}

async function stopEach(
  { activations }: ActivationWorkPorts,
  tx: Transaction,
  { run, on }: { run: Run; on: readonly PlannedTarget[] },
): Promise<void> {
  const { request, state, task } = run
  const at = await tx.now()
  const { signal_agent_segment_id } = request
  const place = { principal_id: state.caller.principal_id, signal_agent_segment_id }
  const locked = await activations.lock(
    tx,
    place,
    on.map(({ target }) => target),
  )
  for (const [n, found] of locked.entries()) {
    // It was live without having been activated: for this caller, it no longer is.
    const activation = found.state === 'none' && on[n]?.place.is_live ? asGiven(found, at) : found
    const { task_id } = task
    const reason = 'it was deactivated'
    const event = { type: 'stop', at, by: 'deactivation', reason, task_id } as const
    await endRun(activations, tx, { activation, event, dueAt: at + WORKER_AFTER_MS })
  }
}

function asGiven(activation: Activation, at: number): Activation {
  const activation_id = randomUUID()
  const run = { activation_id, origin: 'catalogue', task_id: '' } as const
  const begun = moveActivation(activation, { type: 'begin', at, ...run })
  if (!begun.ok) return activation
  const live = moveActivation(begun.activation, { type: 'live', at, activation_id })
  return live.ok ? live.activation : activation
}

async function reportPlatforms(
  ports: ActivationWorkPorts,
  run: Run,
  plan: ActivationPlan,
): Promise<Outcome> {
  const { state, task, request, signal: abort } = run
  const runs = state.runs ?? {}
  const open = plan.targets.filter(({ key }) => Object.hasOwn(runs, key) && !runs[key]?.isSettled)
  const reported = await Promise.all(
    open.map(async (planned) => {
      const { activation } = planned
      const isOurs = activation?.state === 'inactive' && activation.task_id === task.task_id
      const result = isOurs ? await takeOff(ports, activation, abort) : ({ status: 'off' } as const)
      return { planned, result, tries: (runs[planned.key]?.tries ?? 0) + 1 }
    }),
  )
  abort.throwIfAborted()
  const isOver = (one: (typeof reported)[number]) =>
    one.result.status === 'off' || !one.result.retryable || one.tries >= RETRY.calls
  const next = { ...runs }
  for (const one of reported) {
    const { key } = one.planned
    next[key] = {
      tries: one.tries,
      dueAt: 0,
      ...defined({ isSettled: isOver(one) ? true : undefined }),
    }
  }
  const off = reported.flatMap(({ planned, result }) =>
    result.status === 'off' && planned.activation ? [planned.activation.activation_id] : [],
  )
  const commit = async (tx: Transaction) => {
    for (const id of off) await ports.activations.endTakedown(tx, id)
  }
  const faults = reported.flatMap((one) =>
    one.result.status === 'failed' && isOver(one)
      ? [
          activationFailed(request, one.planned, {
            reason: `${one.result.reason}; it is off here, and the platform will be notified again`,
          }),
        ]
      : [],
  )
  const errors = [...(state.errors ?? []), ...faults]
  if (!reported.every(isOver)) {
    const tries = Math.max(...reported.map((one) => one.tries))
    return {
      status: 'wait',
      state: { ...state, runs: next, errors },
      afterMs: backoffMs(tries, RETRY),
      commit,
    }
  }
  for (const _ of Object.keys(next)) ports.onSettled?.('off')
  return {
    status: 'completed',
    result: interim(plan.targets, errors, {
      caller: state.caller,
      now: ports.clock.now(),
    }),
    message: `the signal is off ${Object.keys(next).length} targets`,
    commit,
  }
}
