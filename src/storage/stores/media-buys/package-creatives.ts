// The creatives of packages and the signals of their targeting, in SQL: what media buys read of the library and
// of the activations.

import { defined } from '../../../lib/defined.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type {
  NewAssignment,
  OwnSignals,
  PackageCreative,
  PackageCreatives,
} from '../../../media-buys/store.ts'
import type { ActivationKey } from '../../../protocol/schemas/deployment.ts'
import type { FormatId } from '../../../protocol/schemas/format-id.ts'
import { type Database, placeholders, type Queryable, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { forUpdate } from '../../sql/locks.ts'

export function createPackageCreatives(database: Database): PackageCreatives {
  const { dialect, read } = database
  return {
    find: async (tx, owner, creativeIds) => {
      const rows = await sqlOf(tx).all<{ creative_id: string; format_id: string }>(
        `SELECT creative_id, format_id FROM creatives
         WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)} AND status <> 'archived'
         ORDER BY creative_id ${forUpdate(dialect)}`,
        [owner, listed(creativeIds)],
      )
      return new Map(
        rows.map(({ creative_id, format_id }) => [
          creative_id,
          (JSON.parse(format_id) as FormatId).id,
        ]),
      )
    },
    replace: (tx, owner, packageId, assignments) =>
      replace(database, tx, { owner, packageId, assignments }),
    ofPackages: (tx, owner, ids) => ofPackages(database, sqlOf(tx), owner, ids),
    list: (owner, ids) => ofPackages(database, read, owner, ids),
  }
}

async function replace(
  { dialect }: Database,
  tx: Transaction,
  {
    owner,
    packageId,
    assignments,
  }: { owner: string; packageId: string; assignments: readonly NewAssignment[] },
): Promise<void> {
  const sql = sqlOf(tx)
  const gone = await sql.all<{ creative_id: string }>(
    'DELETE FROM creative_assignments WHERE owner = $1 AND package_id = $2 RETURNING creative_id',
    [owner, packageId],
  )
  const now = await tx.now()
  await sql.runEach(
    `INSERT INTO creative_assignments
       (owner, creative_id, package_id, weight, placement_ids, assigned_at)
     VALUES ${placeholders(1, 6)}`,
    assignments.map(({ creative_id, weight, placement_ids }) => [
      ...[owner, creative_id, packageId, weight ?? null],
      ...[placement_ids ? JSON.stringify(placement_ids) : null, now],
    ]),
  )
  const touched = new Set([...gone, ...assignments].map(({ creative_id }) => creative_id))
  if (touched.size === 0) return
  await sql.run(
    `UPDATE creatives SET assignment_count = (
       SELECT count(*) FROM creative_assignments a
       WHERE a.owner = creatives.owner AND a.creative_id = creatives.creative_id)
     WHERE owner = $1 AND ${isIn(dialect, 'creative_id', 2)}`,
    [owner, listed([...touched])],
  )
}

interface Row {
  creative_id: string
  package_id: string
  weight: number | null
  placement_ids: string | null
  status: string
}

async function ofPackages(
  { dialect }: Database,
  read: Queryable,
  owner: string,
  packageIds: readonly string[],
): Promise<Map<string, PackageCreative[]>> {
  const creatives = new Map<string, PackageCreative[]>(packageIds.map((id) => [id, []]))
  if (packageIds.length === 0) return creatives
  const rows = await read.all<Row>(
    `SELECT a.creative_id, a.package_id, a.weight, a.placement_ids, c.status
     FROM creative_assignments a
     JOIN creatives c ON c.owner = a.owner AND c.creative_id = a.creative_id
     WHERE a.owner = $1 AND ${isIn(dialect, 'a.package_id', 2)}
     ORDER BY a.package_id, a.creative_id`,
    [owner, listed(packageIds)],
  )
  for (const { creative_id, package_id, weight, placement_ids, status } of rows) {
    const more = {
      weight: weight ?? undefined,
      placement_ids: placement_ids === null ? undefined : (JSON.parse(placement_ids) as string[]),
    }
    creatives.get(package_id)?.push({ creative_id, package_id, status, ...defined(more) })
  }
  return creatives
}

export function createOwnSignals({ dialect }: Database): OwnSignals {
  return {
    byKeyText: async (tx, owner, keyTexts) => {
      const rows = await sqlOf(tx).all<{
        key_text: string
        signal_agent_segment_id: string
        activation: string
      }>(
        `SELECT key_text, signal_agent_segment_id, activation FROM signal_activations
         WHERE principal_id = $1 AND ${isIn(dialect, 'key_text', 2)} AND state = 'live'
         ORDER BY signal_agent_segment_id DESC`,
        [owner, listed(keyTexts)],
      )
      return new Map(
        rows.map(({ key_text, signal_agent_segment_id, activation }) => {
          const { activation_key } = JSON.parse(activation) as { activation_key: ActivationKey }
          return [key_text, { signal_agent_segment_id, activation_key }]
        }),
      )
    },
  }
}
