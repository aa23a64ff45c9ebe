// Refused sign-ins and requests, written to the audit log. Anyone on the network can cause these, so they are
// bounded: attempts of one kind (who, from where, what, why) within an hour are one entry with a count. If one caller
// causes too many kinds, the rest of the hour is counted together.
//
// The first attempt of a kind is committed before it is answered; a crash loses at most the latest seconds of a
// count.

import type { Clock } from '../lib/clock.ts'
import { createPoller } from '../lib/poller.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { type AuditStore, UNKNOWN_PRINCIPAL } from './store.ts'

/** @internal */
export interface RefusedAttempt {
  /** Undefined when nobody knows. */
  by: Caller | undefined
  address: string
  /** Such as `session.sign_in`. */
  action: string
  target?: string | undefined
  /** Why, from a closed list. */
  code: string
  /** Why, for people. */
  detail: string
}

interface Caller {
  principal_id: string
  name: string
  key_id: string | undefined
}

export interface RefusedAttempts {
  /** Never throws: the caller is refused whether or not the attempt can be recorded. */
  record(attempt: RefusedAttempt): Promise<void>
  start(): void
  /** Writes the counts that are left. */
  stop(): Promise<void>
}

export interface RefusedAttemptPorts {
  transact: Transact
  audit: Pick<AuditStore, 'add' | 'addAttempts'>
  clock: Clock
  onFault: (error: unknown) => void
}

interface Entry extends Omit<RefusedAttempt, 'address'> {
  address: string | undefined
  /** Undefined until it is stored. */
  auditId: number | undefined
  /** Attempts that are not stored yet. */
  pending: number
  isWriting: boolean
}

const WINDOW_MS = 3_600_000
const WRITE_EVERY_MS = 10_000
/** Maximum number of counts that one transaction writes. */
const WRITE_ROWS = 100

export function createRefusedAttempts(ports: RefusedAttemptPorts): RefusedAttempts {
  const { clock, onFault } = ports
  const entries = new Map<string, Entry>()
  /** Entries of this hour, by principal. */
  const kinds = new Map<string, number>()
  let windowStart = clock.now()

  /** Entries with attempts that could not be stored are kept. A clock that was set back also begins a new hour. */
  function beginWindow(now: number): void {
    if (now >= windowStart && now < windowStart + WINDOW_MS) return
    windowStart = now
    kinds.clear()
    for (const [key, { by, pending, isWriting }] of entries) {
      if (pending === 0 && !isWriting) entries.delete(key)
      else countKind(by)
    }
  }

  function countKind(by: Caller | undefined): number {
    const id = by?.principal_id ?? UNKNOWN_PRINCIPAL
    const count = (kinds.get(id) ?? 0) + 1
    kinds.set(id, count)
    return count
  }

  function entryOf(attempt: RefusedAttempt): Entry {
    const { by, address, action, target, code } = attempt
    const who = [by?.principal_id, by?.key_id, action, code]
    const own = JSON.stringify([...who, target, address])
    const known = entries.get(own)
    if (known) return known
    const others = JSON.stringify([...who, 'others'])
    const isOneTooMany = countKind(by) > CONSOLE_LIMITS.refusedKindsPerHour.value
    const key = isOneTooMany ? others : own
    const entry = entries.get(key) ?? {
      ...(isOneTooMany ? together(attempt) : attempt),
      auditId: undefined,
      pending: 0,
      isWriting: false,
    }
    entries.set(key, entry)
    return entry
  }

  async function writeCounts(): Promise<boolean> {
    const waiting = [...entries.values()].filter((entry) => entry.pending > 0 && !entry.isWriting)
    await write(ports, waiting.slice(0, WRITE_ROWS))
    return waiting.length > WRITE_ROWS
  }

  const poller = createPoller({
    name: 'worker: count refused attempts',
    intervalMs: WRITE_EVERY_MS,
    onFault,
    round: writeCounts,
  })
  return {
    record: async (attempt) => {
      beginWindow(clock.now())
      const entry = entryOf(attempt)
      entry.pending += 1
      const isFirst = entry.auditId === undefined && entry.pending === 1
      if (isFirst) await write(ports, [entry]).catch(onFault)
    },
    start: poller.start,
    stop: async () => {
      await poller.stop()
      try {
        while (await writeCounts());
      } catch (error) {
        onFault(error)
      }
    },
  }
}

/** Attempts counted meanwhile stay pending. */
async function write(
  { transact, audit }: Pick<RefusedAttemptPorts, 'transact' | 'audit'>,
  batch: readonly Entry[],
): Promise<void> {
  for (const entry of batch) entry.isWriting = true
  const counted = batch.map((entry) => ({ entry, attempts: entry.pending }))
  try {
    const ids = await transact(async (tx) => {
      const stored: number[] = []
      for (const one of counted) stored.push(await store(audit, tx, one))
      return stored
    })
    for (const [index, { entry, attempts }] of counted.entries()) {
      entry.auditId = ids[index]
      entry.pending -= attempts
    }
  } finally {
    for (const entry of batch) entry.isWriting = false
  }
}

/** Returns the id of the entry. */
async function store(
  audit: RefusedAttemptPorts['audit'],
  tx: Transaction,
  { entry, attempts }: { entry: Entry; attempts: number },
): Promise<number> {
  const { by, address, action, target, detail, auditId } = entry
  if (auditId !== undefined) {
    await audit.addAttempts(tx, auditId, attempts)
    return auditId
  }
  return audit.add(tx, {
    principal_id: by?.principal_id ?? UNKNOWN_PRINCIPAL,
    principal_name: by?.name ?? UNKNOWN_PRINCIPAL,
    key_id: by?.key_id,
    action,
    target,
    outcome: 'refused',
    detail,
    address,
    attempts,
  })
}

function together(
  attempt: RefusedAttempt,
): Omit<RefusedAttempt, 'address'> & { address: undefined } {
  const detail = `${attempt.detail} (attempts beyond the first ${CONSOLE_LIMITS.refusedKindsPerHour.value} kinds of this hour, counted together)`
  return { ...attempt, target: undefined, address: undefined, detail }
}
