// The capabilities, release by release, and the list of tools, each beside `ping`, the smallest call there is: in one run,
// in turn, so that a busy machine slows all alike. Flags: --calls N --rounds N
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { CLI, startServer, stopServer, untilReady } from './support/processes.mjs'

const QUIET = {
  ADWIRE_LOG_LEVEL: 'error',
  ADWIRE_TASKS_PER_MINUTE: '10000000',
  ADWIRE_REQUESTS_PER_MINUTE: '10000000',
  ADWIRE_SIGNALS_MODEL: 'false',
}
const capabilities = (pin) => ({ name: 'get_agent_capabilities', arguments: pin })
const CALLS = {
  ping: ['ping', {}],
  'tools/list': ['tools/list', {}],
  'capabilities, no release named': ['tools/call', capabilities({})],
  'capabilities, 3.0': ['tools/call', capabilities({ proto_version: '3.0' })],
  'capabilities, 3.2': ['tools/call', capabilities({ proto_version: '3.2' })],
}

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      calls: { type: 'string', default: '200' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const [calls, rounds] = [Number(values.calls), Number(values.rounds)]
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const server = await startServer([CLI, 'serve', '--port', '0', '--data', folder], QUIET)
  const pool = new Pool(`http://${server.host}:${server.port}`, { connections: 1 })
  try {
    await untilReady(server)
    const times = Object.fromEntries(Object.keys(CALLS).map((name) => [name, []]))
    const bytes = {}
    // The first round is for warming up, and is not reported.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, [method, params]] of Object.entries(CALLS)) {
        const started = performance.now()
        for (let n = 0; n < calls; n++) bytes[name] = await ask(pool, method, params)
        if (round > 0) times[name].push((performance.now() - started) / calls)
      }
    }
    console.log(`one call after another over MCP, median of ${rounds} rounds of ${calls}`)
    const base = median(times.ping)
    for (const [name, all] of Object.entries(times)) {
      const ms = median(all)
      const reported = `${ms.toFixed(2)} ms, ${(ms / base).toFixed(1)} × ping, ${bytes[name]} bytes`
      console.log(`  ${name.padEnd(32)} ${reported}`)
    }
  } finally {
    await pool.close()
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ask(pool, method, params) {
  const { statusCode, body } = await pool.request({
    path: '/mcp',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${method} was answered ${statusCode}: ${text}`)
  return Buffer.byteLength(text)
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
