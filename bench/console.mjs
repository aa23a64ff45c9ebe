// Pages of the console's lists out of 100 000 rows of each, asked over HTTP, beside a bare SELECT of as many rows out of
// the same table: the first page, one in the middle, the last, and each filter, on SQLite and on PostgreSQL.
// Flags: --rows N, --rounds N, --store sqlite|postgres.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStorage } from '../dist/app/open-storage.js'
import { createApp, createLog, makeConfig } from '../dist/index.js'
import { fillConsole, SOME } from './support/console-rows.mjs'

const PAGE = 50
const TARGET_MS = 100
const BUYER = 'endpoint=https://buyer7.example/hook'
const POSTGRES = fileURLToPath(new URL('../test/support/postgres-process.mjs', import.meta.url))

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      rows: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '15' },
      store: { type: 'string' },
    },
  })
  const sizes = { rows: Number(values.rows), rounds: Number(values.rounds) }
  if (values.store !== 'postgres') await onStore('SQLite', {}, sizes)
  if (values.store === 'sqlite') return
  const child = spawn(process.execPath, [POSTGRES], { stdio: ['pipe', 'pipe', 'inherit'] })
  const databaseUrl = await new Promise((resolve) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  try {
    await onStore('PostgreSQL', { databaseUrl }, sizes)
  } finally {
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

async function onStore(name, where, sizes) {
  const data = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  try {
    const storage = await openStorage({ data, ...where })
    try {
      await fillConsole(storage, sizes.rows)
      const quiet = { port: 0, webhookConcurrency: 0, taskConcurrency: 0 }
      const config = makeConfig({ data, ...where, ...quiet })
      const app = await createApp(config, { log: createLog({ level: 'warn' }) })
      await app.start()
      try {
        await measure(name, app, storage, sizes)
      } finally {
        await app.stop()
      }
    } finally {
      await storage.close()
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

async function measure(name, app, storage, { rows, rounds }) {
  const { key } = await app.createPrincipal({ name: 'Bench', scopes: ['viewer'] })
  const cookie = await signIn(app.url(), key)
  const get = async (path) => {
    const answer = await fetch(`${app.url()}/console/api${path}`, { headers: { cookie } })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return answer.json()
  }
  const cursorAt = (id) =>
    Buffer.from(JSON.stringify(['console.deliveries', id])).toString('base64url')
  const middle = new Date(Date.now() - 12 * 3_600_000).toISOString()
  const bare = (after) => () =>
    storage.database.read.all(
      'SELECT * FROM webhook_deliveries WHERE delivery_id < $1 ORDER BY delivery_id DESC LIMIT $2',
      [after, PAGE],
    )
  console.log(`${rows} rows of each kind, pages of ${PAGE}, ${rounds} rounds each, on ${name}`)
  const baseline = await timed(bare(Math.floor(rows / 2)), rounds)
  console.log(line('bare SELECT of a page', baseline))
  const pages = [
    ['first page', '/deliveries?limit=50'],
    ['page in the middle', `/deliveries?limit=50&cursor=${cursorAt(Math.floor(rows / 2))}`],
    ['last page', `/deliveries?limit=50&cursor=${cursorAt(51)}`],
    ['exhausted', '/deliveries?limit=50&status=exhausted'],
    ['failed', '/deliveries?limit=50&status=failed'],
    ['pending, a few', '/deliveries?limit=50&status=pending'],
    ['retrying, a few', '/deliveries?limit=50&status=retrying'],
    ['held, none', '/deliveries?limit=50&status=held'],
    ['one endpoint', `/deliveries?limit=50&${BUYER}`],
    ['endpoint and exhausted', `/deliveries?limit=50&${BUYER}&status=exhausted`],
    ['endpoint and delivered', `/deliveries?limit=50&${BUYER}&status=delivered`],
    ['endpoint and until', `/deliveries?limit=50&${BUYER}&until=${middle}`],
    ['no such endpoint', '/deliveries?limit=50&endpoint=https://none.example/'],
    ['one principal', '/deliveries?limit=50&principal_id=prn_3'],
    ['principal and exhausted', '/deliveries?limit=50&principal_id=prn_3&status=exhausted'],
    ['operation_id', `/deliveries?limit=50&operation_id=${SOME.operation}`],
    ['idempotency_key', `/deliveries?limit=50&idempotency_key=${SOME.key}`],
    ['task', `/deliveries?limit=50&task_id=${SOME.task}`],
    ['task and failed', `/deliveries?limit=50&task_id=${SOME.task}&status=failed`],
    ['media buy', `/deliveries?limit=50&media_buy_id=${SOME.buy}`],
    ['delivered', '/deliveries?limit=50&status=delivered'],
    ['cancelled until 12 h ago', `/deliveries?limit=50&status=cancelled&until=${middle}`],
    ['until 12 h ago', `/deliveries?limit=50&until=${middle}`],
    ['since 12 h ago, failed', `/deliveries?limit=50&status=failed&since=${middle}`],
    ['a word, an operation', `/deliveries?limit=50&q=${SOME.operation}`],
    ['a word, a URL', '/deliveries?limit=50&q=https://buyer7.example/hook'],
    ['a word, found nowhere', '/deliveries?limit=50&q=nothing-of-the-kind'],
    ['one delivery', '/deliveries/5'],
    ['endpoints', '/endpoints?limit=50'],
    ['endpoints of a principal', '/endpoints?limit=50&principal_id=prn_3'],
    ['endpoints, a word', '/endpoints?limit=50&q=buyer399'],
    ['endpoints, in trouble', '/endpoints?limit=50&state=troubled'],
    ['tasks', '/tasks?limit=50'],
    ['tasks, working', '/tasks?limit=50&status=working'],
    ['tasks, failed', '/tasks?limit=50&status=failed'],
    ['tasks of a type', '/tasks?limit=50&task_type=create_media_buy'],
    ['tasks of a principal', '/tasks?limit=50&principal_id=prn_3'],
    ['approvals, waiting', '/approvals?limit=50'],
    ['approvals, approved', '/approvals?limit=50&state=approved'],
    ['audit', '/audit?limit=50'],
    ['audit of a principal', '/audit?limit=50&principal_id=prn_3'],
    ['audit, one action', '/audit?limit=50&action=endpoints.pause'],
  ]
  let worst = 0
  for (const [what, path] of pages) {
    const figures = await timed(() => get(path), rounds)
    worst = Math.max(worst, figures.median)
    console.log(`${line(what, figures)}   ${(figures.median / baseline.median).toFixed(1)} x bare`)
  }
  // Its answer is kept for two seconds: each round waits until it is made anew.
  const overview = await timed(() => get('/overview'), 3, 2_100)
  console.log(line('overview, made anew', overview))
  console.log(
    `slowest page ${worst.toFixed(1)} ms: ${worst < TARGET_MS ? 'within' : 'BEYOND'} ${TARGET_MS} ms`,
  )
}

async function signIn(url, key) {
  const answer = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  return answer.headers.get('set-cookie').split(';')[0]
}

async function timed(ask, rounds, pauseMs = 0) {
  await ask()
  const times = []
  for (let round = 0; round < rounds; round++) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const startedMs = performance.now()
    await ask()
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { least: at(0), median: at(0.5), p95: at(0.95) }
}

function line(name, { least, median, p95 }) {
  const ms = (value) => `${value.toFixed(1).padStart(7)} ms`
  return `${name.padEnd(26)} median ${ms(median)}   p95 ${ms(p95)}   least ${ms(least)}`
}
