// Lookups of domains beside a bare node:http server that answers the same bytes, with ever more references.
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLI, residentMb, startServer, stopServer } from '../../support/processes.mjs'
import { answerOf, getRequest, loaded, startBare } from '../http.mjs'
import { inRounds } from '../rounds.mjs'

const DISTINCT = 100_000
const CONNECTIONS = 32

export async function measure({ isQuick }) {
  const sizes = isQuick ? [2_000, 20_000] : [10_000, 100_000, 1_000_000]
  const rows = []
  const points = []
  for (const size of sizes) {
    const { found, first, bareRate, mb } = await withReferences(size, isQuick)
    points.push({ x: size, y: found.own.cpuUs, mb })
    if (size !== sizes.at(-1)) continue
    const row = { baseline: 'bare node:http', by: 'rate' }
    const count = size.toLocaleString('en')
    rows.push({ path: `look up a domain, ${count} references`, aim: 0.85, ...row, ...found })
    const ratio = first.rate / bareRate
    rows.push({
      path: 'the same, domains that were not looked up before',
      aim: 0.6,
      ...row,
      own: first,
      base: found.base,
      rate: { ratio, low: ratio, high: ratio },
    })
  }
  const growth = { title: 'look up a domain', x: 'references', y: 'µs of processor time', points }
  return { rows, growth }
}

async function withReferences(size, isQuick) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  try {
    const where = ['--data', join(folder, 'data')]
    await importReferences(join(folder, 'refs.jsonl'), size, where)
    const server = await startServer([CLI, 'serve', '--port', '0', ...where], {
      ADWIRE_REGISTRY_VERIFY_CONCURRENCY: '0',
      ADWIRE_LOG_LEVEL: 'warn',
    })
    const bare = await startBare(await answerOf(server, pathOf(domainOf(1))))
    const requests = shuffled(Math.min(DISTINCT, size))
    const one = { connections: CONNECTIONS, count: requests.length, next: turns(requests) }
    const first = await loaded(server, one)()
    const some = { ...one, count: isQuick ? 4_000 : 40_000 }
    const ways = { own: loaded(server, some), base: loaded(bare, some) }
    const found = await inRounds(ways, isQuick ? 1 : 3)
    const mb = residentMb(server.child.pid)
    await stopServer(server)
    await stopServer(bare)
    return { found, first, bareRate: found.base.rate, mb }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function importReferences(file, size, where) {
  const out = createWriteStream(file)
  for (let n = 0; n < size; n++) {
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
  const args = [CLI, 'refs', 'import', file, '--create', '--json', ...where]
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the import failed: ${done.stderr}`)
}

/** Nine of ten are there. */
function shuffled(distinct) {
  return Array.from({ length: distinct }, (_, n) => {
    const domain = n < distinct * 0.9 ? domainOf(n) : `missing-${n}.example`
    return { request: getRequest(pathOf(domain)), order: Math.random() }
  })
    .sort((a, b) => a.order - b.order)
    .map(({ request }) => request)
}

function turns(requests) {
  let turn = 0
  return () => requests[turn++ % requests.length]
}

function pathOf(domain) {
  return `/api/manifest-refs/lookup?domain=${domain}`
}

/** Spread over the alphabet, so that neither loading nor looking up follows the index in order. */
function domainOf(n) {
  return `brand-${((n * 2_654_435_761) % 4_294_967_296).toString(36)}-${n}.example`
}
