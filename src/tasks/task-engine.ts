// Combines everything about tasks that outlive a call: the tasks made up of steps, the task-management tasks, and the
// runner that executes the steps (spec 3.2).

import type { Clock } from '../lib/clock.ts'
import type { OnWake, Transact, Transaction } from '../lib/transaction.ts'
import type { ReleaseTable } from '../protocol/releases/release-table.ts'
import type { AnyTask, Task } from '../protocol/task.ts'
import { cancelOwnTask, cancelTask } from './cancel-task.ts'
import type { TaskEvents } from './events.ts'
import { getTaskStatus } from './get-task-status.ts'
import { listTasks } from './list-tasks.ts'
import { type LongTask, longTask } from './long-task.ts'
import { provideTaskInput } from './provide-task-input.ts'
import { createTaskRunner, type TaskRunner, type TaskRunnerOptions } from './runner.ts'
import type { TaskKey, TaskRecord, TaskStore } from './store.ts'
import { createTaskWait } from './wait-for-task.ts'
import type { AnyWork } from './work.ts'

export interface TaskEngineOptions
  extends Pick<
    TaskRunnerOptions,
    | 'concurrency'
    | 'leaseMs'
    | 'pollMs'
    | 'stopMs'
    | 'maxTries'
    | 'maxDeaths'
    | 'backoff'
    | 'onFault'
    | 'onStep'
  > {
  transact: Transact
  onWake: OnWake
  tasks: TaskStore
  events: TaskEvents
  clock: Clock
  /** Releases of the protocol that calls may use. Default: all known ones. */
  releases?: ReleaseTable | undefined
  /** Aborted when the server stops: callers that wait inline then get a response that says to poll. Default never. */
  stopping?: AbortSignal | undefined
}

export interface TaskEngine {
  /** list_tasks, get_task_status, cancel_task and provide_task_input. */
  tasks: readonly AnyTask[]
  /** Creates a task for the table and lets the runner execute its steps. */
  longTask<Request extends object, State, Response extends object>(
    definition: LongTask<Request, State, Response>,
  ): Task<Request, Response>
  /** For a transport that has its own cancellation; throws TASK_NOT_FOUND or NOT_CANCELLABLE. */
  cancel(
    key: TaskKey,
    options?: { reason?: string | undefined; evenUntold?: boolean },
  ): Promise<TaskRecord>
  /** The same for an operator, for a task of any owner, in the caller's transaction. */
  cancelIn(tx: Transaction, key: TaskKey, reason: string | undefined): Promise<TaskRecord>
  runner: TaskRunner
}

export function createTaskEngine(options: TaskEngineOptions): TaskEngine {
  const { transact, onWake, pollMs, onFault } = options
  const works = new Map<string, AnyWork>()
  const ports = { ...options, works }
  const waits = createTaskWait({
    tasks: options.tasks,
    onWake,
    pollMs,
    stopping: options.stopping,
    onFault: (error) => onFault(error, undefined),
  })
  return {
    tasks: [listTasks(ports), getTaskStatus(ports), cancelTask(ports), provideTaskInput(ports)],
    longTask: (definition) => {
      const { task_type } = definition.work
      if (works.has(task_type)) throw new Error(`two works are for ${task_type}`)
      works.set(task_type, definition.work)
      return longTask(definition, { ...options, transact, waits })
    },
    cancel: (key, how) => cancelOwnTask(ports, key, how),
    cancelIn: (tx, key, reason) =>
      cancelOwnTask({ ...ports, transact: (work) => work(tx) }, key, { reason }),
    runner: createTaskRunner(ports),
  }
}
