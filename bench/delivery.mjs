// Delivering webhooks beside a loop that only signs and posts, against the same sink, in one run: the
// durable pipeline (commit, lease, attempt row, sign, POST, result) on SQLite and on PostgreSQL, live
// and from a full queue. Each with what the processor did for one of them in this process, which does not grow while
// others use the machine, as the time does. Flags: --count N, --queued N, --in-flight N, --store sqlite|postgres.
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import {
  createEgress,
  createSecretBox,
  createSender,
  openSenderStorage,
} from '../dist/sender/index.js'
import { generateKeyPair, localSigner, signMessage, webhookProfile } from '../dist/signing/index.js'
import { residentMb, startServer, stopServer } from './support/processes.mjs'

const PROFILE = webhookProfile({ tag: 'proto/webhook-signing/v1', keyUse: 'proto_use' })
const { privateJwk } = generateKeyPair('ed25519', {
  keyUse: 'proto_use',
  purpose: 'webhook-signing',
})
const signer = localSigner(privateJwk)
const POSTGRES = fileURLToPath(new URL('../test/support/postgres-process.mjs', import.meta.url))

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      count: { type: 'string', default: '20000' },
      queued: { type: 'string', default: '100000' },
      'in-flight': { type: 'string', default: '64' },
      store: { type: 'string' },
    },
  })
  const [count, queued] = [Number(values.count), Number(values.queued)]
  const inFlight = Number(values['in-flight'])
  const sink = await startServer([fileURLToPath(new URL('support/bare-sink.mjs', import.meta.url))])
  const url = `http://${sink.host}:${sink.port}/hooks/bench`
  console.log(`${count} webhooks of ${body().length} bytes, ${inFlight} in flight`)
  await rawLoop(url, count / 4, inFlight)
  const raw = await rawLoop(url, count, inFlight)
  console.log(`raw signed POST          ${rateText(raw)}`)
  if (values.store !== 'postgres') await onSqlite({ url, count, queued, inFlight, raw })
  if (values.store !== 'sqlite') await onPostgres({ url, count, queued, inFlight, raw })
  const again = await rawLoop(url, count, inFlight)
  console.log(`raw signed POST, again   ${rateText(again)}`)
  await stopServer(sink)
}

function body() {
  return Buffer.from(JSON.stringify(envelopeOf(event(0))))
}

function envelopeOf({ at, domain, owner: _owner, ...rest }) {
  const timestamp = new Date(at).toISOString()
  return {
    idempotency_key: randomUUID(),
    operation_id: 'op',
    ...rest,
    domain,
    protocol: domain,
    timestamp,
  }
}

function event(n) {
  return {
    owner: 'bench',
    task_id: `task-${n}`,
    task_type: 'build_creative',
    domain: 'creative',
    status: 'working',
    at: Date.now(),
    message: 'half of it is done',
    result: { percentage: 50, current_step: 'rendering', total_steps: 4, step_number: 2 },
    context: { campaign: 'spring', trace: 'a1b2c3d4e5f6' },
  }
}

