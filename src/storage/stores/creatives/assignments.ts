// Assignments of creatives to packages in SQL. Each creative stores the number of its packages; the number is updated
// by what was actually added or removed and is never recounted. Rows are written in chunks, so that other callers are
// served in between.

import { eachChunkInTransaction } from '../../../lib/chunks.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, placeholders, sqlOf } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'

export interface AssignedPackage {
  creative_id: string
  package_id: string
}

export interface AssignmentTerms extends AssignedPackage {
  weight?: number | undefined
  placement_ids?: readonly string[] | undefined
}

interface AssignmentsOf<Assignment> {
  owner: string
  assignments: readonly Assignment[]
}

/** Rows of one statement or of one slice. */
const CHUNK = 500

/** Adds these assignments of an owner's creatives, and updates those that exist. */
export async function putAssignments(
  database: Database,
  tx: Transaction,
  { owner, assignments }: AssignmentsOf<AssignmentTerms>,
): Promise<void> {
  const added = new Map<string, number>()
  const now = await tx.now()
  const put = database.dialect === 'sqlite' ? putEach : putAll
  await eachChunkInTransaction(lastOfEach(assignments), CHUNK, async (chunk) => {
    const rows = chunk.map(rowOf)
    for (const id of await put(tx, { owner, now }, rows)) added.set(id, (added.get(id) ?? 0) + 1)
  })
  await addToCounts(database, tx, { owner, changes: added })
}

/** Removes these assignments if they exist. */
export async function removeAssignments(
  database: Database,
  tx: Transaction,
  { owner, assignments }: AssignmentsOf<AssignedPackage>,
): Promise<void> {
  const removed = new Map<string, number>()
  const remove = database.dialect === 'sqlite' ? removeEach : removeAll
  await eachChunkInTransaction(assignments, CHUNK, async (chunk) => {
    for (const id of await remove(tx, owner, chunk)) removed.set(id, (removed.get(id) ?? 0) - 1)
  })
  await addToCounts(database, tx, { owner, changes: removed })
}

/** Of these those that there are. */
export async function assignedAmong(
  tx: Transaction,
  { owner, assignments }: AssignmentsOf<AssignedPackage>,
): Promise<AssignedPackage[]> {
  const found: AssignedPackage[] = []
  const storable = assignments.filter(
    ({ creative_id, package_id }) => isStorable(creative_id) && isStorable(package_id),
  )
  await eachChunkInTransaction(storable, CHUNK, async (chunk) => {
    const pairs = chunk.map(({ creative_id, package_id }) => ({ creative_id, package_id }))
    // CROSS JOIN, so that SQLite looks up each given assignment instead of scanning the given ones for each existing
    // one.
    const rows = await sqlOf(tx).all<AssignedPackage>(
      `SELECT a.creative_id, a.package_id
       FROM ${rowsOf({ creative_id: 'TEXT', package_id: 'TEXT' })} AS r
       CROSS JOIN creative_assignments a
       WHERE a.owner = $2 AND a.creative_id = r.creative_id AND a.package_id = r.package_id`,
      [JSON.stringify(pairs), owner],
    )
    found.push(...rows)
  })
  return found
}

/** If two have the same creative and package, the last counts. */
function lastOfEach(assignments: readonly AssignmentTerms[]): AssignmentTerms[] {
  return [
    ...new Map(
      assignments.map((one) => [JSON.stringify([one.creative_id, one.package_id]), one]),
    ).values(),
  ]
}

interface AssignmentRow extends AssignedPackage {
  weight: number | null
  placement_ids: string | null
}

function rowOf({ creative_id, package_id, weight, placement_ids }: AssignmentTerms): AssignmentRow {
  return {
    creative_id,
    package_id,
    weight: weight ?? null,
    placement_ids: placementsText(placement_ids),
  }
}

/** As it is kept. */
export function placementsText(ids: readonly string[] | undefined): string | null {
  return ids ? JSON.stringify(ids) : null
}

const COLUMNS = 'owner, creative_id, package_id, weight, placement_ids, assigned_at'

interface Put {
  owner: string
  now: number
}

