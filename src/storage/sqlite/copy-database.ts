// A consistent copy of a SQLite database at one moment, made with or without a running server. All pages are read in
// one step, so that concurrent writes neither wait nor restart the copy, as they would between two steps.

import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import { closedAfter, type FileConnection, quoted } from './closed-after.ts'
import { findDamage } from './integrity.ts'
import { OWNER_ONLY } from './private-files.ts'

const ALL_PAGES = -1

/** Rows of each table of the copy. */
export type TableCounts = Readonly<Record<string, number>>

/** Throws if the file exists, the disk is full, or the database is damaged, and then leaves no file behind. */
export async function copyDatabase(from: string, to: string): Promise<TableCounts> {
  closeSync(openSync(to, 'wx', OWNER_ONLY))
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
  try {
    await backup(source, to, { rate: ALL_PAGES })
    const damage = findDamage(to, 'full')
    if (damage) throw new Error(`the copy is damaged: ${damage.problems[0]}`)
    syncFile(to)
    return closedAfter(to, countTables)
  } catch (error) {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(to + end, { force: true })
    throw error
  } finally {
    source.close()
  }
}

export function countTables(file: FileConnection): TableCounts {
  const names = file.rows('name', `${OWN_TABLES} ORDER BY name`).map(([name]) => String(name))
  return Object.fromEntries(
    names.map((name) => [name, Number(file.rows('count(*)', quoted(name))[0]?.[0])]),
  )
}

const OWN_TABLES = "sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"

export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
