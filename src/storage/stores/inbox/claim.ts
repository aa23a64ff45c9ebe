// One claim of due messages in SQL: selects the next messages and leases them. At most one message of a subject is in
// progress, across all instances. When more are due than can be taken, the senders take turns. Every step reads a
// bounded number of rows, so the cost does not depend on how many messages wait.

import type { InboxStore, ReceivedMessage } from '../../../webhooks/receiver/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { valuesOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'
import type { Step } from './rows.ts'
import { createSenderTurns, type DueMessageRow, firstOfSubjects } from './turns.ts'

type SubjectRow = DueMessageRow & { subject: string }

const COLUMNS = 'message_id, subject, due_at, worker'

export function createInboxClaim({ dialect }: Database): InboxStore['claim'] {
  const scan = createSubjectScan()
  const senders = createSenderTurns(dialect)
  return async (transaction, { limit, leaseMs, worker }) => {
    const tx = sqlOf(transaction)
    await tx.useIndexes()
    // From here to the end of the transaction no other instance claims.
    await tx.lock('inbox claims')
    // Read after the lock is held: a time read before waiting for it would be out of date.
    const step = { dialect, tx, now: await tx.now() }
    await takeBack(step)
    const free = await firstFree(step, limit)
    const busy = await busySubjects(step)
    const { chosen, isCut } = await chooseOfSubjects(step, limit, { scan, busy })
    const first = [...free, ...chosen].sort(byTime)
    const due =
      first.length < limit ? first : await senders(step, { limit, busy, otherwise: first })
    const claimed = await lease(step, due, { leaseMs, worker })
    const nextDueAt = await nextDue(step, claimed.length < limit ? step.now : 0)
    if (!isCut || claimed.length === limit) return { claimed, nextDueAt }
    // The next claim continues where this one stopped.
    const soon = step.now + (claimed.length === 0 ? SCAN_PAUSE_MS : 0)
    return { claimed, nextDueAt: Math.min(soon, nextDueAt ?? soon) }
  }
}

const SCAN_PAUSE_MS = 20

/** Leases taken back in one claim. */
const TAKEN_ROWS = 500

/** The due time stays, which sorts it before messages that became due since. The previous claim holder stays too. */
async function takeBack({ tx, now }: Step): Promise<void> {
  await tx.run(
    `UPDATE webhook_inbox SET state = 'pending', lease_until = NULL
     WHERE ${amongLocked(
       'message_id',
       `SELECT message_id FROM webhook_inbox WHERE state = 'leased' AND lease_until <= $1
        ORDER BY lease_until LIMIT ${TAKEN_ROWS}`,
     )}`,
    [now],
  )
}

/** Messages without a subject, which wait for no other message. */
function firstFree({ tx, now }: Step, limit: number): Promise<DueMessageRow[]> {
  return tx.all<DueMessageRow>(
    `SELECT ${COLUMNS} FROM webhook_inbox
     WHERE state = 'pending' AND subject IS NULL AND due_at <= $1
     ORDER BY due_at, message_id LIMIT $2`,
    [now, limit],
  )
}

/** Messages examined, in the order they are due, before the other subjects get their turn. */
const windowOf = (limit: number) => Math.max(4 * limit, 256)

/** Subjects that have a message in progress. */
async function busySubjects({ tx }: Step): Promise<ReadonlySet<string>> {
  const leased = await tx.all<{ subject: string }>(
    "SELECT subject FROM webhook_inbox WHERE state = 'leased' AND subject IS NOT NULL",
  )
  return new Set(leased.map(({ subject }) => subject))
}

/** `isCut`: there may be others that this claim did not reach. */
async function chooseOfSubjects(
  step: Step,
  limit: number,
  { scan, busy: underWay }: { scan: SubjectScan; busy: ReadonlySet<string> },
): Promise<{ chosen: DueMessageRow[]; isCut: boolean }> {
  const busy = new Set(underWay)
  const chosen: DueMessageRow[] = []
  const choose = (rows: readonly SubjectRow[]) => {
    for (const row of firstOfSubjects(rows)) {
      if (chosen.length >= limit || busy.has(row.subject)) continue
      busy.add(row.subject)
      chosen.push(row)
    }
  }
  const pageSize = limit + 32
  let seen = 0
  let page: SubjectRow[] = []
  do {
    page = await firstDue(step, pageSize, page.at(-1))
    seen += page.length
    choose(page)
    if (page.length < pageSize || chosen.length >= limit) return { chosen, isCut: false }
  } while (seen < windowOf(limit))
  // All messages read so far may belong to a few busy subjects.
  const { rows, isCut } = await scan(step)
  choose(rows)
  return { chosen, isCut }
}

function firstDue(
  { tx, now }: Step,
  limit: number,
  after: Pick<DueMessageRow, 'due_at' | 'message_id'> = { due_at: 0, message_id: 0 },
): Promise<SubjectRow[]> {
  return tx.all<SubjectRow>(
    `SELECT ${COLUMNS} FROM webhook_inbox
     WHERE state = 'pending' AND subject IS NOT NULL AND due_at <= $1
       AND (due_at, message_id) > ($3, $4)
     ORDER BY due_at, message_id LIMIT $2`,
    [now, limit, after.due_at, after.message_id],
  )
}

