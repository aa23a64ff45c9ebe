// The SDK's command line as its manual shows it, against the demo: without options but the key and the protocol. A step
// passes when the command ends with 0 and prints neither a warning nor an error.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startDemo } from './servers.mjs'

const require = createRequire(import.meta.url)
const COMMAND = join(dirname(require.resolve('@adcp/sdk/package.json')), 'bin/adcp.js')
const TIMEOUT_MS = 120_000
const FAULT = /warn|⚠|❌|deprecat|error:/i

/** `auto`: the command finds out the protocol by itself. */
const TRANSPORTS = { mcp: '/mcp', a2a: '', auto: '/mcp' }

const brand = { domain: 'acmeoutdoor.example' }

/** A task with its request; none lists the tools. */
const COMMANDS = [
  { id: 'list of tools' },
  { id: 'get_adcp_capabilities', request: {} },
  { id: 'get_products', request: { buying_mode: 'brief', brief: 'sports video', brand } },
  { id: 'list_creative_formats', request: {} },
  { id: 'get_signals', request: { signal_spec: 'people about to buy an electric vehicle' } },
  {
    id: 'build_creative',
    request: { message: 'A summer sale of tents', target_format_id: 'display_300x250', brand },
  },
]

export async function runStockCommand() {
  const demo = await startDemo()
  // The command keeps its settings in the home folder: a new one has none.
  const home = mkdtempSync(join(tmpdir(), 'adwire-interop-home-'))
  try {
    const results = []
    for (const transport of Object.keys(TRANSPORTS))
      results.push(await runWire(demo, transport, home))
    return results
  } finally {
    await demo.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function runWire(demo, transport, home) {
  const steps = []
  for (const { id, request } of COMMANDS) {
    const url = `${demo.url}${TRANSPORTS[transport]}`
    const args = request ? [id, JSON.stringify(addressed(request, demo.url))] : []
    const protocol = transport === 'auto' ? [] : ['--protocol', transport]
    const reason = await faultOf([url, ...args, ...protocol, '--auth', demo.key], home)
    steps.push(reason ? { id, outcome: 'failed', reason } : { id, outcome: 'passed' })
  }
  const id = `stock command, ${transport}`
  return { id, title: id, steps }
}

function addressed(request, agent_url) {
  const { target_format_id: id, ...others } = request
  return id === undefined ? request : { ...others, target_format_id: { agent_url, id } }
}

/** The first line that is a fault, if there is one. */
function faultOf(args, home) {
  const env = { ...process.env, HOME: home, NO_COLOR: '1' }
  const options = { env, timeout: TIMEOUT_MS, maxBuffer: 64 * 1_024 * 1_024 }
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], options, (failure, stdout, stderr) => {
      const faults = [...outsideJson(stdout), ...stderr.split('\n')].filter((line) =>
        FAULT.test(line),
      )
      if (failure) faults.push(`it ended with ${failure.code ?? failure.signal}`)
      resolve(faults[0])
    })
  })
}

/** What the command says itself: an answer may have these words too. */
function outsideJson(text) {
  return text.split('\n').filter((line) => !/^\s*["{[]|^\s*[\]}],?$/.test(line))
}
