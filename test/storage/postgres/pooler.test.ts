// Behind PgBouncer in transaction mode, and with a standby that is promoted: real programs, where they are installed.

import { expect, onTestFinished, test } from 'vitest'
import {
  chooseHost,
  hostsOf,
  placeInUrl,
  postgresUrlFault,
  withoutPassword,
} from '../../../src/storage/postgres/hosts.ts'
import { openPostgres, type PostgresOptions } from '../../../src/storage/postgres/open-postgres.ts'
import { migrate } from '../../../src/storage/sql/migrate.ts'
import { call, startApp } from '../../support/app.ts'
import { emptyPostgres } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import {
  hasPgbouncer,
  hasStandby,
  startPgbouncer,
  startStandby,
} from '../../support/postgres-tools.ts'

function opened(options: PostgresOptions) {
  const database = openPostgres(options)
  onTestFinished(() => database.close())
  return database
}

async function server(): Promise<string> {
  const { url, drop } = await emptyPostgres()
  onTestFinished(drop)
  return url
}

const DIGITS = Array.from({ length: 40 }, (_, n) => n)

test.skipIf(!hasPgbouncer)(
  'behind PgBouncer in transaction mode, migrations, transactions and locks of many clients work',
  async () => {
    const url = await startPgbouncer(await server())
    const limits: string[] = []
    const first = opened({ url, onLimit: (message) => limits.push(message) })
    const second = opened({ url })
    expect((await migrate(first)).length).toBeGreaterThan(10)
    await first.transact((tx) =>
      tx.run("INSERT INTO server_secrets (name, value, created_at) VALUES ('count', '0', 0)"),
    )
    // Read, then written, under a lock of the transaction: without it, counts would be lost.
    const add = (database: typeof first) =>
      database.transact(async (tx) => {
        await tx.lock('count')
        const row = await tx.get<{ value: string }>('SELECT value FROM server_secrets')
        await tx.run('UPDATE server_secrets SET value = $1', [String(Number(row?.value) + 1)])
      })
    await Promise.all(DIGITS.map((n) => add(n % 2 === 0 ? first : second)))
    const rows = await Promise.all(
      DIGITS.map((n) =>
        (n % 2 === 0 ? first : second).read.get<{ value: string; n: number }>(
          `SELECT value, ${n} AS n FROM server_secrets`,
        ),
      ),
    )
    expect(rows).toEqual(DIGITS.map((n) => ({ value: '40', n })))
    first.onWake('topic', () => {})
    await eventually(() =>
      expect(limits.filter((one) => one.includes('ADWIRE_DATABASE_LISTEN_URL'))).toHaveLength(1),
    )
    // Each is said once, however often it is met.
    expect(new Set(limits).size).toBe(limits.length)
  },
)

test.skipIf(!hasPgbouncer)(
  'with a direct connection to listen on, notifications arrive behind PgBouncer',
  async () => {
    const direct = await server()
    const url = await startPgbouncer(direct)
    const limits: string[] = []
    const onLimit = (message: string) => limits.push(message)
    const first = opened({ url, listenUrl: direct, onLimit })
    const second = opened({ url, listenUrl: direct })
    await migrate(first)
    let woken = 0
    first.onWake('topic', () => {
      woken++
    })
    // The first one is that of the connection itself.
    await eventually(() => expect(woken).toBeGreaterThan(0))
    const before = woken
    await second.transact((tx) => tx.wake('topic'))
    await eventually(() => expect(woken).toBeGreaterThan(before))
    expect(limits.filter((one) => one.includes('ADWIRE_DATABASE_LISTEN_URL'))).toEqual([])
  },
)

test.skipIf(!hasPgbouncer)(
  'a server works behind PgBouncer, and logs once that it polls',
  async () => {
    const databaseUrl = await startPgbouncer(await server())
    const app = await startApp({ config: { databaseUrl } })
    onTestFinished(() => app.stop())
    const key = await app.principal()
    const calls = DIGITS.map(() => call(`${app.url}/v3/list_accounts`, { key, body: {} }))
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
    await eventually(() =>
      expect(app.logged.filter((line) => line.includes('workers poll instead'))).toHaveLength(1),
    )
  },
)

test.skipIf(!hasStandby)(
  'a promoted standby is found, a server in recovery gets no write, and no commit is lost',
  async () => {
    const servers = await startStandby()
    const database = opened({ url: servers.url, poolSize: 4, onFault: () => {} })
    await migrate(database)
    const insert = (name: string) =>
      database.transact((tx) =>
        tx.run("INSERT INTO server_secrets (name, value, created_at) VALUES ($1, '', 0)", [name]),
      )
    for (const n of DIGITS) await insert(`before-${n}`)
    const onStandby = opened({ url: `${servers.standby}?target_session_attrs=primary` })
    await expect(onStandby.transact((tx) => tx.get('SELECT 1'))).rejects.toThrow(/read-only/)

    await servers.killPrimary()
    // The other one is a standby still: it is not written to.
    await expect(insert('between')).rejects.toThrow(/read-only|cannot be reached/)
    await servers.promote()
    await eventually(() => insert('after'))
    const rows = await database.read.all<{ name: string }>('SELECT name FROM server_secrets')
    const names = rows.map(({ name }) => name)
    expect(names.toSorted()).toEqual([...DIGITS.map((n) => `before-${n}`), 'after'].toSorted())
  },
)

test('an address may have several hosts, and says nothing of its password', () => {
  const url =
    'postgres://me:p%40ss@a:5433,b:5432/ads?target_session_attrs=read-write&sslmode=require'
  expect(hostsOf(url)).toEqual({
    urls: [
      'postgres://me:p%40ss@a:5433/ads?sslmode=require',
      'postgres://me:p%40ss@b:5432/ads?sslmode=require',
    ],
    needsPrimary: true,
  })
  expect(placeInUrl(url)).toBe('a:5433,b:5432/ads')
  expect(withoutPassword(url)).toEqual({
    url: 'postgres://me@a:5433,b:5432/ads?target_session_attrs=read-write&sslmode=require',
    password: 'p@ss',
  })
  expect(hostsOf('postgres://me@a/ads').needsPrimary).toBe(false)
  expect(hostsOf('postgres://a,b/ads?target_session_attrs=any').needsPrimary).toBe(false)
})

test.each([
  ['http://a/b', /begins with postgres/],
  ['postgres://a,,b/c', /a host that is not host:port/],
  ['postgres://a,b:x/c', /a host that is not host:port/],
  ['postgres://a,b/c?target_session_attrs=standby', /none of any, read-write, primary/],
  [`postgres://${Array.from({ length: 17 }, () => 'a').join()}/c`, /1 to 16 hosts/],
])('the address %s is refused', (url, message) => {
  expect(postgresUrlFault(url)).toMatch(message)
})

test('callers that failed at the same host move on by one', () => {
  const choice = chooseHost(hostsOf('postgres://a,b,c/d'))
  const failed = choice.url()
  choice.next(failed)
  choice.next(failed)
  expect(choice.url()).toBe('postgres://b/d')
  choice.next('postgres://b/d')
  choice.next('postgres://c/d')
  expect(choice.url()).toBe('postgres://a/d')
})