function byTime(a: DueMessageRow, b: DueMessageRow): number {
  return a.due_at - b.due_at || a.message_id - b.message_id
}

type SubjectScan = (step: Step) => Promise<{ rows: SubjectRow[]; isCut: boolean }>

/** Subjects looked at in one scan. */
const SCANNED_SUBJECTS = 128

const SCAN = `WITH RECURSIVE s(subject, n) AS (
    SELECT (SELECT w.subject FROM webhook_inbox w WHERE w.state = 'pending' AND w.subject > $2
            ORDER BY w.subject LIMIT 1), 1
    UNION ALL
    SELECT (SELECT w.subject FROM webhook_inbox w WHERE w.state = 'pending'
              AND w.subject > s.subject ORDER BY w.subject LIMIT 1), s.n + 1
    FROM s WHERE s.subject IS NOT NULL AND s.n < ${SCANNED_SUBJECTS})
  SELECT s.subject, d.message_id, d.due_at, d.worker FROM s
  LEFT JOIN webhook_inbox d ON d.message_id = (
    SELECT p.message_id FROM webhook_inbox p
    WHERE p.state = 'pending' AND p.subject = s.subject AND p.due_at <= $1
    ORDER BY p.due_at, p.message_id LIMIT 1)
  WHERE s.subject IS NOT NULL ORDER BY s.n`

/**
 * Skips from subject to subject along the index of pending messages, starting where the last scan stopped, so that a
 * million messages of one task cost one step and starve no one.
 */
function createSubjectScan(): SubjectScan {
  let cursor = ''
  return async ({ tx, now }) => {
    const found = await tx.all<SubjectRow & { message_id: number | null }>(SCAN, [now, cursor])
    const isToTheEnd = found.length < SCANNED_SUBJECTS
    const isCut = !isToTheEnd || cursor !== ''
    cursor = isToTheEnd ? '' : (found.at(-1)?.subject ?? '')
    return { rows: found.filter(({ message_id }) => message_id !== null), isCut }
  }
}

interface MessageRow {
  message_id: number
  sender: string
  idempotency_key: string
  digest: string
  route: string
  family: ReceivedMessage['family']
  task_id: string | null
  operation_id: string | null
  status: string | null
  event_at: number | null
  attempts: number
  received_at: number
  body: Uint8Array
}

const PENDING = 'pending'

async function lease(
  { tx, now }: Step,
  due: readonly DueMessageRow[],
  { leaseMs, worker }: { leaseMs: number; worker: string },
): Promise<ReceivedMessage[]> {
  if (due.length === 0) return []
  // The state is a parameter, not a literal in the statement: otherwise PostgreSQL would scan all pending messages
  // instead of looking up each one.
  const rows = await tx.all<MessageRow>(
    `UPDATE webhook_inbox SET state = 'leased', attempts = attempts + 1, lease_until = $2, worker = $3
     WHERE ${amongLocked(
       'message_id',
       `SELECT message_id FROM webhook_inbox
        WHERE message_id IN ${valuesOf('BIGINT')} AND state = $4`,
     )}
     RETURNING message_id, sender, idempotency_key, digest, route, family, task_id, operation_id,
       status, event_at, attempts, received_at, body`,
    [JSON.stringify(due.map(({ message_id }) => message_id)), now + leaseMs, worker, PENDING],
  )
  const byId = new Map(rows.map((row) => [row.message_id, row]))
  return due.flatMap(({ message_id, worker: previous }) => {
    const row = byId.get(message_id)
    return row ? [messageOf(row, previous)] : []
  })
}

function messageOf({ attempts, ...row }: MessageRow, previous: string | null): ReceivedMessage {
  return {
    ...row,
    task_id: row.task_id ?? undefined,
    operation_id: row.operation_id ?? undefined,
    status: row.status ?? undefined,
    event_at: row.event_at ?? undefined,
    attempt: attempts,
    previousWorker: previous ?? undefined,
  }
}

/** The next time something may be claimed: a message due later than `after`, or a lease that expires. */
async function nextDue({ tx }: Step, after: number): Promise<number | undefined> {
  const row = await tx.get<Record<'free' | 'due' | 'lease', number | null>>(
    `SELECT (SELECT min(due_at) FROM webhook_inbox
          WHERE state = 'pending' AND subject IS NULL AND due_at > $1) AS free,
       (SELECT min(due_at) FROM webhook_inbox
          WHERE state = 'pending' AND subject IS NOT NULL AND due_at > $1) AS due,
       (SELECT min(lease_until) FROM webhook_inbox WHERE state = 'leased') AS lease`,
    [after],
  )
  const times = [row?.free, row?.due, row?.lease].filter((time) => typeof time === 'number')
  return times.length === 0 ? undefined : Math.min(...times)
}
