// Which agent is examined next. Sites are due and not agents, so that a site with many agents is visited as often as one with
// few. Rows are locked in one order everywhere: the site before its agents.

import { siteOf } from '../../../lib/host-name.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { ComplianceStore, ExaminationPace } from '../../../registry/compliance/store.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { amongLocked, FOR_UPDATE } from '../../sql/locks.ts'

/** Sites, or agents that are not published, that one transaction looks at. */
const LOOKED_AT = 50

export async function addPublished(
  database: Database,
  tx: Transaction,
  { at, limit }: { at: number; limit: number },
): Promise<number> {
  const found = await sqlOf(tx).all<{ url: string }>(
    `SELECT DISTINCT m.url FROM member_agents m WHERE m.visibility = 'public'
       AND NOT EXISTS (SELECT 1 FROM agent_compliance c WHERE c.agent_url = m.url AND c.site IS NOT NULL)
     ORDER BY m.url LIMIT $1`,
    [limit],
  )
  const agents = found.map(({ url }) => ({ agent_url: url, site: siteOfAgent(url) }))
  await makeDue(database, tx, { sites: agents.map(({ site }) => site), at })
  await insertRows(database, sqlOf(tx), {
    table: 'agent_compliance',
    columns: COLUMNS,
    rows: agents.map(({ agent_url, site }) => [agent_url, ...NEVER_EXAMINED, site, at, 0]),
    suffix: `ON CONFLICT (agent_url) DO UPDATE SET site = excluded.site, next_check_at = excluded.next_check_at
      WHERE agent_compliance.site IS NULL`,
  })
  return agents.length
}

export async function claimExamination(
  database: Database,
  tx: Transaction,
  {
    agentUrl,
    pace: { leaseMs, retryMs },
  }: { agentUrl: string; pace: Pick<ExaminationPace, 'leaseMs' | 'retryMs'> },
): ReturnType<ComplianceStore['claim']> {
  const now = await tx.now()
  const [at, lease_until] = [now + retryMs, now + leaseMs]
  const site = siteOfAgent(agentUrl)
  await makeDue(database, tx, { sites: [site], at })
  const claimed = await sqlOf(tx).run(
    `INSERT INTO agent_compliance (${COLUMNS.join(', ')})
     VALUES ($1, 'unknown', '{}', '[]', 0, 0, 0, 0, $2, $3, $4)
     ON CONFLICT (agent_url) DO UPDATE SET site = excluded.site, next_check_at = excluded.next_check_at,
       lease_until = excluded.lease_until WHERE agent_compliance.lease_until <= $5`,
    [agentUrl, site, at, lease_until, now],
  )
  return claimed === 0 ? undefined : { agent_url: agentUrl, lease_until }
}

export async function claimDueExamination(
  tx: Transaction,
  pace: ExaminationPace,
): ReturnType<ComplianceStore['claimDue']> {
  const sql = sqlOf(tx)
  const now = await tx.now()
  for (let n = 0; n < LOOKED_AT; n++) {
    const site = await takeSite(sql, { now, nextCheckAt: now + pace.siteMs })
    if (site === undefined) return { claimed: undefined, isMore: false }
    const agent = await dueAgent(sql, { site, now })
    if (!agent) {
      await letRest(sql, { site, atLeastUntil: now + pace.siteMs })
    } else if (agent.isPublished) {
      const lease_until = now + pace.leaseMs
      await sql.run(
        'UPDATE agent_compliance SET lease_until = $2, next_check_at = $3 WHERE agent_url = $1',
        [agent.agent_url, lease_until, now + pace.retryMs],
      )
      return { claimed: { agent_url: agent.agent_url, lease_until }, isMore: true }
    } else {
      await passOver(sql, agent, now + pace.unpublishedMs)
      await sql.run('UPDATE agent_compliance_sites SET next_check_at = $2 WHERE site = $1', [
        site,
        now,
      ])
    }
  }
  return { claimed: undefined, isMore: true }
}

