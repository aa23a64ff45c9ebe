// The creative library in SQL: creatives and their assignments, each only for its owner.

import type {
  Assignment,
  CreativeStore,
  LibraryUse,
  SavedCreative,
  StoredAssignment,
} from '../../../creative/library-store.ts'
import { defined } from '../../../lib/defined.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, placeholders, type SqlValue, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { forUpdate } from '../../sql/locks.ts'
import { charge, usedWithin } from '../organizations/quota-usage.ts'
import { COLUMNS, type CreativeRow, creativeOf, listCreatives } from './list.ts'

export function createCreativeStore(database: Database): CreativeStore {
  const { dialect, read } = database
  return {
    lock: async (tx, owner, creativeIds) => {
      // In one order, so that two syncs of the same creatives wait instead of blocking each other.
      const rows = await sqlOf(tx).all<CreativeRow>(
        `SELECT ${COLUMNS} FROM creatives WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}
         ORDER BY creative_id ${forUpdate(dialect)}`,
        [owner, listed(creativeIds)],
      )
      return new Map(rows.map((row) => [row.creative_id, creativeOf(row)]))
    },
    useOf: async (tx, owner, { limits, toAdd }) => {
      const on = { dialect, tx: sqlOf(tx) }
      const used = (quota: 'creatives' | 'creative_bytes', what: keyof LibraryUse) =>
        usedWithin(on, { owner, quota, amount: toAdd[what], limit: limits[what] })
      return {
        creatives: await used('creatives', 'creatives'),
        bytes: await used('creative_bytes', 'bytes'),
      }
    },
    save: (tx, owner, creatives) => save(database, tx, owner, creatives),
    packagesOf: async (tx, owner, creativeIds) => {
      const rows = await sqlOf(tx).all<{ creative_id: string; package_id: string }>(
        `SELECT creative_id, package_id FROM creative_assignments
         WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}`,
        [owner, listed(creativeIds)],
      )
      const packages = new Map<string, Set<string>>(creativeIds.map((id) => [id, new Set()]))
      for (const { creative_id, package_id } of rows) packages.get(creative_id)?.add(package_id)
      return packages
    },
    activeIds: async (tx, owner, { except, within }) => {
      const scope = within ? `AND ${isIn(dialect, 'creative_id', 3)}` : ''
      const rows = await sqlOf(tx).all<{ creative_id: string }>(
        `SELECT creative_id FROM creatives WHERE owner = $1 AND status <> 'archived'
           AND NOT (${isIn(dialect, 'creative_id', 2)}) ${scope} ORDER BY creative_id`,
        [owner, listed(except), ...(within ? [listed(within)] : [])],
      )
      return rows.map(({ creative_id }) => creative_id)
    },
    archive: async (tx, owner, creativeIds) => {
      if (creativeIds.length === 0) return
      await sqlOf(tx).run(
        `UPDATE creatives SET status = 'archived', updated_at = $3
         WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}`,
        [owner, listed(creativeIds), await tx.now()],
      )
    },
    remove: (tx, owner, creativeIds) => remove(database, tx, owner, creativeIds),
    assign: (tx, owner, assignments) => assign(database, tx, owner, assignments),
    list: (owner, query) => listCreatives(database, owner, query),
    assignmentsOf: async (owner, creativeIds) => {
      const rows = await read.all<AssignmentRow>(
        `SELECT creative_id, package_id, weight, placement_ids, assigned_at
         FROM creative_assignments WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}
         ORDER BY creative_id, package_id`,
        [owner, listed(creativeIds)],
      )
      return rows.map(assignmentOf)
    },
  }
}

const SAVED = 16

