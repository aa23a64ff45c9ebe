// Where Adwire's tables are created: in their own schema on PostgreSQL, in their own file on SQLite. Existing tables
// that cannot be Adwire's cause a refusal, and everything else in the database is left alone.

import type { Database, Queryable, SqlTransaction } from './database.ts'

/** Records which migrations were applied to the tables next to it. */
export const RECORD = 'adwire_migrations'

/** Creates the record of migrations if it is missing. */
export async function prepareRecord(queries: Queryable): Promise<void> {
  await queries.run(
    `CREATE TABLE IF NOT EXISTS ${RECORD} (owner TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL, applied_at BIGINT NOT NULL, PRIMARY KEY (owner, version))`,
  )
}

/** A place in which tables cannot be created; the message says what was found and what to do. */
class PlaceRefused extends Error {
  override readonly name = 'PlaceRefused'
}

/** Whether Adwire's tables exist. Throws a PlaceRefused if something else occupies the place. */
export function hasTables(database: Database): Promise<boolean> {
  return database.schema === undefined
    ? hasTablesInFile(database.read)
    : hasTablesInSchema(database.read, database.schema)
}

/**
 * For statements of migrations: until the transaction ends, their tables are looked up and created only in the
 * schema. The schema is created if it is missing.
 */
export async function enterPlace({ schema }: Database, tx: SqlTransaction): Promise<Queryable> {
  const { unqualified } = tx
  if (schema === undefined) {
    await hasTablesInFile(unqualified)
    return unqualified
  }
  await hasTablesInSchema(unqualified, schema)
  // Not IF NOT EXISTS: a role may be allowed to use the schema without being allowed to create schemas.
  const found = await unqualified.get('SELECT 1 AS one FROM pg_namespace WHERE nspname = $1', [
    schema,
  ])
  if (!found) await unqualified.run(`CREATE SCHEMA ${schema}`)
  await unqualified.get("SELECT set_config('search_path', $1, true)", [schema])
  return unqualified
}

/** Builds before the first release recorded their migrations here, in a table with these columns. */
const EARLIER_RECORD = 'schema_migrations'

async function hasTablesInFile(queries: Queryable): Promise<boolean> {
  const rows = await queries.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ($1, $2)",
    [RECORD, EARLIER_RECORD],
  )
  const names = rows.map(({ name }) => name)
  if (names.includes(EARLIER_RECORD)) {
    throw new PlaceRefused(
      `the SQLite database was made by a build of Adwire before 1.0 (it has a table ${EARLIER_RECORD}), whose data this build cannot use: start with an empty data folder`,
    )
  }
  return names.length > 0
}

/** Read only from the catalogue: other parties' tables are not touched, and do not have to be readable. */
async function hasTablesInSchema(queries: Queryable, schema: string): Promise<boolean> {
  const tables = await queries.all<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY c.relname`,
    [schema],
  )
  const names = tables.map(({ name }) => name)
  if (names.includes(RECORD)) return true
  const earlier = await queries.get<{ name: string }>(EARLIER_BUILD, [EARLIER_RECORD, schema])
  if (earlier) {
    throw new PlaceRefused(
      `the schema ${earlier.name} of the PostgreSQL database has the tables of a build of Adwire before 1.0 (${EARLIER_RECORD}, manifest_references and others), whose data this build cannot use: start with an empty database, or drop these tables`,
    )
  }
  if (names.length > 0) {
    const some = names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ')
    throw new PlaceRefused(
      `the schema ${schema} of the PostgreSQL database has tables that are not Adwire's (${some}): give Adwire a schema of its own`,
    )
  }
  return false
}

/**
 * A schema on the search path, or the named one, with a table whose name others use too, and two with names that are
 * only Adwire's.
 */
const EARLIER_BUILD = `SELECT n.nspname AS name FROM pg_namespace n
  WHERE (n.nspname = ANY (current_schemas(false)) OR n.nspname = $2)
    AND (SELECT count(*) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = n.oid AND c.relname = $1
           AND a.attname IN ('version', 'name', 'applied_at')) = 3
    AND (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid
         AND c.relname IN ('manifest_references', 'replay_nonces')) = 2
  LIMIT 1`
