// `provide_task_input`: provides the input that a task waits for, so that it continues (spec 3.2: input-required
// is waiting for approval or clarification).

import { defined } from '../lib/defined.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import {
  type ProvideTaskInputRequest,
  type ProvideTaskInputResponse,
  provideTaskInputRequest,
  provideTaskInputResponse,
} from '../protocol/schemas/tasks.ts'
import { type CallContext, type Caller, defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { type ChangePorts, changeTask, said } from './change-task.ts'
import { keyOf, notFound, serializeTask } from './serialize-task.ts'
import type { TaskInput, TaskKey, TaskRecord } from './store.ts'
import type { Works } from './work.ts'

export interface InputPorts extends ChangePorts {
  transact: Transact
  works: Works
}

export function provideTaskInput(
  ports: InputPorts,
): Task<ProvideTaskInputRequest, ProvideTaskInputResponse> {
  return defineTask({
    name: 'provide_task_input',
    summary: 'Provides the input that a task waits for: data, text or an approval',
    area: 'tasks',
    access: 'tasks',
    changes: true,
    request: provideTaskInputRequest,
    response: provideTaskInputResponse,
    cost: constantCost(20, 'nothing: one task'),
    handle: async (request, call) => {
      const input = inputOf(request)
      return serializeTask(await giveInput(ports, keyOf(call, request.task_id), { input, call }))
    },
  })
}

function inputOf({ input, message, approved }: ProvideTaskInputRequest): TaskInput {
  const given = {
    ...defined({ input, message, approved }),
  }
  if (Object.keys(given).length > 0) return given
  const wanted = 'The task waits for one of input, message and approved.'
  throw new ProtocolError('INVALID_REQUEST', `/input: ${wanted}`, {
    issues: [{ pointer: '/input', message: wanted, keyword: 'required' }],
  })
}

function giveInput(
  ports: InputPorts,
  key: TaskKey,
  { input, call }: { input: TaskInput; call: CallContext },
): Promise<TaskRecord> {
  const { transact, tasks, works } = ports
  return transact(async (tx) => {
    const own = await tasks.lock(tx, key)
    const { task_id } = key
    const { principal } = call
    const task = own ?? (await lockForOperator(ports, tx, { task_id, principal }))
    if (!task?.is_told) throw notFound(task_id)
    if (task.status !== 'input-required') throw notWaiting(task)
    const work = works.get(task.task_type)
    if (work?.onInput) {
      await tasks.append(tx, task.task_id, said('request', await tx.now(), input))
      await work.onInput(tx, { task, state: task.state, input, by: call.principal as Caller })
      return (await tasks.lock(tx, task)) ?? task
    }
    await tasks.append(tx, task.task_id, said('request', await tx.now(), input))
    const changed = await changeTask(ports, tx, {
      task,
      change: { status: 'working' },
      next: { input },
    })
    if (!changed.ok) throw notWaiting(task)
    return changed.task
  })
}

const DECIDING = ['approver', 'admin'] as const

/** A task of another owner, where the work requires an approver's answer. */
async function lockForOperator(
  { tasks, works }: InputPorts,
  tx: Transaction,
  { task_id, principal }: Pick<TaskKey, 'task_id'> & Pick<CallContext, 'principal'>,
): Promise<TaskRecord | undefined> {
  if (!principal || !DECIDING.some((scope) => principal.scopes.includes(scope))) return undefined
  const task = await tasks.lock(tx, { task_id })
  return task && works.get(task.task_type)?.onInput ? task : undefined
}

function notWaiting({ status, task_id }: TaskRecord): ProtocolError {
  const right = isFinalStatus(status)
    ? 'it has ended, so send a new request'
    : 'wait until get_task_status or a webhook reports input-required'
  return new ProtocolError('INVALID_STATE', `the task is ${status} and takes no input: ${right}`, {
    field: '/task_id',
    details: { task_id, status },
  })
}
