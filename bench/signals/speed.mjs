// How fast the answers are, over HTTP and with filters, in catalogues of growing size; what an import
// and the memory cost; and how long the server's event loop was kept from its other work meanwhile.
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { load } from '../support/load.mjs'
import { CLI, residentMb, startServer, stopServer } from '../support/processes.mjs'
import { generateSignals } from './generate.mjs'

const QUESTIONS = new URL('./labelled/paraphrase.jsonl', import.meta.url)

export async function measureSpeed(sizes, seconds) {
  const measured = []
  for (const size of sizes) measured.push(await measureSize(size, seconds))
  const [first] = measured
  for (const { size, p50, p99 } of measured.slice(1)) {
    console.log(
      `${size} beside ${first.size}: ${Math.round(size / first.size)} times the signals, p50 ${(p50 / first.p50).toFixed(1)} and p99 ${(p99 / first.p99).toFixed(1)} times`,
    )
  }
}

async function measureSize(size, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const where = ['--data', join(folder, 'data')]
  const server = await startServer([CLI, 'serve', '--port', '0', ...where], {
    ADWIRE_LOG_LEVEL: 'warn',
    ADWIRE_TASKS_PER_MINUTE: '1000000',
    ADWIRE_SIGNALS_KEYLESS_PER_MINUTE: '1000000',
  })
  try {
    const file = join(folder, 'signals.jsonl')
    await writeSignals(file, size)
    await lagOf(server)
    const importSeconds = await importFile(file, where)
    await untilSeen(server, size)
    const importLag = await lagOf(server)
    const next = requests()
    // Questions are repeated in production too: their vectors are made in the first round.
    await load({ ...server, connections: 1, seconds: Number.POSITIVE_INFINITY, count: 40, next })
    await lagOf(server)
    const one = await load({ ...server, connections: 1, seconds, next })
    const two = await load({ ...server, connections: 2, seconds, next })
    const lag = await lagOf(server)
    console.log(
      `${String(size).padStart(8)} signals: import ${Math.round(size / importSeconds)}/s, memory ${residentMb(server.child.pid).toFixed(0)} MB`,
    )
    for (const [name, { rate, p50, p99, errors }] of Object.entries({ one, two })) {
      console.log(
        `         ${name} at a time: ${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${errors > 0 ? `, ${errors} ERRORS` : ''}`,
      )
    }
    console.log(
      `         event loop late by at most ${importLag.toFixed(0)} ms in the import, ${lag.toFixed(0)} ms in searches (aim under 50)`,
    )
    return { size, ...one }
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function writeSignals(file, size) {
  const out = createWriteStream(file)
  for (const signal of generateSignals(size)) {
    if (!out.write(`${JSON.stringify(signal)}\n`))
      await new Promise((done) => out.once('drain', done))
  }
  await new Promise((done) => out.end(done))
}

async function importFile(file, where) {
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [CLI, 'signals', 'import', file, '--create', '--json', ...where],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const code = await new Promise((done) => child.once('exit', done))
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  return (performance.now() - started) / 1_000
}

/** A search answers only when it has read all existing changes, so one answer proves that it has. */
async function untilSeen({ host, port }, size) {
  for (;;) {
    const answer = await fetch(`http://${host}:${port}/v3/get_signals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request('new parents')),
    })
    if (answer.ok) return
    if (answer.status < 500)
      throw new Error(`get_signals answered ${answer.status} at ${size}: ${await answer.text()}`)
    await pause(1_000)
  }
}

function request(signal_spec) {
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
    .map(({ query }) => {
      const body = JSON.stringify(request(query))
      return `POST /v3/get_signals HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    })
  let turn = 0
  return () => all[turn++ % all.length]
}

/** The longest delay of the event loop since the last call, in milliseconds, as the server reports it. */
async function lagOf({ host, port }) {
  const text = await (await fetch(`http://${host}:${port}/metrics`)).text()
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN)
}
