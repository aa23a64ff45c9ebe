// The console's queries about signals, in SQL.

import type { SignalQueries } from '../../../console/signal-queries.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Activation } from '../../../signals/activation-state.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { ACTIVATION_COLUMNS, type ActivationRow, activationOf } from '../signals/activations.ts'
import { type SignalRow, storedOf } from '../signals/rows.ts'

/** The activations of the signal `$1`. */
const LATEST = `signal_agent_segment_id = $1 AND state <> 'none' ORDER BY changed_at DESC`

export function createSignalQueries({ dialect, read }: Database): SignalQueries {
  const activationsOf: SignalQueries['activationsOf'] = async (signalId, limit) => {
    if (!isStorable(signalId)) return []
    const rows = await read.all<ActivationRow>(
      `SELECT ${ACTIVATION_COLUMNS} FROM signal_activations WHERE ${LATEST} LIMIT $2`,
      [signalId, limit],
    )
    return rows.map(activationOf)
  }
  return {
    catalogue: async ({ signal_type, data_provider, after = '', limit }) => {
      const wanted = Object.entries({ signal_type, data_provider }).filter(
        (one): one is [string, string] => one[1] !== undefined,
      )
      if (![after, ...wanted.map(([, value]) => value)].every(isStorable)) return []
      const conditions = wanted.map(([column], index) => `AND ${column} = $${index + 3}`)
      const rows = await read.all<SignalRow>(
        `SELECT signal_agent_segment_id, seq, version, text_digest, changed_at, signal FROM signals
         WHERE signal_agent_segment_id > $1 ${conditions.join(' ')}
         ORDER BY signal_agent_segment_id LIMIT $2`,
        [after, limit, ...wanted.map(([, value]) => value)],
      )
      return rows.map(storedOf)
    },
    activationsOf,
    // SQLite is fastest one by one; on PostgreSQL the round trip is the cost.
    activationsOfEach: async (signalIds, limit) => {
      const found = new Map(signalIds.map((id) => [id, [] as Activation[]]))
      if (dialect === 'sqlite') {
        for (const id of signalIds) found.set(id, await activationsOf(id, limit))
        return found
      }
      const rows = await read.all<ActivationRow & { id: string }>(
        `SELECT g.id, a.* FROM json_array_elements_text(CAST($1 AS json)) WITH ORDINALITY AS g (id, n),
           LATERAL (SELECT ${ACTIVATION_COLUMNS}, changed_at FROM signal_activations
             WHERE ${LATEST.replace('$1', 'g.id')} LIMIT $2) AS a
         ORDER BY g.n, a.changed_at DESC`,
        [listed(signalIds), limit],
      )
      for (const row of rows) found.get(row.id)?.push(activationOf(row))
      return found
    },
    idsInState: async ({ state, principal_id, after = '', limit }) => {
      if (!isStorable(principal_id ?? '') || !isStorable(after)) return []
      const own = principal_id === undefined ? '' : 'AND principal_id = $4'
      const rows = await read.all<{ id: string }>(
        `SELECT DISTINCT signal_agent_segment_id AS id FROM signal_activations
         WHERE state = $1 AND signal_agent_segment_id > $2 ${own} ORDER BY 1 LIMIT $3`,
        [state, after, limit, ...(principal_id === undefined ? [] : [principal_id])],
      )
      return rows.map(({ id }) => id)
    },
    providers: async (limit) => {
      // Skips from one name to the next along the index: a count of all rows would take time proportional to their
      // number.
      const rows = await read.all<{ name: string }>(
        `WITH RECURSIVE found (name) AS (
           SELECT min(data_provider) FROM signals
           UNION ALL
           SELECT (SELECT min(data_provider) FROM signals WHERE data_provider > found.name)
           FROM found WHERE found.name IS NOT NULL)
         SELECT name FROM found WHERE name IS NOT NULL LIMIT $1`,
        [limit],
      )
      return rows.map(({ name }) => name)
    },
    reportedTasks: async (taskIds) => {
      const rows = await read.all<{ task_id: string }>(
        `SELECT task_id FROM tasks WHERE is_told = 1 AND ${isIn('task_id', 1)}`,
        [listed(taskIds)],
      )
      return new Set(rows.map(({ task_id }) => task_id))
    },
  }
}
