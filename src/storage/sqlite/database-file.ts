// The database file in the data folder, before SQLite opens it. A file that SQLite would treat as an empty database,
// and then overwrite, is refused here, with instructions.

import { randomBytes } from 'node:crypto'
import { closeSync, linkSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { StorageDamaged } from '../../lib/transaction.ts'
import { folderFault, OWNER_ONLY, privateFolder, tighten } from './private-files.ts'

export const SQLITE_FILE = 'adwire.db'

const BACKUP = 'restore a backup (docs/operations.md, "Backup")'

/** Creates the folder and the database if they are missing. Throws if there is something that is not a database. */
export function databaseFile(dataDir: string): string {
  privateFolder(dataDir)
  const path = join(dataDir, SQLITE_FILE)
  const fault = faultOf(path)
  if (fault !== undefined) throw new StorageDamaged(fault)
  try {
    if (sizeOf(path) === undefined) makeDatabase(path)
  } catch (error) {
    throw folderFault(error, dataDir)
  }
  refuseReadOnly(path)
  for (const end of ['', '-wal', '-shm', '-journal']) tighten(path + end)
  return path
}

/** What is wrong with the file, as far as can be seen without SQLite; undefined if nothing is. */
function faultOf(path: string): string | undefined {
  const size = sizeOf(path)
  const logBytes = sizeOf(`${path}-wal`) ?? 0
  if (size === undefined) {
    if (logBytes === 0) return undefined
    return `${path} is missing, but its log ${path}-wal exists and would be lost: restore the file, or ${BACKUP} after moving the log away`
  }
  const stat = statSync(path)
  if (!stat.isFile()) return `${path} is not a file: move it away, and ${BACKUP}`
  if (size === 0) {
    return `${path} is empty, so its content is lost: ${BACKUP}, or delete the file to start without data`
  }
  const header = headOf(path)
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) {
    return `${path} is not an SQLite database: its first bytes were overwritten, or it is another file. Move it away, and ${BACKUP}`
  }
  const expected = expectedBytes(header)
  // If there is a log, it may contain what the file lacks.
  if (logBytes > 0 || expected === undefined || size >= expected) return undefined
  return `${path} is cut short (${size} of ${expected} bytes): ${BACKUP}`
}

const MAGIC = Buffer.from('SQLite format 3\0')
const HEADER_BYTES = 100

function headOf(path: string): Buffer {
  const head = Buffer.alloc(HEADER_BYTES)
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    throw new Error(`cannot read ${path}: ${(error as Error).message}`, { cause: error })
  }
  try {
    readSync(file, head, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(file)
  }
  return head
}

/** Page size and number of pages, from the header (https://sqlite.org/fileformat2.html#the_database_header). */
function expectedBytes(header: Buffer): number | undefined {
  const stored = header.readUInt16BE(16)
  const pageBytes = stored === 1 ? 65_536 : stored
  const pages = header.readUInt32BE(28)
  const isValid = pages > 0 && header.readUInt32BE(24) === header.readUInt32BE(92)
  return isValid ? pages * pageBytes : undefined
}

/**
 * Created elsewhere and then moved into place as a whole, so that an empty file with this name is always a damaged
 * one. If another process was faster, its file is kept.
 */
function makeDatabase(path: string): void {
  const made = `${path}.new-${randomBytes(6).toString('hex')}`
  try {
    closeSync(openSync(made, 'wx', OWNER_ONLY))
    const connection = new DatabaseSync(made)
    connection.exec('PRAGMA journal_mode = WAL')
    connection.close()
    putInPlace(made, path)
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(made + end, { force: true })
  }
}

function putInPlace(made: string, path: string): void {
  try {
    linkSync(made, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // A file system without links.
    if (sizeOf(path) === undefined) renameSync(made, path)
  }
}

function refuseReadOnly(path: string): void {
  try {
    closeSync(openSync(path, 'r+'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === 'EROFS'
        ? 'its disk is mounted read-only: mount it writable'
        : code === 'EACCES' || code === 'EPERM'
          ? `this user may not write to it: give it to the user that runs Adwire (chown), and make it writable (chmod 600 ${path})`
          : message
    throw new Error(`cannot use the database ${path}: ${why}`, { cause: error })
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
