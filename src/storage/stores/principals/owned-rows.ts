// Rows owned by principals, in all tables that have an owner column, in SQL. `OWNED` lists those tables; a test
// compares it with the migrations, so that a new table with an owner cannot be forgotten here.

import type { OwnedRows, OwnedRowsStore } from '../../../agent/delete-principal.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { lockShards } from '../outbox/shards.ts'
import { ON } from '../signals/activations.ts'

/** The tables whose rows belong to one principal, with the owner column. @internal */
export const OWNED: Readonly<Record<string, 'owner' | 'principal_id'>> = {
  idempotent_requests: 'principal_id',
  a2a_tasks: 'owner',
  webhook_channels: 'owner',
  webhook_deliveries: 'owner',
  webhook_circuits: 'owner',
  webhook_limits: 'owner',
  webhook_recoveries: 'owner',
  // With their history.
  tasks: 'owner',
  signal_activations: 'principal_id',
  principal_accounts: 'principal_id',
  principal_request_keys: 'principal_id',
  console_sessions: 'principal_id',
  console_people: 'principal_id',
  buyer_links: 'principal_id',
  buyer_link_sessions: 'principal_id',
  report_windows: 'owner',
  report_streams: 'owner',
  media_buy_impairments: 'owner',
  impairment_windows: 'owner',
  impairment_fires: 'owner',
  // With their packages, targeted signals, history and the orders sent to ad servers.
  media_buys: 'owner',
  media_buy_packages: 'owner',
  media_buy_signals: 'owner',
  media_buy_approvals: 'owner',
  media_buy_proposals: 'owner',
  media_buy_feedback: 'owner',
  usage_records: 'owner',
  buyer_accounts: 'owner',
  creative_assignments: 'owner',
  creatives: 'owner',
  // The files themselves may belong to others as well, and are deleted after long disuse.
  creative_asset_owners: 'owner',
  quota_usage: 'owner',
  sandbox_notes: 'owner',
}

const COUNTED: Readonly<Record<keyof OwnedRows, string>> = {
  open_tasks: 'tasks WHERE owner = $1 AND completed_at IS NULL',
  waiting_webhooks: 'webhook_deliveries WHERE owner = $1 AND ended_at IS NULL',
  activations: `signal_activations WHERE principal_id = $1 AND state IN ${ON}`,
  media_buys: 'media_buys WHERE owner = $1 AND due_at IS NOT NULL',
  creatives: 'creatives WHERE owner = $1',
  ended_tasks: 'tasks WHERE owner = $1 AND completed_at IS NOT NULL',
  ended_webhooks: 'webhook_deliveries WHERE owner = $1 AND ended_at IS NOT NULL',
  registrations: 'webhook_channels WHERE owner = $1',
  accounts: 'principal_accounts WHERE principal_id = $1',
  request_keys: 'principal_request_keys WHERE principal_id = $1',
  keys: "api_keys WHERE owner_id = $1 AND kind = 'principal'",
}

export function createOwnedRowsStore({ dialect }: Pick<Database, 'dialect'>): OwnedRowsStore {
  return {
    count: async (tx, principalId) => {
      const counts = Object.entries(COUNTED).map(
        ([name, from]) => `(SELECT count(*) FROM ${from}) AS ${name}`,
      )
      const row = await sqlOf(tx).get<OwnedRows>(`SELECT ${counts.join(', ')}`, [principalId])
      return { ...(row as OwnedRows) }
    },
    forget: async (tx, principalId) => {
      const sql = sqlOf(tx)
      // Before the first delivery is locked: a claim takes these locks first as well.
      await lockShards(dialect, tx, 'all')
      await sql.run("DELETE FROM api_keys WHERE owner_id = $1 AND kind = 'principal'", [
        principalId,
      ])
      await sql.run(
        `DELETE FROM webhook_attempts WHERE delivery_id IN (
           SELECT delivery_id FROM webhook_deliveries WHERE owner = $1)`,
        [principalId],
      )
      for (const [table, column] of Object.entries(OWNED)) {
        await sql.run(`DELETE FROM ${table} WHERE ${column} = $1`, [principalId])
      }
    },
  }
}
