import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json as readJson } from 'node:stream/consumers'
import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/storage/sql/migrate.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { adwire, folder, serve, start } from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { fillEveryTable } from '../support/every-table.ts'

interface Moved {
  tables: { name: string; rows: number; sha256: string }[]
}

async function emptyServer(): Promise<string> {
  const { url, drop } = await emptyPostgres()
  onTestFinished(drop)
  return url
}

async function filledFolder(more: Readonly<Record<string, number>> = {}): Promise<string> {
  const data = folder()
  const database = openSqlite({ dataDir: data })
  await migrate(database)
  await fillEveryTable(database, 2, more)
  await database.close()
  return data
}

/** Rows that have arrived, as another process sees it. */
async function arrivedAt(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT sum(rows) AS sum FROM adwire.adwire_move_progress')
    return Number(rows[0].sum)
  } finally {
    await client.end()
  }
}

function arrivedIn(data: string): number {
  const file = new DatabaseSync(join(data, 'adwire.db'), { readOnly: true })
  try {
    return Number(file.prepare('SELECT sum(rows) AS sum FROM adwire_move_progress').get()?.sum)
  } finally {
    file.close()
  }
}

/** Starts the move and kills it, as often as there are marks, as soon as so many rows have arrived. */
async function killAt(
  marks: readonly number[],
  args: readonly string[],
  arrived: () => number | Promise<number>,
): Promise<void> {
  for (const rows of marks) {
    const { child, ended } = start(['move', ...args, '--batch-rows', '2'])
    await eventually(
      async () => {
        if ((await arrived()) < rows) throw new Error('not yet')
      },
      { pauseMs: 5 },
    )
    child.kill('SIGKILL')
    const { code, stdout } = await ended
    expect([child.signalCode, code, stdout], `it was killed at ${rows} rows`).toEqual([
      'SIGKILL',
      null,
      '',
    ])
  }
}

async function move(...args: string[]): Promise<Moved> {
  const { code, stdout, stderr } = await adwire(['move', '--json', ...args])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Moved
}

const digests = ({ tables }: Moved) =>
  Object.fromEntries(tables.map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`]))

test('a move that is killed again and again continues, there and back, to equal digests', async () => {
  const data = await filledFolder({ webhook_deliveries: 2_000 })
  const url = await emptyServer()
  await killAt([10, 400, 1_200], ['--to', url, '--data', data], () => arrivedAt(url))
  const beside = await adwire(['principals', 'list', '--data', data])
  expect([beside.code, beside.stderr]).toEqual([
    1,
    expect.stringMatching(/is being moved to .* run the same adwire move again to finish/),
  ])
  const there = await move('--to', url, '--data', data)
  expect(there.tables.find(({ name }) => name === 'webhook_deliveries')?.rows).toBe(2_000)

  const back = folder()
  await killAt([10, 700], ['--from', url, '--data', back], () => arrivedIn(back))
  expect(digests(await move('--from', url, '--data', back))).toEqual(digests(there))
})

test('spec 6.4: no event is lost by a move, and none is delivered under a second key', async () => {
  const keys: string[] = []
  const receiver = createServer(async (request, response) => {
    const { idempotency_key } = (await readJson(request)) as { idempotency_key: string }
    keys.push(idempotency_key)
    response.end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const egress = { ADWIRE_EGRESS_ALLOW: '127.0.0.0/8', ADWIRE_EGRESS_ALLOW_HTTP: 'true' }

  const data = folder()
  const created = await adwire([
    'principals',
    'create',
    'Buyer',
    '--json',
    '--create',
    '--data',
    data,
  ])
  const { key } = JSON.parse(created.stdout) as { key: string }
  const body = join(folder(), 'revoked.json')
  writeFileSync(
    body,
    JSON.stringify({
      rights_id: 'r1',
      brand_id: 'acme',
      reason: 'ended',
      effective_at: '2026-01-01T00:00:00Z',
    }),
  )
  const emitted: string[] = []
  for (let count = 0; count < 4; count++) {
    const args = ['webhook', 'emit', 'revocation-notification', '--body', `@${body}`, '--to', hook]
    const { stdout, stderr } = await adwire([...args, '--json', '--data', data], egress)
    expect(stderr).toBe('')
    emitted.push(JSON.parse(stdout).deliveries[0].idempotency_key)
  }
  expect(keys).toEqual([])
  const url = await emptyServer()
  await killAt([3], ['--to', url, '--data', data], () => arrivedAt(url))
  await move('--to', url, '--data', data)

  const refused = await start(['serve', '--port', '0', '--data', data]).ended
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/error: the data of this database was moved to .*: start on that one/),
  ])
  const server = await serve(['--database-url', url], egress)
  await eventually(() => expect(keys.toSorted()).toEqual(emitted.toSorted()))
  // The caller's key is known there as it was.
  const { status } = await fetch(`${server.url}/v3/list_accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(status).toBe(200)
  expect(new Set(keys).size).toBe(emitted.length)
})

test('a move that has not finished can be cancelled, and one that has cannot', async () => {
  const data = await filledFolder({ webhook_deliveries: 400 })
  const url = await emptyServer()
  const there = ['--to', url, '--data', data]
  await killAt([20], there, () => arrivedAt(url))
  const given = await adwire(['move', ...there, '--cancel'])
  expect([given.code, given.stdout]).toEqual([0, expect.stringMatching(/the move was cancelled/)])
  expect((await adwire(['migrate', '--data', data])).stdout).toBe('the database is up to date\n')
  // What arrived is never taken for a whole database.
  const rest = await adwire(['principals', 'list', '--database-url', url])
  expect([rest.code, rest.stderr]).toEqual([1, expect.stringMatching(/into this database/)])
  const again = await adwire(['move', ...there])
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/is not empty/)])

  const other = await emptyServer()
  await move('--to', other, '--data', data)
  const late = await adwire(['move', '--to', other, '--data', data, '--cancel'])
  expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/has finished and cannot/)])
  const twice = await adwire(['move', '--to', other, '--data', data])
  expect([twice.code, twice.stdout]).toEqual([0, expect.stringMatching(/was moved to .* already/)])
})

test.each([
  [[], 2, /either --to .* or --from/],
  [['--to', 'postgres://a/b', '--from', 'postgres://a/b'], 2, /either --to .* or --from/],
  [['--to', 'http://a/b'], 2, /--to must/],
  [['--to', 'postgres://127.0.0.1:1/x', '--batch-rows', '0'], 2, /--batch-rows must be a whole/],
  [['--to', 'postgres://127.0.0.1:1/x', '--wrong'], 2, /unknown option/],
] as const)('adwire move %j ends with %i', async (args, code, message) => {
  const data = await filledFolder()
  const ended = await adwire(['move', ...args, '--data', data])
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(message)])
})

test('a folder without a database, or with a server on it, is not moved', async () => {
  const url = await emptyServer()
  const none = await adwire(['move', '--to', url, '--data', folder()])
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/no database at/)])
  const data = await filledFolder()
  await serve(['--data', data])
  const busy = await adwire(['move', '--to', url, '--data', data])
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/another adwire server is/)])
})

test('--help of move has examples and exit codes', async () => {
  const { stdout } = await adwire(['move', '--help'])
  expect(stdout).toContain('adwire move --to postgres://')
  expect(stdout).toContain('adwire move --from postgres://')
  expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 /)
})
