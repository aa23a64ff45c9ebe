// Rebuilds the indexes of a damaged database without touching the damaged file: every table is copied by its own tree
// into a new file, in which the indexes are created from the tables. REINDEX cannot do this: it has to read the
// damaged pages to free them.
//
// The new file replaces the old one in one step, and the old one is kept next to it under another name. A process
// that dies before that step leaves everything unchanged.

import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { closedAfter, type FileConnection, literal, quoted } from './closed-after.ts'
import { findDamage } from './integrity.ts'
import { OWNER_ONLY } from './private-files.ts'

export interface Rebuilt {
  /** Where the damaged file is now. */
  damagedFile: string
  /** Rows of all tables. */
  rows: number
}

/** Throws, with nothing changed, if it cannot be done without loss. No other process may have the file open. */
export function rebuildIndexes(path: string, now: Date = new Date()): Rebuilt {
  const made = `${path}.rebuilt`
  removeWithLog(made)
  closeSync(openSync(made, 'wx', OWNER_ONLY))
  try {
    const rows = copyTables(path, made)
    const damage = findDamage(made, 'full')
    if (damage) throw new Error(`the copy is damaged too: ${damage.problems[0]}`)
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
      throw new Error('the log of the damaged database could not be written into it')
    }
    removeLog(path)
    const damagedFile = `${path}.damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}`
    linkSync(path, damagedFile)
    renameSync(made, path)
    syncFolder(dirname(path))
    return { damagedFile, rows }
  } finally {
    removeWithLog(made)
  }
}

/** Returns how many rows were copied. */
function copyTables(from: string, to: string): number {
  return closedAfter(to, (file) => {
    file.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = FULL')
    file.exec(`ATTACH ${literal(from)} AS damaged`)
    // Refused while another process has it open.
    file.exec('PRAGMA damaged.locking_mode = EXCLUSIVE')
    const own = "damaged.sqlite_schema WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'"
    const tables = file.rows('name, sql', `${own} AND type = 'table'`)
    const others = file.rows('sql', `${own} AND type <> 'table'`)
    file.exec('BEGIN IMMEDIATE')
    for (const [, sql] of tables) file.exec(String(sql))
    for (const [name] of tables) copyTable(file, String(name))
    copySequences(file)
    for (const [sql] of others) file.exec(String(sql))
    file.exec('COMMIT')
    // Its log belongs to it and must not be found next to the new file.
    file.exec('PRAGMA damaged.wal_checkpoint(TRUNCATE)')
    return tables.reduce((sum, [name]) => sum + rowsIn(file, String(name)), 0)
  })
}

/** Reads the tree of the table in both files. Throws if they differ. */
function rowsIn(file: FileConnection, name: string): number {
  const count = (database: 'main' | 'damaged') =>
    Number(file.rows('count(*)', `${database}.${quoted(name)} NOT INDEXED WHERE 1`)[0]?.[0])
  const copied = count('main')
  if (copied !== count('damaged')) throw new Error(`rows of the table ${name} were not copied`)
  return copied
}

/** `WHERE 1` prevents SQLite from copying whole trees, including indexes. */
function copyTable(file: FileConnection, name: string): void {
  const columns = file
    .rows('name', `pragma_table_info(${literal(name)})`)
    .map(([column]) => quoted(String(column)))
  const all = [...rowidOf(file, name), ...columns].join(', ')
  const table = quoted(name)
  file.exec(
    `INSERT INTO main.${table} (${all}) SELECT ${all} FROM damaged.${table} NOT INDEXED WHERE 1`,
  )
}

/** The column that has to be copied in addition; none if a column of the table is the rowid, or there is no rowid. */
function rowidOf(file: FileConnection, name: string): string[] {
  const isOf = `name = ${literal(name)}`
  const [[without] = []] = file.rows('wr', `pragma_table_list WHERE schema = 'main' AND ${isOf}`)
  const alias = `pragma_table_info(${literal(name)}) WHERE pk = 1 AND upper(type) = 'INTEGER'`
  return without === 1 || file.rows('name', alias).length > 0 ? [] : ['rowid']
}

/** The last ids that were assigned, including those of rows deleted since. */
function copySequences(file: FileConnection): void {
  const has = file.rows('1', "damaged.sqlite_schema WHERE name = 'sqlite_sequence'")
  if (has.length === 0) return
  file.exec(`DELETE FROM main.sqlite_sequence;
    INSERT INTO main.sqlite_sequence (name, seq)
    SELECT name, seq FROM damaged.sqlite_sequence WHERE 1`)
}

function removeLog(path: string): void {
  for (const end of ['-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

function removeWithLog(path: string): void {
  rmSync(path, { force: true })
  removeLog(path)
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
