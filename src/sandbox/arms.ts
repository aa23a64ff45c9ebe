// `force_create_media_buy_arm`, `force_get_products_arm` and `force_get_signals_arm`: set the response to the
// caller's next call of that task, once. A task started in this way is like any other: it is polled, canceled and
// reported by webhook; but nothing works on it before `force_task_completion`.

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import type { Transact } from '../lib/transaction.ts'
import type { ApprovalRun } from '../media-buys/approval-work.ts'
import { ProtocolError, taskError } from '../protocol/errors.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import { text } from '../protocol/schemas/common.ts'
import { ARMS } from '../protocol/schemas/comply-test-controller.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { AnyTask, CallContext } from '../protocol/task.ts'
import { beginTask, type ChangePorts, changeTask, postponeTask } from '../tasks/change-task.ts'
import { type AnyScenario, ControllerError, defineScenario } from './scenario.ts'
import type { SandboxStore } from './store.ts'

export interface ArmPorts extends ChangePorts {
  transact: Transact
  notes: SandboxStore
}

const ARMED = ['create_media_buy', 'get_products', 'get_signals'] as const
type ArmedTask = (typeof ARMED)[number]

const armParams = z.looseObject({
  arm: z.enum(ARMS),
  task_id: text(128).optional(),
  message: text(2_000).optional(),
  reason: text(2_000).optional(),
})
type Arm = z.infer<typeof armParams>

export function armScenarios(ports: ArmPorts): AnyScenario[] {
  return ARMED.map((task) => armScenario(task, ports))
}

function armScenario(task: ArmedTask, { transact, notes }: ArmPorts): AnyScenario {
  return defineScenario({
    name: `force_${task}_arm`,
    params: armParams,
    run: async (arm, { owner }) => {
      if (arm.arm === 'submitted' && arm.task_id === undefined) {
        throw new ControllerError(
          'INVALID_PARAMS',
          '/params/task_id is required: the task to respond to',
        )
      }
      if (arm.arm !== 'submitted' && arm.task_id !== undefined) {
        const message = '/params/task_id: this is for the arm submitted alone'
        throw new ControllerError('INVALID_PARAMS', message)
      }
      await transact((tx) => notes.put(tx, { owner, kind: 'arm', name: task }, arm))
      return { forced: { arm: arm.arm, ...defined({ task_id: arm.task_id }) } }
    },
  })
}

/** The tasks; each returns a forced response first, if there is one, instead of running. */
export function withArms(tasks: readonly AnyTask[], ports: ArmPorts): AnyTask[] {
  return tasks.map((task) => {
    if (!ARMED.includes(task.name as ArmedTask)) return task
    return {
      ...task,
      handle: async (request: RequestEnvelope, call) => {
        const arm = await takeArm(ports, task.name, call)
        return arm ? forced(ports, { task, arm, request, call }) : task.handle(request, call)
      },
    }
  })
}

async function takeArm(
  { transact, notes }: ArmPorts,
  name: string,
  { principal }: CallContext,
): Promise<Arm | undefined> {
  if (!principal) return undefined
  const key = { owner: principal.principal_id, kind: 'arm' as const, name }
  // Read first: nearly every call finds none, and a transaction is expensive.
  if ((await notes.list('arm', { owner: key.owner, names: [name], limit: 1 })).length === 0) {
    return undefined
  }
  return (await transact((tx) => notes.take(tx, key)))?.value as Arm | undefined
}

interface Forced {
  task: AnyTask
  arm: Arm
  request: RequestEnvelope
  call: CallContext
}

async function forced(ports: ArmPorts, { task, arm, request, call }: Forced): Promise<object> {
  if (arm.arm === 'rejected') return rejected(task, arm, call)
  const message = arm.message ?? 'the sandbox was configured to return this'
  const task_id = await begin(ports, { task, arm, request, call }, message)
  if (arm.arm === 'submitted') return { status: 'submitted', task_id, message }
  const errors = [taskError('APPROVAL_REQUIRED', message)]
  return { status: 'input-required', task_id, message, errors }
}

/** Some callers accept this as a response of get_products; everywhere else it is an error. */
function rejected(task: AnyTask, { reason, message }: Arm, { version }: CallContext): object {
  const why = reason ?? message ?? 'the sandbox was configured to reject this'
  if (task.name === 'get_products' && hasFeature(version, 'rejected_products')) {
    return { status: 'rejected', reason: why }
  }
  throw new ProtocolError('TERMS_REJECTED', why)
}

const DEADLINE_MS = 30 * 24 * 60 * 60 * 1_000

async function begin(
  ports: ArmPorts,
  { task, arm, request, call }: Forced,
  message: string,
): Promise<string> {
  const owner = call.principal?.principal_id as string
  const { context, context_id, push_notification_config, idempotency_key: _key, ...kept } = request
  const { deferred } = call
  const task_id = arm.task_id ?? deferred?.task_id ?? `task_${randomUUID()}`
  await ports.transact(async (tx) => {
    const known = await ports.tasks.lock(tx, { task_id })
    // Forcing the same task again while it is running counts as a repeat of the same request.
    if (known?.owner === owner && !isFinalStatus(known.status)) return
    if (known)
      throw new ProtocolError('CONFLICT', `the task ${task_id} already exists: use another task_id`)
    const key = { owner, task_id }
    if (push_notification_config) await ports.events.register(tx, key, push_notification_config)
    const begun = await beginTask(ports, tx, {
      ...key,
      task_type: task.name,
      domain: task.area,
      status: 'submitted',
      request: kept as Record<string, unknown>,
      context,
      idempotency_key: undefined,
      context_id: context_id ?? deferred?.context_id,
      is_told: true,
      has_webhook: push_notification_config !== undefined || deferred?.hasWebhook === true,
      state: { media_buy_id: task_id, hasRequested: true } satisfies ApprovalRun,
      deadlineMs: DEADLINE_MS,
    })
    if (arm.arm === 'submitted') {
      await postponeTask(ports, tx, { task: begun, afterMs: DEADLINE_MS })
      return
    }
    const change = { status: 'input-required' as const, reason: 'APPROVAL_REQUIRED', message }
    await changeTask(ports, tx, { task: begun, change })
  })
  return task_id
}
