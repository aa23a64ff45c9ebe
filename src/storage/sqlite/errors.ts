// Which SQLite errors mean "the store is unavailable" rather than "the program has a bug", and what each means for an
// operator.

import { StorageDamaged, StorageUnavailable } from '../../lib/transaction.ts'

const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26
const CONSTRAINT_TRIGGER = 1811

/** By primary result code. */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [BUSY, 'another process writes to the SQLite database and does not finish'],
  [6, 'another connection holds a table of the SQLite database'],
  [8, 'the SQLite database is read-only: check the permissions and the mount of the data folder'],
  [9, 'an operation of the SQLite database was interrupted'],
  [10, 'the disk reports errors when the SQLite database is read or written: check the disk'],
  [13, 'the disk of the SQLite database is full: free some space'],
  [14, 'a file of the SQLite database cannot be opened: check the data folder'],
])

const DAMAGED =
  'the SQLite database is damaged: stop the server and run `adwire database check` to see what is affected'

export function sqliteError(error: unknown): unknown {
  const code = resultCodeOf(error)
  if (code === undefined) return error
  const { message, errcode } = error as Error & { errcode?: number }
  // Only a database whose data was moved has triggers.
  if (errcode === CONSTRAINT_TRIGGER) return new StorageUnavailable(message, { cause: error })
  if (code === CORRUPT || code === NOT_A_DATABASE) {
    return new StorageDamaged(`${DAMAGED} (${message})`, { cause: error })
  }
  const meaning = UNAVAILABLE.get(code)
  if (meaning === undefined) return error
  return new StorageUnavailable(`${meaning} (${message})`, { cause: error })
}

export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === BUSY
}

/** Whether SQLite reports that the file is damaged, or not a database at all. */
export function isDamage(error: unknown): boolean {
  const code = resultCodeOf(error)
  return code === CORRUPT || code === NOT_A_DATABASE
}

/** The primary result code; undefined for errors that SQLite has not thrown. */
function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  // The driver provides no result code for an error that occurs between two rows.
  return code === 'ERR_SQLITE_ERROR' ? CODES_BY_TEXT.get(error.message) : undefined
}

/** SQLite's own texts, which are part of its interface (sqlite3_errstr). */
const CODES_BY_TEXT: ReadonlyMap<string, number> = new Map([
  ['database is locked', BUSY],
  ['disk I/O error', 10],
  ['database disk image is malformed', CORRUPT],
  ['database or disk is full', 13],
  ['file is not a database', NOT_A_DATABASE],
])
