// A transaction that somebody else has begun on their own connection, for the stores to join: what
// they write commits or is undone with everything else in it.

import type { SqlTransaction } from '../sql/database.ts'
import { NOTIFY, NOW, type PostgresTarget, queryable } from './open-postgres.ts'

/** `client` has run BEGIN, and whoever owns it runs COMMIT or ROLLBACK. */
export function joinPostgres(client: PostgresTarget): SqlTransaction {
  const queries = queryable(client)
  return {
    ...queries,
    now: async () => (await queries.get<{ now: number }>(NOW))?.now ?? Number.NaN,
    // PostgreSQL sends it when the transaction commits, and not at all when it is undone.
    wake: async (topic) => {
      await queries.get(NOTIFY, [topic])
    },
    afterCommit: () => {
      throw new Error('a joined transaction does not tell when it has been committed')
    },
  }
}
