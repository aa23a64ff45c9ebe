import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../../src/app/settings.ts'
import { ALL_SETTINGS, addSettings } from '../../src/cli/settings-options.ts'
import { call } from '../support/app.ts'
import {
  adwire,
  end,
  type Finished,
  folder,
  lastingFolder,
  type Running,
  type Server,
  serve,
  serveLasting,
  start,
} from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'

const shell = promisify(execFile)

/** How long it takes to stop after the signal, and its exit code. */
async function stopped({ child, ended }: Running, signal: NodeJS.Signals) {
  const requested = Date.now()
  child.kill(signal)
  const { code } = await ended
  return { code, ms: Date.now() - requested }
}

describe('a demo server', () => {
  const data = lastingFolder()
  let server: Server
  beforeAll(async () => {
    server = await serveLasting(['--demo', '--data', data.path], { ADWIRE_LOG_LEVEL: 'trace' })
  })
  afterAll(async () => {
    if (server) await end(server)
    data.remove()
  })

  test('prints its address, a key, and a curl that works when pasted', async () => {
    const { url, output } = server
    expect(output.stdout).toMatch(/\ndemo key: adw_[A-Za-z0-9_-]{43}\n$/)
    const command = /^ +(curl .*)$/m.exec(output.stdout)?.[1] as string
    expect(command).toBe(`curl '${url}/api/manifest-refs/lookup?domain=Demo-Brand.example'`)
    const { stdout } = await shell('sh', ['-c', `${command} --silent`])
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      found: true,
      reference: { reference_type: 'url', agent_url: null, agent_id: null },
    })
    await eventually(async () => {
      const answer = await call(`${url}/api/manifest-refs/lookup?domain=demo-brand.example`)
      expect(answer.body).toMatchObject({ reference: { verification_status: 'valid' } })
    })
    expect((await call(`${url}/api/manifest-refs/lookup?domain=unknown.example`)).body).toEqual({
      success: false,
      found: false,
    })
    expect((await call(`${url}/api/manifest-refs/lookup`)).status).toBe(400)
    const question = /^ +(curl \S+\/get_signals .*\\\n.*)$/m.exec(output.stdout)?.[1] as string
    const { stdout: found } = await shell('sh', ['-c', `${question} --silent`])
    expect(JSON.parse(found)).toMatchObject({ status: 'completed', signals: { length: 3 } })
  })

  test('keeps the printed key out of its log, and of its files in one alone', () => {
    const key = /demo key: (\S+)/.exec(server.output.stdout)?.[1] as string
    expect(server.output.stderr).toContain('"level":"debug"')
    expect(server.output.stderr).not.toContain(key)
    const holding = readdirSync(data.path).filter((file) =>
      readFileSync(join(data.path, file)).includes(key),
    )
    expect(holding).toEqual(['demo-key'])
  })

  test('stops within five seconds of SIGINT', async () => {
    await fetch(`${server.url}/healthz`)
    const { code, ms } = await stopped(server, 'SIGINT')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(5_000)
  })

  test('has the key that ADWIRE_DEMO_KEY gives it, over restarts, and a start without --demo refuses it', async () => {
    const data = folder()
    const key = 'adw_0123456789abcdef'
    const env = { ADWIRE_DEMO_KEY: key, ADWIRE_CONSOLE: 'true' }
    const start = async (...flags: string[]) => {
      const server = await serve([...flags, '--data', data], env)
      const rpc = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: {} }
      const answers = [
        await call(`${server.url}/v3/list_tasks`, { key, body: {} }),
        await call(`${server.url}/a2a`, { key, body: rpc }),
      ]
      server.child.kill('SIGTERM')
      expect((await server.ended).code).toBe(0)
      return { answers: answers.map(({ status }) => status), ...server.output }
    }
    const first = await start('--demo')
    expect(first.answers).toEqual([200, 200])
    expect(first.stdout).toContain(`demo key: ${key}\n`)
    const without = await start()
    expect(without.answers).toEqual([401, 401])
    expect(without.stderr).toMatch(
      /the key of the demo is refused without --demo: adwire principals/,
    )
    expect((await start('--demo')).answers).toEqual([200, 200])
    const principals = await adwire(['principals', 'list', '--json', '--data', data])
    expect(JSON.parse(principals.stdout)).toMatchObject([
      { name: 'Adwire demo', is_demo: true, revoked_at: null },
      { name: 'Demo buyer', is_demo: true, revoked_at: null },
    ])
  })

  test('started twice on one folder continues as it was: its key, its principal, and what they made', async () => {
    const data = folder()
    const env = { ADWIRE_SANDBOX_DELAY_SECONDS: '0', ADWIRE_CONSOLE: 'true' }
    const stop = async ({ child, ended }: Running) => {
      child.kill('SIGTERM')
      return (await ended).code
    }
    const first = await serve(['--demo', '--data', data], env)
    const key = /\ndemo key: (adw_\S+)\n$/.exec(first.output.stdout)?.[1] as string
    const { url } = first
    const at = (task: string, body: object) => call(`${url}/v3/${task}`, { key, body })
    const format_id = { agent_url: url, id: 'display_300x250_html' }
    const assets = { html_creative: { content: '<p>Warm feet</p>' } }
    const creatives = [{ creative_id: 'c1', name: 'Banner', format_id, assets }]
    expect((await at('sync_creatives', { creatives })).status).toBe(200)
    const library = (await at('list_creatives', {})).body.creatives
    const activation = {
      signal_agent_segment_id: 'motorlane-auto-ev-intenders',
      deployments: [{ type: 'platform', platform: 'sandbox' }],
    }
    const { body: activated } = await at('activate_signal', activation)
    const [live] = activated.deployments as [{ activation_key: unknown }]
    expect(live).toMatchObject({ is_live: true })
    const principals = await adwire(['principals', 'list', '--json', '--data', data])
    expect(await stop(first)).toBe(0)

    const second = start(['serve', '--demo', '--port', new URL(url).port, '--data', data], env)
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200))
    // As soon as it says so, everything works that worked before, also for the registry.
    expect((await at('list_creatives', {})).body.creatives).toEqual(library)
    const manifest_url = 'https://shop.example/brand.json'
    const reference = { domain: 'shop.example', reference_type: 'url', manifest_url }
    expect((await call(`${url}/api/manifest-refs`, { key, body: reference })).status).toBe(201)
    const { body: again } = await at('activate_signal', activation)
    expect(again).toMatchObject({
      deployments: [{ is_live: true, activation_key: live.activation_key }],
      errors: [{ code: 'ALREADY_ACTIVATED' }],
    })
    await eventually(() => expect(second.output.stdout).toMatch(`\ndemo key: ${key}\n`))
    expect(second.output.stdout.endsWith(`\ndemo key: ${key}\n`)).toBe(true)
    const later = await adwire(['principals', 'list', '--json', '--data', data])
    const idsIn = ({ stdout }: Finished) =>
      (JSON.parse(stdout) as { principal_id: string }[]).map(({ principal_id }) => principal_id)
    expect(idsIn(principals)).toHaveLength(2)
    expect(idsIn(later)).toEqual(idsIn(principals))
    expect(await stop(second)).toBe(0)
  })
})

