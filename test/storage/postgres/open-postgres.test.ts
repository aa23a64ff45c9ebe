import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../../../src/lib/transaction.ts'
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts'
import type { Database, SqlTransaction } from '../../../src/storage/sql/database.ts'
import { emptyPostgres } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'

let server: Awaited<ReturnType<typeof emptyPostgres>>

beforeAll(async () => {
  server = await emptyPostgres()
  const database = openPostgres({ url: server.url })
  await database.transact(async (tx) => {
    await tx.run('CREATE SCHEMA adwire')
    await tx.run('CREATE TABLE adwire.counters (name TEXT PRIMARY KEY, n INTEGER NOT NULL)')
    await tx.run("INSERT INTO counters VALUES ('a', 0), ('b', 0), ('c', 0)")
  })
  await database.close()
})
afterAll(() => server.drop())

interface InstanceOptions {
  url?: string
  poolSize?: number
  onFault?: (error: Error) => void
}

function instance(options: InstanceOptions = {}): Database {
  const database = openPostgres({ url: server.url, ...options })
  onTestFinished(() => database.close())
  return database
}

const counter = async (database: Database, name: string) =>
  (await database.read.get<{ n: number }>('SELECT n FROM counters WHERE name = $1', [name]))?.n

describe('a transaction', () => {
  test('that meets a serialisation failure is run again, and no update is lost', async () => {
    const isolation = encodeURIComponent('-c default_transaction_isolation=serializable')
    const database = instance({ url: `${server.url}?options=${isolation}` })
    let runs = 0
    await Promise.all(
      Array.from({ length: 4 }, () =>
        database.transact(async (tx) => {
          runs++
          const row = await tx.get<{ n: number }>("SELECT n FROM counters WHERE name = 'a'")
          await tx.get('SELECT pg_sleep(0.02)')
          await tx.run("UPDATE counters SET n = $1 WHERE name = 'a'", [(row?.n ?? 0) + 1])
        }),
      ),
    )
    expect(await counter(database, 'a')).toBe(4)
    expect(runs).toBeGreaterThan(4)
  })

  test('whose statements are sent together runs them in their order, and fails by the first that fails', async () => {
    const database = instance()
    const seen = await database.transact(async (tx) => {
      const [, row] = await Promise.all([
        tx.run("INSERT INTO counters VALUES ('together', 1)"),
        tx.get<{ n: number }>("SELECT n FROM counters WHERE name = 'together'"),
        tx.runEach('UPDATE counters SET n = n + $1 WHERE name = $2', [
          [1, 'together'],
          [2, 'together'],
        ]),
      ])
      return row
    })
    expect(seen).toEqual({ n: 1 })
    const failing = database.transact((tx) =>
      Promise.all([
        tx.run("UPDATE counters SET n = 0 WHERE name = 'together'"),
        tx.get('SELECT 1 / (n - n) FROM counters'),
        tx.run("DELETE FROM counters WHERE name = 'together'"),
      ]),
    )
    await expect(failing).rejects.toThrow(/division by zero/)
    expect(await counter(database, 'together')).toBe(4)
  })

  test('that meets a deadlock is run again', async () => {
    const database = instance()
    let arrived = 0
    let bothHere = () => {}
    const both = new Promise<void>((resolve) => {
      bothHere = resolve
    })
    let runs = 0
    const raise = async (tx: SqlTransaction, first: string, second: string) => {
      runs++
      await tx.run("SET LOCAL deadlock_timeout = '20ms'")
      await tx.run('UPDATE counters SET n = n + 1 WHERE name = $1', [first])
      if (++arrived === 2) bothHere()
      await both
      await tx.run('UPDATE counters SET n = n + 1 WHERE name = $1', [second])
    }
    await Promise.all([
      database.transact((tx) => raise(tx, 'b', 'c')),
      database.transact((tx) => raise(tx, 'c', 'b')),
    ])
    expect([await counter(database, 'b'), await counter(database, 'c')]).toEqual([2, 2])
    expect(runs).toBeGreaterThan(2)
  })

  test('that never succeeds is no longer retried after a few attempts', async () => {
    let runs = 0
    const hopeless = instance().transact(async () => {
      runs++
      throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    })
    await expect(hopeless).rejects.toThrow('could not serialize access')
    expect(runs).toBe(6)
  })

  test('whose connection is cut is StorageUnavailable, and the next call works', async () => {
    const database = instance({ poolSize: 1 })
    let runs = 0
    const cut = database.transact(async (tx) => {
      runs++
      await tx.get('SELECT pg_terminate_backend(pg_backend_pid())')
    })
    await expect(cut).rejects.toBeInstanceOf(StorageUnavailable)
    expect(runs).toBe(1)
    expect(await database.transact((tx) => tx.now())).toBeGreaterThan(0)
    expect(await database.faults()).toEqual([])
  })

  test('that gets no connection from a busy pool is StorageUnavailable', async () => {
    const database = instance({ poolSize: 1 })
    let release = () => {}
    const holding = database.transact(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    expect(await database.faults()).toEqual(['the PostgreSQL database cannot be reached'])
    release()
    await holding
  })
})

const ask = (database: Database) => database.read.get('SELECT 1 AS one')

test('connections cut while idle are replaced, and reported', async () => {
  const faults: Error[] = []
  const database = instance({ onFault: (error) => faults.push(error) })
  await Promise.all(Array.from({ length: 3 }, () => ask(database)))
  await terminateOthers()
  await eventually(() => expect(faults.length).toBeGreaterThan(0))
  for (let n = 0; n < 5; n++) await ask(database)
})

test('connections cut unnoticed cost neither a read nor the beginning of a transaction', async () => {
  const database = instance()
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 8 }, () => ask(database)))
    await terminateOthers()
    await Promise.all([
      ...Array.from({ length: 4 }, () => ask(database)),
      ...Array.from({ length: 4 }, () => database.transact((tx) => tx.get('SELECT 1 AS one'))),
    ])
  }
})

