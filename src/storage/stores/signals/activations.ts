// Activations of signals, and pending removals from platforms, in SQL (spec 3.3).

import { defined } from '../../../lib/defined.ts'
import type { PossiblyPoisonJob } from '../../../lib/poison-jobs.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { activationKeyText, type DeploymentTarget } from '../../../protocol/schemas/deployment.ts'
import { targetKey } from '../../../protocol/target-place.ts'
import type {
  Activation,
  ActivationEnding,
  ActivationOrigin,
} from '../../../signals/activation-state.ts'
import type {
  ActivationPlace,
  ActivationStore,
  Takedown,
} from '../../../signals/activation-store.ts'
import { type Database, placeholders, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE, SKIP_LOCKED } from '../../sql/locks.ts'
import { takeAny } from '../../sql/take-any.ts'

export interface ActivationRow {
  target_key: string
  origin: ActivationOrigin
  ended_by: ActivationEnding | null
  activation: string
}

export const ACTIVATION_COLUMNS = 'target_key, origin, ended_by, activation'

/** The states of activations that a platform has, or may have, by now. */
export const ON = "('activating', 'live')"

export function createActivationStore(database: Database): ActivationStore {
  const { read } = database
  return {
    ...takedowns(),
    lock: (tx, place, targets) => lock(tx, { ...place, targets }),
    lockOfTask: async (tx, taskId) => {
      const rows = await sqlOf(tx).all<ActivationRow>(
        `SELECT ${ACTIVATION_COLUMNS} FROM signal_activations
         WHERE task_id = $1 AND state = 'activating' ORDER BY target_key ${FOR_UPDATE}`,
        [taskId],
      )
      return rows.map(activationOf)
    },
    lockOn: async (tx, principalId) => {
      const rows = await sqlOf(tx).all<ActivationRow>(
        `SELECT ${ACTIVATION_COLUMNS} FROM signal_activations
         WHERE principal_id = $1 AND state IN ${ON} ORDER BY signal_agent_segment_id, target_key
         ${FOR_UPDATE}`,
        [principalId],
      )
      return rows.map(activationOf)
    },
    save: async (tx, activation) => {
      const { origin, ended_by, ...rest } = activation
      const { principal_id, signal_agent_segment_id, target, state, task_id } = rest
      await sqlOf(tx).run(
        `UPDATE signal_activations SET state = $4, task_id = $5, changed_at = $6, activation = $7,
           origin = $8, ended_by = $9, key_text = $10
         WHERE principal_id = $1 AND signal_agent_segment_id = $2 AND target_key = $3`,
        [
          principal_id,
          signal_agent_segment_id,
          targetKey(target),
          state,
          task_id,
          rest.changed_at,
          JSON.stringify(rest),
          origin,
          ended_by ?? null,
          keyText(activation),
        ],
      )
    },
    find: async (principalId, signalIds) => {
      const rows = await read.all<ActivationRow>(
        `SELECT ${ACTIVATION_COLUMNS} FROM signal_activations
         WHERE principal_id = $1 AND ${isIn('signal_agent_segment_id', 2)}
           AND state <> 'none' ORDER BY signal_agent_segment_id, target_key`,
        [principalId, listed(signalIds)],
      )
      return rows.map(activationOf)
    },
    lastChange: async (principalId) => {
      const row = await read.get<{ at: number | null }>(
        'SELECT max(changed_at) AS at FROM signal_activations WHERE principal_id = $1',
        [principalId],
      )
      return row?.at ?? 0
    },
  }
}

/** Removals from platforms that are still to be made. */
function takedowns(): Pick<
  ActivationStore,
  'addTakedown' | 'claimTakedowns' | 'releaseTakedown' | 'postponeTakedown' | 'endTakedown'
> {
  return {
    addTakedown: async (tx, activation, dueAt) => {
      await sqlOf(tx).run(
        `INSERT INTO signal_takedowns (activation_id, activation, due_at, tries)
         VALUES ($1, $2, $3, 0) ON CONFLICT (activation_id) DO NOTHING`,
        [activation.activation_id, JSON.stringify(activation), dueAt],
      )
    },
    claimTakedowns: (tx, options) => claimTakedowns(tx, options),
    releaseTakedown: async (tx, activationId) => {
      await sqlOf(tx).run(
        `UPDATE signal_takedowns SET due_at = $2, lost = lost - 1
         WHERE activation_id = $1 AND lost > 0`,
        [activationId, await tx.now()],
      )
    },
    postponeTakedown: async (tx, activationId, dueAt) => {
      await sqlOf(tx).run(
        `UPDATE signal_takedowns SET due_at = $2, tries = tries + 1, lost = 0
         WHERE activation_id = $1`,
        [activationId, dueAt],
      )
    },
    endTakedown: async (tx, activationId) => {
      await sqlOf(tx).run('DELETE FROM signal_takedowns WHERE activation_id = $1', [activationId])
    },
  }
}

/** Lets targeting see that a signal it names is live. */
function keyText({ state, activation_key }: Activation): string | null {
  if (state !== 'live' || activation_key === undefined) return null
  const text = activationKeyText(activation_key)
  return isStorable(text) ? text : null
}

