// The shared store: any number of instances on one PostgreSQL 14 or later. Statements are prepared by name on each
// connection; transactions are retried after serialisation failures; the clock is the database's.

import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { eachChunk } from '../../lib/chunks.ts'
import type { Clock } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { StorageUnavailable } from '../../lib/transaction.ts'
import type {
  Database,
  Queryable,
  SqlTransaction,
  SqlValue,
  TransactOptions,
} from '../sql/database.ts'
import { createWriteHealth } from '../sql/write-health.ts'
import { driver } from './driver.ts'
import {
  isPreparedElsewhere,
  isRetryable,
  mayServeElsewhere,
  postgresError,
  READ_ONLY,
  wasCut,
} from './errors.ts'
import { hostsOf } from './hosts.ts'
import { createListener } from './listener.ts'
import { IS_READ_ONLY, openPool } from './open-pool.ts'
import { checkSchema, DEFAULT_SCHEMA, lockNameOf, notificationChannelOf } from './schema-name.ts'
import { type Statements, statementsIn, unnamed, unqualified } from './statements.ts'
import { createWakeOthers } from './wake-others.ts'

export interface PostgresOptions {
  url: string
  /** A direct connection to LISTEN on, if `url` is that of a pooler in transaction mode. Default `url`. */
  listenUrl?: string
  /** Called once with what does not work on the way to the server, and what is done instead. Default: ignored. */
  onLimit?: (message: string) => void
  /** The schema with all tables of Adwire. Default `adwire`. */
  schema?: string
  /** Maximum number of open connections. Default 10. */
  poolSize?: number
  /** Only for tests: what now() returns instead of the database's clock. */
  clock?: Clock
  /** Called for errors that no caller is waiting for. Default: ignored. */
  onFault?: (error: Error) => void
}

const MAX_TRIES = 6
const NOTIFY = 'SELECT pg_notify($1, $2)'
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'
/** The database's clock, in milliseconds. */
export const NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now'

/** Number of concurrent statements of one `runEach`. */
const SENT_TOGETHER = 100

const INT8 = 20

/**
 * Every 64-bit number stored here is a time or a count below 2^53. Set for each query, since a program that provides
 * its own connection may parse numbers differently.
 */
const types: PostgresQuery['types'] = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : driver().types.getTypeParser(oid, format as 'text'),
}

export function openPostgres({
  url,
  listenUrl = url,
  schema = DEFAULT_SCHEMA,
  poolSize = 10,
  clock,
  onFault,
  onLimit = () => {},
}: PostgresOptions): Database {
  const names = preparedNames(statementsIn(checkSchema(schema)), onLimit)
  const { statements } = names
  const hosts = hostsOf(url)
  const pool = openPool(hosts, poolSize)
  // An idle connection that breaks is replaced at the next use; without a listener, its error would end the process.
  pool.on('error', (error) => onFault?.(error))
  // From its first moment to its end: the end of a connection may arrive in the same packet as its last answer, when
  // neither the pool nor a transaction listens.
  pool.on('connect', (client) => client.on('error', ignore))
  const instance = randomUUID()
  const channel = notificationChannelOf(schema)
  const listener = createListener({
    hosts: hostsOf(listenUrl),
    channel,
    instance,
    probe: async (payload) => {
      await queryable(pool, statements).get(NOTIFY, [channel, payload])
    },
    onSilent: () => onLimit(NO_NOTIFICATIONS),
    ...defined({ onFault }),
  })
  const others = createWakeOthers(async (topics) => {
    for (const topic of topics)
      await notify(queryable(pool, statements), schema, `${topic} ${instance}`)
  })
  // Every connection of the pool may have been closed at once, and each is only noticed at its next use.
  const tries = { cut: poolSize + 1, hosts: hosts.urls.length }
  const overCuts = <T>(work: () => Promise<T>) => untilServed(work, tries)
  const target = {
    query: (query: PostgresQuery) =>
      overCuts(() =>
        pool.query(query).catch((error: unknown) => {
          if (!names.refused(error)) throw error
          return pool.query({ ...query, ...withoutName })
        }),
      ),
  }
  const read = queryable(target, statements)
  const on: Connections = {
    schema,
    statements,
    ownStatements: names.own,
    clock,
    connect: (isFlushed) => overCuts(() => connect(pool, isFlushed)),
    committed: ({ hasChanged, listeners, topics }) => {
      if (hasChanged) health.wrote()
      for (const reported of listeners) reported()
      listener.wakeHere(topics)
      others.report(topics)
    },
  }
  const once: Database['transact'] = (work, options) => transactOnce(on, work, options)
  const health = createWriteHealth({ probes: [() => probeWrite(once)] })
  return {
    dialect: 'postgres',
    schema,
    read,
    transact: async (work, options) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work, options)
        } catch (error) {
          health.failed(error)
          const isAgain = names.refused(error) || isRetryable(error)
          if (!isAgain || attempt === MAX_TRIES) throw error
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
        }
      }
    },
    onWake: listener.onWake,
    faults: async () => {
      try {
        const mode = await read.get<{ is_read_only: boolean }>(IS_READ_ONLY)
        return mode?.is_read_only ? [READ_ONLY] : await health.faults()
      } catch (error) {
        if (error instanceof StorageUnavailable) return [error.message]
        throw error
      }
    },
    close: async () => {
      await others.close()
      await listener.close()
      await pool.end()
    },
  }
}