/** The creatives of the new assignments. SQLite is fastest row by row. */
async function putEach(
  tx: Transaction,
  { owner, now }: Put,
  rows: readonly AssignmentRow[],
): Promise<string[]> {
  const values = (row: AssignmentRow) => [row.creative_id, row.package_id, row.weight]
  const changes = await sqlOf(tx).runEach(
    `INSERT INTO creative_assignments (${COLUMNS}) VALUES ${placeholders(1, 6)} ON CONFLICT DO NOTHING`,
    rows.map((row) => [owner, ...values(row), row.placement_ids, now]),
  )
  const isNew = (_: AssignmentRow, index: number) => changes[index] === 1
  await sqlOf(tx).runEach(
    `UPDATE creative_assignments SET weight = $4, placement_ids = $5
     WHERE owner = $1 AND creative_id = $2 AND package_id = $3
       AND (weight IS NOT $4 OR placement_ids IS NOT $5)`,
    rows
      .filter((row, index) => !isNew(row, index))
      .map((row) => [owner, ...values(row), row.placement_ids]),
  )
  return rows.filter(isNew).map(({ creative_id }) => creative_id)
}

const ROW_TYPES = {
  creative_id: 'TEXT',
  package_id: 'TEXT',
  weight: 'DOUBLE PRECISION',
  placement_ids: 'TEXT',
} as const

/** The same in two round trips. */
async function putAll(
  tx: Transaction,
  { owner, now }: Put,
  rows: readonly AssignmentRow[],
): Promise<string[]> {
  const given = rowsOf(ROW_TYPES)
  const json = JSON.stringify(rows)
  const added = await sqlOf(tx).all<{ creative_id: string }>(
    `INSERT INTO creative_assignments (${COLUMNS})
     SELECT $2, creative_id, package_id, weight, placement_ids, CAST($3 AS BIGINT) FROM ${given} AS r
     ON CONFLICT DO NOTHING RETURNING creative_id`,
    [json, owner, now],
  )
  if (added.length < rows.length) {
    await sqlOf(tx).run(
      `UPDATE creative_assignments AS a SET weight = r.weight, placement_ids = r.placement_ids
       FROM ${given} AS r
       WHERE a.owner = $2 AND a.creative_id = r.creative_id AND a.package_id = r.package_id
         AND (a.weight IS DISTINCT FROM r.weight OR a.placement_ids IS DISTINCT FROM r.placement_ids)`,
      [json, owner],
    )
  }
  return added.map(({ creative_id }) => creative_id)
}

async function removeEach(
  tx: Transaction,
  owner: string,
  gone: readonly AssignedPackage[],
): Promise<string[]> {
  const changes = await sqlOf(tx).runEach(
    'DELETE FROM creative_assignments WHERE owner = $1 AND creative_id = $2 AND package_id = $3',
    gone.map(({ creative_id, package_id }) => [owner, creative_id, package_id]),
  )
  return gone.filter((_, index) => changes[index] === 1).map(({ creative_id }) => creative_id)
}

async function removeAll(
  tx: Transaction,
  owner: string,
  gone: readonly AssignedPackage[],
): Promise<string[]> {
  const removed = await sqlOf(tx).all<{ creative_id: string }>(
    `DELETE FROM creative_assignments AS a
     USING ${rowsOf({ creative_id: 'TEXT', package_id: 'TEXT' })} AS r
     WHERE a.owner = $2 AND a.creative_id = r.creative_id AND a.package_id = r.package_id
     RETURNING a.creative_id`,
    [JSON.stringify(gone), owner],
  )
  return removed.map(({ creative_id }) => creative_id)
}

async function addToCounts(
  { dialect }: Database,
  tx: Transaction,
  { owner, changes }: { owner: string; changes: ReadonlyMap<string, number> },
): Promise<void> {
  // In a fixed order, so that two transactions that change the same creatives wait instead of deadlocking.
  const rows = [...changes].sort(([a], [b]) => (a < b ? -1 : 1))
  await eachChunkInTransaction(rows, CHUNK, async (chunk) => {
    if (dialect === 'sqlite') {
      await sqlOf(tx).runEach(
        `UPDATE creatives SET assignment_count = assignment_count + $3
         WHERE owner = $1 AND creative_id = $2`,
        chunk.map(([creative_id, n]) => [owner, creative_id, n]),
      )
      return
    }
    await sqlOf(tx).run(
      `UPDATE creatives SET assignment_count = assignment_count + r.n
       FROM ${rowsOf({ creative_id: 'TEXT', n: 'INTEGER' })} AS r
       WHERE creatives.owner = $2 AND creatives.creative_id = r.creative_id`,
      [JSON.stringify(chunk.map(([creative_id, n]) => ({ creative_id, n }))), owner],
    )
  })
}
