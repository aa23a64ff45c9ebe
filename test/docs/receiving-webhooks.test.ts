import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signWebhook } from '../../src/webhooks/schemes/rfc9421.ts'
import { adwire, type Env, folder, serve } from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { sellerSite } from '../support/seller-site.ts'
import { NAMES, PAIR, SIGNER } from '../support/sender.ts'
import {
  BEARER,
  bytes,
  codeOf,
  JSON_TYPE,
  receiving,
} from '../webhooks/receiver/receive-harness.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/receiving-webhooks.md'), 'utf8')

/** Whole processes start and stop here, on machines that may be busy. */
const PATIENCE = { timeoutMs: 120_000 }

/** The addresses that the page uses for the seller and for the receiver. */
const SELLER = 'http://127.0.0.1:8420'
const PORT = '9001'

/** Whole programs begin with their names; of two of one name the second takes the first one's place. */
const PROGRAMS = [...PAGE.matchAll(/^```js\n\/\/ (\S+\.mjs)\n(.*?)^```$/gms)].map(
  ([, name = '', code = '']) => ({ name, code }),
)

function program(name: string, nth = 0): string {
  const found = PROGRAMS.filter((one) => one.name === name)[nth]
  if (!found) throw new Error(`the page has no ${name}`)
  return found.code
}

interface Place {
  dir: string
  port: number
}

/** A reader's folder: the programs, with `adwire` and the frameworks installed. */
async function place(programs: Record<string, string>, seller: string): Promise<Place> {
  const dir = folder()
  const port = await freePort()
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(ROOT, join(dir, 'node_modules/adwire'))
  for (const name of ['@hono', 'express', 'fastify', 'hono']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name))
  }
  for (const [name, code] of Object.entries(programs)) {
    writeFileSync(join(dir, name), code.replaceAll(SELLER, seller).replaceAll(PORT, String(port)))
  }
  return { dir, port }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

interface Program {
  child: ChildProcess
  output: { stdout: string; stderr: string }
  ended: Promise<number | null>
}

function run({ dir }: Place, args: readonly string[], env: Env = {}): Program {
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk) => {
      output[name] += String(chunk)
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, output, ended }
}

/** A delivery that the seller signed, sent as soon as the program listens. */
async function deliver({ at, running }: Receiver, task_id: string): Promise<Response> {
  const url = `http://127.0.0.1:${at.port}/hooks/acme`
  const body = bytes({
    idempotency_key: randomUUID(),
    task_id,
    task_type: 'activate_signal',
    operation_id: 'op-1',
    status: 'completed',
    timestamp: new Date().toISOString(),
    result: { is_live: true },
  })
  let answer: Response | undefined
  await eventually(async () => {
    // One that has ended will never listen.
    if (running.child.exitCode !== null) return
    const now = Math.floor(Date.now() / 1_000)
    const message = { method: 'POST', url, headers: JSON_TYPE, body }
    const signed = await signWebhook(message, NAMES, { signer: SIGNER, now })
    if (!signed.ok) throw new Error(signed.detail)
    const headers = { ...JSON_TYPE, ...signed.headers }
    answer = await fetch(url, { method: 'POST', headers, body })
  }, PATIENCE)
  if (!answer) throw new Error(`the program ended: ${running.output.stderr}`)
  return answer
}

interface Receiver {
  at: Place
  running: Program
}

async function seller(): Promise<string> {
  const { agentUrl, publish } = await sellerSite()
  publish([PAIR.publicJwk])
  return agentUrl
}

