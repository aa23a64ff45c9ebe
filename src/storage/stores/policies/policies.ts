// Governance policies in SQL: the current one of each, and every approved version.

import type { Policy, PolicyBody } from '../../../registry/policies/policy.ts'
import type {
  PolicyFilter,
  PolicyStats,
  PolicyStore,
  StoredPolicy,
} from '../../../registry/policies/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, type SqlValue, sqlOf } from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'

interface PolicyRow {
  body: string
  source_type: Policy['source_type']
  review_status: Policy['review_status']
  contributed_by_org_id: string | null
  created_at: number
  updated_at: number
}

const COLUMNS = 'body, source_type, review_status, contributed_by_org_id, created_at, updated_at'
const ONE = `SELECT ${COLUMNS} FROM policies WHERE policy_id = $1`

export function createPolicyStore(database: Database): PolicyStore {
  const { read } = database
  return {
    ...CHANGES,
    get: async (policyId) => {
      const row = await read.get<PolicyRow>(ONE, [policyId])
      return row && storedOf(row)
    },
    lock: async (tx, policyId) => {
      const row = await sqlOf(tx).get<PolicyRow>(`${ONE} ${FOR_UPDATE}`, [policyId])
      return row && storedOf(row)
    },
    some: async (policyIds) => {
      const rows = await read.all<PolicyRow>(
        `SELECT ${COLUMNS} FROM policies WHERE ${isIn('policy_id', 1)}`,
        [listed(policyIds)],
      )
      return rows.map(storedOf)
    },
    version: async (policyId, version) => {
      const row = await read.get<PolicyRow>(
        `SELECT v.body, p.source_type, p.review_status, p.contributed_by_org_id,
           p.created_at, v.created_at AS updated_at
         FROM policy_versions v JOIN policies p ON p.policy_id = v.policy_id
         WHERE v.policy_id = $1 AND v.version = $2`,
        [policyId, version],
      )
      return row && storedOf(row)
    },
    versionWithin: async (tx, policyId, version) => {
      const row = await sqlOf(tx).get<{ body: string }>(
        'SELECT body FROM policy_versions WHERE policy_id = $1 AND version = $2',
        [policyId, version],
      )
      return row && (JSON.parse(row.body) as PolicyBody)
    },
    list: (filter) => list(database, filter),
    pending: async (limit) => {
      const rows = await read.all<PolicyRow>(
        `SELECT ${COLUMNS} FROM policies WHERE review_status = 'pending'
         ORDER BY created_at, policy_id LIMIT $1`,
        [limit],
      )
      return rows.map(storedOf)
    },
    countPendingOf: async (tx, organizationId) => {
      const row = await sqlOf(tx).get<{ n: number }>(
        `SELECT count(*) AS n FROM policies WHERE contributed_by_org_id = $1 AND review_status = 'pending'`,
        [organizationId],
      )
      return row?.n ?? 0
    },
  }
}

/** Changes of policies; each approved body is kept as a version. */
const CHANGES: Pick<PolicyStore, 'add' | 'replace' | 'approve' | 'remove'> = {
  add: async (tx, { body, places, reviewStatus, contributedBy }) => {
    const now = await tx.now()
    const added = await sqlOf(tx).run(
      `INSERT INTO policies (policy_id, source_type, review_status, contributed_by_org_id, created_at,
           version, category, enforcement, words, places, policy_categories, governance_domains, body, updated_at)
         VALUES ($1, 'community', $10, $11, $12, $2, $3, $4, $5, $6, $7, $8, $9, $12)
         ON CONFLICT (policy_id) DO NOTHING`,
      [...valuesOf(body, places), reviewStatus, contributedBy, now],
    )
    if (added > 0 && reviewStatus === 'approved') await keepVersion(tx, body.policy_id)
    return added > 0
  },
  replace: async (tx, body, places) => {
    await sqlOf(tx).run(
      `UPDATE policies SET version = $2, category = $3, enforcement = $4, words = $5, places = $6,
           policy_categories = $7, governance_domains = $8, body = $9, updated_at = $10 WHERE policy_id = $1`,
      [...valuesOf(body, places), await tx.now()],
    )
    await keepVersion(tx, body.policy_id)
  },
  approve: async (tx, policyId) => {
    await sqlOf(tx).run(
      `UPDATE policies SET review_status = 'approved', updated_at = $2 WHERE policy_id = $1`,
      [policyId, await tx.now()],
    )
    await keepVersion(tx, policyId)
  },
  remove: async (tx, policyId) => {
    await sqlOf(tx).run('DELETE FROM policies WHERE policy_id = $1', [policyId])
  },
}

/** Stores the current body as the body of its version. */
async function keepVersion(tx: Parameters<typeof sqlOf>[0], policyId: string): Promise<void> {
  await sqlOf(tx).run(
    `INSERT INTO policy_versions (policy_id, version, body, created_at)
     SELECT policy_id, version, body, updated_at FROM policies WHERE policy_id = $1
     ON CONFLICT (policy_id, version) DO UPDATE SET body = excluded.body`,
    [policyId],
  )
}

async function list(
  { read }: Database,
  { limit, offset, ...filter }: PolicyFilter,
): Promise<{ policies: Policy[]; stats: PolicyStats }> {
  const conditions = createConditions()
  conditions.add(`review_status = 'approved'`)
  conditions.is('category =', filter.category)
  conditions.is('enforcement =', filter.enforcement)
  conditions.contains('words', filter.search?.normalize('NFKC').toLowerCase())
  conditions.overlaps('places', one(filter.jurisdiction?.toUpperCase()))
  conditions.overlaps('policy_categories', one(filter.policy_category))
  conditions.overlaps('governance_domains', one(filter.domain))
  const where = conditions.where()
  const counts = await read.all<{ category: string; n: number }>(
    `SELECT category, count(*) AS n FROM policies${where} GROUP BY category`,
    conditions.params,
  )
  const of = new Map(counts.map(({ category, n }) => [category, n]))
  const rows = await read.all<PolicyRow>(
    `SELECT ${COLUMNS} FROM policies${where} ORDER BY policy_id
     LIMIT ${conditions.param(limit)} OFFSET ${conditions.param(offset)}`,
    conditions.params,
  )
  const regulation = of.get('regulation') ?? 0
  const standard = of.get('standard') ?? 0
  return {
    policies: rows.map((row) => storedOf(row).policy),
    stats: { total: regulation + standard, regulation, standard },
  }
}

function one(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value]
}

function valuesOf(body: PolicyBody, places: readonly string[]): SqlValue[] {
  const words = [body.policy_id, body.name, body.description ?? ''].join('\n')
  return [
    body.policy_id,
    body.version,
    body.category,
    body.enforcement,
    words.normalize('NFKC').toLowerCase(),
    JSON.stringify(places),
    JSON.stringify(body.policy_categories),
    JSON.stringify(body.governance_domains),
    JSON.stringify(body),
  ]
}

function storedOf(row: PolicyRow): StoredPolicy {
  return {
    policy: {
      ...(JSON.parse(row.body) as PolicyBody),
      source_type: row.source_type,
      review_status: row.review_status,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    },
    contributedBy: row.contributed_by_org_id,
  }
}
