// A transaction that somebody else has begun on their own connection, for the stores to join: what
// they write commits or is undone with everything else in it.

import type { SqlTransaction } from '../sql/database.ts'
import { lock, NOW, notify, type PostgresTarget, queryable } from './open-postgres.ts'
import { checkSchema, DEFAULT_SCHEMA } from './schema-name.ts'
import { statementsIn } from './statements.ts'

export interface JoinOptions {
  /** That of the storage. Default `adwire`. */
  schema?: string
}

/**
 * `client` has run BEGIN, and its owner runs COMMIT or ROLLBACK. Its search path is neither used nor changed: the
 * tables of Adwire are named with their schema.
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
    now: async () => (await queries.get<{ now: number }>(NOW))?.now ?? Number.NaN,
    // PostgreSQL sends it when the transaction commits, and not at all when it is undone.
    wake: (topic) => notify(queries, schema, topic),
    afterCommit: () => {
      throw new Error('a joined transaction does not report its commit')
    },
  }
}
