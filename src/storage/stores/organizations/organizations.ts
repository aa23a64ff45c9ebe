// Organisations, their members, keys and agents in SQL (spec 4.5, 5). On PostgreSQL the locks that
// the port promises are taken explicitly; SQLite has one writer, so a transaction is its own lock.

import type { Clock } from '../../../lib/clock.ts'
import { steadyClock } from '../../../lib/steady-clock.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { MemberAgent, Organization, OrganizationStore } from '../../../registry/store.ts'
import { type Database, type Queryable, type SqlValue, sqlOf } from '../../sql/database.ts'
import { addApiKey, isGoodAt } from '../principals/api-keys.ts'
import { agentTable } from './member-agents.ts'

const COLUMNS = `o.organization_id, o.name, o.is_personal, o.company_type, o.revenue_tier,
  o.marketing_opt_in, o.corporate_domain, o.auto_created`

export function createOrganizationStore(
  database: Database,
  /** The clock for keys that expire: they are read outside a transaction. */
  clock: Clock = steadyClock,
): OrganizationStore {
  const { read } = database
  const isPostgres = database.dialect === 'postgres'
  const lockRow = isPostgres ? 'FOR NO KEY UPDATE OF o' : ''
  return {
    get: (organizationId) => find(read, 'WHERE o.organization_id = $1', [organizationId]),
    list: async () => {
      const rows = await read.all<OrganizationRow>(
        `SELECT ${COLUMNS} FROM organizations o ORDER BY o.created_at, o.organization_id`,
      )
      return rows.map(organizationOf)
    },
    lock: (tx, organizationId) =>
      find(sqlOf(tx), `WHERE o.organization_id = $1 ${isPostgres ? 'FOR UPDATE OF o' : ''}`, [
        organizationId,
      ]),
    countOf: async (tx, organizationId) => {
      const row = await sqlOf(tx).get<{ agents: number; members: number; keys: number }>(
        `SELECT (SELECT count(*) FROM member_agents WHERE organization_id = $1) AS agents,
           (SELECT count(*) FROM organization_members WHERE organization_id = $1) AS members,
           (SELECT count(*) FROM api_keys
              WHERE owner_id = $1 AND kind = 'organization') AS keys`,
        [organizationId],
      )
      if (!row) throw new Error('an aggregate always has a row')
      return { ...row }
    },
    remove: async (tx, organizationId) => {
      const forget = (where: string) => sqlOf(tx).run(`DELETE FROM ${where}`, [organizationId])
      await forget("api_keys WHERE owner_id = $1 AND kind = 'organization'")
      await forget('organization_members WHERE organization_id = $1')
      await forget('member_agents WHERE organization_id = $1')
      return (await forget('organizations WHERE organization_id = $1')) > 0
    },
    byCorporateDomain: async (tx, domain) => {
      await sqlOf(tx).lock(`organization of ${domain}`)
      return find(sqlOf(tx), 'WHERE o.corporate_domain = $1', [domain])
    },
    add: addOrganization,
    update: updateOrganization,
    addKey: async (tx, owner_id, key) => {
      await addApiKey(tx, { kind: 'organization', owner_id }, key)
    },
    byKeyHash: (keyHash) =>
      find(
        read,
        `JOIN api_keys k ON k.owner_id = o.organization_id
         WHERE k.key_hash = $1 AND k.kind = 'organization' AND ${isGoodAt(2)}`,
        [keyHash, clock.now()],
      ),
    organizationOf: (userId) => find(read, OF_MEMBER, [userId]),
    lockMembership: async (tx, userId) => {
      await sqlOf(tx).lock(`member ${userId}`)
      return find(sqlOf(tx), `${OF_MEMBER} ${lockRow}`, [userId])
    },
    addMember: async (tx, { userId, organizationId, email }) => {
      await sqlOf(tx).run(
        `INSERT INTO organization_members (user_id, organization_id, email, created_at)
         VALUES ($1, $2, $3, $4)`,
        [userId, organizationId, email, await tx.now()],
      )
    },
    agents: (organizationId) => agentTable.of(read, organizationId),
    lockAgents: async (tx, organizationId): Promise<MemberAgent[]> => {
      await find(sqlOf(tx), `WHERE o.organization_id = $1 ${lockRow}`, [organizationId])
      return agentTable.of(sqlOf(tx), organizationId)
    },
    putAgent: agentTable.put,
    removeAgent: agentTable.remove,
  }
}

const OF_MEMBER = `JOIN organization_members m ON m.organization_id = o.organization_id
  WHERE m.user_id = $1`

async function addOrganization(tx: Transaction, organization: Organization): Promise<void> {
  await sqlOf(tx).run(
    `INSERT INTO organizations (organization_id, name, is_personal, company_type, revenue_tier,
       marketing_opt_in, corporate_domain, auto_created, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [...valuesOf(organization), await tx.now()],
  )
}

async function updateOrganization(tx: Transaction, organization: Organization): Promise<void> {
  await sqlOf(tx).run(
    `UPDATE organizations SET name = $2, is_personal = $3, company_type = $4, revenue_tier = $5,
       marketing_opt_in = $6, corporate_domain = $7, auto_created = $8
     WHERE organization_id = $1`,
    valuesOf(organization),
  )
}

interface OrganizationRow
  extends Omit<Organization, 'is_personal' | 'marketing_opt_in' | 'auto_created'> {
  is_personal: number
  marketing_opt_in: number
  auto_created: number
}

async function find(
  queries: Queryable,
  condition: string,
  params: readonly SqlValue[],
): Promise<Organization | undefined> {
  const row = await queries.get<OrganizationRow>(
    `SELECT ${COLUMNS} FROM organizations o ${condition}`,
    params,
  )
  return row && organizationOf(row)
}

function organizationOf(row: OrganizationRow): Organization {
  return {
    ...row,
    is_personal: row.is_personal === 1,
    marketing_opt_in: row.marketing_opt_in === 1,
    auto_created: row.auto_created === 1,
  }
}

function valuesOf(organization: Organization): SqlValue[] {
  return [
    organization.organization_id,
    organization.name,
    organization.is_personal ? 1 : 0,
    organization.company_type,
    organization.revenue_tier,
    organization.marketing_opt_in ? 1 : 0,
    organization.corporate_domain,
    organization.auto_created ? 1 : 0,
  ]
}
