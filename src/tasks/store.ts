// Storage of tasks, so that they outlive the process that started them (spec 3.2). Every change is made in a
// transaction that the caller provides, so that a status and its event commit together.

import type { ChooseSuspects } from '../lib/poison-jobs.ts'
import type { Transaction } from '../lib/transaction.ts'
import type { TaskError } from '../protocol/errors.ts'
import type { TaskStatus } from '../protocol/schemas/task-status.ts'
import type { TaskProgress } from '../protocol/schemas/webhook-envelope.ts'
import type { OwnerShare } from './owner-share.ts'

/** Wakes the runners when a task is due. */
export const TASKS_DUE_TOPIC = 'tasks.due'
/** Wakes the callers that wait for a task: one has ended, or waits for its caller. */
export const TASKS_SETTLED_TOPIC = 'tasks.settled'
/** Wakes the runners when a task has been taken away from them. */
export const TASKS_CANCELED_TOPIC = 'tasks.canceled'

/** How long a repeated request finds the task that the first one began. */
export const REPEATABLE_MS = 24 * 60 * 60 * 1_000

/** A task is identified by its owner and its id. */
export interface TaskKey {
  owner: string
  task_id: string
}

/** The fields of a task in a list. Times are by the database's clock, in milliseconds. */
export interface TaskSummary extends TaskKey {
  task_type: string
  /** The part of the protocol it belongs to. */
  domain: string
  status: TaskStatus
  has_webhook: boolean
  created_at: number
  /** Increases with every change of the status, since receivers order webhooks by it (spec 6.4). */
  updated_at: number
  completed_at: number | undefined
}

/** A task with all of its stored data. */
export interface TaskRecord extends TaskSummary {
  /** What is continuing, for people. */
  message: string | undefined
  progress: TaskProgress | undefined
  /** The input it waits for, while input-required. */
  input_required: InputRequired | undefined
  /** The task's full response, once completed. */
  result: object | undefined
  /** Why it failed or was rejected. */
  errors: readonly TaskError[] | undefined
  /** From the request, echoed verbatim: its text is kept (`lib/verbatim-json.ts`). */
  context: object | undefined
  context_id: string | undefined
  /**
   * The release its call used; everything reported about it has that form. Undefined: the specification's own form.
   */
  generation: string | undefined
  /** Whether `task_id` was ever returned to the owner; if not, no caller can request the task. */
  is_told: boolean
  /** The state that the work keeps between two steps. */
  state: unknown
  /** Input that the owner provided and no step has used yet. */
  input: TaskInput | undefined
  /** Steps in a row that threw. */
  tries: number
  /** Consecutive claims that were never ended, including the current one: their processes died. */
  lost: number
  /** The fencing token: a caller that read a different value may not save. */
  run: number
  /** When it runs next; undefined once it has ended. */
  due_at: number | undefined
  deadline_at: number
}

/** Why a task waits for its owner. */
export interface InputRequired {
  reason: string
  errors?: readonly TaskError[]
}

/** The input an owner sent to a task that waited for it. */
export interface TaskInput {
  input?: Readonly<Record<string, unknown>>
  message?: string
  approved?: boolean
}

/** A request without its envelope and secrets, as it is kept until its task ends. */
export type KeptRequest = Readonly<Record<string, unknown>>

export interface NewTask
  extends Pick<
    TaskRecord,
    | 'task_id'
    | 'owner'
    | 'task_type'
    | 'domain'
    | 'status'
    | 'context'
    | 'context_id'
    | 'is_told'
    | 'has_webhook'
    | 'state'
  > {
  generation?: TaskRecord['generation']
  request: KeptRequest
  idempotency_key: string | undefined
  deadlineMs: number
}

export type EndedTask = Pick<
  TaskRecord,
  'task_id' | 'owner' | 'task_type' | 'domain' | 'message' | 'result' | 'context' | 'context_id'
>

export interface ClaimedTask extends TaskRecord {
  request: KeptRequest
  /** By the database's clock. */
  claimed_at: number
}

type Claim = Pick<ClaimedTask, 'task_id' | 'run'>

export interface HistoryEntry {
  at: number
  type: 'request' | 'response'
  data: unknown
}

