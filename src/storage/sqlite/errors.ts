// Which SQLite faults mean "the store is away" rather than "the program is wrong".

import { StorageUnavailable } from '../../lib/transaction.ts'

/** Primary result codes: busy, locked, read-only, interrupted, I/O, corrupt, full, cannot open. */
const UNAVAILABLE = new Set([5, 6, 8, 9, 10, 11, 13, 14])

export function sqliteError(error: unknown): unknown {
  if (!isSqliteError(error)) return error
  if (!UNAVAILABLE.has(error.errcode & 0xff)) return error
  return new StorageUnavailable(`the SQLite database cannot be used: ${error.message}`, {
    cause: error,
  })
}

export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode & 0xff) === 5
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && typeof (error as { errcode?: unknown }).errcode === 'number'
}
