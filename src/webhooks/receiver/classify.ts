// Classifies a verified body (spec 2.10, 6.1, 6.4): its family, its task, and its key. A body that lacks what its
// family requires is rejected, and all its errors are reported together.

import { createHash } from 'node:crypto'
import { isStorable } from '../../lib/storable-text.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { idempotencyKey, isoTime, opaqueId } from '../../protocol/schemas/common.ts'
import { receivedWebhookEnvelope } from '../../protocol/schemas/webhook-envelope.ts'
import { a2aStatus, detectForm } from './extract.ts'
import { type Family, familyOf } from './families.ts'
import type { NewMessage } from './store.ts'

export type Classified =
  | ({ ok: true } & Subject)
  | { ok: false; code: EnvelopeFailure; message: string }

/** What of a message its body says. */
export type Subject = Pick<
  NewMessage,
  'family' | 'idempotency_key' | 'task_id' | 'operation_id' | 'status' | 'event_at'
>

export type EnvelopeFailure =
  | 'missing_envelope_fields'
  | 'missing_idempotency_key'
  | 'invalid_envelope_status'

/** `digest` is the digest of the bytes: it distinguishes A2A messages that have no key. */
export function classify(body: unknown, digest: string): Classified {
  const found = detectForm(body)
  if (found?.form === 'a2a') return a2aTask(found.task, digest)
  const members = isObject(body) ? body : {}
  const family = familyOf(members)
  return family ? notification(members, family) : envelope(members)
}

type Members = Record<string, unknown>

const { shape } = receivedWebhookEnvelope

function envelope(members: Members): Classified {
  const { idempotency_key, task_id, operation_id, status, timestamp } = members
  const faults = faultsOf([
    ['task_id', isId(task_id)],
    ['task_type', shape.task_type.safeParse(members.task_type).success],
    ['status', typeof status === 'string'],
    ['timestamp', timeOf(timestamp) !== undefined],
    // The buyer's own value: one that it cannot have issued matches no operation.
    ['operation_id', isAbsent(operation_id) || isId(operation_id)],
    ['idempotency_key', isKey(idempotency_key)],
  ])
  if (faults) return faults
  if (!shape.status.safeParse(status).success) return unknownStatus('status')
  return {
    ok: true,
    family: isNotification(members) ? 'notification' : 'task',
    idempotency_key: idempotency_key as string,
    task_id: task_id as string,
    operation_id: textOf(operation_id),
    status: status as string,
    event_at: timeOf(timestamp),
  }
}

/** Delivery reports and impairments travel in a task's envelope, one after the other (spec 6.2, 6.3). */
function isNotification({ notification_id, result }: Members): boolean {
  const kind = isObject(result) ? result.notification_type : undefined
  return typeof notification_id === 'string' || typeof kind === 'string'
}

/** Takes the task or update out of its wrapper. Key and operation are in its metadata. */
function a2aTask(task: Members, digest: string): Classified {
  // An update names its task in taskId; an additional id would be the update's own.
  const task_id = task.taskId ?? task.id
  const { state, timestamp } = task.status as Members
  const metadata = isObject(task.metadata) ? task.metadata : {}
  const { idempotency_key: key, operation_id } = metadata
  const faults = faultsOf([
    ['id', isId(task_id)],
    ['status.state', typeof state === 'string'],
    ['status.timestamp', isAbsent(timestamp) || timeOf(timestamp) !== undefined],
    ['metadata.operation_id', isAbsent(operation_id) || isId(operation_id)],
    ['metadata.idempotency_key', isAbsent(key) || isKey(key)],
  ])
  if (faults) return faults
  const status = a2aStatus(task)
  if (!status) return unknownStatus('status.state')
  return {
    ok: true,
    family: 'a2a-task',
    idempotency_key: textOf(key) ?? derivedKey([task_id, status, timestamp ?? null, digest]),
    task_id: task_id as string,
    operation_id: textOf(operation_id),
    status,
    event_at: timeOf(timestamp),
  }
}

/**
 * A2A defines no idempotency_key. A retry has the same bytes, so task, state, time and digest are the same for it and
 * for nothing else.
 */
function derivedKey(parts: readonly unknown[]): string {
  return `a2a:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`
}

function notification(members: Members, { name, schema, time }: Family): Classified {
  const read = schema.safeParse(members)
  const wrong = new Set(read.error?.issues.map(({ path }) => path.join('.')))
  const faults = faultsOf([...wrong].map((field) => [field, false]))
  if (faults) return faults
  return {
    ok: true,
    family: name,
    idempotency_key: members.idempotency_key as string,
    task_id: undefined,
    operation_id: isId(members.operation_id) ? (members.operation_id as string) : undefined,
    status: undefined,
    event_at: time === undefined ? undefined : timeOf(members[time]),
  }
}

/** An invalid key has its own code when it is the only error. */
function faultsOf(
  fields: readonly (readonly [name: string, isGood: boolean])[],
): (Classified & { ok: false }) | undefined {
  const wrong = fields.filter(([, isGood]) => !isGood).map(([name]) => name)
  if (wrong.length === 0) return undefined
  const isKeyAlone = wrong.length === 1 && wrong[0]!.endsWith('idempotency_key')
  const code = isKeyAlone ? 'missing_idempotency_key' : 'missing_envelope_fields'
  const returned = wrong.slice(0, MAX_NAMES)
  const more = wrong.length > MAX_NAMES ? ` and ${wrong.length - MAX_NAMES} more` : ''
  return {
    ok: false,
    code,
    message: `missing or unusable: ${returned.join(', ')}${more}${hintsFor(wrong)}`,
  }
}

/** A batch may contain a thousand errors. */
const MAX_NAMES = 10

function hintsFor(wrong: readonly string[]): string {
  const hints: string[] = []
  if (wrong.some((name) => name.endsWith('idempotency_key'))) {
    hints.push('an idempotency_key is 16 to 255 letters, digits or _ . : -')
  }
  if (wrong.some((name) => /(?:timestamp|_at)$/.test(name))) {
    hints.push('a time is ISO 8601 with its offset')
  }
  return hints.length === 0 ? '' : ` (${hints.join('; ')})`
}

function unknownStatus(field: string): Classified {
  const known = shape.status.options.join(', ')
  const message = `${field} is none of ${known}`
  return { ok: false, code: 'invalid_envelope_status', message }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isKey(value: unknown): boolean {
  return idempotencyKey.safeParse(value).success
}

function isId(value: unknown): boolean {
  // If ids cannot be stored unchanged, two could become one.
  return opaqueId.safeParse(value).success && isStorable(value as string)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function timeOf(value: unknown): number | undefined {
  const read = isoTime.safeParse(value)
  const ms = read.success ? Date.parse(read.data) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
