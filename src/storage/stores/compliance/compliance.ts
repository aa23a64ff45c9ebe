// The compliance of agents in SQL: the current status of each, and its last examinations.

import { isStorable } from '../../../lib/storable-text.ts'
import type {
  ComplianceRun,
  ComplianceStore,
  StoredCompliance,
} from '../../../registry/compliance/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { forUpdate, skipLocked } from '../../sql/locks.ts'

type Row = Omit<StoredCompliance, 'tracks' | 'storyboards'> & {
  tracks: string
  storyboards: string
}

const COLUMNS = `agent_url, status, headline, tracks, storyboards, last_checked_at, last_passed_at, last_failed_at,
  status_since`
/** Examinations kept of each agent. */
const RUNS_KEPT = 100

export function createComplianceStore({ dialect, read }: Database): ComplianceStore {
  const one = `SELECT ${COLUMNS} FROM agent_compliance WHERE agent_url = $1`
  return {
    get: async (agentUrl) => {
      const row = isStorable(agentUrl) ? await read.get<Row>(one, [agentUrl]) : undefined
      return row && complianceOf(row)
    },
    some: async (agentUrls) => {
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM agent_compliance WHERE ${isIn(dialect, 'agent_url', 1)}`,
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
    addPublished: async (tx, { at, limit }) =>
      sqlOf(tx).run(
        `INSERT INTO agent_compliance (agent_url, status, tracks, storyboards, last_checked_at, last_passed_at,
           last_failed_at, status_since, next_check_at, lease_until)
         SELECT DISTINCT m.url, 'unknown', '{}', '[]', 0, 0, 0, 0, CAST($1 AS BIGINT), 0 FROM member_agents m
         WHERE m.visibility = 'public'
           AND NOT EXISTS (SELECT 1 FROM agent_compliance c WHERE c.agent_url = m.url)
         LIMIT $2 ON CONFLICT (agent_url) DO NOTHING`,
        [at, limit],
      ),
    claimDue: async (tx, leaseMs) => {
      const now = await tx.now()
      const row = await sqlOf(tx).get<{ agent_url: string }>(
        `UPDATE agent_compliance SET lease_until = $2 WHERE agent_url IN (
           SELECT c.agent_url FROM agent_compliance c
           WHERE c.next_check_at <= $1 AND c.lease_until <= $1
             AND EXISTS (SELECT 1 FROM member_agents m WHERE m.url = c.agent_url AND m.visibility = 'public')
           ORDER BY c.next_check_at LIMIT 1 ${skipLocked(dialect)})
         RETURNING agent_url`,
        [now, now + leaseMs],
      )
      return row?.agent_url
    },
    lock: async (tx, agentUrl) => {
      const row = await sqlOf(tx).get<Row>(`${one} ${forUpdate(dialect)}`, [agentUrl])
      return row && complianceOf(row)
    },
    record: async (tx, compliance, run, nextCheckAt) => {
      await sqlOf(tx).run(
        `INSERT INTO agent_compliance (${COLUMNS}, next_check_at, lease_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)
         ON CONFLICT (agent_url) DO UPDATE SET status = excluded.status, headline = excluded.headline,
           tracks = excluded.tracks, storyboards = excluded.storyboards, last_checked_at = excluded.last_checked_at,
           last_passed_at = excluded.last_passed_at, last_failed_at = excluded.last_failed_at,
           status_since = excluded.status_since, next_check_at = excluded.next_check_at, lease_until = 0`,
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
    },
    isListedBy: async (organizationId, agentUrl) =>
      isStorable(agentUrl) &&
      (await read.get('SELECT 1 AS n FROM member_agents WHERE organization_id = $1 AND url = $2', [
        organizationId,
        agentUrl,
      ])) !== undefined,
  }
}

function complianceOf(row: Row): StoredCompliance {
  return {
    ...row,
    tracks: JSON.parse(row.tracks) as StoredCompliance['tracks'],
    storyboards: JSON.parse(row.storyboards) as StoredCompliance['storyboards'],
  }
}
