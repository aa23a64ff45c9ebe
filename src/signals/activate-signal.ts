// `activate_signal`: activates a signal on its targets, or deactivates it (spec 3.3, 4.3). Refusals and work that is
// already done are answered at once; the rest is a task that the connectors work on.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { ManyErrors, type TaskError } from '../protocol/errors.ts'
import {
  type ActivateSignalRequest,
  type ActivateSignalResponse,
  activateSignalRequest,
  activateSignalResponse,
} from '../protocol/schemas/activate-signal.ts'
import { activationTargets } from '../protocol/schemas/field-map.ts'
import { activateSignalRequires, NEWER_MEMBERS } from '../protocol/schemas/generation-rules.ts'
import type { CallContext, Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type AgentAccess, authenticationOf, type Known } from './access.ts'
import type { RunState } from './activation-run.ts'
import { activationStatus } from './activation-status.ts'
import {
  type ActivationWorkPorts,
  activateStep,
  giveUpActivating,
  undoActivating,
} from './activation-work.ts'
import { deactivateStep } from './deactivation-work.ts'
import {
  type ActivationPlan,
  alreadyActivated,
  interim,
  isTargetLive,
  planActivation,
  unreachable,
} from './plan-activation.ts'

export interface ActivateSignalPorts extends ActivationWorkPorts {
  agentAccess: AgentAccess
  clock: Clock
}

export interface ActivateSignalOptions {
  /** How long a caller without a webhook waits, in milliseconds. */
  inlineWaitMs: number
}

const DEADLINE_MS = 72 * 60 * 60 * 1_000

export function activateSignal(
  ports: ActivateSignalPorts,
  engine: TaskEngine,
  { inlineWaitMs }: ActivateSignalOptions,
): Task<ActivateSignalRequest, ActivateSignalResponse> {
  return engine.longTask<ActivateSignalRequest, RunState, ActivateSignalResponse>({
    summary: 'Activates a signal on platforms and sales agents, or takes it off them',
    area: 'signals',
    access: 'tasks',
    ...authenticationOf(ports.agentAccess),
    changes: true,
    newerMembers: NEWER_MEMBERS.activate_signal,
    alsoRequired: activateSignalRequires,
    request: activateSignalRequest,
    response: activateSignalResponse,
    cost: constantCost(200, 'targets, which are limited'),
    inlineWaitMs,
    immediately: async (request, call) => {
      const caller = callerOf(call)
      const plan = await planActivation(ports, request, caller)
      return request.action === 'deactivate'
        ? whenOff(plan, viewerOf(call, ports))
        : whenLive(ports, request, { plan, viewer: viewerOf(call, ports) })
    },
    work: {
      task_type: 'activate_signal',
      deadlineMs: DEADLINE_MS,
      begin: (request, call) => ({
        phase: 'begin',
        caller: callerOf(call),
        requested: requestOf(request),
      }),
      interim: (task) => activationStatus(ports, task),
      isReportedTo: ({ requested, phase, isLookedAt }) =>
        requested?.action === 'deactivate' ? phase === 'drive' : isLookedAt === true,
      step: (run) =>
        run.request.action === 'deactivate' ? deactivateStep(ports, run) : activateStep(ports, run),
      onCancel: (tx, { task }) => undoActivating(ports, tx, task),
      onAbandon: (tx, { task }) => giveUpActivating(ports, tx, task),
    },
  })
}

function requestOf(request: ActivateSignalRequest): NonNullable<RunState['requested']> {
  const { signal_agent_segment_id, action } = request
  const deployments = [...activationTargets(request)]
  return {
    signal_agent_segment_id,
    deployments,
    ...defined({ action }),
  }
}

function callerOf({ principal }: CallContext): Known {
  // The task needs a key, so there is one.
  return { principal_id: principal?.principal_id ?? '', name: principal?.name ?? '' }
}

type Viewer = Parameters<typeof interim>[2]

function viewerOf(call: CallContext, { clock }: ActivateSignalPorts): Viewer {
  return { caller: callerOf(call), now: clock.now() }
}

/** The response if it is already live on every target, and the refusal if no target can be reached. */
function whenLive(
  ports: ActivateSignalPorts,
  request: ActivateSignalRequest,
  { plan: { targets, refused }, viewer }: { plan: ActivationPlan; viewer: Viewer },
): ActivateSignalResponse | undefined {
  const faults = targets.map((one) =>
    isTargetLive(one) ? undefined : unreachable(ports, request, one),
  )
  const [first, ...others] = faults.filter((fault): fault is TaskError => fault !== undefined)
  if (first && 1 + others.length === targets.length) {
    throw new ManyErrors([first, ...others, ...refused])
  }
  if (!targets.every(isTargetLive)) return undefined
  const reported = targets.map((one) => alreadyActivated(request, one))
  return interim(targets, [...refused, ...reported], viewer)
}

/** The response if there is nothing to deactivate. */
function whenOff(
  { targets, refused }: ActivationPlan,
  viewer: Viewer,
): ActivateSignalResponse | undefined {
  const isOn = targets.some((one) => isTargetLive(one) || one.activation?.state === 'activating')
  return isOn ? undefined : interim(targets, refused, viewer)
}