async function save(
  { dialect }: Database,
  tx: Transaction,
  owner: string,
  creatives: readonly SavedCreative[],
): Promise<void> {
  if (creatives.length === 0) return
  const now = await tx.now()
  const before = await sqlOf(tx).get<{ creatives: number; bytes: number }>(
    `SELECT count(*) AS creatives, coalesce(CAST(sum(bytes) AS BIGINT), 0) AS bytes FROM creatives
     WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}`,
    [owner, listed(creatives.map(({ creative_id }) => creative_id))],
  )
  await sqlOf(tx).runEach(
    `INSERT INTO creatives (owner, creative_id, name, name_folded, format_id, format_key, status,
       assets, tags, concept_id, concept_name, others, assignment_count, created_at, updated_at, bytes)
     VALUES ${placeholders(1, SAVED)}
     ON CONFLICT (owner, creative_id) DO UPDATE SET name = excluded.name,
       name_folded = excluded.name_folded, format_id = excluded.format_id,
       format_key = excluded.format_key, status = excluded.status, assets = excluded.assets,
       tags = excluded.tags, concept_id = excluded.concept_id,
       concept_name = excluded.concept_name, others = excluded.others,
       updated_at = excluded.updated_at, bytes = excluded.bytes`,
    creatives.map((creative) => valuesOf(owner, creative, now)),
  )
  const on = { dialect, tx: sqlOf(tx) }
  const bytes = creatives.reduce((sum, creative) => sum + creative.bytes, 0)
  const limit = Number.POSITIVE_INFINITY
  const added = creatives.length - (before?.creatives ?? 0)
  await charge(on, { owner, quota: 'creatives', amount: added, limit })
  const grown = bytes - (before?.bytes ?? 0)
  await charge(on, { owner, quota: 'creative_bytes', amount: grown, limit })
}

async function remove(
  { dialect }: Database,
  tx: Transaction,
  owner: string,
  creativeIds: readonly string[],
): Promise<void> {
  const among = [owner, listed(creativeIds)]
  const where = `WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}`
  const gone = await sqlOf(tx).all<{ bytes: number }>(
    `DELETE FROM creatives ${where} RETURNING bytes`,
    among,
  )
  await sqlOf(tx).run(`DELETE FROM creative_assignments ${where}`, among)
  const on = { dialect, tx: sqlOf(tx) }
  const limit = Number.POSITIVE_INFINITY
  const bytes = gone.reduce((sum, row) => sum + row.bytes, 0)
  await charge(on, { owner, quota: 'creatives', amount: -gone.length, limit })
  await charge(on, { owner, quota: 'creative_bytes', amount: -bytes, limit })
}

function valuesOf(owner: string, creative: SavedCreative, now: number): SqlValue[] {
  const { creative_id, name, format_id, formatKey, status, assets, tags, others } = creative
  return [
    owner,
    creative_id,
    name,
    name.toLowerCase(),
    JSON.stringify(format_id),
    formatKey,
    status,
    JSON.stringify(assets),
    JSON.stringify(tags),
    creative.concept_id ?? null,
    creative.concept_name ?? null,
    JSON.stringify(others),
    0,
    now,
    now,
    creative.bytes,
  ]
}

interface AssignmentRow {
  creative_id: string
  package_id: string
  weight: number | null
  placement_ids: string | null
  assigned_at: number
}

async function assign(
  { dialect }: Database,
  tx: Transaction,
  owner: string,
  assignments: readonly Assignment[],
): Promise<void> {
  if (assignments.length === 0) return
  const now = await tx.now()
  await sqlOf(tx).runEach(
    `INSERT INTO creative_assignments
       (owner, creative_id, package_id, weight, placement_ids, assigned_at)
     VALUES ${placeholders(1, 6)}
     ON CONFLICT (owner, creative_id, package_id) DO UPDATE SET
       weight = excluded.weight, placement_ids = excluded.placement_ids`,
    assignments.map(({ creative_id, package_id, weight, placement_ids }) => [
      owner,
      creative_id,
      package_id,
      weight ?? null,
      placement_ids ? JSON.stringify(placement_ids) : null,
      now,
    ]),
  )
  const changed = [...new Set(assignments.map(({ creative_id }) => creative_id))]
  await sqlOf(tx).run(
    `UPDATE creatives SET assignment_count = (
       SELECT count(*) FROM creative_assignments a
       WHERE a.owner = creatives.owner AND a.creative_id = creatives.creative_id)
     WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}`,
    [owner, listed(changed)],
  )
}

function assignmentOf(row: AssignmentRow): StoredAssignment {
  return {
    creative_id: row.creative_id,
    package_id: row.package_id,
    ...defined({
      weight: row.weight ?? undefined,
      placement_ids:
        row.placement_ids === null ? undefined : (JSON.parse(row.placement_ids) as string[]),
    }),
    assigned_at: row.assigned_at,
  }
}
