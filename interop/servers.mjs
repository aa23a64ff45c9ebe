// The built server as a sandbox, with its fixtures: one instance on SQLite, or two on one PostgreSQL, at one public address.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const ROOT = new URL('../', import.meta.url).pathname
const CLI = join(ROOT, 'dist/cli/main.js')
const FIXTURES = new URL('./fixtures', import.meta.url).pathname
const STARTED_MS = 120_000

/** `settings` are environment variables beside those that every run has. */
export async function startServers({ database, egressHosts, jwksUrl, settings = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-interop-'))
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const ports = await freePorts(postgres ? 2 : 1)
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const env = {
    ...process.env,
    ADWIRE_DATA: folder,
    ADWIRE_PUBLIC_URL: urls[0],
    ADWIRE_PROTOCOL_NAME: 'adcp',
    ADWIRE_CONSOLE: 'false',
    ADWIRE_SIGNALS_MODEL: 'false',
    // Some steps are sent without the release that all others of their run name.
    ADWIRE_REQUIRE_IDEMPOTENCY_KEY: 'true',
    ADWIRE_EGRESS_HOSTS: egressHosts,
    ADWIRE_TASKS_PER_MINUTE: '100000',
    ADWIRE_REQUESTS_PER_MINUTE: '100000',
    ADWIRE_LOG_LEVEL: 'warn',
    ...(postgres ? { ADWIRE_DATABASE_URL: postgres.url } : {}),
    ...settings,
  }
  const loaded = JSON.parse(await adwire(['sandbox', 'load', FIXTURES, '--create', '--json'], env))
  for (const { principal_id, name } of loaded.principals) {
    if (name !== SIGNER) continue
    await adwire(['principals', 'keys', 'add', principal_id, '--jwks-url', jwksUrl], env)
  }
  const servers = []
  for (const port of ports) servers.push(await startServer(port, env))
  return {
    urls,
    keys: Object.fromEntries(loaded.principals.map(({ name, key }) => [name, key])),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The demo, with no fixtures but its own. `settings` are environment variables beside those that every run has. */
export async function startDemo({ settings = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-interop-'))
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ADWIRE_DATA: folder,
    ADWIRE_PUBLIC_URL: url,
    ADWIRE_PROTOCOL_NAME: 'adcp',
    ADWIRE_CONSOLE: 'false',
    ADWIRE_SIGNALS_MODEL: 'false',
    ADWIRE_TASKS_PER_MINUTE: '100000',
    ADWIRE_REQUESTS_PER_MINUTE: '100000',
    ADWIRE_LOG_LEVEL: 'warn',
    ...settings,
  }
  const server = await startServer(port, env, { mode: '--demo', ready: /^demo key: / })
  return {
    url,
    key: server.line.replace('demo key: ', ''),
    stop: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whose signed requests the graders send. */
const SIGNER = 'Signer'

async function adwire(args, env) {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env })
  return stdout
}

async function startServer(port, env, { mode = '--sandbox', ready = /listens on/ } = {}) {
  const child = spawn(process.execPath, [CLI, 'serve', mode, '--port', String(port)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const reported = []
  child.stderr.setEncoding('utf8').on('data', (text) => reported.push(text))
  const line = await lineOf(child, ready).catch((error) => {
    child.kill()
    throw new Error(`the server did not start: ${error.message}\n${reported.join('')}`)
  })
  return { line, stop: () => stopped(child, () => child.kill('SIGTERM')) }
}

/** Ends when its standard input does. */
async function startPostgres() {
  const script = join(ROOT, 'test/support/postgres-process.mjs')
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], cwd: ROOT })
  const url = await lineOf(child, /^postgres:/)
  return { url, stop: () => stopped(child, () => child.stdin.end()) }
}

function lineOf(child, pattern) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it took too long')), STARTED_MS)
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!pattern.test(line)) return
      clearTimeout(timer)
      resolve(line)
    })
  })
}

function stopped(child, end) {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', resolve)
    end()
  })
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = []
  for (const server of servers) {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports.push(server.address().port)
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
