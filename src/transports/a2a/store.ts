// What A2A stores between two messages: the tasks a caller may request again. Each belongs to one principal, and
// no other principal can see it (spec 3.2, 5).

import type { Transaction } from '../../lib/transaction.ts'

/** How long a task is kept. */
export const A2A_TTL_MS = 24 * 60 * 60 * 1_000

export const A2A_STATES = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const
export type A2aState = (typeof A2A_STATES)[number]

/**
 * A task as A2A returns it. It starts as `working` without a body while its call runs, and is settled once: by
 * the response of the call or by a cancellation, whichever comes first. A response that only accepts the work
 * leaves it `submitted` or `working`, now with a body: from then on its state is that of the protocol's task with
 * the same id.
 */
export interface A2aTask {
  taskId: string
  /** The principal it belongs to. */
  owner: string
  contextId: string
  skill: string
  state: A2aState
  /** The response body as JSON; undefined while there is none. */
  body: string | undefined
  /** By the database's clock, in milliseconds. */
  updatedAt: number
}

export interface Kept {
  tasks: number
  /** Of their bodies together. */
  bytes: number
}

export interface A2aTaskStore {
  /** Keeps a new task for `ttlMs`. */
  add(tx: Transaction, task: Omit<A2aTask, 'updatedAt'>, ttlMs: number): Promise<A2aTask>
  /** Settles a task whose call is running; false when something else settled it before. */
  settle(
    tx: Transaction,
    key: Pick<A2aTask, 'owner' | 'taskId'>,
    outcome: Pick<A2aTask, 'state' | 'body'>,
  ): Promise<boolean>
  /** Undefined if it does not exist, has expired, or belongs to someone else. */
  get(owner: string, taskId: string): Promise<A2aTask | undefined>
  /** How much is kept for a principal. */
  kept(owner: string): Promise<Kept>
  /** Deletes some expired tasks. Returns how many; 0 when there are no more. */
  sweep(tx: Transaction): Promise<number>
}
