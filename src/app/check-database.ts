// Checking and repairing the SQLite file for an operator, in full and for as long as it takes.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SQLITE_FILE } from '../storage/sqlite/database-file.ts'
import { findDamageInProcess } from '../storage/sqlite/find-damage-in-process.ts'
import type { Damage } from '../storage/sqlite/integrity.ts'
import { type Rebuilt, rebuildIndexes } from '../storage/sqlite/rebuild.ts'
import { takeServeLock } from '../storage/sqlite/serve-lock.ts'

export interface CheckedDatabase {
  path: string
  damage: Damage | undefined
}

/** May run beside a server. */
export async function checkDatabase(dataDir: string): Promise<CheckedDatabase> {
  const path = databaseIn(dataDir)
  return { path, damage: await damageOf(path) }
}

async function damageOf(path: string): Promise<Damage | undefined> {
  const damage = await findDamageInProcess(path, 'full')
  return damage === 'late' ? undefined : damage
}

/** Undefined when nothing is damaged. Throws while a server runs, and if more than indexes are damaged. */
export async function repairDatabase(dataDir: string): Promise<Rebuilt | undefined> {
  const path = databaseIn(dataDir)
  const lock = takeServeLock(dataDir)
  if (!lock.ok) throw new Error(lock.message)
  try {
    const damage = await damageOf(path)
    if (!damage) return undefined
    if (!damage.isOnlyIndexes) {
      const [first] = damage.problems
      throw new Error(
        `tables of ${path} are damaged (${first}), which cannot be repaired without loss: restore a backup`,
      )
    }
    return rebuildIndexes(path)
  } finally {
    lock.release()
  }
}

function databaseIn(dataDir: string): string {
  const path = join(dataDir, SQLITE_FILE)
  if (!existsSync(path)) throw new Error(`no database at ${dataDir}: give its folder with --data`)
  return path
}