const withoutName = { name: undefined } as unknown as { name: string }

const NO_NOTIFICATIONS =
  'notifications of PostgreSQL do not arrive, since a pooler in transaction mode is on the way: workers poll instead, so work of other instances begins a few seconds later. Set ADWIRE_DATABASE_LISTEN_URL to a direct connection'

const NO_NAMES =
  'the pooler on the way to PostgreSQL cannot prepare statements: they are sent without names from now on, which costs PostgreSQL some time for each. PgBouncer 1.21 or later can, with max_prepared_statements above 0'

/** Statements have names until a pooler turns out to mix up those of different clients. */
function preparedNames(named: Statements, onLimit: (message: string) => void) {
  let isNamed = true
  const plain = unnamed(named)
  const plainOwn = unnamed(unqualified)
  return {
    statements: ((sql) => (isNamed ? named(sql) : plain(sql))) satisfies Statements,
    own: ((sql) => (isNamed ? unqualified(sql) : plainOwn(sql))) satisfies Statements,
    /** Whether a statement failed for its name, so that it succeeds without one. */
    refused: (error: unknown) => {
      if (!isPreparedElsewhere(error)) return false
      if (isNamed) onLimit(NO_NAMES)
      isNamed = false
      return true
    },
  }
}

interface Connections {
  schema: string
  statements: Statements
  /** Those of `unqualified`. */
  ownStatements: Statements
  clock: Clock | undefined
  /** A connection on which a transaction has started, and its time. */
  connect: (isFlushed: boolean) => Promise<{ client: pg.PoolClient; now: () => number }>
  committed: (transaction: Committed) => void
}

interface Committed {
  /** Whether it wrote rows that are flushed. */
  hasChanged: boolean
  listeners: readonly (() => void)[]
  topics: ReadonlySet<string>
}

