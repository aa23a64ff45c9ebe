// Nonces from when they were kept by keyid alone, under the digest of those days: asked for until the last
// of them has expired, some minutes after the upgrade, and never again.

import type { Database, Queryable } from '../../sql/database.ts'
import { isIn } from '../../sql/lists.ts'

export interface OldNonces {
  /** Those of these ids that are still alive. */
  seen(queries: Queryable, ids: readonly string[], now: number): Promise<ReadonlySet<string>>
  /** Deletes what has expired; answers how much that was. */
  sweep(now: number): Promise<number>
}

const SWEEP_ROWS = 1_000
const NONE: ReadonlySet<string> = new Set()

export function createOldNonces({ dialect, read, transact }: Database): OldNonces {
  /** Undefined until the first look. Nothing is ever added. */
  let areLeft: boolean | undefined

  async function look(queries: Queryable): Promise<boolean> {
    const row = await queries.get('SELECT 1 AS one FROM replay_nonces_by_keyid LIMIT 1')
    areLeft = row !== undefined
    return areLeft
  }

  return {
    seen: async (queries, ids, now) => {
      if (!(areLeft ?? (await look(queries)))) return NONE
      const rows = await queries.all<{ nonce_id: string }>(
        `SELECT nonce_id FROM replay_nonces_by_keyid
         WHERE ${isIn(dialect, 'nonce_id', 1)} AND expires_at > $2`,
        [JSON.stringify(ids), now],
      )
      return new Set(rows.map(({ nonce_id }) => nonce_id))
    },
    sweep: async (now) => {
      if (!(areLeft ?? (await look(read)))) return 0
      const swept = await transact((tx) =>
        tx.run(
          `DELETE FROM replay_nonces_by_keyid WHERE nonce_id IN (
             SELECT nonce_id FROM replay_nonces_by_keyid WHERE expires_at <= $1 LIMIT ${SWEEP_ROWS})`,
          [now],
        ),
      )
      await look(read)
      return swept
    },
  }
}
