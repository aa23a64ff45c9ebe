// Pages of every list of the console out of 100 000 rows of each, requested over HTTP, beside a bare SELECT of the
// same number of rows: the first page, one in the middle, the last, and each filter, on SQLite and on PostgreSQL. The
// current speed of the machine is reported beside: by a loop of additions, and by what the processor did for a page,
// which does not grow while others use the machine. Flags: --rows N, --rounds N, --store sqlite|postgres,
// --only PATH, --markdown, and --data FOLDER, of an SQLite store that is filled once and stays.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStorage } from '../dist/app/open-storage.js'
import { createApp, createLog, makeConfig } from '../dist/index.js'
import { cursorOf } from '../dist/protocol/cursor.js'
import { fillMore } from './support/console-more-rows.mjs'
import { listsAt, SINGLE } from './support/console-pages.mjs'
import { fillConsole } from './support/console-rows.mjs'
import { processorTime } from './support/processor-time.mjs'

const PAGE = 50
const TARGET_MS = 100
const POSTGRES = fileURLToPath(new URL('../test/support/postgres-process.mjs', import.meta.url))

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      rows: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '15' },
      store: { type: 'string' },
      only: { type: 'string' },
      data: { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const given = { ...values, rows: Number(values.rows), rounds: Number(values.rounds) }
  if (values.store !== 'postgres') await onStore('SQLite', {}, given)
  if (values.store === 'sqlite') return
  const child = spawn(process.execPath, [POSTGRES], { stdio: ['pipe', 'pipe', 'inherit'] })
  const databaseUrl = await new Promise((resolve) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  try {
    await onStore('PostgreSQL', { databaseUrl }, given)
  } finally {
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

async function onStore(name, where, given) {
  const { rows, data: kept } = given
  const data = kept ?? mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const isFilled = kept !== undefined && existsSync(join(kept, 'adwire.db'))
  try {
    const storage = await openStorage({ data, ...where })
    try {
      const startedMs = performance.now()
      if (!isFilled) await fillConsole(storage, rows)
      if (!isFilled) await fillMore(storage, rows)
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
      console.log(`${name}: ${rows} rows of each kind, filled in ${seconds} s`)
      const quiet = { port: 0, webhookConcurrency: 0, taskConcurrency: 0, signalsModel: false }
      const config = makeConfig({ data, ...where, ...quiet })
      const app = await createApp(config, { log: createLog({ level: 'error' }) })
      await app.start()
      try {
        await measure(app, storage, given)
      } finally {
        await app.stop()
      }
    } finally {
      await storage.close()
    }
  } finally {
    if (kept === undefined) rmSync(data, { recursive: true, force: true })
  }
}

async function measure(app, storage, { rows, rounds, only, markdown }) {
  const { key } = await app.createPrincipal({ name: 'Bench', scopes: ['viewer'] })
  const cookie = await signIn(app.url(), key)
  const get = async (path) => {
    const answer = await fetch(`${app.url()}/console/api${path}`, { headers: { cookie } })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return answer.json()
  }
  const show = markdown ? row : line
  const timed = timer(storage)
  const loopMs = median(Array.from({ length: 5 }, loop))
  console.log(`a loop of 1e8 additions takes ${loopMs.toFixed(0)} ms here`)
  const bare = await timed(
    () => storage.database.read.all(BARE, [Math.floor(rows / 2), PAGE]),
    rounds,
  )
  console.log(show('bare SELECT of a page', bare))
  let worst = { median: 0, cpu: 0 }
  const ask = async (what, path) => {
    const figures = await timed(() => get(path), rounds)
    if (figures.median > worst.median) worst = { what, ...figures }
    console.log(show(what, figures))
  }
  for (const list of listsAt(Date.now())) {
    const { path, filters } = list
    if (only !== undefined && path !== only) continue
    for (const [what, query] of [...(await placesOf(storage, list, rows)), ...filters]) {
      await ask(`${path.slice(1)}: ${what}`, `${path}?limit=${PAGE}&${query}`)
    }
  }
  if (only === undefined) for (const [what, path] of SINGLE) await ask(what, path)
  // Its answer is kept for two seconds: each round waits until it is made anew.
  for (const range of only === undefined ? ['24h', '7d'] : []) {
    const overview = await timed(() => get(`/overview?range=${range}`), 3, 2_100)
    console.log(show(`overview of ${range}, made anew`, overview))
  }
  const ms = (value) => `${value.toFixed(1)} ms`
  const isWithin = worst.median < TARGET_MS ? 'within' : 'BEYOND'
  console.log(
    `slowest: ${worst.what}, ${ms(worst.median)} (${ms(worst.cpu)} of the processor): ${isWithin} ${TARGET_MS} ms`,
  )
}

const BARE =
  'SELECT * FROM webhook_deliveries WHERE delivery_id < $1 ORDER BY delivery_id DESC LIMIT $2'

/** The first page, and those that begin in the middle and 50 rows before the end. */
async function placesOf({ database }, { cursor, places }, rows) {
  const first = ['first page', '']
  if (places === undefined) return [first]
  const { n } = await database.read.get(`SELECT count(*) AS n FROM (${places}) AS counted`)
  const at = async (offset) => {
    const [place] = await database.read.all(`${places} LIMIT 1 OFFSET $1`, [Math.max(0, offset)])
    return `cursor=${cursorOf(cursor, Object.values(place))}`
  }
  return [
    first,
    ['page in the middle', await at(Math.floor(Number(n) / 2))],
    ['last page', await at(Math.min(Number(n), 2 * rows) - PAGE - 1)],
  ]
}

async function signIn(url, key) {
  const answer = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  return answer.headers.get('set-cookie').split(';')[0]
}

function loop() {
  const startedMs = performance.now()
  let sum = 0
  for (let n = 0; n < 1e8; n++) sum += n
  return sum > 0 ? performance.now() - startedMs : 0
}

/** Pages take turns with nothing else, so what the processor did meanwhile was for them. */
function timer(storage) {
  return async (ask, rounds, pauseMs = 0) => {
    await ask()
    const spent = await processorTime(storage)
    return timesOf(ask, { rounds, pauseMs, spent })
  }
}

async function timesOf(ask, { rounds, pauseMs, spent }) {
  const times = []
  const cpuTimes = []
  for (let round = 0; round < rounds; round++) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const before = spent()
    const startedMs = performance.now()
    await ask()
    times.push(performance.now() - startedMs)
    cpuTimes.push(spent() - before)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { least: at(0), median: at(0.5), p95: at(0.95), cpu: median(cpuTimes) }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

const COLUMNS = ['median', 'p95', 'least', 'cpu']

function line(name, figures) {
  const returned = COLUMNS.map((column) => `${column} ${figures[column].toFixed(1).padStart(7)} ms`)
  return `${name.padEnd(42)} ${returned.join('   ')}`
}

function row(name, figures) {
  return `| ${[name, ...COLUMNS.map((column) => figures[column].toFixed(1))].join(' | ')} |`
}