describe('a server without --demo', () => {
  const folderOfAll = lastingFolder()
  const data = folderOfAll.path
  let server: Server
  beforeAll(async () => {
    server = await serveLasting(['--data', data])
  })
  afterAll(async () => {
    if (server) await end(server)
    folderOfAll.remove()
  })

  test('has neither a key nor data', async () => {
    const { url, output } = server
    expect(output.stdout).toBe(`adwire listens on ${url}\n`)
    expect((await call(`${url}/api/manifest-refs/lookup?domain=demo-brand.example`)).body).toEqual({
      success: false,
      found: false,
    })
  })

  test('keeps running when a second one on its data folder is refused', async () => {
    const second = await adwire(['serve', '--port', '0', '--data', data])
    expect(second.code).toBe(1)
    expect(second.stdout).toBe('')
    expect(second.stderr).toBe(
      `error: another adwire server is running on the data folder ${data}: stop it, give this one its own folder with --data, or let both share a PostgreSQL with --database-url\n`,
    )
    expect((await call(`${server.url}/healthz`)).status).toBe(200)
  })

  test('has a port that is taken, which is named with the way out', async () => {
    const port = new URL(server.url).port
    const second = await adwire(['serve', '--port', port, '--data', folder()])
    expect([second.code, second.stderr]).toEqual([
      1,
      `error: port ${port} on 127.0.0.1 is taken: choose another with --port\n`,
    ])
  })

  test('when it is killed, leaves nothing in the way of the next one, which SIGTERM stops within five seconds', async () => {
    server.child.kill('SIGKILL')
    await server.ended
    const next = await serve(['--data', data])
    expect((await call(`${next.url}/readyz`)).status).toBe(200)
    const { code, ms } = await stopped(next, 'SIGTERM')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(5_000)
  })
})

