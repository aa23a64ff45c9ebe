// What the libraries and the server make in a database, and what they leave alone there.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findDatabase, openStorage, refuseOlder } from '../../src/app/open-storage.ts'
import { openReceiverStorage, sqlOf } from '../../src/receiver/index.ts'
import { openSenderStorage } from '../../src/sender/index.ts'
import type { DatabaseOptions } from '../../src/storage/open-database.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import type { Channel, NewChannel, NewDelivery } from '../../src/webhooks/sender/store.ts'
import { startApp } from '../support/app.ts'
import { emptyPostgres, type StoreName } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { LIMITS, newMessage } from '../support/inbox-contract.ts'
import { tablesOf } from '../support/tables.ts'

const RECEIVER_TABLES = [
  'adwire_migrations',
  'replay_counters',
  'replay_nonces',
  'webhook_inbox',
  'webhook_inbox_senders',
  'webhook_inbox_tasks',
]
const SENDER_TABLES = [
  'adwire_migrations',
  'quota_usage',
  'webhook_attempts',
  'webhook_channels',
  'webhook_circuits',
  'webhook_deliveries',
  'webhook_limits',
  'webhook_recoveries',
]
const BOTH = [...new Set([...RECEIVER_TABLES, ...SENDER_TABLES])].sort()

interface Place {
  options: DatabaseOptions
  /** As it is, without making anything. */
  open(): Database
}

