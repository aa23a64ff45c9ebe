// Moves a copy of a database into place in a data folder, in one step: a process that dies earlier leaves everything
// unchanged, or the replaced database next to it.

import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { closedAfter, literal } from './closed-after.ts'
import { countTables, syncFile, type TableCounts } from './copy-database.ts'
import { SQLITE_FILE } from './database-file.ts'
import { findDamage } from './integrity.ts'
import { OWNER_ONLY, privateFolder } from './private-files.ts'

/**
 * Others may have seen numbers that were assigned after the copy was made: cursors of feeds, ids of deliveries. New
 * ones start this far beyond those of the copy, so that none is assigned twice.
 */
export const SKIPPED_IDS = 1_000_000

export interface PutDatabase {
  /** The path to which the previous database was moved. */
  replacedFile: string | undefined
  tables: TableCounts
}

export interface PutOptions {
  /** Whether an existing database is replaced. It is kept under another name. */
  replace: boolean
  now?: Date
}

/** The caller holds the lock of the folder. Throws, with nothing changed, for a copy that is damaged. */
export function putDatabase(copy: string, dataDir: string, options: PutOptions): PutDatabase {
  privateFolder(dataDir)
  const path = join(dataDir, SQLITE_FILE)
  const isTaken = ['', '-wal'].some((end) => exists(path + end))
  if (isTaken && !options.replace) {
    throw new Error(
      `there is a database at ${path}: restore into an empty folder with --data, or replace it with --replace`,
    )
  }
  const made = `${path}.restored`
  removeWithLog(made)
  closeSync(openSync(made, 'wx', OWNER_ONLY))
  try {
    copyFileSync(copy, made)
    const damage = findDamage(made, 'full')
    if (damage) throw new Error(`${copy} is damaged: ${damage.problems[0]}`)
    const tables = closedAfter(made, (file) => {
      for (const [name] of file.rows('name', NUMBERED)) skipIds(file, String(name))
      return countTables(file)
    })
    syncFile(made)
    const replacedFile = isTaken ? moveAway(path, options.now ?? new Date()) : undefined
    renameSync(made, path)
    syncFolder(dataDir)
    return { replacedFile, tables }
  } finally {
    removeWithLog(made)
  }
}

const NUMBERED = "sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"

function skipIds(file: { exec(sql: string): void }, table: string): void {
  file.exec(`INSERT INTO sqlite_sequence (name, seq)
    SELECT ${literal(table)}, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${literal(table)});
    UPDATE sqlite_sequence SET seq = seq + ${SKIPPED_IDS} WHERE name = ${literal(table)}`)
}

/**
 * Its log is moved with it, and before the new file is put in place: SQLite would use a log that it finds next to a
 * database as that database's own.
 */
function moveAway(path: string, now: Date): string {
  const kept = `${path}.replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`
  for (const end of ['', '-wal']) if (exists(path + end)) linkSync(path + end, kept + end)
  for (const end of ['-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
  return kept
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function removeWithLog(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