test('a fault of the program is not taken for a fault of the store', async () => {
  const typo = instance().transact((tx) => tx.run('INSRT INTO counters'))
  await expect(typo).rejects.not.toBeInstanceOf(StorageUnavailable)
})

describe('a database that is set to read-only', () => {
  test('is StorageUnavailable for writes, is named, and recovers by itself', async () => {
    const own = await emptyPostgres()
    const client = new pg.Client({ connectionString: own.url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await own.drop()
    })
    const name = new URL(own.url).pathname.slice(1)
    const setReadOnly = async (value: 'on' | 'off') => {
      await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
    }
    const database = instance({ url: own.url })
    await database.transact((tx) => tx.run('CREATE SCHEMA adwire'))
    await database.transact((tx) => tx.run('CREATE TABLE adwire.things (v INTEGER)'))
    const write = () => database.transact((tx) => tx.run('INSERT INTO things VALUES (1)'))
    await write()
    expect(await database.faults()).toEqual([])

    await setReadOnly('on')
    await expect(write()).rejects.toBeInstanceOf(StorageUnavailable)
    expect(await database.faults()).toEqual([
      expect.stringContaining('the PostgreSQL database is read-only'),
    ])
    expect(await database.read.all('SELECT v FROM things')).toHaveLength(1)

    // The client that sets it back has a session of before.
    await setReadOnly('off')
    await write()
    expect(await database.faults()).toEqual([])
  })
})

describe('a server that is not there', () => {
  test.each(['127.0.0.1', 'localhost', 'no-such-host.invalid'])(
    'at %s is StorageUnavailable for reads and transactions, and named as a fault',
    async (host) => {
      const database = openPostgres({ url: `postgres://u:secret@${host}:9/none` })
      onTestFinished(() => database.close())
      for (const attempt of [
        () => database.read.get('SELECT 1'),
        () => database.transact((tx) => tx.now()),
      ]) {
        const error = await attempt().then(
          () => undefined,
          (reason: unknown) => reason,
        )
        expect(error).toBeInstanceOf(StorageUnavailable)
        expect(String((error as Error).message)).not.toContain('secret')
      }
      expect(await database.faults()).toEqual(['the PostgreSQL database cannot be reached'])
    },
  )
})

describe('a wake-up', () => {
  const woken = (database: Database) => {
    let count = 0
    database.onWake('topic', () => {
      count++
    })
    return () => count
  }

  test('reaches the other instances', async () => {
    const [one, two] = [instance(), instance()]
    const received = woken(two)
    await eventually(async () => {
      await one.transact((tx) => tx.wake('topic'))
      expect(received()).toBeGreaterThan(0)
    })
  })

  test('of a time when the instance was not listening yet is made up for', async () => {
    const received = woken(instance())
    await eventually(() => expect(received()).toBeGreaterThan(0))
  })

  test('is received again after the listening connection was cut', async () => {
    const database = instance()
    const received = woken(database)
    await eventually(async () => {
      await database.transact((tx) => tx.wake('topic'))
      expect(received()).toBeGreaterThan(0)
    })
    await terminateOthers()
    const before = received()
    await eventually(async () => {
      await database.transact((tx) => tx.wake('topic'))
      expect(received()).toBeGreaterThan(before)
    })
  })
})

async function terminateOthers(): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await admin.end()
}
