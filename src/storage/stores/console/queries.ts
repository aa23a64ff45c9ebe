// The console's database queries that are not part of the ports of the areas, in SQL.

import type { Fingerprints } from '../../../console/changes.ts'
import type { ConsoleQueries, Outcomes } from '../../../console/queries.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { endOf } from '../outbox/shards.ts'
import { listAllCreatives } from './creatives.ts'
import { endpointFacts } from './endpoint-facts.ts'
import { endpointChannels, listEndpoints, liveChannel } from './endpoints.ts'
import { countTasks, listAllTasks } from './tasks.ts'

export function createConsoleQueries(database: Database): ConsoleQueries {
  const { read } = database
  return {
    outcomes: (from, to) => outcomes(read, from, to),
    delays: (since, most) => delays(read, since, most),
    retrying: () => retrying(read),
    circuits: () => circuits(read),
    endpoints: (filter) => listEndpoints(read, filter),
    endpointFacts: (of) => endpointFacts(database, of),
    liveChannel: (of, now) => liveChannel(read, of, now),
    endpointChannels: (of, limit) => endpointChannels(read, of, limit),
    tasks: (filter) => listAllTasks(database, filter),
    taskOwner: async (taskId) => {
      if (!isStorable(taskId)) return undefined
      const row = await read.get<{ owner: string }>(
        'SELECT owner FROM tasks WHERE task_id = $1 AND is_told = 1',
        [taskId],
      )
      return row?.owner
    },
    taskCounts: (since, most) => countTasks(read, since, most),
    waitingApprovals: async (most) => {
      const row = await read.get<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM media_buy_approvals
           WHERE state = 'waiting' LIMIT $1) AS found`,
        [most],
      )
      return row?.n ?? 0
    },
    creatives: (filter) => listAllCreatives(database, filter),
    fingerprints: () => fingerprints(database),
  }
}

async function outcomes(read: Queryable, from: number, to: number): Promise<Outcomes> {
  const rows = await read.all<{ state: keyof Outcomes; n: number }>(
    `SELECT state, count(*) AS n FROM webhook_deliveries
     WHERE ended_at IS NOT NULL AND ended_at >= $1 AND ended_at < $2 GROUP BY state`,
    [from, to],
  )
  const found: Outcomes = { delivered: 0, exhausted: 0, cancelled: 0 }
  for (const { state, n } of rows) found[state] = n
  return found
}

async function delays(read: Queryable, since: number, most: number): Promise<number[]> {
  const rows = await read.all<{ ms: number }>(
    `SELECT ended_at - created_at AS ms FROM webhook_deliveries
     WHERE ended_at IS NOT NULL AND ended_at >= $1 AND state = 'delivered'
     ORDER BY ended_at DESC LIMIT $2`,
    [since, most],
  )
  return rows.map(({ ms }) => ms)
}

async function retrying(read: Queryable): Promise<number> {
  const oldest = (state: string) => `SELECT attempts FROM webhook_deliveries
    WHERE state = '${state}' ORDER BY delivery_id LIMIT 10000`
  const row = await read.get<{ n: number }>(
    `SELECT (SELECT count(*) FROM (${oldest('pending')}) AS p WHERE attempts > 0)
       + (SELECT count(*) FROM (${oldest('held')}) AS h WHERE attempts > 0) AS n`,
  )
  return row?.n ?? 0
}

async function circuits(read: Queryable): ReturnType<ConsoleQueries['circuits']> {
  const row = await read.get<{ paused: number; open_since: number | null }>(
    `SELECT (SELECT count(*) FROM webhook_circuits WHERE paused_at IS NOT NULL) AS paused,
       (SELECT min(opened_at) FROM webhook_circuits) AS open_since`,
  )
  return { paused: row?.paused ?? 0, openSince: row?.open_since ?? undefined }
}

/** The ends of indexes: each costs one step, regardless of the number of rows. */
type End = string | ((dialect: Database['dialect']) => string)

const FINGERPRINTS: Readonly<Record<keyof Fingerprints, readonly End[]>> = {
  deliveries: [
    'SELECT max(delivery_id) FROM webhook_deliveries',
    'SELECT max(ended_at) FROM webhook_deliveries WHERE ended_at IS NOT NULL',
    (dialect) => endOf(dialect, 'due_at', 'max'),
    (dialect) => endOf(dialect, 'lease_until', 'max'),
    "SELECT max(delivery_id) FROM webhook_deliveries WHERE state = 'cancelled'",
  ],
  endpoints: [
    'SELECT max(updated_at) FROM webhook_circuits',
    'SELECT count(*) FROM webhook_circuits',
    'SELECT max(updated_at) FROM webhook_recoveries',
    'SELECT max(updated_at) FROM webhook_limits',
    'SELECT max(ended_at) FROM webhook_deliveries WHERE ended_at IS NOT NULL',
  ],
  tasks: [
    'SELECT max(created_at) FROM tasks WHERE is_told = 1',
    'SELECT max(completed_at) FROM tasks WHERE completed_at IS NOT NULL',
    'SELECT min(due_at) FROM tasks WHERE due_at IS NOT NULL',
    'SELECT max(due_at) FROM tasks WHERE due_at IS NOT NULL',
  ],
  approvals: [
    "SELECT max(created_at) FROM media_buy_approvals WHERE state = 'waiting'",
    'SELECT max(decided_at) FROM media_buy_approvals WHERE decided_at IS NOT NULL',
    'SELECT max(said_at) FROM media_buy_approvals WHERE said_at IS NOT NULL',
  ],
  reports: [
    'SELECT max(due_at) FROM report_streams WHERE due_at IS NOT NULL',
    'SELECT min(due_at) FROM report_streams WHERE due_at IS NOT NULL',
    "SELECT max(sent_at) FROM report_windows WHERE state = 'sent'",
    "SELECT min(sent_at) FROM report_windows WHERE state = 'sent'",
  ],
  buys: [
    'SELECT max(updated_at) FROM media_buys',
    'SELECT max(created_at) FROM media_buys',
    'SELECT max(observed_at) FROM media_buy_impairments WHERE cleared_at IS NULL',
    'SELECT max(cleared_at) FROM media_buy_impairments WHERE cleared_at IS NOT NULL',
  ],
  registry: [
    'SELECT max(id) FROM reference_verifications',
    'SELECT max(seq) FROM feed_events',
    'SELECT min(next_verification_at) FROM manifest_references',
  ],
  received: [
    'SELECT max(message_id) FROM webhook_inbox',
    "SELECT max(lease_until) FROM webhook_inbox WHERE state = 'leased'",
    "SELECT count(*) FROM (SELECT 1 FROM webhook_inbox WHERE state = 'dead' LIMIT 1000) AS dead",
    "SELECT max(received_at) FROM webhook_inbox WHERE state = 'stale'",
  ],
  signals: [
    'SELECT seq FROM signal_catalogue WHERE id = 1',
    'SELECT max(changed_at) FROM signal_activations',
  ],
  audit: [
    'SELECT max(audit_id) FROM console_audit',
    'SELECT max(last_at) FROM console_audit WHERE last_at IS NOT NULL',
  ],
  creatives: ['SELECT max(updated_at) FROM creatives'],
  // Few rows: what is over is deleted.
  keys: [
    'SELECT count(*) FROM signing_keys',
    'SELECT max(published_at) FROM signing_keys',
    'SELECT max(active_from) FROM signing_keys',
    'SELECT max(revoked_at) FROM signing_keys',
  ],
  principals: [
    'SELECT max(created_at) FROM principals',
    'SELECT max(revoked_at) FROM principals WHERE revoked_at IS NOT NULL',
    'SELECT max(created_at) FROM api_keys',
    'SELECT max(revoked_at) FROM api_keys WHERE revoked_at IS NOT NULL',
    'SELECT max(created_at) FROM buyer_links',
    'SELECT max(opened_at) FROM buyer_links WHERE opened_at IS NOT NULL',
    'SELECT max(revoked_at) FROM buyer_links WHERE revoked_at IS NOT NULL',
    'SELECT max(audit_id) FROM console_audit',
  ],
}

async function fingerprints({ dialect, read }: Database): Promise<Fingerprints> {
  const topics = Object.keys(FINGERPRINTS) as (keyof Fingerprints)[]
  const columns = topics.flatMap((topic) =>
    FINGERPRINTS[topic].map((end, index) => {
      const sql = typeof end === 'string' ? end : end(dialect)
      return `(${sql}) AS ${topic}_${index}`
    }),
  )
  const row = (await read.get<Record<string, number | null>>(`SELECT ${columns.join(', ')}`)) ?? {}
  const textOf = (topic: keyof Fingerprints) =>
    FINGERPRINTS[topic].map((_, index) => row[`${topic}_${index}`] ?? '').join(' ')
  return Object.fromEntries(topics.map((topic) => [topic, textOf(topic)])) as Fingerprints
}
