// Actions of operators, each with its entry in the audit log: in the transaction of the action, or in a separate one
// if it is refused, since the first is then rolled back.

import { defined } from '../lib/defined.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { AuditPage, AuditQuery } from './api/audit.ts'
import { iso, isoOf } from './format-values.ts'
import { badCursor, Refused } from './refusal.ts'
import type { Visitor } from './sessions.ts'
import type { AuditStore } from './store.ts'

export interface ActionPorts {
  transact: Transact
  audit: Pick<AuditStore, 'add'>
}

export interface Action<T = unknown> {
  /** Who does it. */
  visitor: Pick<Visitor, 'principal'>
  /** Such as `deliveries.retry`. */
  action: string
  target: string
  /** Other details to record, such as the note of a decision, or the outcome. */
  detail?: string | undefined | ((outcome: T) => string)
}

/** Performs the action and records who did it. Throws a Refused when it cannot be done. */
export async function act<T>(
  { transact, audit }: ActionPorts,
  { visitor: { principal }, action, target, detail: given }: Action<T>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const by = { principal_id: principal.principal_id, principal_name: principal.name }
  try {
    return await transact(async (tx) => {
      const outcome = await work(tx)
      const detail = typeof given === 'function' ? given(outcome) : given
      await audit.add(tx, { ...by, action, target, outcome: 'done', detail })
      return outcome
    })
  } catch (error) {
    const refused = refusalOf(error)
    if (!refused) throw error
    const why = refused.message
    await transact((tx) =>
      audit.add(tx, { ...by, action, target, outcome: 'refused', detail: why }),
    )
    throw refused
  }
}

/**
 * The same for actions with their own transactions, such as a call of a task: the entry is added right after, and
 * records whether the action was done or refused.
 */
export async function actInOtherTab<T>(
  ports: ActionPorts,
  action: Action,
  work: () => Promise<T>,
): Promise<T> {
  const done = await work().then(
    (value) => ({ ok: true as const, value }),
    (error: unknown) => ({ ok: false as const, error }),
  )
  return act(ports, action, async () => {
    if (done.ok) return done.value
    throw done.error
  })
}

function refusalOf(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error
  if (!(error instanceof ProtocolError)) return undefined
  const isMissing = error.errors[0]?.code === 'TASK_NOT_FOUND'
  return isMissing
    ? new Refused(404, 'not_found', error.message)
    : new Refused(409, 'conflict', error.message)
}

const LIST = 'console.audit'

export async function listAudit(
  audit: Pick<AuditStore, 'list'>,
  { limit, cursor, ...filter }: AuditQuery,
): Promise<AuditPage> {
  const place = cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer'])
  if (cursor !== undefined && !place) throw badCursor()
  const { rows, hasMore } = await audit.list({ ...filter, before: place?.[0], limit })
  const last = rows.at(-1)
  return {
    items: rows.map(({ at, target, detail, address, key_id, last_at, ...entry }) => ({
      ...entry,
      at: iso(at),
      ...defined({ target, detail, address, key_id, last_at: isoOf(last_at) }),
    })),
    ...defined({ next_cursor: hasMore && last ? cursorOf(LIST, [last.audit_id]) : undefined }),
  }
}