/** The values of a list are alternatives; all given filters must match. Times are exclusive, in milliseconds. */
export interface TaskFilter {
  domains?: readonly string[]
  statuses?: readonly string[]
  task_types?: readonly string[]
  task_ids?: readonly string[]
  createdAfter?: number
  createdBefore?: number
  updatedAfter?: number
  updatedBefore?: number
  /** A text in the context's names or values, case-sensitive. */
  contextContains?: string
  has_webhook?: boolean
}

export type TaskSortField = 'created_at' | 'updated_at' | 'status' | 'task_type' | 'domain'

export interface TaskQuery {
  filter: TaskFilter
  sort: { field: TaskSortField; direction: 'asc' | 'desc' }
  limit: number
  /** The last task of the previous page, with its sort value at that time. */
  after?: { value: string | number; task_id: string }
}

export interface TaskPage {
  tasks: TaskSummary[]
  hasMore: boolean
  /** On all pages. */
  total: number
  byDomain: Record<string, number>
  byStatus: Record<string, number>
}

export interface TaskStore {
  /** Adds a task that is due at once. Throws QUOTA_EXCEEDED when its owner has too many open ones. */
  add(tx: Transaction, task: NewTask): Promise<TaskRecord>
  /**
   * Adds a completed task under an id that its owner was sent, such as that of a notification. It is never open, so
   * it does not count toward the quota.
   */
  addEnded(tx: Transaction, task: EndedTask): Promise<void>
  /**
   * The newest task started by this request less than `REPEATABLE_MS` ago. No other transaction finds or adds one
   * under the key until this one has ended.
   */
  findByKey(
    tx: Transaction,
    key: { owner: string; task_type: string; idempotency_key: string },
  ): Promise<(TaskRecord & { requestDigest: string }) | undefined>
  /** As committed. Undefined if it does not exist, has another owner, or its id was never returned. */
  get(key: TaskKey, options?: { evenUntold?: boolean }): Promise<TaskRecord | undefined>
  /** The current task, locked against changes by others until the transaction has ended. */
  lock(tx: Transaction, key: { task_id: string; owner?: string }): Promise<TaskRecord | undefined>
  /**
   * Writes the fields that may change, and ends any claim: `lost` is reset. If the task ends, only the digest of its
   * request is kept. False if `run` no longer matches the task.
   */
  save(tx: Transaction, task: TaskRecord): Promise<boolean>
  /** Records that the id of a running task is returned to its owner; undefined if the task is not running. */
  report(tx: Transaction, key: TaskKey): Promise<TaskRecord | undefined>
  /** The owner's tasks whose ids were returned. */
  list(owner: string, query: TaskQuery): Promise<TaskPage>
  /** Those tasks that have ended or wait for their owner. */
  settled(taskIds: readonly string[]): Promise<string[]>
  /**
   * Claims due tasks of these types, each for `leaseMs`. No two callers get the same task. Of tasks whose last claims
   * were lost it takes the chosen ones; default: any. Of the others it takes those whose owners have slots left;
   * default: any, the longest due first.
   */
  claimDue(
    tx: Transaction,
    options: {
      limit: number
      leaseMs: number
      types: readonly string[]
      chooseLost?: ChooseSuspects
      share?: OwnerShare
    },
  ): Promise<ClaimedTask[]>
  /** Renews the lease; false when the claim has ended. */
  renew(tx: Transaction, claim: Claim, leaseMs: number): Promise<boolean>
  /** Releases a claim as if it had not been made: due at once. False when the claim has ended. */
  release(tx: Transaction, claim: Claim): Promise<boolean>
  /**
   * Ends every claim when it is certain that no process holds one: each counts as lost, and its task is due at once.
   */
  takeBackAll(tx: Transaction): Promise<number>
  /** Appends to the history of a task, and deletes old entries. */
  append(tx: Transaction, taskId: string, entry: HistoryEntry): Promise<void>
  /** The history of each of these tasks, oldest first. */
  history(taskIds: readonly string[]): Promise<Map<string, HistoryEntry[]>>
  /**
   * Deletes some of the tasks, with their history, that ended before a time. Tasks whose ids were never returned can
   * only be found by a repeated request and may be deleted earlier. Returns how many; 0 when there are no more.
   */
  sweep(tx: Transaction, before: { reported: number; untold: number }): Promise<number>
}
