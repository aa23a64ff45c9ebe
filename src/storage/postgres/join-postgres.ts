// A transaction that someone else has started on their own connection, for the stores to join: their writes are
// committed or rolled back with everything else in it.

import type { SqlTransaction } from '../sql/database.ts'
import { lock, NOW, notify, type PostgresTarget, queryable, useIndexes } from './open-postgres.ts'
import { checkSchema, DEFAULT_SCHEMA, lockNameOf } from './schema-name.ts'
import { statementsIn } from './statements.ts'

export interface JoinOptions {
  /** The schema of the storage. Default `adwire`. */
  schema?: string
}

/**
 * `client` has run BEGIN, and its owner runs COMMIT or ROLLBACK. Its search path is neither used nor changed:
 * Adwire's tables are named with their schema.
 */
export function joinPostgres(
  client: PostgresTarget,
  { schema = DEFAULT_SCHEMA }: JoinOptions = {},
): SqlTransaction {
  const queries = queryable(client, statementsIn(checkSchema(schema)))
  return {
    ...queries,
    unqualified: queryable(client),
    lock: (name) => lock(queries, schema, name),
    lockName: (name) => lockNameOf(schema, name),
    useIndexes: () => useIndexes(queries),
    hasOneWriter: false,
    now: async () => (await queries.get<{ now: number }>(NOW))?.now ?? Number.NaN,
    // PostgreSQL sends it when the transaction commits, and not at all if it is rolled back.
    wake: (topic) => notify(queries, schema, topic),
    afterCommit: () => {
      throw new Error('a joined transaction does not report its commit')
    },
  }
}
