// A long-running task consists of steps. Between two steps all its state is in the database, so that any instance can
// run the next one.

import type { Transaction } from '../lib/transaction.ts'
import type { TaskError } from '../protocol/errors.ts'
import type { TaskProgress } from '../protocol/schemas/webhook-envelope.ts'
import type { CallContext, Caller } from '../protocol/task.ts'
import type { TaskInput, TaskRecord } from './store.ts'

/**
 * A step may run more than once: after a crash, a lost lease, or an error, it runs again with the same state. So its
 * external effects must be idempotent (an id kept in `state` before it is used, a key that the other side
 * recognises), and its changes to our own stores belong in `commit`, which takes effect exactly once, together with
 * the status.
 */
export interface Work<Request, State, Response extends object> {
  /** The transport name of the task. */
  task_type: string
  /** Longest time from the request to the end, including the time spent waiting for the caller. */
  deadlineMs: number
  /** The state before the first step, as a JSON value. */
  begin(request: Request, call: CallContext): State
  /** Throws a ProtocolError to fail permanently; any other error is retried. */
  step(run: StepRun<Request, State>): Promise<StepOutcome<State, Response>>
  /**
   * The state of the work while it runs, as far as its task's response can express it: returned in the first
   * response and to clients that poll. Default: nothing.
   */
  interim?(task: TaskRecord): Promise<object | undefined>
  /** Whether `standing` has the data that the first response needs; the call waits briefly for it. */
  isReportedTo?(state: State): boolean
  /**
   * Handles the input for a waiting task where not every answer of its owner is acceptable: it stores what happens
   * to the task and makes its next step due, or refuses with a ProtocolError. An operator may then answer for any
   * owner's task. Default: the owner's answer is the next step's input.
   */
  onInput?(tx: Transaction, answered: AnsweredWork<State>): Promise<void>
  /** Undoes what the steps committed. Throws a ProtocolError to refuse the cancellation. */
  onCancel?(tx: Transaction, ended: EndedWork<State>): Promise<void>
  /** The same when the deadline passed, or too many steps threw. */
  onAbandon?(tx: Transaction, ended: EndedWork<State>): Promise<void>
}

/** One run of a step. */
export interface StepRun<Request, State> {
  task: TaskRecord
  /** The request as it was sent, without context, idempotency_key and push_notification_config. */
  request: Request
  state: State
  /** Input the owner provided since the previous step; keep in `state` what later steps need. */
  input: TaskInput | undefined
  /** Starts at 1; higher if the step threw before. */
  attempt: number
  /** Aborted when the result is no longer wanted, or the server stops: throw then. */
  signal: AbortSignal
}

/** Work that was ended from outside. */
export interface EndedWork<State> {
  task: TaskRecord
  state: State
}

/** Work that waited and received its answer. */
export interface AnsweredWork<State> extends EndedWork<State> {
  input: TaskInput
  by: Caller
}

/** What a step made of its task. */
export type StepOutcome<State, Response extends object> = {
  /** Changes to our own stores that belong to the outcome; may run more than once, see `Transact`. */
  commit?: (tx: Transaction) => Promise<void>
} & (
  | {
      status: 'working'
      progress: TaskProgress
      /** Content of the webhook besides the progress, as `standing` would return it. */
      interim?: object
      message?: string
      state: State
      /** Pause before the next step. Default 0. */
      afterMs?: number
    }
  /** Nothing to report: only the next step is set. */
  | { status: 'wait'; state: State; afterMs: number }
  | {
      status: 'input-required'
      reason: string
      message?: string
      errors?: readonly TaskError[]
      state: State
    }
  | {
      status: 'completed'
      result: Response
      /** Members of the result that only the transaction can compute; runs after `commit`, under the same rules. */
      alsoReports?: (tx: Transaction) => Promise<Partial<Response>>
      message?: string
    }
  /** `rejected`: the decision was not to start the work. */
  | {
      status: 'failed' | 'rejected'
      errors: readonly [TaskError, ...TaskError[]]
      message?: string
    }
  | { status: 'canceled'; message?: string }
)

/** Work with its type parameters erased, for the runner. */
// biome-ignore lint/suspicious/noExplicitAny: the runner holds works of every request and state
export type AnyWork = Work<any, any, any>

/** By task_type. */
export type Works = ReadonlyMap<string, AnyWork>
