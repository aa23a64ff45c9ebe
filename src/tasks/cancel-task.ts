// `cancel_task`: ends a task at once, even while one of its steps runs: the step's result is discarded (spec 3.2).

import { defined } from '../lib/defined.ts'
import type { Transact } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import {
  type CancelTaskRequest,
  type CancelTaskResponse,
  cancelTaskRequest,
  cancelTaskResponse,
} from '../protocol/schemas/tasks.ts'
import { defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { type ChangePorts, changeTask, said } from './change-task.ts'
import { keyOf, notFound, serializeTask } from './serialize-task.ts'
import type { TaskKey, TaskRecord } from './store.ts'
import type { Works } from './work.ts'

export interface CancelPorts extends ChangePorts {
  transact: Transact
  works: Works
}

export function cancelTask(ports: CancelPorts): Task<CancelTaskRequest, CancelTaskResponse> {
  return defineTask({
    name: 'cancel_task',
    summary: 'Cancels a task',
    area: 'tasks',
    access: 'tasks',
    changes: true,
    request: cancelTaskRequest,
    response: cancelTaskResponse,
    cost: constantCost(20, 'nothing: one task'),
    handle: async ({ task_id, reason }, call) =>
      serializeTask(await cancelOwnTask(ports, keyOf(call, task_id), { reason })),
  })
}

/**
 * The same for a transport that has its own cancellation. Set `evenUntold` if the transport assigned the task's id,
 * so that its caller knows it before the response. Throws TASK_NOT_FOUND or NOT_CANCELLABLE.
 */
export function cancelOwnTask(
  ports: CancelPorts,
  key: TaskKey,
  { reason, evenUntold = false }: { reason?: string | undefined; evenUntold?: boolean } = {},
): Promise<TaskRecord> {
  const { transact, tasks, works } = ports
  return transact(async (tx) => {
    const task = await tasks.lock(tx, key)
    if (!task || !(task.is_told || evenUntold)) throw notFound(key.task_id)
    if (isFinalStatus(task.status)) throw notCancellable(task)
    await works.get(task.task_type)?.onCancel?.(tx, { task, state: task.state })
    const requested = { cancel: true, ...defined({ reason }) }
    await tasks.append(tx, task.task_id, said('request', await tx.now(), requested))
    const message = reason === undefined ? 'canceled on request' : `canceled: ${reason}`
    const change = { status: 'canceled' as const, message }
    const changed = await changeTask(ports, tx, { task, change })
    if (!changed.ok) throw notCancellable(task)
    return changed.task
  })
}

function notCancellable({ status, task_id }: TaskRecord): ProtocolError {
  return new ProtocolError(
    'NOT_CANCELLABLE',
    `the task has ended as ${status}: only one that is submitted, working or input-required can be canceled`,
    { field: '/task_id', details: { task_id, status } },
  )
}
