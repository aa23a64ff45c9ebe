// Checks the integrity of a SQLite file before a server opens it. Otherwise a damaged file would be served until
// someone requests a damaged part, and then fail call by call. Damage only in indexes is repaired; anything else
// stops the start, with instructions.
//
// The depth of the check depends on the time it takes: a small file is checked in full, a larger one quickly, and a
// very large one only after an unclean stop (which leaves the log behind), in a process with a time limit.

import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../lib/log.ts'
import { StorageDamaged } from '../../lib/transaction.ts'
import { databaseFile, SQLITE_FILE } from './database-file.ts'
import { findDamageInProcess } from './find-damage-in-process.ts'
import { type Damage, type Depth, findDamage } from './integrity.ts'
import { unreadableCommits } from './log-tail.ts'
import { rebuildIndexes } from './rebuild.ts'

export interface StartCheckOptions {
  dataDir: string
  log: Pick<Log, 'info' | 'warn'>
  /**
   * Default `auto`: as thorough as the size of the file allows; `full`: in full, however long it takes; `off`: not at
   * all.
   */
  mode?: 'auto' | 'full' | 'off'
  /** Maximum size in bytes for a full check, and for a quick check, at every start. Default 64 MiB and 512 MiB. */
  fullBytes?: number
  quickBytes?: number
  /** Timeout of a check in mode `auto`. Default 30 000. */
  timeoutMs?: number
}

const MIB = 1_048_576
/** Larger files are not copied while someone waits for the server to start. */
const MAX_REPAIRED_BYTES = 2_048 * MIB
/** Larger logs are not read a second time. */
const MAX_LOG_BYTES = 1_024 * MIB

/**
 * Throws a StorageDamaged if the server must not start with this file. The folder must belong to this process alone.
 */
export async function checkAtStart(options: StartCheckOptions): Promise<void> {
  const { dataDir, log, mode = 'auto', timeoutMs = 30_000 } = options
  const path = join(dataDir, SQLITE_FILE)
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  databaseFile(dataDir)
  if (isNew || mode === 'off') return
  if (logBytes > 0 && logBytes <= MAX_LOG_BYTES) reportLostCommits(path, log)
  const { size } = statSync(path)
  const depth = mode === 'full' ? 'full' : depthFor(size, logBytes > 0, options)
  if (depth === undefined) {
    log.info(
      { bytes: size },
      'the database file is large and was closed cleanly: it was not checked (adwire database check does it)',
    )
    return
  }
  const isSmall = size <= (options.fullBytes ?? 64 * MIB)
  const wait = mode === 'full' ? undefined : timeoutMs
  const found = isSmall ? findDamage(path, depth) : await findDamageInProcess(path, depth, wait)
  const isUnclear = found !== 'late' && found !== undefined && !found.isAll
  const damage = isUnclear ? await findDamageInProcess(path, depth, wait) : found
  if (damage === 'late') {
    log.warn(
      { seconds: timeoutMs / 1_000 },
      'the database file could not be checked in time; run adwire database check when there is time',
    )
  } else if (damage) repair(path, damage, log)
}

function depthFor(
  bytes: number,
  wasKilled: boolean,
  { fullBytes = 64 * MIB, quickBytes = 512 * MIB }: StartCheckOptions,
): Depth | undefined {
  if (bytes <= fullBytes) return 'full'
  return bytes <= quickBytes || wasKilled ? 'quick' : undefined
}

function repair(path: string, damage: Damage, log: StartCheckOptions['log']): void {
  const { size } = statSync(path)
  if (!damage.isOnlyIndexes) throw damaged(path, damage, RESTORE)
  if (size > MAX_REPAIRED_BYTES) throw damaged(path, damage, REPAIR)
  try {
    const { damagedFile, rows } = rebuildIndexes(path)
    log.warn(
      { problems: damage.problems.slice(0, 5), damaged_file: damagedFile, rows },
      'indexes of the database were damaged: they were made again from the tables, and nothing was lost. The damaged file is kept',
    )
  } catch (error) {
    const why = `its indexes could not be made again: ${(error as Error).message}`
    throw damaged(path, damage, `${why}. ${RESTORE}`)
  }
}

const RESTORE =
  'Restore a backup (docs/operations.md, "Backup"); adwire database check lists what is damaged'
const REPAIR =
  'Only indexes are damaged: adwire database repair makes them again from the tables, and keeps this file'

/** One sentence that says what is wrong, and one that says what to do. */
function damaged(path: string, { problems }: Damage, what: string = RESTORE): StorageDamaged {
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  return new StorageDamaged(`the database ${path} is damaged (${problems[0]}${more}). ${what}`)
}

function reportLostCommits(path: string, log: StartCheckOptions['log']): void {
  const commits = unreadableCommits(`${path}-wal`)
  if (commits === 0) return
  const kept = `${path}-wal.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  copyFileSync(`${path}-wal`, kept)
  log.warn(
    { commits, kept },
    'the log of the database cannot be read to its end, and these commits are missing. After a power failure they were never acknowledged; otherwise the disk has damaged the log: compare with a backup. A copy of the log is kept',
  )
}
