// `get_task_status`: returns the status of a task, for callers that poll instead of, or in addition to, receiving
// webhooks (spec 3.2, 6.4).

import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import {
  type GetTaskStatusRequest,
  type GetTaskStatusResponse,
  getTaskStatusRequest,
  getTaskStatusResponse,
} from '../protocol/schemas/tasks.ts'
import { defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { interimIn } from './long-task.ts'
import { keyOf, notFound, serializeHistory, serializeTask } from './serialize-task.ts'
import type { TaskRecord, TaskStore } from './store.ts'
import type { Works } from './work.ts'

export function getTaskStatus({
  tasks,
  works,
}: {
  tasks: TaskStore
  works: Works
}): Task<GetTaskStatusRequest, GetTaskStatusResponse> {
  return defineTask({
    name: 'get_task_status',
    summary: 'Status of a task: progress, result or error',
    area: 'tasks',
    access: 'tasks',
    changes: false,
    request: getTaskStatusRequest,
    response: getTaskStatusResponse,
    cost: constantCost(100, 'entries of history, which are limited'),
    handle: async (request, call) => {
      const { task_id, include_result, include_history = false } = request
      const task = await tasks.get(keyOf(call, task_id))
      if (!task) throw notFound(task_id)
      const interim = await interimIn(works.get(task.task_type), task)
      const returned = {
        ...serializeTask(task, { withResult: include_result, interim }),
        ...contextOf(task, request as RequestEnvelope),
      }
      if (!include_history) return returned
      const said = await tasks.history([task_id])
      return { ...returned, history: serializeHistory(said.get(task_id) ?? []) }
    },
  })
}

/** A request with a context gets that one back, as from every task; otherwise the task's context is returned. */
function contextOf({ context }: TaskRecord, requested: RequestEnvelope) {
  if (context === undefined || requested.context !== undefined) return {}
  return { context: context as Record<string, unknown> }
}
