// `provide_task_input`: answers what a task waits for, so that it goes on (spec 3.2: input-required is
// waiting for approval or clarification).

import { defined } from '../lib/defined.ts'
import type { Transact } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import {
  type ProvideTaskInputRequest,
  type ProvideTaskInputResponse,
  provideTaskInputRequest,
  provideTaskInputResponse,
} from '../protocol/schemas/tasks.ts'
import { defineTask, type Task } from '../protocol/task.ts'
import { type ChangePorts, changeTask, said } from './change-task.ts'
import { keyOf, notFound, shownTask } from './shown-task.ts'
import type { TaskInput, TaskKey, TaskRecord } from './store.ts'

export interface InputPorts extends ChangePorts {
  transact: Transact
}

export function provideTaskInput(
  ports: InputPorts,
): Task<ProvideTaskInputRequest, ProvideTaskInputResponse> {
  return defineTask({
    name: 'provide_task_input',
    summary: 'Answers what a task waits for: data, words or an approval',
    area: 'tasks',
    access: 'tasks',
    changes: true,
    request: provideTaskInputRequest,
    response: provideTaskInputResponse,
    handle: async (request, call) => {
      const input = inputOf(request)
      return shownTask(await giveInput(ports, keyOf(call, request.task_id), input))
    },
  })
}

function inputOf({ input, message, approved }: ProvideTaskInputRequest): TaskInput {
  const given = {
    ...defined({ input, message, approved }),
  }
  if (Object.keys(given).length > 0) return given
  const wanted = 'Give input, message or approved: the task waits for one of them.'
  throw new ProtocolError('INVALID_REQUEST', `/input: ${wanted}`, {
    issues: [{ pointer: '/input', message: wanted, keyword: 'required' }],
  })
}

function giveInput(ports: InputPorts, key: TaskKey, input: TaskInput): Promise<TaskRecord> {
  const { transact, tasks } = ports
  return transact(async (tx) => {
    const task = await tasks.lock(tx, key)
    if (!task?.is_told) throw notFound(key.task_id)
    if (task.status !== 'input-required') throw notWaiting(task)
    await tasks.append(tx, task.task_id, said('request', await tx.now(), input))
    const changed = await changeTask(ports, tx, task, { status: 'working' }, { input })
    if (!changed.ok) throw notWaiting(task)
    return changed.task
  })
}

function notWaiting({ status, task_id }: TaskRecord): ProtocolError {
  const right = isFinalStatus(status)
    ? 'it has ended, so send a new request'
    : 'wait until get_task_status or a webhook says input-required'
  return new ProtocolError('INVALID_STATE', `the task is ${status} and takes no input: ${right}`, {
    field: '/task_id',
    details: { task_id, status },
  })
}
