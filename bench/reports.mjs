// Delivery reports that are due at once, beside plain webhooks of the same size from the same server: how many a
// second, how much memory, and what get_signals costs meanwhile beside what it costs idle.
// Both are measured in turn, several times, and the best of each is reported: a neighbour on the machine only ever
// slows. Flags: --count N (10000), --rounds N (2), --store sqlite|postgres (both), --seconds N of idle load (8).
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { orderOf } from '../dist/media-buys/sources/orders.js'
import { openPostgres } from '../dist/storage/postgres/open-postgres.js'
import { openSqlite } from '../dist/storage/sqlite/open-sqlite.js'
import { createMediaBuyStore } from '../dist/storage/stores/media-buys/media-buys.js'
import { createOrderStore } from '../dist/storage/stores/media-buys/orders.js'
import { createReportStore } from '../dist/storage/stores/media-buys/reports.js'
import { createChannelStore } from '../dist/storage/stores/outbox/channels.js'
import { createOutboxStore } from '../dist/storage/stores/outbox/outbox.js'
import { moveCircuit } from '../dist/webhooks/sender/circuit.js'
import { endpointOf } from '../dist/webhooks/sender/endpoint.js'
import { CLI, residentMb, startServer, stopServer, untilReady } from './support/processes.mjs'

const HOUR_MS = 3_600_000
const OWNER = 'bench'
const POSTGRES = fileURLToPath(new URL('../test/support/postgres-process.mjs', import.meta.url))
const SINK = fileURLToPath(new URL('support/bare-sink.mjs', import.meta.url))

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      count: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '8' },
      store: { type: 'string' },
    },
  })
  const { count, rounds, seconds } = values
  const options = { count: Number(count), rounds: Number(rounds), seconds: Number(seconds) }
  const sink = await startServer([SINK])
  const url = `http://${sink.host}:${sink.port}/hooks/bench`
  if (values.store !== 'postgres') await onSqlite({ ...options, url })
  if (values.store !== 'sqlite') await onPostgres({ ...options, url })
  await stopServer(sink)
}

