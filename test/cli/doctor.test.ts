import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../src/doctor/report.ts'
import { adwire, folder, serve, start } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'

const SECRET = 'a secret of at least thirty-two bytes'

describe('adwire doctor', () => {
  test('lists its checks and calls no one', async () => {
    const { code, stdout } = await adwire(['doctor', '--list'])
    expect(code).toBe(0)
    for (const id of ['transport-mcp', 'webhook-retry-nonce', 'refuses-replayed', 'hmac-old']) {
      expect(stdout).toContain(id)
    }
  })

  test.each([
    [[], 'give the URL of an agent, or --receiver'],
    [
      ['https://a.example', '--receiver', 'https://b.example'],
      'give the URL of an agent, or --receiver',
    ],
    [['ads.example'], 'must be a URL such as https://ads.example'],
    [['https://user:pass@a.example'], 'without a user name'],
    [['https://a.example', '--only', 'transports,nonsense'], 'no check or group nonsense'],
    [['https://a.example', '--timeout-seconds', '0'], 'must be a whole number above 0'],
    [['https://a.example', '--auth', '@/no/such/file'], 'there is no such file'],
    [
      ['--receiver', 'https://a.example/hook'],
      'give one of --serve-keys, --key, --hmac and --bearer',
    ],
    [['--receiver', 'https://a.example/hook', '--serve-keys', 'nowhere'], 'must be <host>:<port>'],
    [
      ['https://a.example', '--auth', 'adw_one', '--other-auth', 'adw_one'],
      '--other-auth is the key of --auth: give the key of another caller',
    ],
    [['https://a.example', '--nonsense'], 'unknown option'],
  ])('exits with 2 for %j', async (args, message) => {
    const { code, stderr } = await adwire(['doctor', ...args])
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })

  test('exits with 3 where no one answers', async () => {
    const { code, stdout } = await adwire(['doctor', 'http://127.0.0.1:1'])
    expect(code).toBe(3)
    expect(stdout).toContain('FAIL  the agent answers HTTP (reachable)')
    expect(stdout).toContain('do:  check the address')
    expect(stdout).toMatch(/; 1 finding\n$/)
  })

  test('examines a demo server: text, JSON, and parts of it', async () => {
    const { url, output } = await serve(['--demo', '--data', folder()])
    const key = /demo key: (\S+)/.exec(output.stdout)?.[1] ?? ''
    const file = join(folder(), 'key')
    writeFileSync(file, `${key}\n`)
    const whole = await adwire(['doctor', url, '--auth', `@${file}`, '--write', '--json'])
    expect(whole.stderr).toBe('')
    const report = JSON.parse(whole.stdout) as Report
    expect(report.findings).toEqual([])
    expect(whole.code).toBe(0)
    expect(report.summary.passed).toBeGreaterThan(45)

    const part = await adwire(['doctor', `${url}/mcp`, '--only', 'keys,transport-mcp'])
    expect(part.code).toBe(0)
    expect(part.stdout).toContain('6 passed, 0 failed, 0 skipped; 0 findings')
    expect(part.stdout).not.toContain('webhook-arrives')
  })

  test('examines adwire receive, and keeps its keys for the next time', async () => {
    const keys = join(folder(), 'keys.json')
    const place = '127.0.0.1:18499'
    const receiving = start([
      'receive',
      '--port',
      '0',
      '--data',
      folder(),
      '--trust',
      `http://${place}/agent`,
      '--hmac',
      `legacy=${SECRET}`,
      '--egress-allow',
      '127.0.0.0/8',
      '--egress-allow-http',
    ])
    const url = await eventually(() => {
      const found = /listens on (\S+)/.exec(receiving.output.stdout)?.[1]
      if (found === undefined) throw new Error(receiving.output.stderr)
      return found
    })
    for (let n = 0; n < 2; n++) {
      const signed = ['--serve-keys', place, '--keys-file', keys]
      const { code, stdout, stderr } = await adwire([
        'doctor',
        '--receiver',
        `${url}/hooks/any`,
        ...signed,
      ])
      expect(stdout).toContain('0 failed, 0 skipped; 0 findings')
      expect(stderr).toContain(`must trust http://${place}/agent`)
      expect(code).toBe(0)
    }
    expect(existsSync(keys)).toBe(true)
    expect(statSync(keys).mode & 0o077).toBe(0)

    const { main } = JSON.parse(readFileSync(keys, 'utf8')) as { main: object }
    const own = join(folder(), 'main.json')
    writeFileSync(own, JSON.stringify(main))
    const one = await adwire(['doctor', '--receiver', `${url}/hooks/any`, '--key', own, '--json'])
    const report = JSON.parse(one.stdout) as Report
    // The receiver remembers the key set, which no one serves now.
    expect(report.findings).toEqual([])
    expect(report.checks.filter(({ state }) => state === 'skipped').map(({ id }) => id)).toEqual([
      'accepts-ecdsa',
      'refuses-other-purpose',
      'refuses-revoked-key',
    ])

    const legacy = ['--receiver', `${url}/hooks/legacy`, '--hmac', SECRET]
    expect((await adwire(['doctor', ...legacy])).code).toBe(0)
    const wrong = await adwire([
      'doctor',
      '--receiver',
      `${url}/hooks/legacy`,
      '--hmac',
      `${SECRET}!`,
    ])
    expect(wrong.code).toBe(1)
    expect(wrong.stdout).toContain('FAIL  a valid webhook is acknowledged (accepts-valid)')
    expect(wrong.stdout).not.toContain(SECRET)
  })
})
