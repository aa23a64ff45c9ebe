// Draws docs/images/console-*.webp: every view of the console of a demo server, which this starts from dist/ with
// something to look at. Names of parts (`signals studio`) draw those alone.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { drawAgents } from './console-shots/agents.mjs'
import { drawBuys } from './console-shots/buys.mjs'
import { camera } from './console-shots/camera.mjs'
import { drawNarrow } from './console-shots/narrow.mjs'
import { drawRegistry } from './console-shots/registry.mjs'
import { drawSignals } from './console-shots/signals.mjs'
import { drawStudio } from './console-shots/studio.mjs'
import { drawTrust } from './console-shots/trust.mjs'
import { drawWebhooks } from './console-shots/webhooks.mjs'
import { drawWork } from './console-shots/work.mjs'
import { makeTraffic } from './console-traffic.mjs'

/** In this order: what is done for one picture is seen in the next ones. */
const PARTS = {
  webhooks: drawWebhooks,
  work: drawWork,
  signals: drawSignals,
  agents: drawAgents,
  studio: drawStudio,
  buys: drawBuys,
  registry: drawRegistry,
  trust: drawTrust,
  narrow: drawNarrow,
}

const root = fileURLToPath(new URL('..', import.meta.url))
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
/** Attempts are made, and the first circuits are open. */
const TRAFFIC_MS = 20_000

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !(name in PARTS))
if (unknown.length > 0) throw new Error(`no such part: ${unknown}; there are ${Object.keys(PARTS)}`)

const images = join(root, 'docs/images')
const data = mkdtempSync(join(tmpdir(), 'adwire-shots-'))
const server = spawn(
  process.execPath,
  [join(root, 'dist/cli/main.js'), 'serve', '--demo', '--port', '0', '--data', join(data, 'data')],
  { stdio: ['ignore', 'pipe', 'ignore'] },
)
let traffic
let browser
try {
  const { url, key } = await started()
  traffic = await makeTraffic(url, key)
  await new Promise((resolve) => setTimeout(resolve, TRAFFIC_MS))
  mkdirSync(images, { recursive: true })
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const shots = await camera({ browser, url, images })
  await shots.signIn()
  for (const [name, draw] of Object.entries(PARTS)) {
    if (requested.length === 0 || requested.includes(name)) await draw({ ...shots, traffic })
  }
} finally {
  await browser?.close()
  traffic?.close()
  server.kill('SIGTERM')
  if (server.exitCode === null) await new Promise((resolve) => server.once('close', resolve))
  rmSync(data, { recursive: true, force: true })
}

function started() {
  let said = ''
  return new Promise((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      said += chunk
      const url = /listens on (\S+)/.exec(said)?.[1]
      const key = /demo key: (\S+)/.exec(said)?.[1]
      if (url && key) resolve({ url, key })
    })
    server.once('close', () => reject(new Error(`the server did not start: ${said}`)))
  })
}