const COLUMNS = [
  'agent_url',
  'status',
  'tracks',
  'storyboards',
  'last_checked_at',
  'last_passed_at',
  'last_failed_at',
  'status_since',
  'site',
  'next_check_at',
  'lease_until',
]
const NEVER_EXAMINED = ['unknown', '{}', '[]', 0, 0, 0, 0]

function siteOfAgent(agentUrl: string): string {
  return siteOf(new URL(agentUrl).hostname)
}

/** In one order, so that two that do this wait for each other and not in a circle. */
async function makeDue(
  database: Database,
  tx: Transaction,
  { sites, at }: { sites: readonly string[]; at: number },
): Promise<void> {
  await insertRows(database, sqlOf(tx), {
    table: 'agent_compliance_sites',
    columns: ['site', 'next_check_at'],
    rows: [...new Set(sites)].sort().map((site) => [site, at]),
    suffix: `ON CONFLICT (site) DO UPDATE SET next_check_at = CASE
      WHEN excluded.next_check_at < agent_compliance_sites.next_check_at THEN excluded.next_check_at
      ELSE agent_compliance_sites.next_check_at END`,
  })
}

async function takeSite(
  sql: SqlTransaction,
  { now, nextCheckAt }: { now: number; nextCheckAt: number },
): Promise<string | undefined> {
  const due = `SELECT site FROM agent_compliance_sites WHERE next_check_at <= $1
    ORDER BY next_check_at, site LIMIT 1`
  const taken = await sql.get<{ site: string }>(
    `UPDATE agent_compliance_sites SET next_check_at = $2 WHERE ${amongLocked('site', due)}
     RETURNING site`,
    [now, nextCheckAt],
  )
  return taken?.site
}

interface DueAgent {
  agent_url: string
  isPublished: boolean
  isListed: boolean
}

async function dueAgent(
  sql: SqlTransaction,
  { site, now }: { site: string; now: number },
): Promise<DueAgent | undefined> {
  const due = await sql.get<{ agent_url: string }>(
    `SELECT agent_url FROM agent_compliance WHERE site = $1 AND next_check_at <= $2 AND lease_until <= $2
     ORDER BY next_check_at, agent_url LIMIT 1 ${FOR_UPDATE}`,
    [site, now],
  )
  if (!due) return undefined
  const listings = await sql.all<{ visibility: string }>(
    'SELECT DISTINCT visibility FROM member_agents WHERE url = $1',
    [due.agent_url],
  )
  return {
    ...due,
    isPublished: listings.some(({ visibility }) => visibility === 'public'),
    isListed: listings.length > 0,
  }
}

/** None of the agents of the site is due: it rests until one is, and is forgotten with its last agent. */
async function letRest(
  sql: SqlTransaction,
  { site, atLeastUntil }: { site: string; atLeastUntil: number },
): Promise<void> {
  const next = await sql.get<{ at: number | null }>(
    'SELECT MIN(next_check_at) AS at FROM agent_compliance WHERE site = $1',
    [site],
  )
  if (next === undefined || next.at === null) {
    await sql.run('DELETE FROM agent_compliance_sites WHERE site = $1', [site])
    return
  }
  await sql.run('UPDATE agent_compliance_sites SET next_check_at = $2 WHERE site = $1', [
    site,
    Math.max(next.at, atLeastUntil),
  ])
}

/** An agent that no one lists is forgotten; one that is not published may be later. */
async function passOver(sql: SqlTransaction, agent: DueAgent, nextCheckAt: number): Promise<void> {
  const { agent_url } = agent
  if (agent.isListed) {
    await sql.run('UPDATE agent_compliance SET next_check_at = $2 WHERE agent_url = $1', [
      agent_url,
      nextCheckAt,
    ])
    return
  }
  await sql.run('DELETE FROM agent_compliance_runs WHERE agent_url = $1', [agent_url])
  await sql.run('DELETE FROM agent_compliance WHERE agent_url = $1', [agent_url])
}
