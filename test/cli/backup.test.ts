import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { call } from '../support/app.ts'
import { adwire, folder, serve } from '../support/cli.ts'

interface Manifest {
  store: string
  bytes: number
  sha256: string
  tables: Record<string, number>
}

async function json<T>(args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await adwire([...args, '--json'])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as T
}

/** A data folder with some principals, and a backup of it. */
async function backedUp() {
  const data = folder()
  await json(['principals', 'create', 'Buyer', '--data', data, '--create'])
  const file = join(folder(), 'all.backup')
  const manifest = await json<Manifest>(['backup', file, '--data', data])
  return { data, file, manifest }
}

const names = async (data: string) =>
  (await json<{ name: string }[]>(['principals', 'list', '--data', data])).map(({ name }) => name)

test('a backup that is made while a server works is restored with all that was acknowledged', async () => {
  const data = folder()
  const { url } = await serve(['--data', data])
  const { key } = await json<{ key: string }>(['principals', 'create', 'Buyer', '--data', data])
  const made = (accounts: readonly { brand: { domain: string }; operator: string }[]) =>
    call(`${url}/v3/sync_accounts`, { key, body: { accounts } })
  const account = (n: number) => ({
    brand: { domain: `brand-${n}.example` },
    operator: 'a.example',
  })
  expect((await made([account(1)])).status).toBe(200)
  const file = join(folder(), 'all.backup')
  // Others write on meanwhile.
  const [manifest] = await Promise.all([
    json<Manifest>(['backup', file, '--data', data]),
    ...Array.from({ length: 20 }, (_, n) => made([account(n + 2)])),
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(manifest).toMatchObject({ store: 'sqlite', bytes: statSync(file).size })

  const other = folder()
  const restored = await json<Manifest>(['restore', file, '--data', other])
  expect(restored.tables).toEqual(manifest.tables)
  const again = await serve(['--data', other])
  const { body } = await call(`${again.url}/v3/list_accounts`, { key, body: {} })
  const { accounts } = body as { accounts: { brand?: { domain: string } }[] }
  expect(accounts.map(({ brand }) => brand?.domain)).toContain('brand-1.example')
})

test('numbers given out after a backup was made are not given out again', async () => {
  const { data, file } = await backedUp()
  const other = folder()
  await json(['restore', file, '--data', other])
  const [before, after] = [numbersIn(data), numbersIn(other)]
  // Those of the feed and of deliveries among them, though none of these was given out before the backup.
  for (const name of ['feed_events', 'webhook_deliveries', 'webhook_inbox', 'console_audit']) {
    expect(after.get(name) ?? 0, name).toBeGreaterThanOrEqual((before.get(name) ?? 0) + 1_000_000)
  }
})

test('a backup is never overwritten, and is for its owner alone', async () => {
  const { data, file } = await backedUp()
  const { code, stderr } = await adwire(['backup', file, '--data', data])
  expect(code).toBe(1)
  expect(stderr).toContain(`${file} exists: choose another name`)
  expect(statSync(`${file}.manifest.json`).mode & 0o777).toBe(0o600)
})

test.each([
  ['changed', (file: string) => flip(file), /was changed after it was made/],
  ['cut short', (file: string) => cut(file), /bytes, but its manifest records/],
  [
    'without a manifest that can be read',
    (file: string) => writeFileSync(`${file}.manifest.json`, '{}'),
    /is not the manifest of a backup/,
  ],
] as const)(
  'a backup that is %s is refused, and nothing is made of it',
  async (_, spoil, message) => {
    const { file } = await backedUp()
    spoil(file)
    const other = folder()
    const { code, stderr } = await adwire(['restore', file, '--data', other])
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expect(existsSync(join(other, 'adwire.db'))).toBe(false)
  },
)

test('a database that is there is replaced only on request, and is kept', async () => {
  const { data, file } = await backedUp()
  await json(['principals', 'create', 'Later', '--data', data])
  const refused = await adwire(['restore', file, '--data', data])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('replace it with --replace')
  expect((await names(data)).toSorted()).toEqual(['Buyer', 'Later'])

  const { replaced_file } = await json<{ replaced_file: string }>([
    'restore',
    file,
    '--replace',
    '--data',
    data,
  ])
  expect(await names(data)).toEqual(['Buyer'])
  expect(readFileSync(replaced_file).subarray(0, 15).toString()).toBe('SQLite format 3')
})

test('a backup is not restored below a running server', async () => {
  const { data, file } = await backedUp()
  await serve(['--data', data])
  const { code, stderr } = await adwire(['restore', file, '--replace', '--data', data])
  expect(code).toBe(1)
  expect(stderr).toContain('another adwire server is running on the data folder')
})

test('PostgreSQL is dumped by its own tools, which get the password in no argument', async () => {
  const tools = folder()
  const at = join(tools, 'pg_restore')
  writeFileSync(
    at,
    `#!/bin/sh\necho "$@" > ${tools}/arguments\necho "$PGPASSWORD" > ${tools}/password\n`,
  )
  chmodSync(at, 0o755)
  const { runDumpTool } = await import('../../src/storage/postgres/dump-tools.ts')
  const url = 'postgres://adwire:se%40cret@127.0.0.1:5432/ads'
  const place = { url, schema: 'adwire', environment: { PATH: `${tools}:${process.env.PATH}` } }
  await runDumpTool('pg_restore', ['all.dump'], place)
  expect(readFileSync(join(tools, 'arguments'), 'utf8')).toBe(
    'all.dump --dbname=postgres://adwire@127.0.0.1:5432/ads\n',
  )
  expect(readFileSync(join(tools, 'password'), 'utf8')).toBe('se@cret\n')
  await expect(
    runDumpTool('pg_dump', [], { ...place, environment: { PATH: tools } }),
  ).rejects.toThrow(/pg_dump was not found: install the PostgreSQL client tools/)
})

/** The last number that each table gave out. */
function numbersIn(data: string): Map<string, number> {
  const database = new DatabaseSync(join(data, 'adwire.db'), { readOnly: true })
  const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').all()
  database.close()
  return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
}

function flip(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length - 10] = (bytes[bytes.length - 10] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

function cut(file: string): void {
  writeFileSync(file, readFileSync(file).subarray(0, 4096))
}
