// Reports changes that are not about a task (spec 6.4): changed lists, artifacts, revoked rights. Each family has its
// own body. Key and bytes are fixed here, in the transaction of the reported change; everything after that is the
// same as for any other webhook: the same outbox, signatures and retries.

import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../lib/transaction.ts'
import type { Issue } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { checkShape } from '../../protocol/schemas/issues.ts'
import { FAMILY_BODIES } from '../../protocol/schemas/webhook-families.ts'
import type { WebhookFamily } from '../../protocol/webhook-family.ts'
import { HORIZON_MS } from './retry-policy.ts'
import type { Channel, ChannelStore, NewDelivery, OutboxStore } from './store.ts'

export interface Notification {
  /** Only this principal's channels are notified. */
  owner: string
  family: WebhookFamily
  /** What the channels were registered for. Default `subjectOfFamily(family)`. */
  subject?: string | undefined
  /**
   * The body without its `idempotency_key`, which is generated per delivery. If a changed list has no `signature`,
   * the scheme of the channel is filled in: verification uses the headers.
   */
  body: object
}

/** How many deliveries were added, or all errors in the body. */
export type Notified = { ok: true; deliveries: number } | { ok: false; issues: Issue[] }

export type Notify = (tx: Transaction, notification: Notification) => Promise<Notified>

/** The limit of receivers: a longer body would never be accepted. @internal */
export const MAX_NOTIFICATION_BYTES = 1_048_576

/** The subject that channels of a family are registered for. */
export function subjectOfFamily(family: WebhookFamily): string {
  return `family:${family}`
}

export function createNotify({
  channels,
  outbox,
}: {
  channels: Pick<ChannelStore, 'ofSubjects'>
  outbox: Pick<OutboxStore, 'add' | 'checkRoom'>
}): Notify {
  return async (tx, { owner, family, body, subject = subjectOfFamily(family) }) => {
    const issues = faultsOfBody(family, body)
    if (issues.length > 0) return { ok: false, issues }
    const found = (await channels.ofSubjects(tx, [subject])).get(subject) ?? []
    const own = found.filter((channel) => channel.owner === owner)
    const deliveries = own.map((channel) => deliveryOf(family, body, channel))
    if (deliveries.length > 0) await outbox.checkRoom(owner, tx)
    await outbox.add(tx, deliveries, HORIZON_MS)
    return { ok: true, deliveries: deliveries.length }
  }
}

function faultsOfBody(family: WebhookFamily, body: object): Issue[] {
  if (isObject(body) && body.idempotency_key !== undefined) {
    const message = 'Every delivery has its own key: omit this.'
    return [{ pointer: '/idempotency_key', message, keyword: 'not' }]
  }
  const whole = bodyFor(family, body, { idempotency_key: randomUUID(), scheme: 'HMAC-SHA256' })
  const checked = checkShape<unknown>(FAMILY_BODIES[family], whole)
  if (!checked.ok) return checked.issues
  const bytes = Buffer.byteLength(JSON.stringify(whole))
  if (bytes <= MAX_NOTIFICATION_BYTES) return []
  const message = `The body must have at most ${MAX_NOTIFICATION_BYTES} bytes (got ${bytes}): send it in parts.`
  return [{ pointer: '', message, keyword: 'maxLength' }]
}

function deliveryOf(family: WebhookFamily, body: object, channel: Channel): NewDelivery {
  const idempotency_key = randomUUID()
  const whole = bodyFor(family, body, { idempotency_key, scheme: channel.scheme })
  return {
    channel,
    task_id: undefined,
    operation_id: channel.operation_id,
    notification_type: family,
    sequence_number: undefined,
    idempotency_key,
    // The closed bodies have no place for a token: it goes into a header.
    body: Buffer.from(JSON.stringify(whole)),
    token: undefined,
  }
}

function bodyFor(
  family: WebhookFamily,
  body: object,
  { idempotency_key, scheme }: { idempotency_key: string; scheme: Channel['scheme'] },
): object {
  if (!isObject(body)) return body
  const isList = family === 'collection_list_changed' || family === 'property_list_changed'
  const list = isList ? { event: family, signature: scheme } : {}
  return { idempotency_key, ...list, ...body }
}
