import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { adwire, folder, serve } from '../support/cli.ts'
import { scriptedAgent } from '../support/scripted-agent.ts'

const KEY = 'adw_0123456789abcdef'

test('spec 6.4: --wait ends by webhook with --receive, and by poll without', async () => {
  const { url } = await serve(['--demo', '--data', folder()], {
    ADWIRE_DEMO_KEY: KEY,
    ADWIRE_SANDBOX_DELAY_SECONDS: '1',
  })
  const TMPDIR = folder()
  const activate = (agent: string, id: string, ...args: string[]) =>
    adwire(
      [
        'call',
        agent,
        'activate_signal',
        '--signal-agent-segment-id',
        id,
        '--auth',
        KEY,
        '--deployments',
        '{"type":"platform","platform":"sandbox"}',
        '--timeout',
        '3m',
        ...args,
      ],
      { XDG_CONFIG_HOME: '/nonexistent', TMPDIR },
    )
  // No poll is made within the time of the call.
  const receive = ['--receive', 'http://127.0.0.1:0', '--poll-interval', '1h']
  const reported = await activate(
    `${url}/mcp`,
    'motorlane-auto-ev-intenders',
    '--wait',
    '--json',
    ...receive,
  )
  expect(JSON.parse(reported.stderr)).toMatchObject({ by: 'webhook', status: 'completed' })
  expect(JSON.parse(reported.stdout)).toMatchObject({
    status: 'completed',
    deployments: [{ is_live: true }],
  })
  expect([reported.code, readdirSync(TMPDIR)]).toEqual([0, []])

  const watched = await activate(url, 'motorlane-auto-ev-owners', '--watch', ...receive)
  expect(watched.stderr).toMatch(/ s {2}submitted\n +\d+ s {2}completed, by webhook\n$/s)

  const polled = await activate(
    url,
    'motorlane-auto-first-car',
    '--watch',
    '--json',
    '--poll-interval',
    '1s',
  )
  const lines = polled.stderr.trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ by: 'poll', status: 'completed' })
  expect(polled.stderr).not.toContain('webhook')
})

test('spec 5: an agent without keys for webhooks is reported, and polls report the end', async () => {
  const task_id = 't1'
  const { url } = await scriptedAgent({ do_it: {}, get_task_status: {} }, ({ task }) => ({
    body: { task_id, status: task === 'do_it' ? 'working' : 'completed' },
  }))
  const args = ['--transport', 'http', '--wait', '--receive', 'http://127.0.0.1:0']
  const { code, stderr } = await adwire(
    ['call', url, 'do_it', '{}', '--poll-interval', '1s', ...args],
    { XDG_CONFIG_HOME: '/nonexistent' },
  )
  expect([code, stderr.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(/^waiting: the agent publishes no webhook keys/),
      'completed, by poll',
      '',
    ],
  ])
})

test('a receiver that cannot be is refused with what would be right', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const here = `http://127.0.0.1:${port}`
  const cases: [string[], RegExp][] = [
    [['--receive', here], /add --wait/],
    [['--wait', '--receive-port', '1'], /requires --receive/],
    [['--wait', '--receive', 'hooks'], /must be a URL such as .* \(got hooks\)/],
    [['--wait', '--receive', 'https://hooks.example/x'], /add --receive-port/],
    [
      ['--wait', '--receive', 'https://hooks.example/x', '--receive-port', '70000'],
      /must be a number up to 65535 \(got 70000\)/,
    ],
    [['--wait', '--receive', here], /is taken: choose another/],
    [
      ['--wait', '--receive', 'http://192.0.2.1:8422'],
      /192\.0\.2\.1 is not an address of this machine/,
    ],
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await adwire(['call', 'http://127.0.0.1:9', 'do_it', '{}', ...args])
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  }
})
