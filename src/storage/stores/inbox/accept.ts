// Accepting messages in SQL (spec 6.4): each once for its sender and key, and no sender more than its
// limit. Messages of concurrent requests share one transaction.
//
// Known keys are looked up first, so that duplicates neither wait nor need room. For the rest, the
// counters of their senders are updated before the rows are written: a transaction that updates a counter
// holds its row until the commit, so the room it finds is exact on any number of instances. Counters are
// locked in order, which prevents deadlocks.

import { createBatcher } from '../../../lib/batcher.ts'
import { storable } from '../../../lib/storable-text.ts'
import {
  type Accepted,
  type AcceptLimits,
  INBOX_TOPIC,
  type InboxStore,
  type MessageState,
  type NewMessage,
} from '../../../webhooks/receiver/store.ts'
import { type Database, placeholders } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'
import {
  forgetExpired,
  type Kept as KeptOfSender,
  moveSenders,
  type SenderChange,
  type Step,
  subjectOf,
} from './rows.ts'

/** Messages that share a transaction: at a busy moment they share its commit as well. */
const MAX_BATCH = 256

export function createAccept(database: Database): InboxStore['accept'] {
  const acceptOne = createBatcher<Requested, Accepted>({
    maxItems: MAX_BATCH,
    run: (requested) =>
      database.transact((tx) => acceptAll({ dialect: database.dialect, tx }, requested)),
  })
  return (messages, limits) =>
    Promise.all(messages.map((message) => acceptOne(requestOf(message, limits))))
}

interface Requested {
  /** Sender and key as one text. */
  id: string
  sender: string
  idempotency_key: string
  message: NewMessage
  limits: AcceptLimits
}

/** The copy that is kept, by id. */
type Kept = Map<string, KeptCopy>

interface KeptCopy {
  digest: string
  /** Whether it was applied, skipped or failed permanently. */
  isOver: boolean
}

function requestOf(message: NewMessage, limits: AcceptLimits): Requested {
  const sender = storable(message.sender)
  const idempotency_key = storable(message.idempotency_key)
  return { id: idOf({ sender, idempotency_key }), sender, idempotency_key, message, limits }
}

function idOf({ sender, idempotency_key }: Pick<Requested, 'sender' | 'idempotency_key'>): string {
  return JSON.stringify([sender, idempotency_key])
}

async function acceptAll(
  on: Omit<Step, 'now'>,
  requested: readonly Requested[],
): Promise<Accepted[]> {
  await on.tx.useIndexes()
  const kept = await findKept(on, requested)
  const isChanged = ({ id, message }: Requested) => {
    const copy = kept.get(id)
    return copy !== undefined && ![message.digest, message.bytesDigest].includes(copy.digest)
  }
  // If two have the same key, the first counts.
  const seen = new Set(kept.keys())
  const first = requested.filter(({ id }) => !seen.has(id) && seen.add(id))
  const counted = changesOf(first, requested.filter(isChanged))
  const counts = await moveSenders(on, counted)

  // Read after the counters are locked: a time read before waiting for them would be out of date.
  const step = { ...on, now: await on.tx.now() }
  const { fitting, forgotten } = await chooseFitting(step, { unknown: first, counts, kept })
  const added = await addMessages(step, fitting)
  for (const { id, message } of added) kept.set(id, { digest: message.digest, isOver: false })
  // Another transaction inserted it between the lookup and the lock.
  const late = fitting.filter((one) => !added.has(one))
  for (const [id, copy] of await findKept(on, late)) kept.set(id, copy)

  const happened = changesOf([...added], requested.filter(isChanged))
  await moveSenders(on, correctionOf(counted, happened, forgotten))
  if (added.size > 0) await on.tx.wake(INBOX_TOPIC)
  const lost = new Set(late.map(({ id }) => id))
  return requested.map((one) => {
    if (added.has(one)) return 'new'
    if (isChanged(one)) return 'changed'
    if (one.limits.reportUnfinished && kept.get(one.id)?.isOver === false) return 'unfinished'
    // A message that existed and has been deleted since was still a duplicate.
    return kept.has(one.id) || lost.has(one.id) ? 'duplicate' : 'full'
  })
}

