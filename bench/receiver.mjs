// The receiver end to end beside its two limits, in one run: a bare node:http server that only reads
// the body, and bare signature verification. Durable dedup on SQLite and on PostgreSQL; then the same
// with a full inbox. Flags: --count N, --rows N (size of the full inbox), --store sqlite|postgres.
import { spawn } from 'node:child_process'
import { createHash, createPublicKey, randomUUID, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openReceiverStorage } from '../dist/receiver/index.js'
import { generateKeyPair, localSigner, signMessage, webhookProfile } from '../dist/signing/index.js'
import { load } from './support/load.mjs'
import { CLI, residentMb, startServer, stopServer } from './support/processes.mjs'

const PROFILE = webhookProfile({ tag: 'proto/webhook-signing/v1', keyUse: 'proto_use' })
const { privateJwk, publicJwk } = generateKeyPair('ed25519', {
  keyUse: 'proto_use',
  purpose: 'webhook-signing',
})
const AGENT = 'https://seller.example/agent'
const CONNECTIONS = 64
const POSTGRES = fileURLToPath(new URL('../test/support/postgres-process.mjs', import.meta.url))
const SINK = fileURLToPath(new URL('support/bare-sink.mjs', import.meta.url))

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      count: { type: 'string', default: '15000' },
      rows: { type: 'string', default: '1000000' },
      store: { type: 'string' },
    },
  })
  const count = Number(values.count)
  const rows = Number(values.rows)
  const limit = await limits(count)
  const keys = await keyServer()
  if (values.store !== 'postgres') {
    const data = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
    await onStore('sqlite', { dataDir: data }, ['--data', data], { count, rows, limit, keys })
    rmSync(data, { recursive: true, force: true })
  }
  if (values.store !== 'sqlite') {
    const child = spawn(process.execPath, [POSTGRES, '--durable'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const databaseUrl = await new Promise((resolve) => {
      child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    })
    const where = ['--database-url', databaseUrl]
    await onStore('postgres', { databaseUrl }, where, { count, rows: rows / 10, limit, keys })
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
  }
  keys.close()
}

/** What nothing that reads and verifies can be faster than. */
async function limits(count) {
  const sink = await startServer([SINK])
  const bare = await measure(sink, count)
  await stopServer(sink)
  const key = createPublicKey({ key: publicJwk, format: 'jwk' })
  const base = Buffer.from('x'.repeat(500))
  const signature = sign(null, base, { key: privateJwk, format: 'jwk' })
  const started = performance.now()
  const rounds = 5_000
  for (let n = 0; n < rounds; n++) verify(null, base, key, signature)
  const verified = rounds / ((performance.now() - started) / 1_000)
  console.log(`bare server that reads the body   ${bare.rate.toFixed(0).padStart(6)}/s`)
  console.log(`bare verification                 ${verified.toFixed(0).padStart(6)}/s`)
  return Math.min(bare.rate, verified)
}

async function onStore(name, where, flags, { count, rows, limit, keys }) {
  const few = await receive(flags, count, keys)
  report(`${name}, inbox of ${count}`, few, limit, name === 'sqlite' ? 0.5 : undefined)
  await fill(where, rows)
  const many = await receive(flags, count, keys)
  report(`${name}, inbox of ${rows}`, many, limit)
  console.log(
    `  cost with the full inbox beside the small one: ${(few.rate / many.rate).toFixed(2)}`,
  )
}

function report(what, { rate, p50, p99, errors, mb }, limit, aim) {
  const ratio = `ratio ${(rate / limit).toFixed(2)}${aim === undefined ? '' : ` (aim ${aim})`}`
  const times = `p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${mb.toFixed(0)} MB`
  console.log(`${what.padEnd(33)} ${rate.toFixed(0).padStart(6)}/s  ${ratio}  ${times}`)
  if (errors > 0) throw new Error(`${errors} deliveries were refused`)
}

async function receive(flags, count, keys) {
  const trust = ['--trust', `${AGENT}=${keys.url}`]
  const server = await startServer([CLI, 'receive', '--port', '0', ...trust, ...flags])
  try {
    await measure(server, Math.min(count / 5, 2_000))
    const measured = await measure(server, count)
    return { ...measured, mb: residentMb(server.child.pid) }
  } finally {
    await stopServer(server)
  }
}

/** Deliveries are signed before, since a nonce and a key count once. */
async function measure({ host, port }, count) {
  const requests = await signedRequests(`${host}:${port}`, count)
  let sent = 0
  const next = () => requests[sent++ % requests.length]
  return load({
    host,
    port,
    connections: CONNECTIONS,
    seconds: 120,
    count: count - CONNECTIONS,
    next,
  })
}

async function signedRequests(authority, count) {
  const signer = localSigner(privateJwk)
  const requests = []
  for (let n = 0; n < count; n++) {
    const body = Buffer.from(JSON.stringify(envelope()))
    const url = `http://${authority}/hooks/bench`
    const headers = { 'content-type': 'application/json' }
    const message = { method: 'POST', url, headers, body }
    const now = Math.floor(Date.now() / 1_000)
    const signed = await signMessage(message, { signer, profile: PROFILE, now })
    const lines = Object.entries({ ...headers, ...signed.headers }).map(
      ([k, v]) => `${k}: ${v}\r\n`,
    )
    const head = `POST /hooks/bench HTTP/1.1\r\nhost: ${authority}\r\n${lines.join('')}`
    requests.push(
      Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]),
    )
  }
  return requests
}

function envelope() {
  return {
    idempotency_key: randomUUID(),
    operation_id: randomUUID(),
    task_id: randomUUID(),
    task_type: 'build_creative',
    domain: 'creative',
    protocol: 'creative',
    status: 'completed',
    timestamp: new Date().toISOString(),
    message: 'the creative is ready',
    result: { creative_manifest: { format_id: { agent_url: AGENT, id: 'display_300x250_image' } } },
  }
}

async function fill(where, rows) {
  const storage = await openReceiverStorage(where)
  const limits = { maxPerSender: 10 * rows, retentionMs: 86_400_000 }
  const started = performance.now()
  for (let first = 0; first < rows; first += 500) {
    const messages = Array.from({ length: 500 }, () => {
      const { idempotency_key, task_id, operation_id, ...rest } = envelope()
      const body = Buffer.from(JSON.stringify({ idempotency_key, task_id, operation_id, ...rest }))
      const digest = createHash('sha256').update(body).digest('base64url')
      const known = { idempotency_key, task_id, operation_id, status: rest.status }
      const times = { event_at: Date.now() }
      return {
        sender: 'filler',
        route: 'bench',
        family: 'artifact',
        digest,
        body,
        ...known,
        ...times,
      }
    })
    await storage.inbox.accept(messages, limits)
  }
  await applyAll(storage)
  await storage.close()
  const seconds = (performance.now() - started) / 1_000
  console.log(`  filled with ${rows} in ${seconds.toFixed(0)} s`)
}

/** The measured receiver shall find an inbox whose messages have been applied. */
async function applyAll({ transact, inbox }) {
  for (;;) {
    const done = await transact(async (tx) => {
      const { claimed } = await inbox.claim(tx, { limit: 500, leaseMs: 60_000, worker: 'bench' })
      for (const message of claimed) await inbox.finish(tx, message, { state: 'applied' })
      return claimed.length
    })
    if (done === 0) return
  }
}

async function keyServer() {
  const server = createServer((request, response) => {
    if (request.url !== '/jwks.json') response.statusCode = 404
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [publicJwk] }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/jwks.json`
  return { url, close: () => server.close() }
}