test('two servers share a PostgreSQL', async () => {
  const { url: databaseUrl, drop } = await emptyPostgres()
  const servers = await Promise.all(
    [1, 2].map(() => serve(['--data', folder()], { ADWIRE_DATABASE_URL: databaseUrl })),
  )
  for (const { url } of servers) expect((await call(`${url}/readyz`)).status).toBe(200)
  for (const { child, ended } of servers) {
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
  }
  await drop()
})

test('a database that is not there is said in a line, without the password', async () => {
  const { code, stderr } = await adwire(['serve', '--port', '0'], {
    ADWIRE_DATABASE_URL: 'postgres://u:hush@127.0.0.1:9/x',
  })
  expect(code).toBe(1)
  expect(stderr).toContain('error: the PostgreSQL database cannot be reached')
  expect(stderr).not.toContain('hush')
})

describe('settings', () => {
  test('every one is in the help, with its variable, its flag and its default', async () => {
    const { stdout } = await adwire(['serve', '--help'])
    const help = stdout.replace(/\s+/g, ' ')
    for (const { env, flag, default: fallback } of Object.values(SETTINGS)) {
      expect(help).toContain(`--${flag}`)
      expect(help).toContain(fallback === '' ? `(${env})` : `(${env}, default ${fallback})`)
    }
  })

  test('a switch is turned off by its flag, and left alone without one', async () => {
    const given = (...args: string[]) =>
      addSettings(new Command('serve'), ALL_SETTINGS).parse(args, { from: 'user' }).opts()
    expect(given()).toEqual({})
    expect(given('--no-console', '--demo')).toEqual({ console: false, demo: true })
    const env = { ADWIRE_CONSOLE: 'true' }
    const { url } = await serve(['--no-console', '--data', folder()], env)
    expect((await call(`${url}/console/`)).status).toBe(404)
    const { stdout } = await adwire(['serve', '--help'])
    expect(stdout.replace(/\s+/g, ' ')).toContain('--no-console turns it off.')
  })

  test('one that has no effect on a command is neither offered nor read by it', async () => {
    const helpOf = async (...command: string[]) => (await adwire([...command, '--help'])).stdout
    expect(await helpOf('receive')).toContain('--webhook-duplicates')
    expect(await helpOf('serve')).not.toContain('--webhook-duplicates')
    const sandbox = await helpOf('sandbox', 'load')
    expect(sandbox).toContain('--formats-dir')
    expect(sandbox).not.toContain('--webhook-timeout-seconds')

    const env = { ADWIRE_WEBHOOK_DUPLICATES: 'last-wins' }
    const received = await adwire(['receive', '--data', folder()], env)
    expect(received).toMatchObject({ code: 2 })
    const wanted = 'ADWIRE_WEBHOOK_DUPLICATES must be one of first-wins, strict'
    expect(received.stderr).toContain(wanted)
    const served = await adwire(['serve', '--port', '70000'], env)
    expect(served.stderr).toContain('--port')
    expect(served.stderr).not.toContain('ADWIRE_WEBHOOK_DUPLICATES')
  })

  test('bad ones are all named, by flag or by variable, with what would be right', async () => {
    const { code, stderr, stdout } = await adwire(['serve', '--port', '70000'], {
      ADWIRE_LOG_LEVEL: 'loud',
      ADWIRE_EGRESS_ALLOW: '10.0.0.0/8,home',
    })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('--port must be a whole number from 0 to 65535')
    expect(stderr).toContain('ADWIRE_LOG_LEVEL must be one of trace, debug, info')
    expect(stderr).toContain('ADWIRE_EGRESS_ALLOW "home" is not a CIDR')
    expect(stderr).not.toMatch(/ {4}at /)
  })

  test('an unknown flag or command is refused', async () => {
    const flag = await adwire(['serve', '--prot', '1'])
    expect(flag.code).toBe(2)
    expect(flag.stderr).toContain('--prot')
    expect((await adwire(['fly'])).code).toBe(2)
    const { code, stderr } = await adwire(['orgs', 'create'])
    expect([code, stderr]).toEqual([2, expect.stringContaining("missing required argument 'name'")])
  })
})
