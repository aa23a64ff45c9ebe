// The compliance of agents in SQL: the current status of each, and its last examinations.

import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type {
  ComplianceRun,
  ComplianceStore,
  StoredCompliance,
} from '../../../registry/compliance/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { addPublished, claimDueExamination, claimExamination } from './schedule.ts'

type Row = Omit<StoredCompliance, 'tracks' | 'storyboards' | 'probe'> & {
  tracks: string
  probe: string | null
  storyboards: string
}

const COLUMNS = `agent_url, status, headline, tracks, storyboards, last_checked_at, last_passed_at, last_failed_at,
  status_since, probe`
/** Examinations kept of each agent. */
const RUNS_KEPT = 100

export function createComplianceStore(database: Database): ComplianceStore {
  const { read } = database
  const one = `SELECT ${COLUMNS} FROM agent_compliance WHERE agent_url = $1`
  return {
    get: async (agentUrl) => {
      const row = isStorable(agentUrl) ? await read.get<Row>(one, [agentUrl]) : undefined
      return row && complianceOf(row)
    },
    some: async (agentUrls) => {
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM agent_compliance WHERE ${isIn('agent_url', 1)}`,
        [listed(agentUrls)],
      )
      return new Map(rows.map((row) => [row.agent_url, complianceOf(row)]))
    },
    runs: async (agentUrl, limit) => {
      if (!isStorable(agentUrl)) return []
      const rows = await read.all<Omit<ComplianceRun, 'tracks'> & { tracks: string }>(
        `SELECT id, agent_url, status, headline, tracks, duration_ms, triggered_by, tested_at
         FROM agent_compliance_runs WHERE agent_url = $1 ORDER BY tested_at DESC, id DESC LIMIT $2`,
        [agentUrl, limit],
      )
      return rows.map((row) => ({
        ...row,
        tracks: JSON.parse(row.tracks) as ComplianceRun['tracks'],
      }))
    },
    addPublished: (tx, options) => addPublished(database, tx, options),
    claim: (tx, agentUrl, pace) => claimExamination(database, tx, { agentUrl, pace }),
    claimDue: (tx, pace) => claimDueExamination(tx, pace),
    release: async (tx, { agent_url, lease_until }, nextCheckAt) => {
      await sqlOf(tx).run(
        `UPDATE agent_compliance SET lease_until = 0, next_check_at = $3 WHERE agent_url = $1 AND lease_until = $2`,
        [agent_url, lease_until, nextCheckAt],
      )
    },
    lock: async (tx, { agent_url, lease_until }) => {
      const row = await sqlOf(tx).get<Row>(`${one} AND lease_until = $2 ${FOR_UPDATE}`, [
        agent_url,
        lease_until,
      ])
      return row && complianceOf(row)
    },
    record,
    isListedBy: async (organizationId, agentUrl) =>
      isStorable(agentUrl) &&
      (await read.get('SELECT 1 AS n FROM member_agents WHERE organization_id = $1 AND url = $2', [
        organizationId,
        agentUrl,
      ])) !== undefined,
  }
}

async function record(
  tx: Transaction,
  compliance: StoredCompliance,
  { run, nextCheckAt }: { run: ComplianceRun; nextCheckAt: number },
): Promise<void> {
  await sqlOf(tx).run(
    `UPDATE agent_compliance SET status = $2, headline = $3, tracks = $4, storyboards = $5, last_checked_at = $6,
       last_passed_at = $7, last_failed_at = $8, status_since = $9, next_check_at = $10, probe = $11, lease_until = 0
     WHERE agent_url = $1`,
    [
      compliance.agent_url,
      compliance.status,
      compliance.headline,
      JSON.stringify(compliance.tracks),
      JSON.stringify(compliance.storyboards),
      compliance.last_checked_at,
      compliance.last_passed_at,
      compliance.last_failed_at,
      compliance.status_since,
      nextCheckAt,
      compliance.probe === null ? null : JSON.stringify(compliance.probe),
    ],
  )
  await sqlOf(tx).run(
    `INSERT INTO agent_compliance_runs (id, agent_url, status, headline, tracks, duration_ms, triggered_by, tested_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      run.id,
      run.agent_url,
      run.status,
      run.headline,
      JSON.stringify(run.tracks),
      run.duration_ms,
      run.triggered_by,
      run.tested_at,
    ],
  )
  await sqlOf(tx).run(
    `DELETE FROM agent_compliance_runs WHERE agent_url = $1 AND id IN (
       SELECT id FROM agent_compliance_runs WHERE agent_url = $1
       ORDER BY tested_at DESC, id DESC LIMIT 1000 OFFSET ${RUNS_KEPT})`,
    [run.agent_url],
  )
}

function complianceOf(row: Row): StoredCompliance {
  return {
    ...row,
    probe: row.probe === null ? null : (JSON.parse(row.probe) as StoredCompliance['probe']),
    tracks: JSON.parse(row.tracks) as StoredCompliance['tracks'],
    storyboards: JSON.parse(row.storyboards) as StoredCompliance['storyboards'],
  }
}
