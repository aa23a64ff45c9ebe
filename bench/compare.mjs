// Ordinary calls on this build beside another one, in turn: processor time of the server for each call, and calls a second.
// Flags: --cli FILE (the other build; required) --count N (calls of a round) --rounds N --only CALL,CALL
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { IMAGE, imageCreative, offersIn, purchase } from './support/large-requests.mjs'
import { load } from './support/load.mjs'
import { CLI, cpuMs, startServer, stopServer, untilReady } from './support/processes.mjs'

const CONNECTIONS = 4
const ALLOWED = 1.05
const SETTLE_MS = 15_000
const ENV = {
  ADWIRE_CONSOLE: 'false',
  ADWIRE_LOG_LEVEL: 'error',
  ADWIRE_TASKS_PER_MINUTE: '10000000',
}

const SEARCH = { deliver_to: { platforms: 'all', countries: ['US'] }, max_results: 10 }

/** By name: the path and the body of earlier requests to a server. */
const CALLS = {
  healthz: () => ['/healthz'],
  capabilities: () => ['/v3/get_agent_capabilities', {}],
  formats: () => ['/v3/list_creative_formats', {}],
  'formats, MCP': () => ['/mcp', rpc('tools/call', { name: 'list_creative_formats' })],
  products: () => [
    '/v3/get_products',
    { brief: 'sports readers', pagination: { max_results: 10 } },
  ],
  signals: (_, n) => ['/v3/get_signals', { ...SEARCH, signal_spec: `people who cycle ${n}` }],
  'sync one creative': ({ formatId }, n) => [
    '/v3/sync_creatives',
    { creatives: [{ ...imageCreative(`c-${n % 50}`, formatId), name: `Creative ${n}` }] },
  ],
  'list creatives': () => ['/v3/list_creatives', { pagination: { max_results: 10 } }],
  'create a buy': ({ offers }) => [
    '/v3/create_media_buy',
    purchase(offers, { packages: 2, days: 30 }),
  ],
  'update a buy': ({ buy }, n) => [
    '/v3/update_media_buy',
    { media_buy_id: buy.media_buy_id, paused: n % 2 === 0 },
  ],
  'list buys': () => ['/v3/get_media_buys', { pagination: { max_results: 5 } }],
  delivery: ({ buy }) => ['/v3/get_media_buy_delivery', { media_buy_ids: [buy.media_buy_id] }],
}

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      cli: { type: 'string' },
      count: { type: 'string', default: '600' },
      rounds: { type: 'string', default: '7' },
      only: { type: 'string', default: Object.keys(CALLS).join(';') },
    },
  })
  if (!values.cli)
    throw new Error('--cli FILE names the other build, such as ../before/dist/cli/main.js')
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const builds = [await start(values.cli, join(folder, 'a')), await start(CLI, join(folder, 'b'))]
  try {
    // What a server prepares in the background after its start is not the price of a call.
    await pause(SETTLE_MS)
    for (const name of values.only.split(';')) {
      await compare(name, builds, { count: Number(values.count), rounds: Number(values.rounds) })
    }
  } finally {
    for (const { server } of builds) await stopServer(server)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function start(cli, folder) {
  const command = [cli, 'serve', '--demo', '--port', '0', '--data', folder]
  const server = await startServer(command, ENV)
  await untilReady(server)
  const args = [cli, 'principals', 'create', 'Bench', '--json', '--data', folder]
  const { key } = JSON.parse(execFileSync(process.execPath, args))
  const call = async (path, body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const url = `http://${server.host}:${server.port}${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const formatId = { agent_url: `http://${server.host}:${server.port}`, id: IMAGE }
  const offers = offersIn(await call('/v3/get_products', { pagination: { max_results: 50 } }))
  const buy = await call('/v3/create_media_buy', purchase(offers, { packages: 2, days: 30 }))
  return { server, key, known: { formatId, offers, buy } }
}

async function compare(name, builds, { count, rounds }) {
  const seen = builds.map(() => ({ cpu: [], rate: [] }))
  let n = 0
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { server, key, known }] of builds.entries()) {
      const next = () => requestBytes(CALLS[name](known, n++), key)
      const before = cpuMs(server.child.pid)
      const done = await load({ ...server, connections: CONNECTIONS, seconds: 60, count, next })
      if (done.errors > 0) throw new Error(`${name}: ${done.errors} of ${done.count} failed`)
      // The first round warms up.
      if (round === 0) continue
      seen[index].cpu.push((cpuMs(server.child.pid) - before) / done.count)
      seen[index].rate.push(done.rate)
    }
  }
  const [other, own] = seen.map(({ cpu, rate }) => ({ cpu: median(cpu), rate: median(rate) }))
  const ratio = own.cpu / other.cpu
  console.log(
    `${name.padEnd(18)} ${own.cpu.toFixed(2)} ms of processor time, other build ${other.cpu.toFixed(2)} ms, ratio ${ratio.toFixed(2)}; ` +
      `${Math.round(own.rate)} calls/s, other build ${Math.round(other.rate)}/s${ratio > ALLOWED ? ' MORE THAN 1.05' : ''}`,
  )
}

function rpc(method, params) {
  return { jsonrpc: '2.0', id: 1, method, params: { arguments: {}, ...params } }
}

function requestBytes([path, body], key) {
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: application/json, text/event-stream\r\n`
  if (body === undefined) return `GET ${path} HTTP/1.1\r\n${head}\r\n`
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