async function emptyPlace(store: StoreName): Promise<Place> {
  if (store === 'postgres') {
    const { url, drop } = await emptyPostgres()
    onTestFinished(drop)
    return { options: { databaseUrl: url }, open: () => openPostgres({ url }) }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return { options: { dataDir }, open: () => openSqlite({ dataDir }) }
}

async function tablesAt({ open }: Place): Promise<string[]> {
  const database = open()
  const names = [...(await tablesOf(database)).keys()].sort()
  await database.close()
  return names
}

/** Receives a message and its nonce, and registers a channel: each library writes and reads what it has made. */
async function use(options: DatabaseOptions): Promise<void> {
  const receiver = await openReceiverStorage(options)
  const sender = await openSenderStorage(options)
  try {
    const entry = {
      signer: 's',
      keyid: 'k',
      nonce: randomUUID(),
      expiresAt: Date.now() / 1_000 + 60,
    }
    expect(await receiver.replay.insert(entry)).toBe('added')
    expect(await receiver.replay.insert(entry)).toBe('seen')
    const message = newMessage()
    expect(await receiver.inbox.accept([message], LIMITS)).toEqual(['new'])
    expect(await receiver.inbox.accept([message], LIMITS)).toEqual(['duplicate'])
    const { claimed } = await receiver.transact((tx) =>
      receiver.inbox.claim(tx, { limit: 10, leaseMs: 1_000, worker: 'w' }),
    )
    expect(claimed.map(({ task_id }) => task_id)).toContain(message.task_id)
    const put = await sender.transact((tx) => sender.channels.put(tx, newChannel(), 10))
    if (put === 'full') throw new Error('there is room')
    const delivery = newDelivery(put)
    await sender.transact((tx) => sender.outbox.add(tx, [delivery], 60_000))
    const { idempotency_key } = delivery
    const [sent] = await sender.operations.list({ limit: 1 })
    expect(sent).toMatchObject({ idempotency_key })
  } finally {
    await sender.close()
    await receiver.close()
  }
}

describe.each(['sqlite', 'postgres'] as const)('in an empty database [%s]', (store) => {
  test(`openReceiverStorage makes its own ${RECEIVER_TABLES.length} tables and no others`, async () => {
    const place = await emptyPlace(store)
    await (await openReceiverStorage(place.options)).close()
    expect(await tablesAt(place)).toEqual(RECEIVER_TABLES)
  })

  test(`openSenderStorage makes its own ${SENDER_TABLES.length} tables and no others`, async () => {
    const place = await emptyPlace(store)
    await (await openSenderStorage(place.options)).close()
    expect(await tablesAt(place)).toEqual(SENDER_TABLES)
  })

  test('both share a database, and the server adds the rest', async () => {
    const place = await emptyPlace(store)
    await use(place.options)
    await use(place.options)
    expect(await tablesAt(place)).toEqual(BOTH)

    const server = await openStorage(configOf(place.options))
    expect(server.applied).toContain('registry/0001-baseline')
    expect(server.applied).not.toContain('sender/0001-baseline')
    expect(await server.outboxOperations.list({})).toHaveLength(2)
    await server.close()
    expect((await tablesAt(place)).length).toBeGreaterThan(60)
    await use(place.options)
  })

  test('four that are opened at the same time all work', async () => {
    const place = await emptyPlace(store)
    const open = [openReceiverStorage, openSenderStorage, openReceiverStorage, openSenderStorage]
    const opened = await Promise.all(open.map((one) => one(place.options)))
    for (const storage of opened) await storage.close()
    expect(await tablesAt(place)).toEqual(BOTH)
  })

  test('of a build before 1.0 every start is refused, and nothing is changed', async () => {
    const place = await emptyPlace(store)
    const old = place.open()
    await old.transact(async ({ unqualified }) => {
      await unqualified.run(
        'CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
      )
      await unqualified.run('CREATE TABLE manifest_references (id TEXT PRIMARY KEY)')
      await unqualified.run('CREATE TABLE replay_nonces (nonce_id TEXT PRIMARY KEY)')
    })
    await old.close()
    const sentence =
      store === 'sqlite'
        ? 'the SQLite database was made by a build of Adwire before 1.0 (it has a table schema_migrations), whose data this build cannot use: start with an empty data folder'
        : 'the schema public of the PostgreSQL database has the tables of a build of Adwire before 1.0 (schema_migrations, manifest_references and others), whose data this build cannot use: start with an empty database, or drop these tables'
    await expect(openReceiverStorage(place.options)).rejects.toThrow(sentence)
    await expect(openSenderStorage(place.options)).rejects.toThrow(sentence)
    await expect(openStorage(configOf(place.options))).rejects.toThrow(sentence)
    await expect(
      findDatabase(configOf(place.options)).then(() => refuseOlder(configOf(place.options))),
    ).rejects.toThrow(sentence)
    expect(await tablesAt(place)).not.toContain('adwire_migrations')
  })
})

describe('beside the tables of another application [postgres]', () => {
  test.each([
    ['Rails', RAILS],
    ['Django', DJANGO],
    ['one that has a table of each name that Adwire uses', undefined],
  ])('of the style of %s a server works, and touches nothing of theirs', async (_, statements) => {
    const { url, drop } = await emptyPostgres()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await drop()
    })
    for (const statement of statements ?? (await sameNames())) await client.query(statement)
    const before = await contentOf(client)
    expect(Object.keys(before).length).toBeGreaterThan(3)

    await use({ databaseUrl: url })
    const app = await startApp({ config: { databaseUrl: url, demo: true, console: false } })
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${await app.principal()}`,
    }
    const body = JSON.stringify({ duration_seconds: 0, steps: 1 })
    const response = await fetch(`${app.url}/v3/simulate_task`, { method: 'POST', headers, body })
    expect(await response.json()).toMatchObject({ status: 'completed' })
    await app.organization()
    expect(await app.count('tasks')).toBe(1)
    await app.stop()

    expect(await contentOf(client)).toEqual(before)
    const { rows } = await client.query(
      `SELECT DISTINCT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname NOT LIKE 'pg_%' AND n.nspname <> 'information_schema' ORDER BY 1`,
    )
    expect(rows.map(({ nspname }) => nspname)).toEqual(['adwire', 'public'])
  })

  test('statements of the program itself go to its own tables, in the transaction of the library', async () => {
    const { url, drop } = await emptyPostgres()
    onTestFinished(drop)
    const storage = await openReceiverStorage({ databaseUrl: url })
    onTestFinished(() => storage.close())
    await storage.transact(async (tx) => {
      await sqlOf(tx).run('CREATE TABLE webhook_inbox (note TEXT)')
      await sqlOf(tx).run('INSERT INTO webhook_inbox (note) VALUES ($1)', ['theirs'])
    })
    const found = storage.transact((tx) => sqlOf(tx).all('SELECT note FROM webhook_inbox'))
    expect(await found).toEqual([{ note: 'theirs' }])
    expect(await storage.inbox.accept([newMessage()], LIMITS)).toEqual(['new'])
  })

  test('a schema with tables that are not Adwire’s is refused', async () => {
    const { url, drop } = await emptyPostgres()
    onTestFinished(drop)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('CREATE SCHEMA shop')
    await client.query('CREATE TABLE shop.orders (id INTEGER)')
    await client.end()
    await expect(openSenderStorage({ databaseUrl: url, schema: 'shop' })).rejects.toThrow(
      "the schema shop of the PostgreSQL database has tables that are not Adwire's (orders): give Adwire a schema of its own",
    )
  })

  test('a name that no schema of Adwire can have is refused', async () => {
    const databaseUrl = 'postgres://127.0.0.1:1/none'
    await expect(openSenderStorage({ databaseUrl, schema: 'public' })).rejects.toThrow(
      'schema must be a schema of Adwire\'s own, such as adwire (got "public")',
    )
    await expect(openReceiverStorage({ databaseUrl, schema: 'Ad"transport' })).rejects.toThrow(
      'schema must be lower-case letters, digits and _',
    )
  })

  test('a role that may make no schemas uses one that was made for it', async () => {
    const { url, drop } = await emptyPostgres()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const role = `adwire_role_${randomUUID().slice(0, 8)}`
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
    onTestFinished(async () => {
      await client.query(`DROP OWNED BY ${role} CASCADE`)
      await client.query(`DROP ROLE ${role}`)
      await client.end()
      await drop()
    })
    await client.query(`CREATE SCHEMA made AUTHORIZATION ${role}`)
    const own = new URL(url)
    own.username = role
    own.password = 'secret'
    await expect(openSenderStorage({ databaseUrl: own.href })).rejects.toThrow(/permission denied/)
    await use({ databaseUrl: own.href, schema: 'made' })
  })
})

describe('two schemas in one database [postgres]', () => {
  test('have each their own rows', async () => {
    const { url, drop } = await emptyPostgres()
    onTestFinished(drop)
    const [one, two] = [await receiverIn(url, 'one'), await receiverIn(url, 'two')]
    const message = newMessage()
    expect(await one.inbox.accept([message], LIMITS)).toEqual(['new'])
    expect(await one.inbox.accept([message], LIMITS)).toEqual(['duplicate'])
    expect(await two.inbox.accept([message], LIMITS)).toEqual(['new'])
  })

  test('wake each their own workers, and hold each their own locks', async () => {
    const { url, drop } = await emptyPostgres()
    onTestFinished(drop)
    const [one, other, two] = ['one', 'one', 'two'].map((schema) => openPostgres({ url, schema }))
    const opened = [one, other, two] as [Database, Database, Database]
    onTestFinished(async () => {
      for (const database of opened) await database.close()
    })
    const counts = opened.map(countWakes)
    // Each looks once when it begins to listen.
    await eventually(() => expect(counts.map((count) => count())).toEqual([1, 1, 1]))
    await opened[0].transact((tx) => tx.wake('topic'))
    await eventually(() => expect(counts[1]?.()).toBe(2))
    const last = openPostgres({ url, schema: 'two' })
    await last.transact((tx) => tx.wake('topic'))
    await last.close()
    await eventually(() => expect(counts[2]?.()).toBe(2))
    expect(counts.map((count) => count())).toEqual([2, 2, 2])

    const order: string[] = []
    let waiting: Promise<unknown> | undefined
    await opened[0].transact(async (tx) => {
      await tx.lock('name')
      await opened[2].transact(async (elsewhere) => {
        await elsewhere.lock('name')
        order.push('the other schema')
      })
      waiting = opened[1].transact(async (same) => {
        await same.lock('name')
        order.push('the same schema')
      })
      await eventually(async () => {
        const sql = "SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        expect(await opened[2].read.all(sql)).toHaveLength(1)
      })
      order.push('the end of the first')
    })
    await waiting
    expect(order).toEqual(['the other schema', 'the end of the first', 'the same schema'])
  })

  test('the search path of a connection decides nothing', async () => {
    const { url, drop } = await emptyPostgres()
    onTestFinished(drop)
    const path = encodeURIComponent('-c search_path=pg_catalog')
    await use({ databaseUrl: `${url}?options=${path}`, schema: 'one' })
    const storage = await receiverIn(url, 'one')
    expect(await storage.inbox.list({})).toHaveLength(1)
  })
})

function countWakes(database: Database): () => number {
  let count = 0
  database.onWake('topic', () => {
    count++
  })
  return () => count
}

async function receiverIn(databaseUrl: string, schema: string) {
  const storage = await openReceiverStorage({ databaseUrl, schema })
  onTestFinished(() => storage.close())
  return storage
}

function configOf(options: DatabaseOptions) {
  return 'dataDir' in options
    ? { data: options.dataDir, databaseUrl: undefined, databasePool: 2 }
    : { data: '', databaseUrl: options.databaseUrl, databasePool: 2 }
}

function newChannel(): NewChannel {
  const id = randomUUID()
  return {
    owner: 'o',
    subject: `task:${id}`,
    name: 'push',
    form: 'mcp',
    url: 'https://buyer.example/hook',
    endpoint: 'https://buyer.example/hook',
    operation_id: undefined,
    scheme: 'rfc9421',
    secrets: undefined,
    expires_at: undefined,
  }
}

function newDelivery(channel: Channel): NewDelivery {
  return {
    channel,
    task_id: undefined,
    operation_id: undefined,
    notification_type: 'working',
    sequence_number: undefined,
    idempotency_key: randomUUID(),
    body: Buffer.from('{}'),
  }
}

const RAILS = [
  'CREATE TABLE schema_migrations (version VARCHAR PRIMARY KEY)',
  "INSERT INTO schema_migrations VALUES ('20260101000000')",
  'CREATE TABLE ar_internal_metadata (key VARCHAR PRIMARY KEY, value VARCHAR)',
  'CREATE TABLE accounts (id BIGSERIAL PRIMARY KEY, name VARCHAR)',
  'CREATE TABLE tasks (id BIGSERIAL PRIMARY KEY, title VARCHAR)',
  "INSERT INTO tasks (title) VALUES ('theirs')",
  'CREATE INDEX tasks_owner ON tasks (title)',
  'CREATE TABLE products (id BIGSERIAL PRIMARY KEY, title VARCHAR)',
  'CREATE TABLE organizations (id BIGSERIAL PRIMARY KEY)',
]

const DJANGO = [
  'CREATE TABLE django_migrations (id BIGSERIAL PRIMARY KEY, app VARCHAR, name VARCHAR, applied TIMESTAMPTZ)',
  "INSERT INTO django_migrations (app, name) VALUES ('shop', '0001_initial')",
  'CREATE TABLE django_session (session_key VARCHAR PRIMARY KEY)',
  'CREATE TABLE auth_user (id BIGSERIAL PRIMARY KEY, username VARCHAR)',
  'CREATE TABLE api_keys (id BIGSERIAL PRIMARY KEY)',
  'CREATE TABLE signals (id BIGSERIAL PRIMARY KEY, name VARCHAR)',
  "INSERT INTO signals (name) VALUES ('theirs')",
]

/** A table, with a row, of the name of each of Adwire's. */
async function sameNames(): Promise<string[]> {
  const place = await emptyPlace('sqlite')
  await (await openStorage(configOf(place.options))).close()
  return (await tablesAt(place)).flatMap((name) => [
    `CREATE TABLE ${name} (theirs TEXT)`,
    `INSERT INTO ${name} VALUES ('theirs')`,
  ])
}

/** Every row of every table of theirs, and what the tables are made of. */
async function contentOf(client: pg.Client): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {}
  const { rows: columns } = await client.query<{ table_name: string }>(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY 1, 2`,
  )
  for (const { table_name } of columns) {
    content[table_name] = (await client.query(`SELECT * FROM public.${table_name}`)).rows
  }
  const { rows: indexes } = await client.query(
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
  )
  return { ...content, columns, indexes }
}
