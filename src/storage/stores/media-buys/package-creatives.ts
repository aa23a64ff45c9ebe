// The creatives of packages and the signals of their targeting, in SQL: the parts of the library and of the
// activations that media buys read.

import { eachChunk, eachChunkInTransaction } from '../../../lib/chunks.ts'
import { defined } from '../../../lib/defined.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { TargetedSignal } from '../../../media-buys/media-buy.ts'
import type {
  NewAssignment,
  OwnSignals,
  PackageCreative,
  PackageCreatives,
} from '../../../media-buys/store.ts'
import type { ActivationKey } from '../../../protocol/schemas/deployment.ts'
import type { FormatId } from '../../../protocol/schemas/format-id.ts'
import { type Database, type Queryable, sqlOf } from '../../sql/database.ts'
import { isIn, listed, valuesOf } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import {
  type AssignedPackage,
  type AssignmentTerms,
  placementsText,
  putAssignments,
  removeAssignments,
} from '../creatives/assignments.ts'

/** Packages whose assignments are read at once: each may have a hundred. */
const PACKAGES_AT_ONCE = 15
/** Fewer where each assignment is compared with the new one. */
const COMPARED_AT_ONCE = 10
const IDS_AT_ONCE = 1_000

export function createPackageCreatives(database: Database): PackageCreatives {
  const { read } = database
  return {
    find: async (tx, owner, creativeIds) => {
      const found = new Map<string, string>()
      await eachChunkInTransaction([...creativeIds].sort(), IDS_AT_ONCE, async (chunk) => {
        const rows = await sqlOf(tx).all<{ creative_id: string; format_id: string }>(
          `SELECT creative_id, format_id FROM creatives
           WHERE owner = $1 AND ${isIn('creative_id', 2)} AND status <> 'archived'
           ORDER BY creative_id ${FOR_UPDATE}`,
          [owner, listed(chunk)],
        )
        for (const { creative_id, format_id } of rows) {
          found.set(creative_id, (JSON.parse(format_id) as FormatId).id)
        }
      })
      return found
    },
    replace: (tx, owner, assignments) => replace(database, tx, { owner, assignments }),
    supplied: async (tx, owner, packageIds) => {
      const rows = await sqlOf(tx).all<{ package_id: string }>(
        `SELECT p.value AS package_id FROM ${valuesOf('TEXT', 2)} AS p
         WHERE EXISTS (SELECT 1 FROM creative_assignments a
           JOIN creatives c ON c.owner = a.owner AND c.creative_id = a.creative_id
           WHERE a.owner = $1 AND a.package_id = p.value
             AND c.status NOT IN ('archived', 'rejected'))`,
        [owner, listed(packageIds)],
      )
      return new Set(rows.map(({ package_id }) => package_id))
    },
    packagesWith: async (owner, creativeIds) => {
      const rows = await read.all<{ package_id: string }>(
        `SELECT DISTINCT package_id FROM creative_assignments
         WHERE owner = $1 AND ${isIn('creative_id', 2)} ORDER BY package_id`,
        [owner, listed(creativeIds)],
      )
      return rows.map(({ package_id }) => package_id)
    },
    ofPackages: (tx, owner, ids) => ofPackages(sqlOf(tx), { owner, packageIds: ids }),
    list: (owner, ids) => ofPackages(read, { owner, packageIds: ids }),
  }
}

type NewAssignments = ReadonlyMap<string, readonly NewAssignment[]>

