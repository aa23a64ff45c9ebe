// How an activation in progress is reported (spec 3.2, 3.3): the same in the first response, to clients that poll,
// and in webhooks.

import type { Clock } from '../lib/clock.ts'
import type { ActivateSignalResponse } from '../protocol/schemas/activate-signal.ts'
import type { TaskRecord } from '../tasks/store.ts'
import type { Known } from './access.ts'
import type { RunState } from './activation-run.ts'
import {
  interim,
  isTargetLive,
  type PlannedTarget,
  type PlanPorts,
  planActivation,
  unreachable,
} from './plan-activation.ts'

/** spec 3.3: where it is live, and where it is still activating. A failure is reported as an error, at the end. */
export function statusSoFar(
  targets: readonly PlannedTarget[],
  viewer: { caller: Known; now: number },
): Pick<ActivateSignalResponse, 'deployments'> {
  return interim(
    targets.filter((one) => isTargetLive(one) || one.activation?.state !== 'failed'),
    [],
    viewer,
  )
}

/** The same for a task in progress, from the store. */
export async function activationStatus(
  ports: PlanPorts & { clock: Clock },
  { state }: Pick<TaskRecord, 'state'>,
): Promise<Pick<ActivateSignalResponse, 'deployments'> | undefined> {
  const { requested, caller } = state as RunState
  if (!requested) return undefined
  const { targets } = await planActivation(ports, requested, caller)
  const reached = targets.filter(
    (one) => isTargetLive(one) || unreachable(ports, requested, one) === undefined,
  )
  return statusSoFar(reached, { caller, now: ports.clock.now() })
}

/** What is reported about a task in progress (spec 3.2): targets done, and how long the others may take. */
export function progressOf(done: number, total: number, minutes: number) {
  const left = minutes > 0 ? `, about ${Math.ceil(minutes)} min left` : ''
  const step = `${done} of ${total} targets done${left}`
  return {
    message: step,
    progress: {
      percentage: total === 0 ? 100 : Math.round((100 * done) / total),
      current_step: step,
      ...(total === 0 ? {} : { total_steps: total, step_number: Math.min(done + 1, total) }),
    },
  }
}
