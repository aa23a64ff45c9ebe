import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { lastingFolder } from '../support/cli.ts'
import { catchWebhooks } from '../support/webhook-catcher.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8')
const PROGRAMS = [...PAGE.matchAll(/^```js\n\/\/ (\S+\.mjs)\n(.*?)^```$/gms)].map(
  ([, name = '', code = '']) => ({ name, code }),
)
/** Reports to the test where the server of the page runs, and at the end what its log received. */
const DRIVER = `
import { lines } from './log.mjs'
import { app, demoKey } from './server.mjs'
process.once('SIGTERM', async () => {
  await app.stop()
  console.log(JSON.stringify({ lines, health: await app.health() }))
})
console.log(app.url(), demoKey)
`

interface Program {
  child: ChildProcess
  stdout(): string
  /** The first line it says. */
  said: Promise<string>
  ended: Promise<unknown>
}

function run(dir: string, name: string): Program {
  const child = spawn(process.execPath, [name], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ADWIRE_PORT: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const ended = once(child, 'close').then(([code]) => code)
  const said = new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk)
    })
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk)
      if (stdout.includes('\n')) resolve(stdout.split('\n', 1)[0] as string)
    })
    ended.then((code) => reject(new Error(`${name} ended with ${code}: ${stderr}`)))
  })
  return { child, stdout: () => stdout, said, ended }
}

describe('the programs of the page run as they are written', () => {
  const folder = lastingFolder()
  let smallest: Program
  let server: Program
  let url = ''
  let key = ''
  beforeAll(async () => {
    mkdirSync(join(folder.path, 'node_modules'))
    symlinkSync(ROOT, join(folder.path, 'node_modules/adwire'))
    for (const { name, code } of [...PROGRAMS, { name: 'driver.mjs', code: DRIVER }]) {
      writeFileSync(join(folder.path, name), code.replaceAll('port: 8420', 'port: 0'))
    }
    server = run(folder.path, 'driver.mjs')
    ;[url = '', key = ''] = (await server.said).split(' ')
    smallest = run(folder.path, 'smallest.mjs')
  })
  afterAll(async () => {
    for (const { child, ended } of [smallest, server]) {
      child.kill('SIGKILL')
      await ended
    }
    folder.remove()
  })

  const post = (task: string, body: object) => call(`${url}/v3/${task}`, { key, body })

  test('its own tasks are called over HTTP, the long one too', async () => {
    const greeted = await post('greet', { greeting: 'Salut' })
    expect(greeted.body).toMatchObject({ status: 'completed', text: 'Salut, Adwire demo!' })
    expect((await post('greet', { greeting: '' })).status).toBe(400)
    expect((await post('count_to', { to: 3 })).body).toMatchObject({ counted: 3 })
  })

  test('its search finds, its connector activates, and its signer signs the webhook', async () => {
    const found = await post('get_signals', {
      signal_spec: 'anything',
      deliver_to: {
        deployments: [{ type: 'platform', platform: 'the-trade-desk' }],
        countries: ['US'],
      },
    })
    const [signal] = (found.body as { signals: { signal_agent_segment_id: string }[] }).signals
    expect(signal).toMatchObject({ ext: { match_reason: 'the answer to anything' } })

    const hook = await catchWebhooks()
    const { signal_agent_segment_id } = signal!
    await post('activate_signal', {
      signal_agent_segment_id,
      deployments: [{ type: 'platform', platform: 'the-trade-desk' }],
      push_notification_config: { url: hook.url, operation_id: 'op-1' },
    })
    const message = await hook.first
    expect(await hook.verify(message, url)).toMatchObject({ ok: true, keyid: 'kms-1' })
    expect(String(message.headers['signature-input'])).toContain('alg="ecdsa-p256-sha256"')
    expect(Buffer.from(message.body).toString()).toContain('"segment_id":"seg-')
  })

  test('its generator writes the words of a creative', async () => {
    const built = await post('build_creative', {
      target_format_id: { agent_url: url, id: 'display_300x250_generative' },
      creative_manifest: {
        assets: {
          promoted_offerings: { brand_manifest: { name: 'Acme', url: 'https://a.example' } },
        },
      },
    })
    expect(JSON.stringify(built.body)).toContain('Acme is here')
  })

  test('its routes have the headers and errors of the server, and are not in its description', async () => {
    const hello = await fetch(`${url}/shop/hello`)
    expect(await hello.json()).toEqual({ hello: 'world' })
    expect(hello.headers.get('x-request-id')).toBeTruthy()
    expect((await fetch(`${url}/shop/hello`, { method: 'POST' })).status).toBe(405)
    const legacy = await fetch(`${url}/legacy/a?b`, { method: 'POST', body: 'seven77' })
    expect(await legacy.text()).toBe('POST /legacy/a?b: 7 bytes')
    const described = (await call(`${url}/openapi.json`)).body as { paths: object }
    expect(Object.keys(described.paths)).toContain('/v3/greet')
    expect(Object.keys(described.paths).filter((path) => /shop|legacy/.test(path))).toEqual([])
  })

  test('the smallest one is healthy, does not read the environment, and ends by a signal', async () => {
    const said = await smallest.said
    expect(said).toMatch(/^http:\/\/127\.0\.0\.1:\d+ \{ ready: true, reasons: \[\] \}$/)
    smallest.child.kill('SIGINT')
    expect(await smallest.ended).toBe(0)
  })

  test('a stop ends the process, and the log has received everything', async () => {
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const { lines, health } = JSON.parse(server.stdout().split('\n')[1] as string)
    expect(lines.join('')).toContain('"task":"greet"')
    expect(health).toEqual({ ready: false, reasons: ['the server has stopped'] })
  })

  test('there is no program on the page that these tests do not run', () => {
    expect(PROGRAMS.map(({ name }) => name)).toEqual([
      'smallest.mjs',
      'tasks.mjs',
      'connectors.mjs',
      'signers.mjs',
      'generator.mjs',
      'search.mjs',
      'log.mjs',
      'routes.mjs',
      'server.mjs',
    ])
  })
})
