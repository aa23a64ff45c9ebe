// Requests that wait for an operator's decision (spec 3.2: input-required). A decision is stored first and carried
// out by the step of the task that requested it, which becomes due immediately: so this happens in one place,
// regardless of who decides, and a process that dies in between loses nothing.

import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { TASKS_DUE_TOPIC, type TaskRecord, type TaskStore } from '../tasks/store.ts'

export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'withdrawn'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

export interface Approval {
  /** The task that requests approval; its id identifies the approval. */
  task_id: string
  owner: string
  task_type: string
  media_buy_id: string
  state: ApprovalState
  /** Why approval is required. */
  reason: string
  /** The request in short. */
  requested: RequestedBuy
  /** The seller's questions to the buyer before the decision, and the buyer's answers; oldest first. */
  talk: readonly Remark[]
  /** How many people have to approve it: 1 or 2. */
  needed: number
  /** Who approved it first, if a second person has to approve it. */
  first_by: string | undefined
  first_at: number | undefined
  /** What the operator said. */
  note: string | undefined
  decided_by: string | undefined
  created_at: number
  decided_at: number | undefined
}

export interface Remark {
  from: 'seller' | 'buyer'
  /** Who said it, for the record. */
  by: string
  text: string
  /** In milliseconds. */
  at: number
}

export interface RequestedBuy {
  total_budget: number
  currency: string
  product_ids: readonly string[]
  start_time: string
  end_time: string
}

export interface ApprovalStore {
  /** Stores that a task waits; no effect if it is already stored. */
  ask(
    tx: Transaction,
    approval: Pick<
      Approval,
      'task_id' | 'owner' | 'task_type' | 'media_buy_id' | 'reason' | 'requested'
    > & { /** Default 1. */ needed?: number },
  ): Promise<void>
  lock(tx: Transaction, taskId: string): Promise<Approval | undefined>
  get(taskId: string): Promise<Approval | undefined>
  /** The oldest first. */
  list(filter: {
    state?: ApprovalState | undefined
    limit: number
    /** The last one of the page before. */
    after?: Pick<Approval, 'created_at' | 'task_id'> | undefined
  }): Promise<Approval[]>
  /** Stores a message after the earlier ones. */
  say(tx: Transaction, taskId: string, talk: readonly Remark[]): Promise<void>
  /** Stores the first of two approvals. */
  approveFirst(
    tx: Transaction,
    taskId: string,
    first: Pick<Approval, 'note' | 'first_by'>,
  ): Promise<void>
  decide(
    tx: Transaction,
    taskId: string,
    decision: Pick<Approval, 'state' | 'note' | 'decided_by'>,
  ): Promise<void>
  /** Deletes some approvals decided before a time. Returns how many; 0 when there are no more. */
  sweep(tx: Transaction, before: number): Promise<number>
}

export interface Decision {
  approved: boolean
  /** For the buyer to read. */
  note?: string | undefined
  /** Who decides, for the record. */
  by: string
}

export interface DecisionPorts {
  approvals: ApprovalStore
  tasks: Pick<TaskStore, 'lock' | 'save'>
}

/**
 * Stores the decision and makes the task due; the first of two approvals is only stored, and one rejection suffices.
 * Throws TASK_NOT_FOUND or INVALID_STATE, also if one person approves twice.
 */
export async function decideApproval(
  { approvals, tasks }: DecisionPorts,
  tx: Transaction,
  { task_id, approved, note, by }: Decision & Pick<Approval, 'task_id'>,
): Promise<Approval> {
  const { task, approval } = await lockWaiting({ approvals, tasks }, tx, task_id)
  if (approved && approval.first_by === by) {
    const message = 'a second person has to approve it: you already did'
    throw new ProtocolError('INVALID_STATE', message, { field: '/task_id' })
  }
  if (approved && approval.needed > 1 && approval.first_by === undefined) {
    await approvals.approveFirst(tx, task_id, { note, first_by: by })
    return { ...approval, note, first_by: by, first_at: await tx.now() }
  }
  const state = approved ? 'approved' : 'rejected'
  await approvals.decide(tx, task_id, { state, note, decided_by: by })
  await tasks.save(tx, { ...task, due_at: await tx.now() })
  await tx.wake(TASKS_DUE_TOPIC)
  return { ...approval, state, note, decided_by: by }
}

/** Throws TASK_NOT_FOUND or INVALID_STATE unless the task is waiting. */
export async function lockWaiting(
  { approvals, tasks }: DecisionPorts,
  tx: Transaction,
  taskId: string,
): Promise<{ task: TaskRecord; approval: Approval }> {
  // The task is locked first, in the same order as the code that runs its steps.
  const task = await tasks.lock(tx, { task_id: taskId })
  const approval = await approvals.lock(tx, taskId)
  if (!task || !approval) {
    throw new ProtocolError('TASK_NOT_FOUND', `no approval is waiting for the task ${taskId}`)
  }
  if (approval.state !== 'waiting') {
    const message = `it was already ${approval.state}: a decision cannot be changed`
    throw new ProtocolError('INVALID_STATE', message, { field: '/task_id' })
  }
  return { task, approval }
}

/** The same in its own transaction. */
export function decide(
  ports: DecisionPorts & { transact: Transact },
  taskId: string,
  decision: Decision,
): Promise<Approval> {
  return ports.transact((tx) => decideApproval(ports, tx, { ...decision, task_id: taskId }))
}