/** Lost activations that one claim examines. */
const LOST_AT_ONCE = 100

async function claimTakedowns(
  tx: Transaction,
  { limit, leaseMs, chooseLost }: Parameters<ActivationStore['claimTakedowns']>[1],
): Promise<Takedown[]> {
  const now = await tx.now()
  const due = (condition: string) =>
    `SELECT activation_id AS id, lost FROM signal_takedowns
     WHERE due_at <= $1 AND ${condition} ORDER BY due_at LIMIT $2 ${SKIP_LOCKED}`
  const lost = await sqlOf(tx).all<PossiblyPoisonJob>(due('lost > 0'), [now, LOST_AT_ONCE])
  const { lost: chosen, others } = (chooseLost ?? takeAny(limit))(lost)
  const fresh =
    others > 0 ? await sqlOf(tx).all<PossiblyPoisonJob>(due('lost = 0'), [now, others]) : []
  const ids = [...chosen, ...fresh.map(({ id }) => id)]
  if (ids.length === 0) return []
  const rows = await sqlOf(tx).all<{ activation: string; tries: number; lost: number }>(
    `UPDATE signal_takedowns SET due_at = $1, lost = lost + 1
     WHERE ${isIn('activation_id', 2)} RETURNING activation, tries, lost`,
    [now + leaseMs, listed(ids)],
  )
  return rows.map(({ activation, ...counts }) => ({
    // Only activations that were sent to a platform are removed from it.
    activation: { ...(JSON.parse(activation) as Omit<Activation, 'origin'>), origin: 'platform' },
    ...counts,
  }))
}

/** A row is created for each target that has none, so that there is a row to lock. */
async function lock(
  tx: Transaction,
  {
    principal_id,
    signal_agent_segment_id,
    targets,
  }: ActivationPlace & { targets: readonly DeploymentTarget[] },
): Promise<Activation[]> {
  if (targets.length === 0) return []
  const now = await tx.now()
  const keys = targets.map(targetKey)
  if (targets.some(({ type }) => type === 'agent')) {
    await renameKeys(tx, { principal_id, signal_agent_segment_id, keys })
  }
  // In a fixed order, so that two transactions that want the same targets wait instead of deadlocking.
  const inOrder = [...targets].sort((a, b) => (targetKey(a) < targetKey(b) ? -1 : 1))
  await sqlOf(tx).runEach(
    `INSERT INTO signal_activations (principal_id, signal_agent_segment_id, target_key, state,
       task_id, changed_at, activation)
     VALUES ${placeholders(1, 7)}
     ON CONFLICT (principal_id, signal_agent_segment_id, target_key) DO NOTHING`,
    inOrder.map((target) => {
      const times = { started_at: now, changed_at: now }
      const place = { principal_id, signal_agent_segment_id, target }
      const text = JSON.stringify({
        ...place,
        state: 'none',
        activation_id: '',
        task_id: '',
        ...times,
      } satisfies Omit<Activation, 'origin'>)
      return [principal_id, signal_agent_segment_id, targetKey(target), 'none', '', now, text]
    }),
  )
  const rows = await sqlOf(tx).all<ActivationRow>(
    `SELECT ${ACTIVATION_COLUMNS} FROM signal_activations
     WHERE principal_id = $1 AND signal_agent_segment_id = $2
       AND ${isIn('target_key', 3)} ORDER BY target_key ${FOR_UPDATE}`,
    [principal_id, signal_agent_segment_id, JSON.stringify(keys)],
  )
  const byKey = new Map(rows.map((row) => [row.target_key, activationOf(row)]))
  return keys.map((key) => byKey.get(key) as Activation)
}

/** Rows from when an agent's URL was stored as it was spelled get the normalized key that lookups use. */
async function renameKeys(
  tx: Transaction,
  { principal_id, signal_agent_segment_id, keys }: ActivationPlace & { keys: readonly string[] },
): Promise<void> {
  const place = [principal_id, signal_agent_segment_id]
  const rows = await sqlOf(tx).all<ActivationRow>(
    `SELECT ${ACTIVATION_COLUMNS} FROM signal_activations
     WHERE principal_id = $1 AND signal_agent_segment_id = $2
     ORDER BY target_key ${FOR_UPDATE}`,
    place,
  )
  const taken = new Set(rows.map(({ target_key }) => target_key))
  for (const row of rows) {
    const key = targetKey(activationOf(row).target)
    if (key === row.target_key || taken.has(key) || !keys.includes(key)) continue
    taken.add(key)
    await sqlOf(tx).run(
      `UPDATE signal_activations SET target_key = $4
       WHERE principal_id = $1 AND signal_agent_segment_id = $2 AND target_key = $3`,
      [...place, row.target_key, key],
    )
  }
}

/** Fields used in queries are in columns, the rest in JSON. */
export function activationOf({ origin, ended_by, activation }: ActivationRow): Activation {
  const rest = JSON.parse(activation) as Omit<Activation, 'origin' | 'ended_by'>
  return { ...rest, origin, ...defined({ ended_by: ended_by ?? undefined }) }
}
