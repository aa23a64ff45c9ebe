// The creative library in SQL: creatives and their assignments, each only for its owner.

import type {
  CreativeState,
  CreativeStore,
  LibraryUse,
  SavedCreative,
  StoredAssignment,
  StoredCreative,
} from '../../../creative/library-store.ts'
import { eachChunk, eachChunkInTransaction, groupsOf } from '../../../lib/chunks.ts'
import { defined } from '../../../lib/defined.ts'
import { createPacer } from '../../../lib/pacer.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, placeholders, type SqlValue, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { charge, usedOf, usedWithin } from '../organizations/quota-usage.ts'
import { assignedAmong, putAssignments } from './assignments.ts'
import { countInBuys, creativesInBuys } from './in-buys.ts'
import { CREATIVE_COLUMNS, type CreativeRow, creativeOf, listCreatives } from './list.ts'

export function createCreativeStore(database: Database): CreativeStore {
  const { read } = database
  return {
    ...lockedCreatives(),
    ...packageAssignments(database),
    size: async (owner) => {
      const creatives = await usedOf(read, { owner, quota: 'creatives' })
      return { creatives, bytes: await usedOf(read, { owner, quota: 'creative_bytes' }) }
    },
    bytesOf: (owner, creativeIds) => bytesOf(database, owner, creativeIds),
    useOf: async (tx, owner, { limits, toAdd }) => {
      const on = { tx: sqlOf(tx) }
      const used = (quota: 'creatives' | 'creative_bytes', what: keyof LibraryUse) =>
        usedWithin(on, { owner, quota, amount: toAdd[what], limit: limits[what] })
      return {
        creatives: await used('creatives', 'creatives'),
        bytes: await used('creative_bytes', 'bytes'),
      }
    },
    save: (tx, owner, creatives) => save(tx, { owner, creatives }),
    activeIds: (tx, owner, among) => activeIds(tx, { owner, ...among }),
    archive: async (tx, owner, creativeIds) => {
      const now = await tx.now()
      await eachChunkInTransaction(creativeIds, 1_000, async (chunk) => {
        await sqlOf(tx).run(
          `UPDATE creatives SET status = 'archived', updated_at = $3
           WHERE owner = $1 AND ${isIn('creative_id', 2)}`,
          [owner, listed(chunk), now],
        )
      })
    },
    remove: (tx, owner, creativeIds) => remove(tx, { owner, creativeIds }),
    list: (owner, query) => listCreatives(database, owner, query),
    inBuys: (owner, mediaBuyIds) => creativesInBuys(database, owner, mediaBuyIds),
    countInBuys: (owner, mediaBuyIds, most) => countInBuys(database, owner, { mediaBuyIds, most }),
  }
}

/** Rows that stay locked until the transaction ends. */
function lockedCreatives(): Pick<CreativeStore, 'lockStates' | 'lock'> {
  return {
    lockStates: async (tx, owner, creativeIds) => {
      const states = new Map<string, CreativeState>()
      await eachChunkInTransaction(inOneOrder(creativeIds), 1_000, async (chunk) => {
        const rows = await sqlOf(tx).all<CreativeState & { creative_id: string }>(
          `SELECT creative_id, status, assignment_count FROM creatives
           WHERE owner = $1 AND ${isIn('creative_id', 2)}
           ORDER BY creative_id ${FOR_UPDATE}`,
          [owner, listed(chunk)],
        )
        for (const { creative_id, ...state } of rows) states.set(creative_id, state)
      })
      return states
    },
    lock: async (tx, owner, creativeIds) => {
      const found = new Map<string, StoredCreative>()
      await eachChunkInTransaction(inOneOrder(creativeIds), CONTENTS, async (chunk) => {
        const rows = await sqlOf(tx).all<CreativeRow>(
          `SELECT ${CREATIVE_COLUMNS} FROM creatives WHERE owner = $1 AND ${isIn('creative_id', 2)}
           ORDER BY creative_id ${FOR_UPDATE}`,
          [owner, listed(chunk)],
        )
        for (const row of rows) found.set(row.creative_id, creativeOf(row))
      })
      return found
    },
  }
}

/** The packages that creatives are assigned to. */
function packageAssignments(
  database: Database,
): Pick<
  CreativeStore,
  'countAssignments' | 'packagesOf' | 'assigned' | 'assign' | 'assignmentsOf'