async function findKept({ tx }: Omit<Step, 'now'>, requested: readonly Requested[]): Promise<Kept> {
  if (requested.length === 0) return new Map()
  const ids = new Set(requested.map(({ id }) => id))
  const keys = [...ids].map((id) => {
    const [sender, idempotency_key] = JSON.parse(id) as [string, string]
    return { sender, idempotency_key }
  })
  const rows = await tx.all<KeptRow>(
    `SELECT i.sender, i.idempotency_key, i.digest, i.state
     FROM ${rowsOf({ sender: 'TEXT', idempotency_key: 'TEXT' })} AS r
     JOIN webhook_inbox i ON i.sender = r.sender AND i.idempotency_key = r.idempotency_key`,
    [JSON.stringify(keys)],
  )
  return new Map(
    rows.map((row) => [idOf(row), { digest: row.digest, isOver: !IN_PROCESS.includes(row.state) }]),
  )
}

interface KeptRow {
  sender: string
  idempotency_key: string
  digest: string
  state: MessageState
}

const IN_PROCESS: readonly MessageState[] = ['pending', 'leased']

const NOTHING: SenderChange = { kept: 0, kept_bytes: 0, changed_bodies: 0 }

function changesOf(
  added: readonly Requested[],
  changed: readonly Requested[],
): Map<string, SenderChange> {
  const changes = new Map<string, SenderChange>()
  const of = (sender: string) => {
    const change = changes.get(sender) ?? { ...NOTHING }
    changes.set(sender, change)
    return change
  }
  for (const { sender, message } of added) {
    of(sender).kept += 1
    of(sender).kept_bytes += message.body.byteLength
  }
  for (const { sender } of changed) of(sender).changed_bodies++
  return changes
}

/** The messages that there is room for, oldest first; makes room by deleting expired ones if necessary. */
async function chooseFitting(
  step: Step,
  {
    unknown,
    counts,
    kept,
  }: { unknown: readonly Requested[]; counts: ReadonlyMap<string, KeptOfSender>; kept: Kept },
): Promise<{ fitting: Requested[]; forgotten: Map<string, KeptOfSender> }> {
  const fitting = new Set<Requested>()
  const forgotten = new Map<string, KeptOfSender>()
  for (const sender of new Set(unknown.map((one) => one.sender))) {
    const all = unknown.filter((one) => one.sender === sender)
    const { kept: count, kept_bytes } = counts.get(sender) ?? NOTHING
    let stored = count - all.length
    let bytes = kept_bytes - bytesOf(all)
    let mine = all
    const isCrowded = mine.some(
      ({ limits }) => count > limits.maxPerSender || kept_bytes > limits.maxBytesPerSender,
    )
    if (isCrowded) {
      // Messages that others added before the counter was locked need no room; that is only certain now.
      for (const [id, copy] of await findKept(step, mine)) kept.set(id, copy)
      mine = mine.filter(({ id }) => !kept.has(id))
      const gone = await forgetExpired(step, sender)
      forgotten.set(sender, gone)
      stored -= gone.kept
      bytes -= gone.kept_bytes
    }
    for (const one of mine) {
      const { byteLength } = one.message.body
      const { maxPerSender, maxBytesPerSender } = one.limits
      if (stored >= maxPerSender || bytes + byteLength > maxBytesPerSender) continue
      fitting.add(one)
      stored += 1
      bytes += byteLength
    }
  }
  // In order of receipt, so that the first received is the first applied.
  return { fitting: unknown.filter((one) => fitting.has(one)), forgotten }
}

function bytesOf(requested: readonly Requested[]): number {
  return requested.reduce((sum, { message }) => sum + message.body.byteLength, 0)
}

