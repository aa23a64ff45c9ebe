// What a task that runs long consists of: steps. Between two of them everything is in the database,
// so that any instance can do the next one.

import type { Transaction } from '../lib/transaction.ts'
import type { TaskError } from '../protocol/errors.ts'
import type { TaskProgress } from '../protocol/schemas/webhook-envelope.ts'
import type { CallContext, Caller } from '../protocol/task.ts'
import type { TaskInput, TaskRecord } from './store.ts'

/**
 * A step may be run more than once: after a crash, a lost lease, or something it threw, it is run
 * again with the same state. So what it does outside must bear repetition (an id kept in `state`
 * before it is used, a key that the other side knows), and what it does to our own stores belongs
 * into `commit`, which takes effect exactly once, together with the status.
 */
export interface Work<Request, State, Response extends object> {
  /** The transport name of the task. */
  task_type: string
  /** Longest time from the request to the end, waiting for the caller included. */
  deadlineMs: number
  /** The state before the first step, as JSON can hold it. */
  begin(request: Request, call: CallContext): State
  /** Throws a ProtocolError to fail for good; what else it throws is tried again. */
  step(run: StepRun<Request, State>): Promise<StepOutcome<State, Response>>
  /**
   * The state of the work while it runs, as far as its task's response can express it: returned in the first
   * response and to clients that poll. Default: nothing.
   */
  interim?(task: TaskRecord): Promise<object | undefined>
  /** Whether `standing` has what the first response needs; the call waits for it briefly. */
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
  onGiveUp?(tx: Transaction, ended: EndedWork<State>): Promise<void>
}

/** One run of a step. */
export interface StepRun<Request, State> {
  task: TaskRecord
  /** As it was sent, without context, idempotency_key and push_notification_config. */
  request: Request
  state: State
  /** What the owner provided since the step before; keep in `state` what later steps need. */
  input: TaskInput | undefined
  /** From 1; more when the step threw before. */
  attempt: number
  /** Aborted when the result is not wanted any more, or the server stops: throw then. */
  signal: AbortSignal
}

/** Work that was ended from outside. */
export interface EndedWork<State> {
  task: TaskRecord
  state: State
}

/** Work that waited and was answered. */
export interface AnsweredWork<State> extends EndedWork<State> {
  input: TaskInput
  by: Caller
}

/** What a step made of its task. */
export type StepOutcome<State, Response extends object> = {
  /** Changes of our own stores that belong to the outcome; may be run again, as `Transact` says. */
  commit?: (tx: Transaction) => Promise<void>
} & (
  | {
      status: 'working'
      progress: TaskProgress
      /** What the webhook contains beside the progress, as `standing` would return it. */
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
      /** Members of the result that only the transaction knows; runs after `commit`, and as it does. */
      alsoReports?: (tx: Transaction) => Promise<Partial<Response>>
      message?: string
    }
  /** `rejected`: it was decided that the work is not begun. */
  | {
      status: 'failed' | 'rejected'
      errors: readonly [TaskError, ...TaskError[]]
      message?: string
    }
  | { status: 'canceled'; message?: string }
)

/** Work with its types forgotten, for the runner. */
// biome-ignore lint/suspicious/noExplicitAny: the runner holds works of every request and state
export type AnyWork = Work<any, any, any>

/** By task_type. */
export type Works = ReadonlyMap<string, AnyWork>
