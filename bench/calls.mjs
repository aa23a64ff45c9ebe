// `callAgent` over each wire beside a bare `undici` POST of the same bytes, and signed requests on the server beside
// unsigned ones: in one run, in turn, so that a busy machine slows both sides. Flags: --seconds N --rounds N
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { Pool } from 'undici'
import { callAgent, openAgent } from '../dist/client/index.js'
import { createRequestSigner } from '../dist/client/sign-request.js'
import { generateKeyPair } from '../dist/signing/index.js'
import { CLI, startServer, stopServer, untilReady } from './support/processes.mjs'

const IN_FLIGHT = 8
const TASK = 'get_agent_capabilities'
const TRANSPORTS = { http: '/v3', mcp: '/mcp', a2a: '/a2a' }
const QUIET = {
  ADWIRE_LOG_LEVEL: 'error',
  ADWIRE_TASKS_PER_MINUTE: '10000000',
  ADWIRE_SIGNALS_MODEL: 'false',
  ADWIRE_WARM_UP: 'false',
}

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      seconds: { type: 'string', default: '0.5' },
      rounds: { type: 'string', default: '9' },
    },
  })
  const pace = { ms: Number(values.seconds) * 1_000, rounds: Number(values.rounds) }
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const caller = await makeCaller(folder)
  const server = await startServer([CLI, 'serve', '--port', '0', '--data', folder], QUIET)
  try {
    await untilReady(server)
    const origin = `http://${server.host}:${server.port}`
    console.log(
      `${TASK}, ${IN_FLIGHT} in flight, median of ${pace.rounds} rounds of ${values.seconds} s`,
    )
    for (const [transport, path] of Object.entries(TRANSPORTS)) {
      await compareWire({ ...pace, transport, origin, agentUrl: `${origin}${path}` })
    }
    await compareSigned({ ...pace, origin, ...caller })
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Found once and called again and again, as a program does; and found anew with each call. */
async function compareWire({ transport, origin, agentUrl, ...pace }) {
  const pool = new Pool(origin, { connections: IN_FLIGHT })
  let last
  const fetch = async (request) => {
    last = request
    return post(pool, request)
  }
  const agent = openAgent({ agentUrl, transport, allowPrivate: true })
  const requested = openAgent({ agentUrl, transport, fetch })
  expectOk(await requested.call(TASK, {}))
  // The signal was that of the one call.
  const { signal: _signal, ...request } = last
  const rounds = await inTurn(pace, {
    bare: async () => {
      const { status, body } = await post(pool, request)
      if (status !== 200) throw new Error(`the bare POST was answered ${status}: ${body}`)
    },
    opened: async () => expectOk(await agent.call(TASK, {})),
    anew: async () =>
      expectOk(await callAgent({ agentUrl, transport, task: TASK, allowPrivate: true })),
  })
  report(rounds, `${transport}: bare undici`, 'bare')
  report(rounds, `${transport}: openAgent().call`, 'opened', 'bare')
  report(rounds, `${transport}: callAgent`, 'anew', 'bare')
  await agent.close()
  await requested.close()
  await pool.close()
}

/**
 * The same call of one principal, identified by its bearer key and by its signature. The cost of signing for the
 * caller is reported too.
 */
async function compareSigned({ origin, key, privateJwk, ...pace }) {
  const pool = new Pool(origin, { connections: IN_FLIGHT })
  const signer = createRequestSigner({ key: privateJwk })
  const url = `${origin}/v3/list_tasks`
  const body = Buffer.from('{}')
  const plain = { url, method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const signed = async () => ({
    ...plain,
    headers: { ...plain.headers, ...(await signer(plain)) },
  })
  const send = async (request) => {
    const { status, body: answer } = await post(pool, request)
    if (status !== 200) throw new Error(`answered ${status}: ${answer}`)
  }
  const bearer = { ...plain, headers: { ...plain.headers, authorization: `Bearer ${key}` } }
  // A nonce counts once, so what is sent in a round was signed before it.
  let ready = []
  const prepare = async () => {
    ready = []
    for (let n = 0; n < MOST_SIGNED; n++) ready.push(await signed())
  }
  const rounds = await inTurn(pace, {
    bearer: () => send(bearer),
    signed: { prepare, once: () => (ready.length > 0 ? send(ready.pop()) : undefined) },
    signing: signed,
  })
  report(rounds, 'server: bearer key', 'bearer')
  report(rounds, 'server: signature', 'signed', 'bearer')
  report(rounds, 'caller: signing alone', 'signing')
  await pool.close()
}

/** More than a round can send. */
const MOST_SIGNED = 3_000

/** A principal with a bearer key and a key for signed requests on file. */
async function makeCaller(folder) {
  const adwire = async (...args) => {
    const given = [CLI, ...args, '--data', folder, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, given)
    return JSON.parse(stdout)
  }
  const { principal_id, key } = await adwire('principals', 'create', 'Bench', '--create')
  const { privateJwk, publicJwk } = generateKeyPair('ed25519', {
    keyUse: 'proto_use',
    purpose: 'request-signing',
  })
  const file = join(folder, 'public.jwk')
  writeFileSync(file, JSON.stringify(publicJwk))
  await adwire('principals', 'keys', 'add', principal_id, '--jwk', file)
  return { key, privateJwk }
}

async function post(pool, { url, method, headers, body, signal }) {
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const answer = await pool.request({ path, method, headers, body, signal })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, body: bytes }
}

/** The rates of each way in each round; the first round warms up. */
async function inTurn({ ms, rounds }, ways) {
  const measured = []
  for (let round = 0; round <= rounds; round++) {
    const rates = {}
    for (const [name, way] of Object.entries(ways)) {
      await way.prepare?.()
      rates[name] = await measure(way.once ?? way, ms)
    }
    if (round > 0) measured.push(rates)
  }
  return measured
}

async function measure(once, ms) {
  let count = 0
  const started = performance.now()
  const lane = async () => {
    while (performance.now() - started < ms) {
      const work = once()
      if (work === undefined) return
      await work
      count++
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return count / ((performance.now() - started) / 1_000)
}

function expectOk(outcome) {
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`)
}

/** Ratios are of one round each, and their median is reported. */
function report(rounds, title, name, base) {
  const rate = median(rounds.map((rates) => rates[name]))
  const ratio = base && median(rounds.map((rates) => rates[name] / rates[base]))
  const beside = base ? `   ratio ${ratio.toFixed(2)}` : ''
  console.log(`  ${title.padEnd(24)} ${Math.round(rate).toString().padStart(7)}/s${beside}`)
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
