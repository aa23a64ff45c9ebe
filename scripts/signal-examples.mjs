// Writes the table of examples in docs/signal-agents.md: what a server with the demo catalogue answers.
// Needs a build. Each question goes over HTTP, like a caller's.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const QUESTIONS = [
  'Luxury car intenders',
  'folks about to swap their gas car for a Tesla',
  'petrolheads',
  'couples who just got engaged and are planning the big day',
  'new mums and dads with a baby at home',
  'people who cancelled their gym membership',
  'vegitarian and vegann cooking fans',
  'dog owners but not cat people',
  'padres primerizos que buscan un coche familiar',
  'We are launching an oat milk brand in the UK in Q3. Budget is 50k. We want to reach plant-based shoppers.',
  'small business owners looking for accounting software',
  'quantum chromodynamics lattice paper',
]

const PAGE = fileURLToPath(new URL('../docs/signal-agents.md', import.meta.url))
const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

const data = mkdtempSync(join(tmpdir(), 'adwire-examples-'))
const server = spawn(
  process.execPath,
  [CLI, 'serve', '--demo', '--port', '0', '--data', data, '--log-level', 'error'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  const { url, key } = await started(server)
  const rows = []
  for (const question of QUESTIONS) {
    const { signals } = await ask(url, key, question)
    const returned = signals.map(({ name, ext }) => `${name} (${ext.relevance})`)
    rows.push(`| ${question} | ${returned.join('<br>') || 'nothing'} |`)
  }
  const table = ['| asked for | the first three |', '|---|---|', ...rows].join('\n')
  const page = readFileSync(PAGE, 'utf8')
  const block = /<!-- examples -->[\s\S]*<!-- \/examples -->/
  writeFileSync(PAGE, page.replace(block, `<!-- examples -->\n${table}\n<!-- /examples -->`))
  console.log(table)
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(data, { recursive: true, force: true })
}

function started(child) {
  return new Promise((resolve, reject) => {
    let received = ''
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    child.stdout.on('data', (chunk) => {
      received += chunk
      const url = /http:\/\/[\d.]+:\d+/.exec(received)?.[0]
      const key = /adw_[\w-]+/.exec(received)?.[0]
      if (url && key) resolve({ url, key })
    })
  })
}

async function ask(url, key, signal_spec) {
  const deployments = ['the-trade-desk', 'sandbox', 'google-dv360', 'amazon-dsp'].map(
    (platform) => ({
      type: 'platform',
      platform,
    }),
  )
  const response = await fetch(`${url}/v3/get_signals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      signal_spec,
      deliver_to: { deployments, countries: ['US', 'GB'] },
      max_results: 3,
    }),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}