/** Only what differs is written. */
async function replace(
  database: Database,
  tx: Transaction,
  { owner, assignments }: { owner: string; assignments: NewAssignments },
): Promise<void> {
  const gone: AssignedPackage[] = []
  const put: AssignmentTerms[] = []
  await eachChunkInTransaction([...assignments], COMPARED_AT_ONCE, async (chunk) => {
    const packageIds = chunk.map(([id]) => id)
    const known = await assignedTo(tx, { owner, packageIds })
    for (const [package_id, wanted] of chunk) {
      const before = known.get(package_id) ?? new Map<string, AssignmentRow>()
      for (const one of wanted) {
        if (!isSame(before.get(one.creative_id), one)) put.push({ ...one, package_id })
      }
      const kept = new Set(wanted.map(({ creative_id }) => creative_id))
      for (const creative_id of before.keys()) {
        if (!kept.has(creative_id)) gone.push({ creative_id, package_id })
      }
    }
  })
  await removeAssignments(database, tx, { owner, assignments: gone })
  await putAssignments(database, tx, { owner, assignments: put })
}

type AssignmentRow = Pick<Row, 'creative_id' | 'package_id' | 'weight' | 'placement_ids'>

interface PackagesOf {
  owner: string
  packageIds: readonly string[]
}

/** By package and creative. */
async function assignedTo(
  tx: Transaction,
  { owner, packageIds }: PackagesOf,
): Promise<Map<string, Map<string, AssignmentRow>>> {
  const rows = await sqlOf(tx).all<AssignmentRow>(
    `SELECT creative_id, package_id, weight, placement_ids FROM creative_assignments
     WHERE owner = $1 AND ${isIn('package_id', 2)}`,
    [owner, listed(packageIds)],
  )
  const found = new Map<string, Map<string, AssignmentRow>>()
  for (const row of rows) {
    const own = found.get(row.package_id) ?? new Map<string, AssignmentRow>()
    found.set(row.package_id, own.set(row.creative_id, row))
  }
  return found
}

function isSame(row: AssignmentRow | undefined, { weight, placement_ids }: NewAssignment): boolean {
  if (!row) return false
  return row.weight === (weight ?? null) && row.placement_ids === placementsText(placement_ids)
}

interface Row {
  creative_id: string
  package_id: string
  weight: number | null
  placement_ids: string | null
  status: string
}

async function ofPackages(
  read: Queryable,
  { owner, packageIds }: PackagesOf,
): Promise<Map<string, PackageCreative[]>> {
  const creatives = new Map<string, PackageCreative[]>(packageIds.map((id) => [id, []]))
  await eachChunk(packageIds, PACKAGES_AT_ONCE, async (chunk) => {
    const rows = await read.all<Row>(
      `SELECT a.creative_id, a.package_id, a.weight, a.placement_ids, c.status
       FROM creative_assignments a
       JOIN creatives c ON c.owner = a.owner AND c.creative_id = a.creative_id
       WHERE a.owner = $1 AND ${isIn('a.package_id', 2)}
       ORDER BY a.package_id, a.creative_id`,
      [owner, listed(chunk)],
    )
    for (const { creative_id, package_id, weight, placement_ids, status } of rows) {
      const more = {
        weight: weight ?? undefined,
        placement_ids: placement_ids === null ? undefined : (JSON.parse(placement_ids) as string[]),
      }
      creatives.get(package_id)?.push({ creative_id, package_id, status, ...defined(more) })
    }
  })
  return creatives
}

export function createOwnSignals(): OwnSignals {
  return {
    byKeyText: async (tx, owner, keyTexts) => {
      const found = new Map<string, TargetedSignal>()
      await eachChunkInTransaction([...new Set(keyTexts)], IDS_AT_ONCE, async (chunk) => {
        const rows = await sqlOf(tx).all<{
          key_text: string
          signal_agent_segment_id: string
          activation: string
        }>(
          `SELECT key_text, signal_agent_segment_id, activation FROM signal_activations
           WHERE principal_id = $1 AND ${isIn('key_text', 2)} AND state = 'live'
           ORDER BY signal_agent_segment_id DESC`,
          [owner, listed(chunk)],
        )
        for (const { key_text, signal_agent_segment_id, activation } of rows) {
          const { activation_key } = JSON.parse(activation) as { activation_key: ActivationKey }
          found.set(key_text, { signal_agent_segment_id, activation_key })
        }
      })
      return found
    },
  }
}
