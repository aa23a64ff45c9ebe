// An agent that is called more than once: discovered once, and with a method for every task of the protocol, typed by
// its schemas.

import { defined } from '../lib/defined.ts'
import type { Transport } from '../protocol/task.ts'
import type { TaskList } from '../transports/client.ts'
import { agentError } from './agent-error.ts'
import {
  KNOWN_TASKS,
  type RequestOf,
  type ResponseOf,
  type TaskName,
  type TaskRequest,
  type TaskResponse,
} from './known-tasks.ts'
import type { AgentOptions, CallOptions, ResumeOptions } from './options.ts'
import type { AgentError, CallOutcome } from './outcome.ts'
import { type CallToResume, runCall, runResumed } from './run-call.ts'
import { createSession } from './session.ts'

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/**
 * There is no method for `list_tasks`, since `listTasks` returns the tasks of the agent: use `call('list_tasks', …)`.
 */
export type TaskMethods = {
  [T in Exclude<TaskName, 'list_tasks'> as CamelCase<T>]: (
    request: TaskRequest<T>,
    options?: CallOptions,
  ) => Promise<CallOutcome<TaskResponse<T>>>
}

/** An agent, over whatever transport it uses. */
export interface AgentHandle extends TaskMethods {
  /** Calls a task, and follows it to its end. */
  call<T extends TaskName | (string & {})>(
    task: T,
    request: RequestOf<T>,
    options?: CallOptions,
  ): Promise<CallOutcome<ResponseOf<T>>>
  /** Follows a call that was started earlier. */
  resume<T extends TaskName | (string & {})>(
    call: Pick<ResumeOptions, 'taskId' | 'operationId'> & { task: T },
    options?: Omit<CallOptions, 'operationId' | 'idempotencyKey' | 'attempts'>,
  ): Promise<CallOutcome<ResponseOf<T>>>
  /** Which tasks the agent has. */
  listTasks(options?: { signal?: AbortSignal }): Promise<TaskList>
  /** Which transport it speaks. */
  transport(options?: { signal?: AbortSignal }): Promise<FoundAgent>
  /** Closes its connections and stops listening. Calls in progress are not stopped. */
  close(): Promise<void>
}

/** Which transport an agent uses, or why none was found. */
export type FoundAgent = { ok: true; transport: Transport } | { ok: false; error: AgentError }

/** Sends no request yet. Throws a TypeError for invalid options. */
export function openAgent(options: AgentOptions): AgentHandle {
  const session = createSession(options)
  const call = (task: string, params: Record<string, unknown>, given: CallOptions = {}) =>
    runCall(session, { ...given, task, params })
  const methods = Object.fromEntries(
    Object.keys(KNOWN_TASKS)
      .filter((task) => task !== 'list_tasks')
      .map((task) => [
        camelCase(task),
        (params: Record<string, unknown> = {}, given?: CallOptions) => call(task, params, given),
      ]),
  )
  const handle: Omit<AgentHandle, keyof TaskMethods> = {
    call: call as AgentHandle['call'],
    resume: ((begun: CallToResume, given: CallOptions = {}) =>
      runResumed(session, { ...given, ...begun })) as AgentHandle['resume'],
    listTasks: async ({ signal } = {}) => {
      const at = await session.connect(signal)
      return at.ok ? at.client.listTasks(defined({ signal })) : at
    },
    transport: async ({ signal } = {}) => {
      const at = await session.connect(signal)
      return at.ok ? { ok: true, transport: at.transport } : { ok: false, error: agentError(at) }
    },
    close: session.close,
  }
  return { ...(methods as unknown as TaskMethods), ...handle }
}

function camelCase(name: string): string {
  const [head = '', ...tail] = name.split('_')
  return head + tail.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
