// What others notice while an outsider attacks: the longest wait for /healthz, for a search and for a
// write, each beside its calm value, and the memory of the server and its workers. Each attack meets
// a fresh server. Flags: --only NAME,NAME --cli FILE (another build) --seconds N
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { ATTACKS, silentNameServer } from './support/attacks.mjs'
import { CLI, residentMb, startServer } from './support/processes.mjs'

const HEALTH_AIM_MS = 250
const OTHERS_AIM = 2
const PATIENCE_MS = 60_000
const KEYS = { attacker: `adw_${'a'.repeat(43)}`, victim: `adw_${'v'.repeat(43)}` }

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      only: { type: 'string', default: Object.keys(ATTACKS).join(',') },
      cli: { type: 'string', default: CLI },
      seconds: { type: 'string', default: '4' },
    },
  })
  const names = values.only.split(',')
  console.log(`aims: healthz under ${HEALTH_AIM_MS} ms, others under ${OTHERS_AIM} times calm`)
  for (const name of names) await attack(name, values.cli, Number(values.seconds) * 1_000)
}

async function attack(name, cli, leastMs) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const names = await silentNameServer()
  const server = await startServer([cli, 'serve', '--demo', '--port', '0', '--data', folder], {
    ADWIRE_CONSOLE: 'false',
    ADWIRE_LOG_LEVEL: 'fatal',
    ADWIRE_DEMO_KEY: KEYS.attacker,
    ADWIRE_DNS_SERVERS: `127.0.0.1:${names.port}`,
  })
  server.child.removeAllListeners('exit')
  try {
    await ready(server)
    const victim = await secondKey(server, cli, folder)
    const organizationKey = created(cli, folder, 'orgs', 'Attacker')
    const scopes = ['--scopes', 'tasks,call-agents']
    const callerKey = created(cli, folder, 'principals', 'Caller', scopes)
    const probes = probesOf(server, victim)
    for (const { once } of probes) for (let n = 0; n < 5; n++) await once()
    const calm = await watch(probes, server, pause(3_000))
    const thread = new Worker(new URL('./support/attacker.mjs', import.meta.url), {
      workerData: {
        name,
        target: {
          ...address(server),
          key: KEYS.attacker,
          callerKey,
          organizationKey,
          patienceMs: PATIENCE_MS,
        },
      },
    })
    const answered = new Promise((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
    })
    const attacked = await watch(probes, server, Promise.all([answered, pause(leastMs)]))
    report(name, await answered, calm, attacked)
  } finally {
    names.close()
    server.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function address({ host, port }) {
  return { host, port }
}

async function ready({ host, port }) {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`http://${host}:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
  throw new Error('the server did not become ready')
}

/** The key of an owner made beside the running server. */
function created(cli, folder, kind, name, flags = []) {
  const json = execFileSync(process.execPath, [
    cli,
    kind,
    'create',
    name,
    '--json',
    '--data',
    folder,
    ...flags,
  ])
  return JSON.parse(json).key
}

async function secondKey({ host, port }, cli, folder) {
  const key = created(cli, folder, 'principals', 'Victim')
  const answer = await fetch(`http://${host}:${port}/v3/list_creatives`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: '{}',
  })
  if (!answer.ok) throw new Error(`the second key was answered ${answer.status}`)
  return key
}

function probesOf(server, key) {
  const agent_url = `http://${server.host}:${server.port}`
  let count = 0
  const search = () => ({
    signal_spec: `people who plan to buy shoes ${count++ % 50}`,
    deliver_to: { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] },
  })
  const creative = () => ({
    creatives: [
      {
        creative_id: `c${count++ % 100}`,
        name: `Creative ${count}`,
        format_id: { agent_url, id: 'display_300x250_image' },
        assets: {
          banner_image: {
            asset_type: 'image',
            url: 'https://cdn.example/a.png',
            width: 300,
            height: 250,
          },
          click_url: { asset_type: 'url', url: 'https://acme.example/' },
        },
      },
    ],
  })
  return [
    { name: 'healthz', everyMs: 20, once: caller(server, 'GET', '/healthz') },
    { name: 'search', everyMs: 200, once: caller(server, 'POST', '/v3/get_signals', search, key) },
    {
      name: 'write',
      everyMs: 100,
      once: caller(server, 'POST', '/v3/sync_creatives', creative, key),
    },
  ]
}

/** Milliseconds until answered; infinite when the server did not. */
function caller({ host, port }, method, path, body, key) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return () => {
    const began = performance.now()
    return new Promise((resolve) => {
      const bytes = body ? Buffer.from(JSON.stringify(body())) : undefined
      const headers = {
        ...(bytes
          ? { 'content-type': 'application/json', 'content-length': bytes.byteLength }
          : {}),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      }
      const sent = request({ host, port, agent, method, path, headers }, (answer) => {
        answer.resume()
        answer.once('end', () => {
          if (answer.statusCode === 200) return resolve(performance.now() - began)
          resolve(Number.POSITIVE_INFINITY)
        })
      })
      sent.setTimeout(PATIENCE_MS, () => sent.destroy())
      sent.once('error', () => resolve(Number.POSITIVE_INFINITY))
      sent.end(bytes)
    })
  }
}

/** Probes one after the other until `done`; a probe that is under way then is waited for. */
async function watch(probes, server, done) {
  let isOver = false
  const over = done.then(() => {
    isOver = true
  })
  let mb = 0
  const memory = (async () => {
    while (!isOver) {
      mb = Math.max(mb, familyMb(server.child.pid))
      await pause(50)
    }
  })()
  const waits = await Promise.all(
    probes.map(async ({ name, everyMs, once }) => {
      const times = []
      while (!isOver) {
        times.push(await once())
        if (times.at(-1) === Number.POSITIVE_INFINITY) await pause(500)
        await pause(everyMs)
      }
      times.sort((a, b) => a - b)
      return [
        name,
        {
          worst: times.at(-1),
          p50: times[times.length >> 1],
          p90: times[Math.floor(times.length * 0.9)],
        },
      ]
    }),
  )
  await Promise.all([over, memory])
  return { ...Object.fromEntries(waits), mb }
}

/** The server and all processes that it has started. */
function familyMb(pid) {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return (
        readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid)
      )
    } catch {
      return false
    }
  })
  return residentMb(pid) + children.reduce((sum, child) => sum + (familyMb(Number(child)) || 0), 0)
}

function report(name, answer, calm, attacked) {
  const health = `healthz ${ms(attacked.healthz.worst)} (calm ${ms(calm.healthz.worst)})`
  const others = ['search', 'write'].map((one) => {
    const ratio = attacked[one].p90 / calm[one].p90
    return `${one} ${ms(attacked[one].worst)}, p90 ${ms(attacked[one].p90)} (calm ${ms(calm[one].worst)}, ${ms(calm[one].p90)}; ${ratio.toFixed(1)})`
  })
  const memory = `memory ${Math.round(attacked.mb)} MB (calm ${Math.round(calm.mb)})`
  console.log(
    `${name.padEnd(18)} answered ${answer}; worst ${health}; ${others.join('; ')}; ${memory}`,
  )
}

function ms(value) {
  return Number.isFinite(value)
    ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
    : 'never'
}