describe('spec 4.4: the receiver of the page runs as it is written', { timeout: 240_000 }, () => {
  test.each(['node-http.mjs', 'fastify.mjs', 'hono.mjs', 'express.mjs'])(
    'in %s: a signed delivery is answered 200 and handled, and Ctrl-C ends it',
    async (name) => {
      const programs = { 'receiver.mjs': program('receiver.mjs'), [name]: program(name) }
      const at = await place(programs, await seller())
      const running = run(at, [name])
      const { child, output, ended } = running
      const answer = await deliver({ at, running }, 'task-7')
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'accepted' }])
      const line = 'task-7 completed { is_live: true }'
      await eventually(() => expect(output.stdout).toContain(line), PATIENCE)
      child.kill('SIGINT')
      expect(await ended).toBe(0)
      expect(output.stderr).toBe('')
    },
  )

  test('spec 6.4: with the effect in the transaction of the inbox', async () => {
    const { url: DATABASE_URL, drop } = await emptyPostgres()
    onTestFinished(drop)
    const programs = {
      'receiver.mjs': program('receiver.mjs', 1),
      'node-http.mjs': program('node-http.mjs'),
    }
    const at = await place(programs, await seller())
    const running = run(at, ['node-http.mjs'], { DATABASE_URL })
    const { child, output, ended } = running
    expect((await deliver({ at, running }, 'task-8')).status).toBe(200)
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    await eventually(async () => {
      const { rows } = await client.query('SELECT * FROM results')
      expect(rows).toEqual([{ task_id: 'task-8', result: '{"is_live":true}' }])
    }, PATIENCE)
    await client.end()
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(output.stderr).toBe('')
  })

  test('spec 6.4: follow.mjs learns of the end of a task by the webhook', async () => {
    const server = await serve(['--demo', '--data', folder()])
    const KEY = /demo key: (\S+)/.exec(server.output.stdout)?.[1] ?? ''
    const names = ['receiver.mjs', 'node-http.mjs', 'follow.mjs']
    const programs = Object.fromEntries(names.map((name) => [name, program(name)]))
    const { output, ended } = run(await place(programs, server.url), ['follow.mjs'], { KEY })
    expect(await ended).toBe(0)
    expect(output.stdout).toMatch(/ working \{.*^webhook: completed$/ms)
    expect(output.stderr).toBe('')
  })

  test('spec 6.4: retry-dead.mjs gives a dead letter its attempts again', async () => {
    const programs = {
      'receiver.mjs': program('receiver.mjs')
        .replace('console.log(task_id, status, data)', "Promise.reject(new Error('broken'))")
        .replace('...storage,', '...storage, maxTries: 1,'),
      'node-http.mjs': program('node-http.mjs'),
      'retry-dead.mjs': program('retry-dead.mjs'),
    }
    const at = await place(programs, await seller())
    const running = run(at, ['node-http.mjs'])
    const { output } = running
    const failures = () => output.stderr.split('Error: broken').length - 1
    expect((await deliver({ at, running }, 'task-9')).status).toBe(200)
    await eventually(() => expect(failures()).toBe(1), PATIENCE)
    await eventually(async () => {
      const retried = run(at, ['retry-dead.mjs', 'buyer-data'])
      expect(await retried.ended).toBe(0)
      expect(retried.output.stdout).toContain('task-9 broken')
    }, PATIENCE)
    await eventually(() => expect(failures()).toBe(2), PATIENCE)
  })

  test('there is no program on the page that these tests do not run', () => {
    expect(PROGRAMS.map(({ name }) => name)).toEqual([
      'receiver.mjs',
      'node-http.mjs',
      'fastify.mjs',
      'hono.mjs',
      'express.mjs',
      'receiver.mjs',
      'follow.mjs',
      'retry-dead.mjs',
    ])
  })
})

test('the page has every flag of `adwire receive`, and no other', async () => {
  const { stdout } = await adwire(['receive', '--help'])
  const flags = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag)
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| `--'))
  const reported = rows.flatMap((row) => row.split(' | ', 1)[0]!.match(/--[a-z-]+/g) ?? [])
  expect(flags.length).toBeGreaterThan(15)
  expect([...reported].sort()).toEqual([...flags].sort())
})

test('spec 7.3: the page has the status of every code that the receiver itself gives', async () => {
  const { deliver, send, sign, inbox } = receiving()
  const fails = { inbox: { accept: () => Promise.reject(new Error('a fault')) } }
  const authorization = `Bearer ${BEARER}`
  const good = { idempotency_key: randomUUID(), task_id: 't', task_type: 'x', status: 'working' }
  const envelope = { ...good, timestamp: '2026-01-01T00:00:00Z' }
  const { idempotency_key: _, ...keyless } = envelope
  const malformed = { route: 'bearer', headers: { ...JSON_TYPE, authorization }, body: bytes('{') }
  const strict = receiving({ duplicates: 'strict' })
  await strict.deliver(envelope)
  const replies = [
    await strict.deliver(envelope),
    await strict.deliver({ ...envelope, result: {} }),
    await send({ route: 'nowhere' }),
    await send({ method: 'GET' }),
    await send({ body: 'too-large' }),
    await send({ headers: { 'content-type': 'text/plain' } }),
    await send(malformed),
    await deliver(good),
    await deliver(keyless),
    await deliver({ ...envelope, status: 'done' }),
    await deliver(envelope, 'with-token'),
    await receiving({ maxPerSender: 0 }).deliver(envelope),
    await receiving(fails).deliver(envelope),
  ]
  inbox.setAway(true)
  const body = bytes(envelope)
  replies.push(await send({ headers: await sign(body), body }))

  const reported = [...PAGE.matchAll(/^\| ([45]\d\d) \| `([a-z_]+)` \|(.*)$/gm)]
  const rows = reported.map(([, status, code, text = '']) => ({
    status: Number(status),
    code,
    retryAfter: /Retry-After: (\d+)/.exec(text)?.[1],
  }))
  const given = replies.map((reply) => ({
    status: reply.status,
    code: codeOf(reply),
    retryAfter: reply.headers['retry-after'],
  }))
  const byCode = (a: { code?: string | undefined }, b: { code?: string | undefined }) =>
    String(a.code).localeCompare(String(b.code))
  expect(rows.sort(byCode)).toEqual(given.sort(byCode))
})
