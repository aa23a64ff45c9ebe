// The agents of an organisation in SQL, for its store (spec 4.5).

import type { Transaction } from '../../../lib/transaction.ts'
import type { MemberAgent } from '../../../registry/store.ts'
import { type Queryable, sqlOf } from '../../sql/database.ts'
import { addListedProfile } from '../profiles/profiles.ts'

export const agentTable = {
  async of(queries: Queryable, organizationId: string): Promise<MemberAgent[]> {
    const rows = await queries.all<MemberAgent>(
      `SELECT url, type, name, visibility, health_check_url FROM member_agents
       WHERE organization_id = $1 ORDER BY url`,
      [organizationId],
    )
    return rows.map((row) => ({ ...row }))
  },

  async put(tx: Transaction, organizationId: string, agent: MemberAgent): Promise<void> {
    await addListedProfile(sqlOf(tx), agent.url, await tx.now())
    await sqlOf(tx).run(
      `INSERT INTO member_agents
         (organization_id, url, type, name, visibility, health_check_url, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
       ON CONFLICT (organization_id, url) DO UPDATE SET type = excluded.type, name = excluded.name,
         visibility = excluded.visibility, health_check_url = excluded.health_check_url,
         updated_at = excluded.updated_at`,
      [
        organizationId,
        agent.url,
        agent.type,
        agent.name,
        agent.visibility,
        agent.health_check_url,
        await tx.now(),
      ],
    )
  },

  async remove(tx: Transaction, organizationId: string, url: string): Promise<void> {
    await sqlOf(tx).run('DELETE FROM member_agents WHERE organization_id = $1 AND url = $2', [
      organizationId,
      url,
    ])
  },
}
