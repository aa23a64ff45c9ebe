// Turns an event into deliveries, one for each channel of its subject, in the transaction of the change it
// reports (spec 6.1, 6.4). Key and bytes are fixed here and the same in every attempt; only the token is stored
// separately.

import { randomUUID } from 'node:crypto'
import { mapPaced } from '../../lib/chunks.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { stringifyWith } from '../../lib/verbatim-json.ts'
import { a2aUpdate } from '../payload/a2a-update.ts'
import type { WebhookEvent } from '../payload/event.ts'
import { mcpEnvelope } from '../payload/mcp-envelope.ts'
import { openSecrets } from './channel-secrets.ts'
import { HORIZON_MS } from './retry-policy.ts'
import type { Channel, ChannelStore, NewDelivery, OutboxStore } from './store.ts'
import { writeBody } from './token-slot.ts'

export interface TaskEvent extends Omit<WebhookEvent, 'notification_id'> {
  /** The owner of the task: only this principal's channels are notified. */
  owner: string
}

export interface ChannelEvent extends WebhookEvent {
  /** Only this principal's channels are notified. */
  owner: string
  /** What the channels were registered for. */
  subject: string
  /** What kind of event it is, for the log of activity (spec 2.12). */
  notification_type: string
  /** Its position in its stream, if the kind has one. */
  sequence_number?: number | undefined
}

export interface Emitter {
  /** Notifies the channels of the task. Returns how many deliveries were added. */
  taskChanged(tx: Transaction, event: TaskEvent): Promise<number>
  /** Notifies the channels of any subject. Returns how many deliveries were added. */
  emit(tx: Transaction, event: ChannelEvent): Promise<number>
  /** The same for many at once. Returns how many deliveries were added for each. */
  emitAll(tx: Transaction, events: readonly ChannelEvent[]): Promise<number[]>
  /**
   * How many more deliveries an owner may have queued. Background work waits while there is no room; events that are
   * bounded in another way, such as the changes of an accepted task, are added anyway.
   */
  room(owner: string, tx?: Transaction): Promise<number>
  /** Throws QUOTA_EXCEEDED when there is no room: for calls that add a delivery. */
  checkRoom(owner: string, tx?: Transaction): Promise<void>
}

export interface EmitterPorts {
  channels: Pick<ChannelStore, 'ofSubjects'>
  outbox: Pick<OutboxStore, 'add' | 'room' | 'checkRoom'>
  box: SecretBox
  /** Receives channels with secrets that cannot be opened; their events are sent without the token. */
  onFault: (error: unknown) => void
}

export function createEmitter(ports: EmitterPorts): Emitter {
  const { channels, outbox } = ports
  const emitAll = async (tx: Transaction, events: readonly ChannelEvent[]): Promise<number[]> => {
    const subjects = [...new Set(events.map(({ subject }) => subject))]
    const found = await channels.ofSubjects(tx, subjects)
    const deliveries = await mapPaced(events, (event) =>
      (found.get(event.subject) ?? [])
        .filter(({ owner }) => owner === event.owner)
        .map((channel) => deliveryOf(event, channel, ports)),
    )
    const all = deliveries.flat()
    if (all.length > 0) await outbox.add(tx, all, HORIZON_MS)
    return deliveries.map(({ length }) => length)
  }
  const emit = async (tx: Transaction, event: ChannelEvent): Promise<number> =>
    (await emitAll(tx, [event]))[0] ?? 0
  return {
    emit,
    emitAll,
    room: outbox.room,
    checkRoom: outbox.checkRoom,
    taskChanged: (tx, event) => {
      const { task_id, status } = event
      return emit(tx, { ...event, subject: subjectOfTask(task_id), notification_type: status })
    },
  }
}

/** The subject that channels of a task are registered for. */
export function subjectOfTask(taskId: string): string {
  return `task:${taskId}`
}

function deliveryOf(event: ChannelEvent, channel: Channel, ports: EmitterPorts): NewDelivery {
  const idempotency_key = randomUUID()
  const { operation_id, form } = channel
  const writeWith = (token: string | undefined) => {
    const to = { idempotency_key, operation_id, token }
    return stringifyWith(event.context, (context) => {
      const returned = { ...event, context }
      return form === 'mcp' ? mcpEnvelope(returned, to) : a2aUpdate(returned, to, form)
    })
  }
  return {
    channel,
    task_id: event.task_id,
    operation_id,
    notification_type: event.notification_type,
    sequence_number: event.sequence_number,
    idempotency_key,
    ...writeBody(writeWith, tokenOf(channel, ports), { idempotency_key, box: ports.box }),
  }
}

/** A lost secret must not undo the change that the event reports. */
function tokenOf(channel: Channel, { box, onFault }: EmitterPorts): string | undefined {
  const opened = openSecrets(channel, box)
  if (opened.ok) return opened.token
  onFault(new Error(`the secrets of channel ${channel.channel_id} cannot be opened`))
  return undefined
}
