// A second end of an operation that differs from the first (spec 6.4: the first final status wins). It changes
// nothing, but it is not silently dropped: it is reported to the operator of the receiver.

import { isFinalStatus } from '../../protocol/final-status.ts'
import {
  isSameOutcome,
  type OutcomeFields,
  outcomeValue,
  type ValueNames,
} from '../../protocol/one-outcome.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { readMessage, type WebhookMessage } from './message.ts'
import type { InboxStore, NewMessage } from './store.ts'

export interface WebhookConflict {
  operation_id: string
  /** The end that counts. */
  settled: WebhookMessage
  /** The later message of the same sender, which reports something else. */
  other: WebhookMessage
}

export interface ConflictPorts {
  inbox: Pick<InboxStore, 'ofOperation'>
  names: ValueNames
  onConflict: (conflict: WebhookConflict) => void
}

/** Whether a message reports the end of a task. */
export function isEnd({ status, family }: Pick<NewMessage, 'status' | 'family'>): boolean {
  return family !== 'notification' && isFinalStatus(status)
}

/** Checks a message that was too late to be applied: an end that differs from the applied one is reported. */
export function createConflictCheck({ inbox, names, onConflict }: ConflictPorts) {
  return async (other: WebhookMessage): Promise<void> => {
    const { operation_id, sender } = other
    if (operation_id === undefined || !isEnd(other)) return
    const applied = await inbox.ofOperation(operation_id)
    const first = applied.find((one) => one.sender === sender && isEnd(one))
    if (!first || first.idempotency_key === other.idempotency_key) return
    const settled = readMessage(first)
    if (!isSameEnd(settled, other, names)) onConflict({ operation_id, settled, other })
  }
}

/** Whether two messages report the same end of the same task. */
export function isSameEnd(one: WebhookMessage, other: WebhookMessage, names: ValueNames): boolean {
  if (one.task_id !== other.task_id) return false
  const types = [one, other].map(taskTypeOf)
  // An A2A form without the task's name cannot be compared.
  const task_type = types.includes(undefined) ? '' : undefined
  return isSameOutcome(reportOf(one, task_type, names), reportOf(other, task_type, names))
}

function reportOf(
  message: WebhookMessage,
  task_type: string | undefined,
  names: ValueNames,
): OutcomeFields {
  const { status = '', data } = message
  return {
    task_type: task_type ?? taskTypeOf(message) ?? '',
    status,
    value: outcomeValue(status, isObject(data) ? data : {}, names),
  }
}

function taskTypeOf({ payload }: WebhookMessage): string | undefined {
  const type = isObject(payload) ? payload.task_type : undefined
  return typeof type === 'string' ? type : undefined
}
