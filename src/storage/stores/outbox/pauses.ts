// An operator's pause of an endpoint in SQL: it is stored next to its circuit, and holds due deliveries as an open
// circuit does, but without probes, until it is lifted.

import type { Transaction } from '../../../lib/transaction.ts'
import { DELIVERIES_TOPIC, type OwnedEndpoint } from '../../../webhooks/sender/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { laneOf } from './rows.ts'
import { lockLanes } from './shards.ts'

/** False when it is paused already. */
export async function pauseEndpoint(
  { dialect }: Database,
  transaction: Transaction,
  of: OwnedEndpoint,
): Promise<boolean> {
  const tx = sqlOf(transaction)
  await lockLanes(dialect, transaction, [laneOf(of)])
  const now = await tx.now()
  const paused = await tx.run(
    `INSERT INTO webhook_circuits
       (lane, owner, failures, successes, opened_at, probe_at, is_releasing, paused_at, updated_at)
     VALUES ($1, $2, 0, 0, NULL, NULL, 0, $3, $3)
     ON CONFLICT (lane) DO UPDATE SET paused_at = excluded.paused_at, probe_at = NULL,
       is_releasing = 0, updated_at = excluded.updated_at
     WHERE webhook_circuits.paused_at IS NULL`,
    [laneOf(of), of.owner, now],
  )
  return paused > 0
}

/** Releases the held deliveries: at once, or behind a probe if the circuit is open. False if it is not paused. */
export async function resumeEndpoint(
  { dialect }: Database,
  transaction: Transaction,
  of: OwnedEndpoint,
): Promise<boolean> {
  const tx = sqlOf(transaction)
  await lockLanes(dialect, transaction, [laneOf(of)])
  const now = await tx.now()
  const resumed = await tx.run(
    `UPDATE webhook_circuits SET paused_at = NULL, updated_at = CAST($2 AS BIGINT),
       probe_at = CASE WHEN opened_at IS NULL THEN NULL ELSE CAST($2 AS BIGINT) END,
       is_releasing = CASE WHEN opened_at IS NULL THEN 1 ELSE 0 END
     WHERE lane = $1 AND paused_at IS NOT NULL`,
    [laneOf(of), now],
  )
  if (resumed > 0) await tx.wake(DELIVERIES_TOPIC)
  return resumed > 0
}
