// Questions to the buyer before the seller decides (spec 3.2: input-required is waiting for approval or
// clarification). The operator's question is stored with the approval, and the step of the task sends it; the buyer
// answers with provide_task_input, and the task waits for the seller again.

import { storable } from '../lib/storable-text.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { TASKS_DUE_TOPIC, type TaskInput } from '../tasks/store.ts'
import { type Approval, type DecisionPorts, lockWaiting, type Remark } from './approvals.ts'
import { BUY_LIMITS } from './limits.ts'

export interface SellerQuestion {
  text: string
  /** Who asks, for the record. */
  by: string
}

/** Stores the question and makes the task due. Throws TASK_NOT_FOUND or INVALID_STATE. */
export function askBuyer(
  ports: DecisionPorts,
  tx: Transaction,
  { task_id, text, by }: SellerQuestion & Pick<Approval, 'task_id'>,
): Promise<Approval> {
  return say(ports, tx, { task_id, from: 'seller', by, text })
}

/** The same in its own transaction. */
export function ask(
  ports: DecisionPorts & { transact: Transact },
  taskId: string,
  question: SellerQuestion,
): Promise<Approval> {
  return ports.transact((tx) => askBuyer(ports, tx, { ...question, task_id: taskId }))
}

/** Whether the last message is a question to the buyer. */
export async function isRequested(
  { approvals }: DecisionPorts,
  tx: Transaction,
  taskId: string,
): Promise<boolean> {
  const approval = await approvals.lock(tx, taskId)
  return approval?.state === 'waiting' && approval.talk.at(-1)?.from === 'seller'
}

/** Stores the buyer's answer, as text or as data. */
export async function answerSeller(
  ports: DecisionPorts,
  tx: Transaction,
  { task_id, input, by }: { task_id: string; input: TaskInput; by: string },
): Promise<void> {
  const text = input.message ?? JSON.stringify(input.input ?? {})
  await say(ports, tx, {
    task_id,
    from: 'buyer',
    by,
    text: text.slice(0, BUY_LIMITS.answerChars.value),
  })
}

async function say(
  ports: DecisionPorts,
  tx: Transaction,
  { task_id, ...remark }: Omit<Remark, 'at'> & Pick<Approval, 'task_id'>,
): Promise<Approval> {
  const { task, approval } = await lockWaiting(ports, tx, task_id)
  const { value: most } = BUY_LIMITS.remarks
  if (approval.talk.length >= most) {
    const message = `the limit of ${most} messages is reached: decide now`
    throw new ProtocolError('INVALID_STATE', message, { field: '/task_id' })
  }
  const at = await tx.now()
  const talk = [...approval.talk, { ...remark, text: storable(remark.text), at }]
  await ports.approvals.say(tx, task_id, talk)
  await ports.tasks.save(tx, { ...task, due_at: at })
  await tx.wake(TASKS_DUE_TOPIC)
  return { ...approval, talk }
}