/** Signs and posts, and remembers nothing. */
async function rawLoop(url, count, inFlight) {
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections: inFlight })
  const spent = startSpending()
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const message = {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        body: body(),
      }
      const signed = await signMessage(message, {
        signer,
        profile: PROFILE,
        now: Math.floor(Date.now() / 1_000),
      })
      const headers = { ...message.headers, ...signed.headers }
      const response = await pool.request({ method: 'POST', path, headers, body: message.body })
      await response.body.dump()
      if (response.statusCode !== 200) throw new Error(`the sink answered ${response.statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, one))
  const costs = spent(count)
  await pool.close()
  return costs
}

async function onSqlite(run) {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  try {
    await measure('sqlite', await openSenderStorage({ dataDir }), 0.35, run)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function onPostgres(run) {
  const child = spawn(process.execPath, [POSTGRES, '--durable'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const databaseUrl = await new Promise((resolve) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  try {
    await measure('postgres', await openSenderStorage({ databaseUrl }), 0.25, run)
  } finally {
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

async function measure(name, storage, aim, { url, count, queued, inFlight, raw }) {
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  const sender = createSender({
    ...storage,
    egress,
    box: createSecretBox(randomBytes(32).toString('base64')),
    signer: async () => signer,
    concurrency: inFlight,
    perEndpoint: inFlight,
    onFault: (error) => console.error(error),
  })
  await registerAll(storage, sender, url, Math.max(count, 1))
  sender.start()
  const costs = await live(storage, sender, count, inFlight)
  console.log(`${name}, live`.padEnd(25) + ratioText(costs, raw, aim))
  await sender.stop()
  await storage.close
  await fromQueue(name, storage, { url, queued, inFlight, raw, egress })
  await egress.close()
  await storage.close()
}

/** A channel for each task, as in life. */
async function registerAll(storage, sender, url, count) {
  for (let first = 0; first < count; first += 500) {
    await storage.transact(async (tx) => {
      for (let n = first; n < Math.min(first + 500, count); n++) {
        const checked = sender.check({
          owner: 'bench',
          subject: `task:task-${n}`,
          name: 'push_notification_config',
          form: 'mcp',
          config: { url, operation_id: `op-${n}` },
        })
        await sender.register(tx, checked.channel)
      }
    })
  }
}

/** Events are committed one by one, by callers that wait for it, while the sender delivers. */
async function live(storage, sender, count, inFlight) {
  const spent = startSpending()
  let next = 0
  const emit = async () => {
    while (next < count) {
      const n = next++
      await storage.transact((tx) => sender.taskChanged(tx, event(n)))
    }
  }
  await Promise.all(Array.from({ length: inFlight }, emit))
  await drained(sender)
  return spent(count)
}

async function drained(sender) {
  for (;;) {
    const { waiting } = await sender.stats()
    if (waiting.pending + waiting.leased + waiting.held === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function fromQueue(name, storage, { url, queued, inFlight, raw, egress }) {
  const checkedBy = createSenderOn(storage, egress, inFlight)
  const checked = checkedBy.check({
    owner: 'bench',
    subject: 'queue',
    name: 'push_notification_config',
    form: 'mcp',
    config: { url, operation_id: 'op' },
  })
  const channel = await storage.transact((tx) => checkedBy.register(tx, checked.channel))
  const before = residentMb(process.pid)
  await fill(storage, channel, queued)
  const filled = residentMb(process.pid)
  const spent = startSpending()
  checkedBy.start()
  let most = filled
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(process.pid))
  }, 500)
  await drained(checkedBy)
  clearInterval(watch)
  const costs = spent(queued)
  await checkedBy.stop()
  console.log(`${name}, ${queued} queued`.padEnd(25) + ratioText(costs, raw))
  const mb = (value) => `${value.toFixed(0)} MB`
  console.log(
    `  resident: ${mb(before)} before, ${mb(filled)} queued, ${mb(most)} at most (growth ${mb(most - before)})`,
  )
}

function createSenderOn(storage, egress, inFlight) {
  return createSender({
    ...storage,
    egress,
    box: createSecretBox(randomBytes(32).toString('base64')),
    signer: async () => signer,
    concurrency: inFlight,
    perEndpoint: inFlight,
    onFault: (error) => console.error(error),
  })
}

async function fill(storage, channel, queued) {
  for (let first = 0; first < queued; first += 1_000) {
    const deliveries = Array.from({ length: Math.min(1_000, queued - first) }, (_, index) => ({
      channel: { ...channel, subject: `queue-${first + index}` },
      task_id: undefined,
      operation_id: 'op',
      notification_type: 'working',
      sequence_number: undefined,
      idempotency_key: randomUUID(),
      body: body(),
    }))
    await storage.transact((tx) => storage.outbox.add(tx, deliveries, 86_400_000))
  }
}

/** How many in a second since then, and microseconds of the processor for each. */
function startSpending() {
  const startedMs = performance.now()
  const before = process.cpuUsage()
  return (count) => {
    const { user, system } = process.cpuUsage(before)
    const seconds = (performance.now() - startedMs) / 1_000
    return { rate: count / seconds, processorUs: (user + system) / count }
  }
}

function rateText({ rate, processorUs }) {
  return `${rate.toFixed(0).padStart(6)}/s, ${processorUs.toFixed(0).padStart(5)} us of the processor`
}

function ratioText(costs, raw, aim) {
  const ratio = (costs.rate / raw.rate).toFixed(2)
  const ofProcessor = (raw.processorUs / costs.processorUs).toFixed(2)
  const aimed = aim === undefined ? '' : ` (aim ${aim})`
  return `${rateText(costs)}  ratio ${ratio}${aimed}, of the processor ${ofProcessor}`
}
