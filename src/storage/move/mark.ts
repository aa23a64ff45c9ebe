// The mark of a move in both databases. The source has it from before the first row is copied until forever, and triggers
// that refuse every write, also of a server that is already running: nothing is accepted there that would not be moved.
// The target has it until its last row is compared. No server starts on a database with a mark.

import { StorageUnavailable } from '../../lib/transaction.ts'
import type { Database, Queryable } from '../sql/database.ts'
import { enterPlace } from '../sql/own-place.ts'

export const MARK = 'adwire_move'
export const PROGRESS = 'adwire_move_progress'

/** `moving` and `moved`: the source, before and after the end. `arriving`: the target, before the end. */
type MoveState = 'moving' | 'moved' | 'arriving'

export interface Mark {
  move_id: string
  state: MoveState
  /** The other database, without its password. */
  other: string
  /** Milliseconds. */
  at: number
}

/** Undefined if the database takes part in no move. */
export async function markOf({ read, schema }: Database): Promise<Mark | undefined> {
  const found =
    schema === undefined
      ? await read.get("SELECT 1 AS one FROM sqlite_master WHERE type = 'table' AND name = $1", [
          MARK,
        ])
      : await read.get(
          `SELECT 1 AS one FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = $1 AND c.relname = $2`,
          [schema, MARK],
        )
  return found ? read.get<Mark>(`SELECT move_id, state, other, at FROM ${MARK}`) : undefined
}

/** Throws for a database that takes part in a move, and says what to do. */
export async function refuseMoved(database: Database): Promise<void> {
  const mark = await markOf(database)
  if (mark) throw new DatabaseMoved(adviceOf(mark))
}

/** Nothing may be read from or written to this database any more, or not yet. */
class DatabaseMoved extends StorageUnavailable {
  override readonly name = 'DatabaseMoved'
}

function adviceOf({ state, other, at }: Mark): string {
  const when = new Date(at).toISOString()
  if (state === 'moved') {
    return `the data of this database was moved to ${other} at ${when}: start on that one. To use this kind of database again, move the data back into an empty one with adwire move`
  }
  return state === 'moving'
    ? `the data of this database is being moved to ${other} since ${when}: run the same adwire move again to finish, or cancel the move with adwire move --cancel`
    : `the data of ${other} is being moved into this database since ${when}: run the same adwire move again to finish`
}

export const TABLE_OF_MARK = `CREATE TABLE ${MARK} (id INTEGER PRIMARY KEY, move_id TEXT NOT NULL, state TEXT NOT NULL, other TEXT NOT NULL, at BIGINT NOT NULL)`

/** Marks the source and locks its tables against writes, in one transaction. */
export async function markSource(
  database: Database,
  { mark, tables }: { mark: Omit<Mark, 'at'>; tables: readonly string[] },
): Promise<void> {
  await database.transact(async (tx) => {
    await tx.lock('migrations')
    const queries = await enterPlace(database, tx)
    await queries.run(TABLE_OF_MARK)
    await insertMark(queries, mark, await tx.now())
    const said = `the data of this database is being moved, or was moved, to ${mark.other}: nothing is written here any more`
    const statements =
      database.dialect === 'sqlite' ? sqliteLocks(tables, said) : postgresLocks(tables, said)
    for (const statement of statements) await queries.run(statement)
  })
}

export async function insertMark(
  queries: Queryable,
  { move_id, state, other }: Omit<Mark, 'at'>,
  now: number,
): Promise<void> {
  await queries.run(
    `INSERT INTO ${MARK} (id, move_id, state, other, at) VALUES (1, $1, $2, $3, $4)`,
    [move_id, state, other, now],
  )
}

/** The source is not used any more. Throws if the move was cancelled meanwhile. */
export async function finishSource(database: Database, moveId: string): Promise<void> {
  await database.transact(async (tx) => {
    const rows = await tx.run(
      `UPDATE ${MARK} SET state = 'moved', at = $2 WHERE move_id = $1 AND state = 'moving'`,
      [moveId, await tx.now()],
    )
    if (rows === 0) throw new Error('the move was cancelled meanwhile')
  })
}

/** Throws unless the move has not finished. */
export async function unmarkSource(database: Database, tables: readonly string[]): Promise<void> {
  await database.transact(async (tx) => {
    const mark = await tx.get<Pick<Mark, 'state'>>(`SELECT state FROM ${MARK}`)
    if (mark?.state !== 'moving') throw new Error('the move has finished and cannot be cancelled')
    const queries = await enterPlace(database, tx)
    for (const table of tables) {
      if (database.dialect === 'sqlite') {
        for (const event of EVENTS) await queries.run(`DROP TRIGGER ${triggerOf(table, event)}`)
      } else await queries.run(`DROP TRIGGER ${LOCK} ON ${table}`)
    }
    if (database.dialect === 'postgres') await queries.run(`DROP FUNCTION ${LOCK}()`)
    await queries.run(`DROP TABLE ${MARK}`)
  })
}

const LOCK = 'adwire_refuse_moved'
const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const
/** Of the errors that the trigger raises; PostgreSQL and the SQL standard leave this class to applications. */
export const MOVED_CODE = 'AD001'

const triggerOf = (table: string, event: string) => `${LOCK}_${event.toLowerCase()}_${table}`
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

function sqliteLocks(tables: readonly string[], said: string): string[] {
  return tables.flatMap((table) =>
    EVENTS.map(
      (event) =>
        `CREATE TRIGGER ${triggerOf(table, event)} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, ${quote(said)}); END`,
    ),
  )
}

/** CREATE TRIGGER waits for the transactions that write to the table, so none of them ends behind it. */
function postgresLocks(tables: readonly string[], said: string): string[] {
  const raised = quote(said.replaceAll('%', '%%'))
  return [
    `CREATE FUNCTION ${LOCK}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION ${raised} USING ERRCODE = '${MOVED_CODE}'; END $$`,
    ...tables.map(
      (table) =>
        `CREATE TRIGGER ${LOCK} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${LOCK}()`,
    ),
  ]
}
