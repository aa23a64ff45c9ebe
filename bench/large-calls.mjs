// What others notice while one principal makes the largest valid calls of each task: another principal's longest wait
// for /healthz, for a read and for a write. Flags: --only TASK,TASK --seconds N --at-once N --cli FILE (another build)
// --database-url URL --markdown
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startLargeAgent } from './support/large-agent.mjs'
import { LARGE_CALLS, prepareLargeCalls } from './support/large-calls.mjs'
import { CLI, residentMb, startServer, untilReady } from './support/processes.mjs'

const AIM_MS = 500

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      only: { type: 'string', default: Object.keys(LARGE_CALLS).join(',') },
      seconds: { type: 'string', default: '4' },
      'at-once': { type: 'string', default: '6' },
      cli: { type: 'string', default: CLI },
      'database-url': { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const database = values['database-url'] ? { ADWIRE_DATABASE_URL: values['database-url'] } : {}
  const command = [values.cli, 'serve', '--demo', '--port', '0', '--data', folder]
  const env = { ADWIRE_CONSOLE: 'false', ADWIRE_LOG_LEVEL: 'fatal' }
  const server = await startServer(command, { ...env, ...database })
  server.child.removeAllListeners('exit')
  const other = await startLargeAgent()
  try {
    await untilReady(server)
    const args = { cli: values.cli, folder, env: database }
    const victimKey = keyOf('Victim', 'tasks', args)
    const attackerKey = keyOf('Attacker', 'tasks,call-agents', args)
    const url = `http://${server.host}:${server.port}`
    const attack = caller(server, attackerKey, Number(values['at-once']))
    const known = { ...(await prepareLargeCalls(attack, url)), otherAgentUrl: other.url }
    if (known.buys.length === 0) console.log('no media buys could be made: their tasks say little')
    const probes = probesOf(server, victimKey, known)
    for (const { once } of probes) for (let n = 0; n < 5; n++) await once()
    const calm = await watch(probes, pause(2_000))
    const rows = [['(calm)', '', calm]]
    for (const task of values.only.split(',')) {
      const outcomes = new Map()
      const until = performance.now() + Number(values.seconds) * 1_000
      const work = Array.from({ length: Number(values['at-once']) }, async (_, lane) => {
        const random = randomOf(lane + 1)
        while (performance.now() < until) {
          const { status } = await attack(task, LARGE_CALLS[task](known, random))
          outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
        }
      })
      const seen = await watch(probes, Promise.all(work))
      const reported = [...outcomes].map(([status, count]) => `${count} × ${status}`).join(', ')
      rows.push([task, reported, { ...seen, mb: residentMb(server.child.pid) }])
    }
    print(rows, values.markdown)
  } finally {
    server.child.kill('SIGKILL')
    other.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A second principal, made beside the running server. */
function keyOf(name, scopes, { cli, folder, env }) {
  const flags = ['--json', '--data', folder, '--scopes', scopes]
  const args = [cli, 'principals', 'create', name, ...flags]
  return JSON.parse(execFileSync(process.execPath, args, { env: { ...process.env, ...env } })).key
}

function caller({ host, port }, key, maxSockets) {
  const agent = new Agent({ keepAlive: true, maxSockets })
  return (task, body) => send({ host, port, agent }, 'POST', `/v3/${task}`, key, body)
}

function send(to, method, path, key, body) {
  return new Promise((resolve) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const headers = {
      ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.byteLength } : {}),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    }
    const sent = request({ ...to, method, path, headers }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : {} })
      })
    })
    sent.once('error', () => resolve({ status: 0, body: {} }))
    sent.end(bytes)
  })
}

function probesOf({ host, port }, key, { formatId }) {
  const probe = (name, everyMs, method, path, body) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    return {
      name,
      everyMs,
      once: async () => {
        const began = performance.now()
        await send({ host, port, agent }, method, path, key, body?.())
        return performance.now() - began
      },
    }
  }
  let count = 0
  const assets = {
    banner_image: {
      asset_type: 'image',
      url: 'https://cdn.example/a.png',
      width: 300,
      height: 250,
    },
    click_url: { asset_type: 'url', url: 'https://acme.example/' },
  }
  const creative = () => ({
    creatives: [
      { creative_id: `c${count++ % 50}`, name: `n${count}`, format_id: formatId, assets },
    ],
  })
  return [
    probe('healthz', 20, 'GET', '/healthz'),
    probe('read', 50, 'POST', '/v3/list_accounts', () => ({})),
    probe('write', 100, 'POST', '/v3/sync_creatives', creative),
  ]
}

/** The longest wait of each probe until `done`. */
async function watch(probes, done) {
  let isOver = false
  const over = done.then(() => {
    isOver = true
  })
  const worst = await Promise.all(
    probes.map(async ({ name, everyMs, once }) => {
      let longest = 0
      while (!isOver) {
        longest = Math.max(longest, await once())
        await pause(everyMs)
      }
      return [name, longest]
    }),
  )
  await over
  return Object.fromEntries(worst)
}

function print(rows, isMarkdown) {
  const columns = ['healthz', 'read', 'write']
  if (isMarkdown) {
    console.log('| task | answers | `/healthz` | read | write |\n|---|---|---|---|---|')
  }
  for (const [task, reported, seen] of rows) {
    const waits = columns.map((name) => `${Math.round(seen[name])} ms`)
    const isSlow = columns.some((name) => seen[name] > AIM_MS)
    if (isMarkdown)
      console.log(
        `| ${[task === '(calm)' ? task : `\`${task}\``, reported, ...waits].join(' | ')} |`,
      )
    else {
      const mb = seen.mb ? `${Math.round(seen.mb)} MB` : ''
      console.log(
        [
          task.padEnd(24),
          reported.padEnd(28),
          ...waits.map((wait) => wait.padStart(9)),
          mb.padStart(8),
          isSlow ? `over ${AIM_MS} ms` : '',
        ].join(' '),
      )
    }
  }
}

/** The same numbers in every run. */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}
