// Which PostgreSQL errors mean "try the transaction again", which "try another connection", and which "the store is
// unavailable".

import { StorageUnavailable } from '../../lib/transaction.ts'
import { MOVED_CODE } from '../move/mark.ts'

/** Serialisation failure and deadlock: the same work can succeed when it is retried. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/**
 * A prepared statement is missing or exists already, although this connection made none: a pooler in transaction mode
 * passes connections from one client to the next.
 */
export function isPreparedElsewhere(error: unknown): boolean {
  const code = codeOf(error)
  return code === '26000' || code === '42P05'
}

export function postgresError(error: unknown): unknown {
  if (codeOf(error) === MOVED_CODE) {
    return new StorageUnavailable((error as Error).message, { cause: error })
  }
  if (!isAway(error)) return error
  return new StorageUnavailable(MEANINGS.get(codeOf(error) ?? '') ?? UNREACHABLE, { cause: error })
}

const UNREACHABLE = 'the PostgreSQL database cannot be reached'

export const READ_ONLY =
  'the PostgreSQL database is read-only: default_transaction_read_only is set, or it is a standby'

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['25006', READ_ONLY],
  ['53100', 'the disk of the PostgreSQL database is full'],
  ['53200', 'the PostgreSQL database has run out of memory'],
  ['53300', 'the PostgreSQL database has no connection left for this server'],
  ['57P03', 'the PostgreSQL database is starting up or shutting down'],
  ['58030', 'the PostgreSQL database reports errors of its disk'],
])

/**
 * A pooled connection was closed before it was used: the server restarted or failed over. Another connection may
 * work.
 */
export function wasCut(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  const fault = error instanceof StorageUnavailable ? cause : error
  const code = codeOf(fault)
  if (code !== undefined) return code === '57P01' || code === 'ECONNRESET' || code === 'EPIPE'
  return fault instanceof Error && /^Connection terminated|not queryable/.test(fault.message)
}

/** Another host may serve what this one does not: it cannot be reached, or it is a standby. */
export function mayServeElsewhere(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  return isAway(error) || (error instanceof StorageUnavailable && isAway(cause))
}

const SYSTEM_FAULTS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

function isAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error && /connection|timeout/i.test(error.message)
  // 08 connection, 53 out of resources, 57P shutdown, 58 system error, 25006 read-only standby.
  return SYSTEM_FAULTS.has(code) || /^(08|53|57P|58)/.test(code) || code === '25006'
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
