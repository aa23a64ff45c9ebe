// The registry beside a bare node:http server that answers the same bytes: lookups of references, authorizations of a
// publisher, pages of the inverse look-up, and a bulk check of 10,000 pairs; and the time it takes to load the references.
// Flags: --refs N, --authorizations N, --seconds N, --database-url postgres://…
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from './support/load.mjs'
import { CLI, residentMb, startServer, stopServer } from './support/processes.mjs'
import { agentOf, publisherOf, writeAuthorizations } from './support/registry-rows.mjs'

const DISTINCT = 100_000
const HIT_SHARE = 0.9
const CONNECTIONS = 32
const ROUNDS = 3

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      refs: { type: 'string', default: '1000000' },
      authorizations: { type: 'string', default: '5000000' },
      seconds: { type: 'string', default: '6' },
      'database-url': { type: 'string' },
    },
  })
  const refs = Number(values.refs)
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const where = values['database-url']
    ? ['--database-url', values['database-url']]
    : ['--data', join(folder, 'data')]
  try {
    await loadReferences(folder, refs, where)
    await measureLookup(refs, Number(values.seconds), where)
    const rows = Number(values.authorizations)
    if (rows === 0) return
    const config = { data: join(folder, 'data'), databaseUrl: values['database-url'] }
    await measureAuthorizations({ rows, seconds: Number(values.seconds), where, config })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function loadReferences(folder, refs, where) {
  const file = join(folder, 'refs.jsonl')
  await writeReferences(file, refs)
  const started = performance.now()
  const done = spawnSync(
    process.execPath,
    [CLI, 'refs', 'import', file, '--create', '--json', ...where],
    {
      encoding: 'utf8',
    },
  )
  const seconds = (performance.now() - started) / 1_000
  if (done.status !== 0) throw new Error(`import failed: ${done.stderr}`)
  console.log(
    `loaded ${refs} references in ${seconds.toFixed(1)} s: ${Math.round(refs / seconds)}/s`,
  )
  console.log(`  ${done.stdout.trim()}`)
}

async function writeReferences(file, refs) {
  const out = createWriteStream(file)
  for (let n = 0; n < refs; n++) {
    const domain = domainOf(n)
    const line = JSON.stringify({
      domain,
      manifest_type: 'brand.json',
      reference_type: 'url',
      manifest_url: `https://${domain}/.well-known/brand.json`,
    })
    if (!out.write(`${line}\n`)) await new Promise((resolve) => out.once('drain', resolve))
  }
  await new Promise((resolve) => out.end(resolve))
}

/** Spread over the alphabet, so that neither loading nor looking up walks the index in order. */
function domainOf(n) {
  return `brand-${((n * 2_654_435_761) % 4_294_967_296).toString(36)}-${n}.example`
}

async function measureLookup(refs, seconds, where) {
  const requests = lookups(refs)
  let turn = 0
  const next = () => requests[turn++ % requests.length]
  const ours = await startServer([CLI, 'serve', '--port', '0', ...where], {
    ADWIRE_REGISTRY_VERIFY_CONCURRENCY: '0',
    ADWIRE_LOG_LEVEL: 'warn',
  })
  const bare = await startServer([
    new URL('./support/bare-http.mjs', import.meta.url).pathname,
    JSON.stringify(await answerOf(ours, domainOf(1))),
  ])
  const results = { ours: [], bare: [] }
  await load({ ...bare, connections: CONNECTIONS, seconds: 2, next })
  const first = await firstPass(ours, requests)
  const before = residentMb(ours.child.pid)
  for (let round = 0; round < ROUNDS; round++) {
    results.bare.push(await load({ ...bare, connections: CONNECTIONS, seconds, next }))
    results.ours.push(await load({ ...ours, connections: CONNECTIONS, seconds, next }))
  }
  const after = residentMb(ours.child.pid)
  await Promise.all([stopServer(ours), stopServer(bare)])

  const [bareBest, oursBest] = [median(results.bare), median(results.ours)]
  report('bare node:http', bareBest)
  report('first pass', first)
  report('adwire lookup', oursBest)
  console.log(
    `first pass over ${requests.length} domains: ratio ${(first.rate / bareBest.rate).toFixed(2)}`,
  )
  console.log(
    `ratio ${(oursBest.rate / bareBest.rate).toFixed(2)} (aim 0.85), p99 ${oursBest.p99.toFixed(1)} ms (aim under 10)`,
  )
  console.log(`memory of the server: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`)
  const errors = results.ours.reduce((sum, { errors: n }) => sum + n, 0)
  if (errors > 0) throw new Error(`${errors} answers were not 2xx`)
}

/** Every domain once: none of them has been requested before. */
function firstPass(server, requests) {
  let requested = 0
  return load({
    ...server,
    connections: CONNECTIONS,
    seconds: Number.POSITIVE_INFINITY,
    count: requests.length,
    next: () => requests[requested++ % requests.length],
  })
}

function lookups(refs) {
  const distinct = Math.min(DISTINCT, refs)
  return Array.from({ length: distinct }, (_, n) => {
    const domain = n < distinct * HIT_SHARE ? domainOf(n) : `missing-${n}.example`
    return { domain, order: Math.random() }
  })
    .sort((a, b) => a.order - b.order)
    .map(
      ({ domain }) =>
        `GET /api/manifest-refs/lookup?domain=${domain} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    )
}

const AGENTS_EACH = 5
const PAIRS = 10_000
const PAGE = 200

async function measureAuthorizations({ rows, seconds, where, config }) {
  const started = performance.now()
  const publishers = await writeAuthorizations(config, { rows, agentsEach: AGENTS_EACH })
  const wrote = (performance.now() - started) / 1_000
  console.log(`wrote ${rows} authorizations of ${publishers} publishers in ${wrote.toFixed(1)} s`)
  const ours = await startServer([CLI, 'serve', '--port', '0', ...where], {
    ADWIRE_REGISTRY_VERIFY_CONCURRENCY: '0',
    ADWIRE_REGISTRY_CRAWL_CONCURRENCY: '0',
    ADWIRE_REQUESTS_PER_MINUTE: '100000000',
    ADWIRE_LOG_LEVEL: 'warn',
  })
  const some = (n) => (n * 7_919) % publishers
  const agent = encodeURIComponent(agentOf(0))
  const cursors = await firstCursors(ours, agent)
  const cases = [
    [
      'authorization',
      (n) => `/api/registry/publisher/authorization?domain=${publisherOf(some(n))}&agent=${agent}`,
    ],
    [
      'inverse page',
      (n) => `/v1/agents/${agent}/publishers?limit=${PAGE}${cursors[n % cursors.length]}`,
    ],
  ]
  for (const [name, path] of cases) {
    const bare = await startServer([
      new URL('./support/bare-http.mjs', import.meta.url).pathname,
      JSON.stringify(await bytesOf(ours, path(1))),
    ])
    let turn = 0
    const next = () => `GET ${path(turn++)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
    const results = { ours: [], bare: [] }
    await load({ ...ours, connections: CONNECTIONS, seconds: 2, next })
    for (let round = 0; round < ROUNDS; round++) {
      results.bare.push(await load({ ...bare, connections: CONNECTIONS, seconds, next }))
      results.ours.push(await load({ ...ours, connections: CONNECTIONS, seconds, next }))
    }
    await stopServer(bare)
    const [base, own] = [median(results.bare), median(results.ours)]
    report('bare node:http', base)
    report(name, own)
    console.log(`${name}: ratio ${(own.rate / base.rate).toFixed(2)} (aim 0.60)`)
    const errors = results.ours.reduce((sum, { errors: n }) => sum + n, 0)
    if (errors > 0) throw new Error(`${errors} answers were not 2xx`)
  }
  await measureBulk(ours, publishers)
  await stopServer(ours)
}

/** Where the first pages of a long list begin. */
async function firstCursors({ host, port }, agent) {
  const cursors = ['']
  for (let page = 0; page < 20; page++) {
    const path = `/v1/agents/${agent}/publishers?limit=${PAGE}${cursors.at(-1)}`
    const { next_cursor } = await (await fetch(`http://${host}:${port}${path}`)).json()
    if (next_cursor === null) break
    cursors.push(`&cursor=${encodeURIComponent(next_cursor)}`)
  }
  return cursors
}

async function measureBulk({ host, port }, publishers) {
  const pairs = Array.from({ length: PAIRS }, (_, n) => ({
    agent_url: agentOf(n % 2 === 0 ? 0 : n % 1_000),
    identifier_type: 'domain',
    identifier_value: publisherOf((n * 7_919) % publishers),
  }))
  const times = []
  for (let round = 0; round < 5; round++) {
    const started = performance.now()
    const answer = await fetch(
      `http://${host}:${port}/api/registry/validate/property-authorizations`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ pairs }),
      },
    )
    const body = await answer.json()
    if (answer.status !== 200) throw new Error(JSON.stringify(body))
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  console.log(`bulk check of ${PAIRS} pairs: ${times[2].toFixed(0)} ms (aim under 1000)`)
}

async function answerOf(server, domain) {
  return bytesOf(server, `/api/manifest-refs/lookup?domain=${domain}`)
}

async function bytesOf({ host, port }, path) {
  const answer = await fetch(`http://${host}:${port}${path}`)
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['date', 'connection', 'keep-alive']) delete headers[name]
  return { headers, body: await answer.text() }
}

function median(runs) {
  return [...runs].sort((a, b) => a.rate - b.rate)[Math.floor(runs.length / 2)]
}

function report(name, { rate, p50, p99 }) {
  console.log(
    `${name.padEnd(16)} ${Math.round(rate).toString().padStart(7)} requests/s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms`,
  )
}
