// Programs of Debian around PostgreSQL: a pooler, and a primary with a synchronous standby. Where they are not installed,
// tests that need them are skipped, and say so.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'

const run = promisify(execFile)

const POSTGRES_BIN = newestBin('/usr/lib/postgresql')
const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
/** Neither program runs as root. */
const user = process.getuid?.() === 0 ? idsOf('postgres') : {}

export const hasPgbouncer = found('pgbouncer', PGBOUNCER)
export const hasStandby = found('postgresql (with pg_basebackup)', POSTGRES_BIN)

function found(name: string, path: string | undefined): boolean {
  if (path === undefined) {
    process.stderr.write(
      `\n*** SKIPPED: ${name} of Debian is not installed: its tests do not run ***\n`,
    )
  }
  return path !== undefined
}

function newestBin(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const bins = readdirSync(folder)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(folder, version, 'bin'))
  return bins.find((bin) => existsSync(join(bin, 'pg_basebackup')))
}

function idsOf(name: string): { uid?: number; gid?: number } {
  const line = readFileLine('/etc/passwd', `${name}:`)
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined ? {} : { uid: Number(uid), gid: Number(gid) }
}

function readFileLine(path: string, start: string): string | undefined {
  return readFileSync(path, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(start))
}

function ownFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'adwire-pg-tools-'))
  chmodSync(path, 0o700)
  if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
  return path
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** In front of the server at `url`, in transaction mode, with two connections: clients use each other's. */
export async function startPgbouncer(url: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = ownFolder()
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
pooled = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
logfile = ${join(folder, 'pgbouncer.log')}
`,
    { mode: 0o644 },
  )
  const child = spawn(PGBOUNCER as string, ['-q', file], { ...user, stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit').catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  })
  const at = `postgres://any:any@127.0.0.1:${own}/pooled`
  await eventually(() => query(at, 'SELECT 1'))
  return at
}

export interface Standby {
  /** Of both servers, as one address. */
  url: string
  /** Of the two, alone. */
  primary: string
  standby: string
  /** As if its machine were gone. */
  killPrimary(): Promise<void>
  promote(): Promise<void>
}

/** A primary whose commits wait for its standby. */
export async function startStandby(): Promise<Standby> {
  const bin = (name: string) => join(POSTGRES_BIN as string, name)
  const folder = ownFolder()
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const ports = [await freePort(), await freePort()]
  const at = (index: number) => `postgres://postgres@127.0.0.1:${ports[index]}/postgres`
  const tool = (name: string, ...args: string[]) => run(bin(name), args, { ...user, cwd: folder })
  const begin = (data: string) =>
    tool('pg_ctl', 'start', '-w', '-D', data, '-l', `${data}.log`, '-o', `-k ${folder}`)
  const kill = (data: string) =>
    tool('pg_ctl', 'stop', '-D', data, '-m', 'immediate').catch(() => {})
  onTestFinished(async () => {
    await kill(first)
    await kill(second)
    rmSync(folder, { recursive: true, force: true })
  })
  await tool('initdb', '-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C')
  appendFileSync(
    join(first, 'postgresql.conf'),
    `port = ${ports[0]}\nlisten_addresses = '127.0.0.1'\nmax_connections = 60\n`,
  )
  await begin(first)
  const from = ['-h', '127.0.0.1', '-p', String(ports[0]), '-U', 'postgres']
  await tool('pg_basebackup', '-D', second, '-R', '-X', 'stream', '-c', 'fast', ...from)
  appendFileSync(join(second, 'postgresql.conf'), `port = ${ports[1]}\n`)
  await begin(second)
  await query(at(0), "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await query(at(0), 'SELECT pg_reload_conf()')
  await eventually(async () => {
    const rows = await query(at(0), 'SELECT sync_state FROM pg_stat_replication')
    if (rows[0]?.sync_state !== 'sync') throw new Error('not synchronous yet')
  })
  return {
    url: `postgres://postgres@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
    primary: at(0),
    standby: at(1),
    killPrimary: async () => {
      await kill(first)
    },
    promote: async () => {
      // A primary waits for a synchronous standby, and this one has none any more.
      await tool('pg_ctl', 'promote', '-w', '-D', second)
      await query(at(1), "ALTER SYSTEM SET synchronous_standby_names = ''")
      await query(at(1), 'SELECT pg_reload_conf()')
    },
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