async function onSqlite(options) {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  try {
    await measure('sqlite', ['--data', dataDir], () => openSqlite({ dataDir }), options)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function onPostgres(options) {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const child = spawn(process.execPath, [POSTGRES, '--durable'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const url = await new Promise((resolve) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  try {
    const flags = ['--data', dataDir, '--database-url', url]
    await measure('postgres', flags, () => openPostgres({ url }), options)
  } finally {
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const KEY = 'adw_bench_key_0123456789abcdef'

async function measure(name, flags, open, { count, rounds, seconds, url }) {
  const server = await startServer([CLI, 'serve', '--demo', '--port', '0', ...flags], {
    ADWIRE_CONSOLE: 'false',
    ADWIRE_DEMO_KEY: KEY,
    ADWIRE_EGRESS_ALLOW: '127.0.0.0/8',
    ADWIRE_EGRESS_ALLOW_HTTP: 'true',
    ADWIRE_WEBHOOK_ENDPOINT_CONCURRENCY: '64',
    ADWIRE_REQUESTS_PER_MINUTE: '1000000',
  })
  await untilReady(server)
  const database = open()
  try {
    const channels = await fill(database, count, url)
    // The first search waits for the model.
    await searches(server, async () => {}).catch(() => {})
    const idle = await searches(server, () => sleep(seconds * 1_000))
    const before = residentMb(server.child.pid)
    const rates = { plain: [], reported: [] }
    for (let round = 0; round < rounds; round++) {
      rates.plain.push(await rateOf(database, count, () => addPlain(database, channels)))
      await reset(database)
      rates.reported.push(await rateOf(database, count, () => makeDue(database)))
    }
    const [plain, reported] = [Math.max(...rates.plain), Math.max(...rates.reported)]
    const most = residentMb(server.child.pid)
    const meanwhile = await searches(server, async () => {
      await reset(database)
      await rateOf(database, count, () => makeDue(database))
    })
    const ratio = (reported / plain).toFixed(2)
    console.log(`${name}: ${count} buys due at once`)
    console.log(`  plain webhooks     ${plain.toFixed(0)}/s`)
    console.log(`  delivery reports   ${reported.toFixed(0)}/s  ratio ${ratio} (aim 0.80)`)
    console.log(`  resident           ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB after`)
    console.log(
      `  get_signals p99    ${idle.toFixed(1)} ms idle, ${meanwhile.toFixed(1)} ms meanwhile`,
    )
  } finally {
    await database.close()
    await stopServer(server)
  }
}

const FAR = Date.UTC(2100, 0)

/** Buys of which one hour has passed, none of them due yet. */
async function fill(database, count, url) {
  const buys = createMediaBuyStore(database)
  const channels = createChannelStore(database)
  const reports = createReportStore(database)
  const orders = createOrderStore(database)
  const start_at = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
  const kept = []
  for (let first = 0; first < count; first += 100) {
    await database.transact(async (tx) => {
      for (let n = first; n < Math.min(first + 100, count); n++) {
        const buy = aBuy(start_at)
        await buys.add(tx, buy)
        await orders.add(tx, buy.media_buy_id, orderOf(buy, start_at))
        await reports.touch(tx, { media_buy_id: buy.media_buy_id, owner: OWNER, delay_ms: HOUR_MS })
        kept.push(await channels.put(tx, aChannel(buy.media_buy_id, url), 10))
      }
      await tx.run('UPDATE report_streams SET due_at = $1', [FAR])
    })
  }
  return kept
}

function aBuy(start_at) {
  return {
    media_buy_id: `mb_${randomUUID()}`,
    owner: OWNER,
    account_id: undefined,
    status: 'active',
    is_held: false,
    revision: 1,
    currency: 'USD',
    total_budget: 1_000,
    time_zone: 'UTC',
    start_at,
    end_at: start_at + 30 * 24 * HOUR_MS,
    confirmed_at: start_at,
    status_changed_at: start_at,
    created_at: start_at,
    updated_at: start_at,
    due_at: FAR,
    reporting: { reporting_frequency: 'hourly' },
    terms: {},
    context: undefined,
    ending: undefined,
    packages: [1, 2].map(() => ({
      package_id: `pk_${randomUUID()}`,
      product_id: 'homepage',
      pricing_option_id: 'cpm',
      pricing: { pricing_model: 'cpm', rate: 10 },
      budget: 500,
      paused: false,
      signals: [],
    })),
  }
}

function aChannel(id, url) {
  return {
    owner: OWNER,
    subject: `media_buy_reports:${id}`,
    name: 'reporting_webhook',
    form: 'mcp',
    url,
    endpoint: endpointOf(url),
    operation_id: 'op',
    scheme: 'rfc9421',
    secrets: undefined,
    expires_at: undefined,
  }
}

/** As long as a report is, one for each channel. */
async function addPlain(database, channels) {
  const outbox = createOutboxStore(database, { moveCircuit })
  for (let first = 0; first < channels.length; first += 100) {
    const deliveries = channels.slice(first, first + 100).map((channel) => ({
      channel,
      task_id: randomUUID(),
      operation_id: 'op',
      notification_type: 'working',
      sequence_number: undefined,
      idempotency_key: randomUUID(),
      body: Buffer.from(JSON.stringify({ status: 'working', filler: 'x'.repeat(1_200) })),
    }))
    await database.transact((tx) => outbox.add(tx, deliveries, 86_400_000))
  }
}

async function makeDue(database) {
  await database.transact(async (tx) => {
    await tx.run('UPDATE report_streams SET due_at = $1', [Date.now()])
    await tx.wake('media_buys.reports')
  })
}

/** As if no window had been opened. */
async function reset(database) {
  await database.transact(async (tx) => {
    await tx.run('DELETE FROM report_windows')
    await tx.run("UPDATE report_streams SET opened_until = NULL, totals = '{}', due_at = $1", [FAR])
  })
}

/** Deliveries a second, from the word to begin until the last one has ended. */
async function rateOf(database, count, begin) {
  const ended = async () => {
    const row = await database.read.get(
      'SELECT count(*) AS n FROM webhook_deliveries WHERE owner = $1 AND ended_at IS NOT NULL',
      [OWNER],
    )
    return row.n
  }
  const before = await ended()
  const started = performance.now()
  await begin()
  while ((await ended()) < before + count) await sleep(50)
  return count / ((performance.now() - started) / 1_000)
}

/** p99 of get_signals in milliseconds, called by two callers while `work` runs. */
async function searches({ host, port }, work) {
  const times = []
  let isOver = false
  const ask = async () => {
    for (let n = 0; !isOver; n++) {
      const started = performance.now()
      const answer = await fetch(`http://${host}:${port}/v3/get_signals`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
        body: JSON.stringify({
          signal_spec: `people who plan journey ${n}`,
          deliver_to: {
            deployments: [{ type: 'platform', platform: 'sandbox' }],
            countries: ['US'],
          },
        }),
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`get_signals answered ${answer.status}`)
      times.push(performance.now() - started)
      await sleep(20)
    }
  }
  const asking = [ask(), ask()]
  await work()
  isOver = true
  await Promise.all(asking)
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
