// The A2A form of a webhook (spec 6.1), for registrations made the A2A way: a status update while the task is
// running, the task itself once it has ended. 0.3 sends it bare, with `kind`s and states in lower case; 1.0 wraps
// it in the name of its type and writes states in capitals.

import { defined } from '../../lib/defined.ts'
import { isFinalStatus } from '../../protocol/final-status.ts'
import { type Addressee, resultOf, type WebhookEvent } from './event.ts'

export type A2aForm = 'a2a-0.3' | 'a2a-1.0'

/** The token is not in here: it goes into a header. */
export function a2aUpdate(event: WebhookEvent, to: Addressee, form: A2aForm): object {
  const isOld = form === 'a2a-0.3'
  if (isFinalStatus(event.status)) {
    const task = finalTask(event, to, isOld)
    return isOld ? { kind: 'task', ...task } : { task }
  }
  const update = statusUpdate(event, to, isOld)
  return isOld ? { kind: 'status-update', ...update, final: false } : { statusUpdate: update }
}

/** Readers take the last data part of the first artifact: there is one. */
function finalTask(event: WebhookEvent, to: Addressee, isOld: boolean): object {
  const { task_id, task_type } = event
  const data = resultOf(event)
  const parts = data === undefined ? [] : [dataPart(data, isOld)]
  return {
    id: task_id,
    ...contextIdOf(event),
    status: statusOf(event, textParts(event, isOld), { to, isOld }),
    ...defined({
      artifacts:
        parts.length === 0 ? undefined : [{ artifactId: 'result', name: task_type, parts }],
    }),
    metadata: metadataOf(event, to),
  }
}

/** Readers take the first data part of the message: there is one. */
function statusUpdate(event: WebhookEvent, to: Addressee, isOld: boolean): object {
  const data = resultOf(event)
  const parts = [...textParts(event, isOld), ...(data === undefined ? [] : [dataPart(data, isOld)])]
  return {
    taskId: event.task_id,
    ...contextIdOf(event),
    status: statusOf(event, parts, { to, isOld }),
    metadata: metadataOf(event, to),
  }
}

function statusOf(
  event: WebhookEvent,
  parts: readonly object[],
  { to, isOld }: { to: Addressee; isOld: boolean },
): object {
  const { status, task_id, at } = event
  const message = {
    ...(isOld ? { kind: 'message', role: 'agent' } : { role: 'ROLE_AGENT' }),
    messageId: to.idempotency_key,
    taskId: task_id,
    ...contextIdOf(event),
    parts,
  }
  return {
    state: isOld ? status : `TASK_STATE_${status.toUpperCase().replace('-', '_')}`,
    ...defined({ message: parts.length === 0 ? undefined : message }),
    timestamp: new Date(at).toISOString(),
  }
}

function contextIdOf({ context_id }: WebhookEvent): { contextId?: string } {
  return context_id === undefined ? {} : { contextId: context_id }
}

/** A2A has no members for these, but receivers need them (spec 6.1, 6.4). */
function metadataOf({ notification_id, context }: WebhookEvent, to: Addressee): object {
  const { idempotency_key, operation_id } = to
  return {
    idempotency_key,
    ...defined({ notification_id, operation_id, context }),
  }
}

function textParts({ message }: WebhookEvent, isOld: boolean): object[] {
  if (message === undefined) return []
  return [isOld ? { kind: 'text', text: message } : { text: message }]
}

function dataPart(data: object, isOld: boolean): object {
  return isOld ? { kind: 'data', data } : { data, mediaType: 'application/json' }
}
