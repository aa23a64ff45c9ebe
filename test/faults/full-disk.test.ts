// A server whose disk is full, or whose database is read-only: it refuses writes, says in /readyz that it is not ready and
// why, keeps serving reads, and is ready again by itself.

import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../support/app.ts'
import { adwire, folder, type Server, serve } from '../support/cli.ts'
import { migratedPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0
if (!hasPrlimit) console.warn('SKIPPED: a test of limited file sizes needs prlimit')

async function contributor(at: readonly string[]) {
  const made = await adwire(['orgs', 'create', 'Org', '--json', ...at])
  const { key } = JSON.parse(made.stdout) as { key: string }
  let count = 0
  return (server: Server) => {
    count += 1
    const domain = `d${count}.example`
    return call(`${server.url}/api/manifest-refs`, {
      key,
      body: {
        domain,
        reference_type: 'url',
        manifest_url: `https://${domain}/${'x'.repeat(1_500)}/brand.json`,
      },
    })
  }
}

const ready = (server: Server) => call(`${server.url}/readyz`)

/** Refused, not ready, reading, and then ready and writing again, without a restart. */
async function sufferAndRecover(
  server: Server,
  write: (server: Server) => ReturnType<typeof call>,
  { isOver, reason }: { isOver: () => unknown; reason: RegExp },
): Promise<void> {
  await eventually(async () => expect((await write(server)).status).toBe(503))
  const answer = await ready(server)
  expect([answer.status, answer.body]).toEqual([
    503,
    { error: expect.stringMatching(reason), request_id: expect.any(String) },
  ])
  expect((await call(`${server.url}/healthz`)).status).toBe(200)
  const lookup = await call(`${server.url}/api/manifest-refs/lookup?domain=d1.example`)
  expect([lookup.status, lookup.body.found]).toEqual([200, true])
  await isOver()
  // No one writes: it finds out by itself.
  await eventually(async () => expect((await ready(server)).status).toBe(200))
  expect((await write(server)).status).toBe(201)
  expect(server.output.stderr).toContain('"msg":"not ready"')
  expect(server.output.stderr).toContain('"msg":"ready again"')
}

test.skipIf(!canMount)('a full disk is noticed by /readyz, and its end too', async () => {
  const disk = smallDisk(16)
  const at = ['--data', join(disk.path, 'data')]
  const write = await contributor(['--create', ...at])
  const server = await serve(at)
  expect((await write(server)).status).toBe(201)
  expect((await ready(server)).status).toBe(200)
  disk.fill()
  const reason = /^not ready: .*disk.* is full/
  await sufferAndRecover(server, write, { isOver: disk.free, reason })
})

test.skipIf(!canMount)('a full disk is noticed although no one writes', async () => {
  const disk = smallDisk(16)
  const at = ['--data', join(disk.path, 'data')]
  const server = await serve(at)
  disk.fill()
  await eventually(async () => {
    const answer = await ready(server)
    expect([answer.status, answer.body.error]).toEqual([
      503,
      expect.stringMatching(/^not ready: the data folder .* cannot be written: its disk is full/),
    ])
  })
  disk.free()
  await eventually(async () => expect((await ready(server)).status).toBe(200))
})

test.skipIf(!hasPrlimit)(
  'a file that may not grow is noticed by /readyz, and its end too',
  async () => {
    const data = folder()
    const at = ['--data', data]
    const write = await contributor(['--create', ...at])
    const server = await serve(at)
    expect((await write(server)).status).toBe(201)
    const limit = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}:`])
    limit(String(statSync(join(data, 'adwire.db-wal')).size))
    await sufferAndRecover(server, write, { isOver: () => limit('unlimited'), reason: /disk/ })
  },
)

test('a PostgreSQL that becomes read-only is noticed by /readyz, and its end too', async () => {
  const { url, drop } = await migratedPostgres()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await drop()
  })
  const setReadOnly = async (value: 'on' | 'off') => {
    await client.query('SET default_transaction_read_only = off')
    const name = new URL(url).pathname.slice(1)
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
  }
  const at = ['--database-url', url]
  const write = await contributor(at)
  const server = await serve(at)
  expect((await write(server)).status).toBe(201)
  await setReadOnly('on')
  await sufferAndRecover(server, write, {
    isOver: () => setReadOnly('off'),
    reason: /^not ready: the PostgreSQL database is read-only/,
  })
})