/** The correction that counters already moved by the expected amount need to match what happened. */
function correctionOf(
  expected: ReadonlyMap<string, SenderChange>,
  happened: ReadonlyMap<string, SenderChange>,
  forgotten: ReadonlyMap<string, KeptOfSender>,
): Map<string, SenderChange> {
  const corrections = [...expected].map(([sender, was]) => {
    const is = happened.get(sender) ?? NOTHING
    const gone = forgotten.get(sender) ?? NOTHING
    const kept = is.kept - gone.kept - was.kept
    const kept_bytes = is.kept_bytes - gone.kept_bytes - was.kept_bytes
    const changed_bodies = is.changed_bodies - was.changed_bodies
    return [sender, { kept, kept_bytes, changed_bodies }] as const
  })
  return new Map(
    corrections.filter(([, { kept, kept_bytes, changed_bodies }]) =>
      [kept, kept_bytes, changed_bodies].some((by) => by !== 0),
    ),
  )
}

const COLUMNS = {
  sender: 'TEXT',
  idempotency_key: 'TEXT',
  digest: 'TEXT',
  route: 'TEXT',
  family: 'TEXT',
  subject: 'TEXT',
  task_id: 'TEXT',
  operation_id: 'TEXT',
  status: 'TEXT',
  event_at: 'BIGINT',
  state: 'TEXT',
  attempts: 'INTEGER',
  due_at: 'BIGINT',
  received_at: 'BIGINT',
  expires_at: 'BIGINT',
} as const
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const INSERT = `INSERT INTO webhook_inbox (${NAMES.join(', ')}, body)`
const ONCE = 'ON CONFLICT (sender, idempotency_key) DO NOTHING'

/** Answers those that were added. */
async function addMessages(step: Step, requested: readonly Requested[]): Promise<Set<Requested>> {
  // SQLite is fastest row by row; on PostgreSQL the round trip is the cost.
  if (step.dialect === 'sqlite') {
    const counts = await step.tx.runEach(
      `${INSERT} VALUES ${placeholders(1, NAMES.length + 1)} ${ONCE}`,
      requested.map((one) => {
        const row = rowOf(one, step.now)
        return [...NAMES.map((name) => row[name]), one.message.body]
      }),
    )
    return new Set(requested.filter((_, index) => counts[index] === 1))
  }
  const added = new Set<string>()
  for (const part of inParts(requested)) {
    const rows = part.map((one, at) => ({
      ...rowOf(one, step.now),
      at,
      body: base64(one.message.body),
    }))
    const inserted = await step.tx.all<{ sender: string; idempotency_key: string }>(
      `${INSERT} SELECT ${NAMES.join(', ')}, decode(body, 'base64')
       FROM ${rowsOf({ ...COLUMNS, at: 'INTEGER', body: 'TEXT' })} AS r ORDER BY at
       ${ONCE} RETURNING sender, idempotency_key`,
      [JSON.stringify(rows)],
    )
    for (const row of inserted) added.add(idOf(row))
  }
  return new Set(requested.filter(({ id }) => added.has(id)))
}

/** Maximum bytes of bodies sent in one statement, unless a single body is longer. */
const MAX_PART_BYTES = 4 * 1_048_576

function* inParts(requested: readonly Requested[]): Generator<Requested[]> {
  let part: Requested[] = []
  let bytes = 0
  for (const one of requested) {
    const { byteLength } = one.message.body
    if (part.length > 0 && bytes + byteLength > MAX_PART_BYTES) {
      yield part
      part = []
      bytes = 0
    }
    part.push(one)
    bytes += byteLength
  }
  if (part.length > 0) yield part
}

type Row = Record<keyof typeof COLUMNS, string | number | null>

function rowOf({ sender, idempotency_key, message, limits }: Requested, now: number): Row {
  const orNull = (text: string | undefined) => (text === undefined ? null : storable(text))
  return {
    sender,
    idempotency_key,
    digest: message.digest,
    route: storable(message.route),
    family: message.family,
    subject: subjectOf(message),
    task_id: orNull(message.task_id),
    operation_id: orNull(message.operation_id),
    status: orNull(message.status),
    event_at: message.event_at ?? null,
    state: 'pending',
    attempts: 0,
    due_at: now,
    received_at: now,
    expires_at: now + limits.retentionMs,
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