async function transactOnce<T>(
  on: Connections,
  work: (tx: SqlTransaction) => Promise<T>,
  { isFlushed = true }: TransactOptions = {},
): Promise<T> {
  const { client, now } = await on.connect(isFlushed)
  let broken = false
  let hasChanged = false
  const onError = () => {
    broken = true
  }
  client.on('error', onError)
  const queries = queryable(client, on.statements)
  const listeners: (() => void)[] = []
  const topics = new Set<string>()
  const tx: SqlTransaction = {
    ...queries,
    run: async (sql, params) => {
      const rows = await queries.run(sql, params)
      if (rows > 0) hasChanged = true
      return rows
    },
    unqualified: queryable(client, on.ownStatements),
    lock: (name) => lock(queries, on.schema, name),
    lockName: (name) => lockNameOf(on.schema, name),
    useIndexes: () => useIndexes(queries),
    hasOneWriter: false,
    now: async () => on.clock?.now() ?? now(),
    wake: async (topic) => {
      topics.add(topic)
    },
    afterCommit: (listener) => {
      listeners.push(listener)
    },
  }
  try {
    const value = await work(tx)
    await queries.run('COMMIT')
    on.committed({ hasChanged: hasChanged && isFlushed, listeners, topics })
    return value
  } catch (error) {
    broken ||= error instanceof StorageUnavailable
    if (!broken)
      await client.query('ROLLBACK').catch(() => {
        broken = true
      })
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Makes the database log and flush a transaction of its own. */
async function probeWrite(transact: Database['transact']): Promise<void> {
  await transact((tx) => tx.get('SELECT pg_current_xact_id()::text AS id'))
}

/** A connection on which a transaction has started, and its time. */
async function connect(
  pool: pg.Pool,
  isFlushed: boolean,
): Promise<{ client: pg.PoolClient; now: () => number }> {
  let client: pg.PoolClient | undefined
  try {
    client = await pool.connect()
    return { client, now: await begin(client, isFlushed) }
  } catch (error) {
    client?.release(true)
    throw postgresError(error)
  }
}

/** An error of a connection is reported to the caller that is waiting for it. */
function ignore(): void {}

/**
 * A process that is stopped in the middle of a transaction must not hold its locks for long. Set in the transaction
 * and not at connection time, since poolers refuse startup options that they do not support.
 */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'"

/**
 * Starts the transaction and reads the time in the same round trip: the database's clock at the start, continued from
 * there by this process's own clock.
 */
async function begin(client: pg.PoolClient, isFlushed: boolean): Promise<() => number> {
  const statements = isFlushed ? BEGIN : `${BEGIN}; SET LOCAL synchronous_commit = off`
  const results = (await client.query(`${statements}; ${NOW}`)) as unknown as pg.QueryResult[]
  const began = Number(results.at(-1)?.rows[0]?.now)
  const at = performance.now()
  return () => began + Math.floor(performance.now() - at)
}

/**
 * For statements that change nothing: a read, or the start of a transaction. The pool connects to another host after each
 * failure, so a promoted standby is found within as many tries as there are hosts.
 */
async function untilServed<T>(
  work: () => Promise<T>,
  tries: { cut: number; hosts: number },
): Promise<T> {
  let cut = 1
  let host = 1
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (wasCut(error) && cut < tries.cut) cut++
      else if (mayServeElsewhere(error) && host < tries.hosts) host++
      else throw error
    }
  }
}

/**
 * The operations of a `pg` pool or client, regardless of who opened it and of which types of `pg` are in use, if any.
 */
export interface PostgresTarget {
  query(query: PostgresQuery): Promise<{ rows: unknown[]; rowCount: number | null }>
}

interface PostgresQuery {
  name?: string
  text: string
  values: SqlValue[]
  types: { getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown }
}

/** Default: the caller's own statements, with tables found through the search path. */
export function queryable(target: PostgresTarget, statements: Statements = unqualified): Queryable {
  const query = async (sql: string, params: readonly SqlValue[]) => {
    try {
      const values = params as SqlValue[]
      return await target.query({ ...statements(sql), values, types })
    } catch (error) {
      throw postgresError(error)
    }
  }
  return {
    all: async <Row>(sql: string, params: readonly SqlValue[] = []) =>
      (await query(sql, params)).rows as Row[],
    get: async <Row>(sql: string, params: readonly SqlValue[] = []) =>
      (await query(sql, params)).rows[0] as Row | undefined,
    run: async (sql, params = []) => (await query(sql, params)).rowCount ?? 0,
    runEach: async (sql, rows) => {
      const counts: number[] = []
      await eachChunk(rows, SENT_TOGETHER, async (some) => {
        const results = await Promise.all(some.map((params) => query(sql, params)))
        counts.push(...results.map(({ rowCount }) => rowCount ?? 0))
      })
      return counts
    },
  }
}

/** Wakes the listeners on the schema; inside a transaction, when it commits. */
export async function notify(queries: Queryable, schema: string, payload: string): Promise<void> {
  await queries.get(NOTIFY, [notificationChannelOf(schema), payload])
}

/** Held until the transaction ends, on all instances that share the schema. */
export async function lock(queries: Queryable, schema: string, name: string): Promise<void> {
  await queries.get(LOCK, [lockNameOf(schema, name)])
}

/** Until the transaction ends. */
export async function useIndexes(queries: Queryable): Promise<void> {
  await queries.get(
    `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true)`,
  )
}