> {
  const { read } = database
  return {
    countAssignments: async (owner, most) => {
      const row = await database.read.get<{ n: number }>(
        `SELECT count(*) AS n FROM (
           SELECT 1 FROM creative_assignments WHERE owner = $1 LIMIT $2) AS found`,
        [owner, most],
      )
      return row?.n ?? 0
    },
    packagesOf: async (tx, owner, creativeIds) => {
      const rows = await sqlOf(tx).all<{ creative_id: string; package_id: string }>(
        `SELECT creative_id, package_id FROM creative_assignments
         WHERE owner = $1 AND ${isIn('creative_id', 2)}`,
        [owner, listed(creativeIds)],
      )
      const packages = new Map<string, Set<string>>(creativeIds.map((id) => [id, new Set()]))
      for (const { creative_id, package_id } of rows) packages.get(creative_id)?.add(package_id)
      return packages
    },
    assigned: (tx, owner, assignments) => assignedAmong(tx, { owner, assignments }),
    assign: (tx, owner, assignments) => putAssignments(database, tx, { owner, assignments }),
    assignmentsOf: async (owner, creatives) => {
      const found = new Map<string, StoredAssignment[]>()
      const pacer = createPacer()
      for (const group of groupsOf(creatives, (one) => one.assignment_count, ASSIGNMENTS)) {
        const rows = await read.all<AssignmentRow>(
          `SELECT creative_id, package_id, weight, placement_ids, assigned_at
           FROM creative_assignments WHERE owner = $1 AND ${isIn('creative_id', 2)}
           ORDER BY creative_id, package_id`,
          [owner, listed(group.map(({ creative_id }) => creative_id))],
        )
        for (const row of rows) {
          const own = found.get(row.creative_id) ?? []
          found.set(row.creative_id, own)
          own.push(assignmentOf(row))
        }
        if (pacer.isDue()) await pacer.pause()
      }
      return found
    },
  }
}

/** Assignments that are read at once, or those of one creative. */
const ASSIGNMENTS = 1_000
/** Creatives whose content is read at once: one may have megabytes. */
const CONTENTS = 10

/** So that two transactions that lock the same creatives wait instead of deadlocking. */
function inOneOrder(creativeIds: readonly string[]): string[] {
  return [...creativeIds].sort()
}

async function bytesOf(
  { read }: Database,
  owner: string,
  creativeIds: readonly string[],
): Promise<number> {
  let bytes = 0
  await eachChunk(creativeIds, 1_000, async (chunk) => {
    const row = await read.get<{ bytes: number }>(
      `SELECT coalesce(CAST(sum(bytes) AS BIGINT), 0) AS bytes FROM creatives
       WHERE owner = $1 AND ${isIn('creative_id', 2)}`,
      [owner, listed(chunk)],
    )
    bytes += row?.bytes ?? 0
  })
  return bytes
}

const ID_PAGE = 2_000

interface Active {
  owner: string
  except: readonly string[]
  within?: readonly string[] | undefined
}

async function activeIds(tx: Transaction, { owner, except, within }: Active): Promise<string[]> {
  const unwanted = new Set(except)
  const active = "owner = $1 AND status <> 'archived'"
  if (within) {
    const rows = await sqlOf(tx).all<{ creative_id: string }>(
      `SELECT creative_id FROM creatives WHERE ${active} AND ${isIn('creative_id', 2)}
       ORDER BY creative_id`,
      [owner, listed(within)],
    )
    return rows.map(({ creative_id }) => creative_id).filter((id) => !unwanted.has(id))
  }
  const ids: string[] = []
  const pacer = createPacer({ isInTransaction: true })
  for (let after = ''; ; ) {
    const rows = await sqlOf(tx).all<{ creative_id: string }>(
      `SELECT creative_id FROM creatives WHERE ${active} AND creative_id > $2
       ORDER BY creative_id LIMIT ${ID_PAGE}`,
      [owner, after],
    )
    for (const { creative_id } of rows) if (!unwanted.has(creative_id)) ids.push(creative_id)
    after = rows.at(-1)?.creative_id ?? ''
    if (rows.length < ID_PAGE) return ids
    if (pacer.isDue()) await pacer.pause()
  }
}

const SAVED = 16

async function save(
  tx: Transaction,
  { owner, creatives }: { owner: string; creatives: readonly SavedCreative[] },
): Promise<void> {
  if (creatives.length === 0) return
  const now = await tx.now()
  const before = await sqlOf(tx).get<{ creatives: number; bytes: number }>(
    `SELECT count(*) AS creatives, coalesce(CAST(sum(bytes) AS BIGINT), 0) AS bytes FROM creatives
     WHERE owner = $1 AND ${isIn('creative_id', 2)}`,
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
  const on = { tx: sqlOf(tx) }
  const bytes = creatives.reduce((sum, creative) => sum + creative.bytes, 0)
  const limit = Number.POSITIVE_INFINITY
  const added = creatives.length - (before?.creatives ?? 0)
  await charge(on, { owner, quota: 'creatives', amount: added, limit })
  const grown = bytes - (before?.bytes ?? 0)
  await charge(on, { owner, quota: 'creative_bytes', amount: grown, limit })
}

async function remove(
  tx: Transaction,
  { owner, creativeIds }: { owner: string; creativeIds: readonly string[] },
): Promise<void> {
  const among = [owner, listed(creativeIds)]
  const where = `WHERE owner = $1 AND ${isIn('creative_id', 2)}`
  const gone = await sqlOf(tx).all<{ bytes: number }>(
    `DELETE FROM creatives ${where} RETURNING bytes`,
    among,
  )
  await sqlOf(tx).run(`DELETE FROM creative_assignments ${where}`, among)
  const on = { tx: sqlOf(tx) }
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
