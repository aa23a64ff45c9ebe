// A database with rows enough for trees of several pages, and real damage to its file.

import { closeSync, cpSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { closedAfter, literal } from '../../src/storage/sqlite/closed-after.ts'
import { SQLITE_FILE } from '../../src/storage/sqlite/database-file.ts'
import { sqliteTemplate } from './databases.ts'

export const ROWS = 3_000
const PAGE_BYTES = 4_096

export interface DamagedPlace {
  dataDir: string
  path: string
  /** Overwrites bytes of a leaf of this table or index. */
  damage(tree: string, bytes?: { from?: number; to?: number; with?: number }): void
  /** Overwrites the page that leads to all others of this table or index. */
  damageRoot(tree: string): void
  /** Every row of the audit log, in order, by the table's own tree. */
  rows(): unknown[]
}

/** A data folder of a server that was stopped cleanly, with entries in its audit log. */
export async function filledPlace(): Promise<DamagedPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-damage-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  cpSync(await sqliteTemplate(), dataDir, { recursive: true })
  const path = join(dataDir, SQLITE_FILE)
  fill(path)
  return {
    dataDir,
    path,
    damage: (tree, { from = 0, to = PAGE_BYTES, with: byte = 0xff } = {}) => {
      overwrite(path, leafOf(path, tree), { from, to, with: byte })
    },
    damageRoot: (tree) => {
      const root = `sqlite_schema WHERE name = ${literal(tree)}`
      const [[page] = []] = closedAfter(path, (file) => file.rows('rootpage', root))
      overwrite(path, Number(page), { from: 0, to: PAGE_BYTES, with: 0xff })
    },
    rows: () =>
      closedAfter(path, (file) =>
        file.rows('audit_id, at, actor_id, action, address', 'console_audit NOT INDEXED'),
      ),
  }
}

function overwrite(
  path: string,
  page: number,
  { from, to, with: byte }: { from: number; to: number; with: number },
): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(to - from, byte), 0, to - from, (page - 1) * PAGE_BYTES + from)
  closeSync(file)
}

function fill(path: string): void {
  closedAfter(path, (file) => {
    file.exec(`BEGIN;
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS - 1})
      INSERT INTO console_audit (at, actor_id, actor_name, action, outcome, address)
      SELECT n, 'prn_' || (n * 7919 % ${ROWS}), 'Somebody', 'action.' || (n % 50), 'done', '192.0.2.' || (n % 250)
      FROM numbers;
      INSERT INTO api_keys (key_hash, key_id, hint, kind, owner_id, created_at)
      SELECT 'hash-' || at, 'key_' || at, 'hint', 'principal', 'prn_' || at, 1 FROM console_audit;
      COMMIT`)
    // Ids that were given out and are free again must not be given out a second time.
    file.exec(`DELETE FROM console_audit WHERE audit_id > ${ROWS - 10}`)
  })
}

function leafOf(path: string, tree: string): number {
  const leaves = closedAfter(path, (file) =>
    file.rows('pageno', `dbstat WHERE name = ${literal(tree)} AND pagetype = 'leaf'`),
  )
  const [page] = leaves[Math.floor(leaves.length / 2)] ?? []
  if (page === undefined) throw new Error(`there is no tree ${tree}`)
  return Number(page)
}
