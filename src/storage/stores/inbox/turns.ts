// Senders in turn, in SQL: selects the next received messages when more are due than one claim can take. A sender
// with a million waiting messages costs one step and starves no one (spec 6.4).

import { createRecentCache } from '../../../lib/recent-cache.ts'
import type { Database } from '../../sql/database.ts'
import type { Step } from './rows.ts'

export interface DueMessageRow {
  message_id: number
  subject: string | null
  due_at: number
  /** Of a claim that did not end. */
  worker: string | null
}

export interface Crowded {
  limit: number
  /** Subjects that have a message in progress. */
  busy: ReadonlySet<string>
  /** The messages that are due first, for the room that the turns leave. */
  otherwise: readonly DueMessageRow[]
}

/** Senders examined in one scan, and messages of each. */
const SENDERS = 32
const ROWS = 8

/** Number of senders whose last turn is remembered. */
const REMEMBERED = 10_000

/**
 * First the sender with the fewest messages in progress, then the one that has waited longest for a turn, then the
 * message received first. If there are more senders than one scan takes, the next scan begins with the others.
 */
export function createSenderTurns(dialect: Database['dialect']) {
  const sql = walkSql(dialect)
  const lastTurn = createRecentCache<number>(REMEMBERED)
  let turns = 0
  let cursor = ''

  return async (
    { tx, now }: Step,
    { limit, busy, otherwise }: Crowded,
  ): Promise<DueMessageRow[]> => {
    const began = cursor
    const rows = await tx.all<WalkedRow>(sql, [now, began])
    const senders = sendersOf(rows)
    cursor = senders.length < SENDERS ? '' : (senders.at(-1)?.sender ?? '')
    if (began === '' && senders.length < 2) return otherwise.slice(0, limit)

    const chosen = new Map<number, DueMessageRow>()
    const subjects = new Set(busy)
    const choose = (row: DueMessageRow): boolean => {
      const isBusy = row.subject !== null && subjects.has(row.subject)
      if (isBusy || chosen.has(row.message_id)) return false
      if (row.subject !== null) subjects.add(row.subject)
      chosen.set(row.message_id, row)
      return true
    }
    while (chosen.size < limit) {
      const next = senders
        .filter(({ due }) => due.length > 0)
        .sort((a, b) => a.underWay - b.underWay || turnOf(a) - turnOf(b) || byTime(a, b))[0]
      if (!next) break
      if (!choose(next.due.shift() as DueMessageRow)) continue
      next.underWay += 1
      lastTurn.set(next.sender, ++turns)
    }
    for (const row of otherwise) if (chosen.size < limit) choose(row)
    return [...chosen.values()]
  }

  function turnOf({ sender }: Sender): number {
    return lastTurn.get(sender) ?? 0
  }
}

interface WalkedRow extends Omit<DueMessageRow, 'message_id'> {
  at: string
  under_way: number
  message_id: number | null
}

interface Sender {
  sender: string
  /** Messages of it that are leased. */
  underWay: number
  /** The first received first. */
  due: DueMessageRow[]
}

function sendersOf(rows: readonly WalkedRow[]): Sender[] {
  const senders = new Map<string, Sender>()
  for (const { at, under_way, message_id, subject, due_at, worker } of rows) {
    const known = senders.get(at) ?? { sender: at, underWay: under_way, due: [] }
    senders.set(at, known)
    if (message_id !== null) known.due.push({ message_id, subject, due_at, worker })
  }
  return [...senders.values()].map((one) => ({ ...one, due: firstOfSubjects(one.due) }))
}

function byTime({ due: [a] }: Sender, { due: [b] }: Sender): number {
  if (!a || !b) return 0
  return a.due_at - b.due_at || a.message_id - b.message_id
}

/** The first received message of each subject, and all messages without a subject. */
export function firstOfSubjects<Row extends DueMessageRow>(rows: readonly Row[]): Row[] {
  const first = new Map<string, number>()
  for (const { subject, message_id } of rows) {
    if (subject === null) continue
    first.set(subject, Math.min(message_id, first.get(subject) ?? message_id))
  }
  return rows.filter(
    ({ subject, message_id }) => subject === null || first.get(subject) === message_id,
  )
}

function walkSql(dialect: Database['dialect']): string {
  const next = (after: string) => `(SELECT w.sender FROM webhook_inbox w
    WHERE w.state = 'pending' AND w.sender > ${after} ORDER BY w.sender LIMIT 1)`
  const first = `FROM webhook_inbox p WHERE p.state = 'pending' AND p.sender = s.at
    AND p.due_at <= $1 ORDER BY p.due_at, p.message_id LIMIT ${ROWS}`
  const joined =
    dialect === 'postgres'
      ? `LEFT JOIN LATERAL (SELECT p.* ${first}) d ON true`
      : `LEFT JOIN webhook_inbox d ON d.message_id IN (SELECT p.message_id ${first})`
  return `WITH RECURSIVE s(at, n) AS (
      SELECT ${next('$2')}, 1
      UNION ALL
      SELECT ${next('s.at')}, s.n + 1 FROM s WHERE s.at IS NOT NULL AND s.n < ${SENDERS})
    SELECT s.at, (SELECT count(*) FROM webhook_inbox l
        WHERE l.state = 'leased' AND l.sender = s.at) AS under_way,
      d.message_id, d.subject, d.due_at, d.worker FROM s ${joined}
    WHERE s.at IS NOT NULL ORDER BY s.n, d.due_at, d.message_id`
}
