// Searches of signals with filters in catalogues of growing size: how long one takes, how many a second, and how long a
// server needs to be ready with them.
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSignals } from '../../signals/generate.mjs'
import { CLI, residentMb, startServer, stopServer, untilReady } from '../../support/processes.mjs'
import { loaded, postRequest } from '../http.mjs'
import { median } from '../rounds.mjs'

const QUESTIONS = new URL('../../signals/labelled/paraphrase.jsonl', import.meta.url)
const WARM_UP = 40

export async function measure({ isQuick }) {
  const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
  const rows = []
  const points = []
  for (const size of sizes) {
    const found = await withSignals(size, isQuick)
    points.push({ x: size, y: found.cpuUs / 1_000, mb: found.mb })
    if (size !== sizes.at(-1)) continue
    const count = size.toLocaleString('en')
    const of = (what) => `get_signals, ${count} signals: ${what}`
    rows.push({ path: of('99th percentile'), value: found.p99, unit: 'ms', most: 50 })
    rows.push({ path: of('searches a second'), value: found.rate, unit: '/s', least: 90 })
    rows.push({ path: of('first answer after a start'), value: found.readyMs / 1_000, unit: 's' })
  }
  const growth = { title: 'get_signals', x: 'signals', y: 'ms of processor time', points }
  return { rows, growth }
}

async function withSignals(size, isQuick) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  try {
    const where = ['--data', join(folder, 'data')]
    await importSignals(join(folder, 'signals.jsonl'), size, where)
    const start = () =>
      startServer([CLI, 'serve', '--port', '0', ...where], {
        ADWIRE_LOG_LEVEL: 'error',
        ADWIRE_TASKS_PER_MINUTE: '1000000',
        ADWIRE_SIGNALS_KEYLESS_PER_MINUTE: '1000000',
      })
    // What is computed once and stored is not the price of a start.
    const before = await start()
    await untilAnswered(before)
    await stopServer(before)
    const began = performance.now()
    const server = await start()
    await untilAnswered(server)
    const readyMs = performance.now() - began
    const next = requests()
    await loaded(server, { connections: 1, count: WARM_UP, next })()
    const alone = await loaded(server, { connections: 1, count: isQuick ? 60 : 400, next })()
    const two = await loaded(server, { connections: 2, count: isQuick ? 60 : 400, next })()
    const mb = residentMb(server.child.pid)
    await stopServer(server)
    return { p99: alone.p99, rate: two.rate, cpuUs: median([alone.cpuUs, two.cpuUs]), readyMs, mb }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function importSignals(file, size, where) {
  const out = createWriteStream(file)
  for (const signal of generateSignals(size)) {
    if (!out.write(`${JSON.stringify(signal)}\n`))
      await new Promise((resolve) => out.once('drain', resolve))
  }
  await new Promise((resolve) => out.end(resolve))
  const args = [CLI, 'signals', 'import', file, '--create', '--json', ...where]
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the import failed: ${done.stderr}`)
}

/** A search answers only when it has read all existing changes. */
async function untilAnswered(server) {
  await untilReady(server)
  for (;;) {
    const answer = await fetch(`http://${server.host}:${server.port}/v3/get_signals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(searchFor('new parents')),
    })
    await answer.arrayBuffer()
    if (answer.ok) return
    if (answer.status < 500) throw new Error(`get_signals answered ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function searchFor(signal_spec) {
  return {
    signal_spec,
    deliver_to: {
      deployments: [{ type: 'platform', platform: 'openx' }],
      countries: ['US', 'GB', 'DE', 'FR'],
    },
    filters: { max_cpm: 10, min_coverage_percentage: 2 },
    max_results: 10,
  }
}

function requests() {
  const all = readFileSync(QUESTIONS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ split }) => split === 'dev')
    .map(({ query }) => postRequest('/v3/get_signals', searchFor(query)))
  let turn = 0
  return () => all[turn++ % all.length]
}
