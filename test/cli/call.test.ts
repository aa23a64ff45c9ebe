import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { adwire, type Finished, folder, serve, start } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { type Script, scriptedAgent } from '../support/scripted-agent.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const KEY = 'adw_0123456789abcdef'
const TRANSPORTS = ['http', 'mcp', 'a2a']
const SPEC = ['--signal-spec', 'people about to buy an electric car']

const HOME = { XDG_CONFIG_HOME: '/nonexistent' }
const call = (args: readonly string[], env: Record<string, string> = {}) =>
  adwire(['call', ...args], { ...HOME, ...env })

/** One line of cause, and the code of its kind. */
function ended({ code, stderr }: Finished): [number | null, string] {
  const lines = stderr.split('\n')
  expect(lines).toHaveLength(2)
  return [code, (lines[0] ?? '').replace(/^error: /, '')]
}

describe('against a server', () => {
  test('spec 4.2: get_signals by flags gives the same signals over every transport', async () => {
    const { url } = await serve(['--demo', '--data', folder()], { ADWIRE_DEMO_KEY: KEY })
    const answers = await Promise.all(
      TRANSPORTS.map((transport) =>
        call([url, 'get_signals', ...SPEC, '--auth', KEY, '--transport', transport, '--json']),
      ),
    )
    const signals = answers.map(({ code, stdout, stderr }) => {
      expect([code, stderr]).toEqual([0, ''])
      return (JSON.parse(stdout) as { signals: { name: string }[] }).signals
    })
    expect(signals[0]?.length).toBeGreaterThan(3)
    expect(signals[0]?.[0]?.name).toBe('Electric Vehicle Intenders')
    expect(signals[1]).toEqual(signals[0])
    expect(signals[2]).toEqual(signals[0])

    const found = await call([url, 'get_signals', ...SPEC, '--max-results', '2'], {
      ADWIRE_CALL_KEY: KEY,
    })
    const [header, first, second, ...notes] = found.stdout.split('\n')
    expect(header).toMatch(/^segment +name +type +provider +coverage +price +deployments$/)
    expect(first).toMatch(
      /^motorlane-auto-ev-intenders +Electric Vehicle Intenders .* 4.2 % +3.1 USD CPM +sandbox: not live/,
    )
    expect(second).toMatch(/^motorlane-auto-ev-owners /)
    expect(notes.join('\n')).toMatch(/more results exist: add --pagination '\{"cursor":"/)

    const listed = await call([url, '--auth', KEY])
    expect(listed.stdout).toMatch(
      /^get_signals +Finds audience signals by a natural-language description/m,
    )
    const help = await call([url, 'get_signals', '--help', '--auth', KEY])
    expect(help.stdout).toMatch(/^--signal-spec +a text +The audience, in natural language\.$/m)
    expect(help.stdout).toMatch(/^--countries +a text, once for each/m)
    const misspelt = await call([url, 'get_signal', ...SPEC, '--auth', KEY])
    expect(ended(misspelt)).toEqual([
      2,
      'the agent has no task get_signal: did you mean get_signals?',
    ])
  })

  test('spec 3.2: --wait follows an activation to its end, and --watch reports its progress', async () => {
    const env = { ADWIRE_DEMO_KEY: KEY, ADWIRE_SANDBOX_DELAY_SECONDS: '1' }
    const { url } = await serve(['--demo', '--data', folder()], env)
    const activate = (id: string, ...args: string[]) =>
      call([
        url,
        'activate_signal',
        '--signal-agent-segment-id',
        id,
        '--auth',
        KEY,
        '--deployments',
        '{"type":"platform","platform":"sandbox"}',
        ...args,
      ])
    const waited = await activate('motorlane-auto-ev-intenders', '--wait', '--json')
    expect([waited.code, waited.stderr]).toEqual([0, ''])
    expect(JSON.parse(waited.stdout)).toMatchObject({
      status: 'completed',
      deployments: [{ is_live: true }],
    })

    const watched = await activate('motorlane-auto-ev-owners', '--watch', '--transport', 'mcp')
    expect(watched.code).toBe(0)
    expect(watched.stderr).toMatch(/^ +\d+ s {2}working/m)
    expect(watched.stdout).toMatch(/^sandbox: live \(sandbox_\w+\)/m)

    const begun = await activate('motorlane-auto-first-car')
    expect(begun.code).toBe(0)
    const [, follow = ''] =
      /get it with adwire call (.*), or call with --wait/.exec(begun.stderr) ?? []
    const requested = await call([...follow.split(' '), '--auth', KEY])
    expect(JSON.parse(requested.stdout)).toMatchObject({ task_type: 'activate_signal' })

    const simulate = (...args: string[]) =>
      call([url, 'simulate_task', '--duration-seconds', '0', '--auth', KEY, '--wait', ...args])
    expect(ended(await simulate('--outcome', 'input-required'))).toEqual([
      9,
      expect.stringMatching(
        /^the agent needs input to continue: adwire call .* provide_task_input/,
      ),
    ])
  })
})

const TASK = { get_signals: { signal_spec: { type: 'string' }, max_results: { type: 'integer' } } }
const signals = { status: 'completed', signals: [] }
const at = (script: Script, tasks: Record<string, object> = TASK) => scriptedAgent(tasks, script)

describe('each kind of failure has one line of cause and a code of its own', () => {
  test('3: a dead agent', async () => {
    const { url } = await at(() => 'nothing')
    const dead = url.replace(/\d+$/, '1')
    for (const args of [[dead], [dead, 'get_signals'], [dead, 'get_signals', ...SPEC]]) {
      const [code, line] = ended(await call(args))
      expect([code, line]).toEqual([
        3,
        expect.stringMatching(/accepts no connection.*is the agent running/),
      ])
    }
  })

  test('4: a 401, with and without a key', async () => {
    const body = { errors: [{ code: 'AUTH_INVALID', message: 'No.' }] }
    const { url } = await at(() => ({ status: 401, body }))
    const args = [url, 'get_signals', '{}', '--transport', 'http']
    expect(ended(await call(args))).toEqual([
      4,
      'AUTH_INVALID: No: give a key with --auth -, ADWIRE_CALL_KEY or adwire agents add',
    ])
    expect(ended(await call([...args, '--auth', 'secret-key']))).toEqual([
      4,
      'AUTH_INVALID: No: the key was refused, give another with --auth',
    ])
  })

  test('5: what the agent refuses, with its code and what to do', async () => {
    const error = {
      code: 'RATE_LIMITED',
      message: 'Too\u001b[2J many.',
      retry_after: 7,
      recovery: 'transient',
    }
    const { url } = await at(() => ({ status: 429, body: { status: 'failed', errors: [error] } }))
    const args = [url, 'get_signals', '{}', '--transport', 'http', '--timeout', '2s']
    expect(ended(await call(args))).toEqual([5, 'RATE_LIMITED: Too [2J many: try again in 7 s'])
    const { code, stdout } = await call([...args, '--json'])
    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { kind: 'refused', code: 'RATE_LIMITED', retry_after: 7 },
      body: { errors: [error] },
    })
  })

  test('6: an agent that does not answer in time', async () => {
    const { url } = await at(() => 'nothing')
    const [code, line] = ended(
      await call([url, 'get_signals', '{}', '--transport', 'http', '--timeout', '1s']),
    )
    expect([code, line]).toEqual([6, expect.stringMatching(/: use a longer --timeout$/)])
  })

  test('6: a task that does not end in time, with how to request it', async () => {
    const { url } = await at(() => ({ body: { status: 'working', task_id: 't1' } }))
    const waited = await call([
      url,
      'get_signals',
      '{}',
      '--transport',
      'http',
      '--timeout',
      '1s',
      '--wait',
    ])
    expect(ended(waited)).toEqual([
      6,
      expect.stringMatching(
        /: the task is still running, get it with adwire call \S+ get_task_status --task-id t1$/,
      ),
    ])
  })

  test('7: an answer that is not what the task answers, or no protocol at all', async () => {
    const cases: [unknown, RegExp][] = [
      [
        { status: 'completed', signals: [{ name: 7 }] },
        /^the response does not match the schema of get_signals: \/signals\/0/,
      ],
      ['<html>', /without JSON/],
    ]
    for (const [body, reported] of cases) {
      const { url } = await at(() => ({ body }))
      const [code, line] = ended(await call([url, 'get_signals', '{}', '--transport', 'http']))
      expect([code, line]).toEqual([7, expect.stringMatching(reported)])
      expect(line).toMatch(/try another --transport$/)
    }
  })

  test('8 and 9: a task that was rejected, and one that requires more input', async () => {
    const errors = [{ code: 'POLICY_VIOLATION', message: 'Not here.' }]
    const rejected = await at(() => ({ body: { status: 'rejected', errors } }))
    expect(ended(await call([rejected.url, 'get_signals', '{}', '--transport', 'http']))).toEqual([
      8,
      expect.stringMatching(/^POLICY_VIOLATION: Not here: /),
    ])
    const asks = await at(() => ({
      body: { status: 'input-required', task_id: 't1', message: 'Which?' },
    }))
    const requested = await call([asks.url, 'get_signals', '{}', '--transport', 'http'])
    expect([ended(requested)[0], JSON.parse(requested.stdout)]).toEqual([
      9,
      expect.objectContaining({ message: 'Which?' }),
    ])
  })

  test('130: Ctrl-C', async () => {
    const agent = await at(() => 'nothing')
    const running = start(['call', agent.url, 'get_signals', '{}', '--transport', 'http'], HOME)
    await eventually(() => expect(agent.calls).toHaveLength(1))
    running.child.kill('SIGINT')
    expect(ended(await running.ended)).toEqual([
      130,
      'the call was cancelled before the agent responded: work that already started may still be running at the agent',
    ])
  })

  test('2: invalid arguments, before anything is sent', async () => {
    const agent = await at(() => ({ body: signals }))
    const { url } = agent
    const cases: [string[], RegExp][] = [
      [
        [url, 'get_signals', '--signal-spce', 'x'],
        /no field --signal-spce: did you mean --signal-spec\?/,
      ],
      [
        [url, 'get_signals', '--max-results', 'many'],
        /--max-results must be a whole number, not many/,
      ],
      [[url, 'get_signals', '{"a":'], /the request is not usable as JSON: it does not parse/],
      [[url, 'get_signals', '{"a":1,"a":2}'], /not usable as JSON: it has a twice/],
      [[url, 'get_signals', '[1]'], /must be a JSON object/],
      [[url, 'get_signals', '@/no/such'], /cannot be read from \/no\/such/],
      [[url, 'get_signals', '{}', 'more'], /more does not belong to a flag/],
      [[url, 'get_signals', '--timeout', 'soon'], /--timeout must be a duration .* \(got soon\)/],
      [[url, 'get_signals', '--timeout', '0s'], /--timeout must be longer than 0s/],
      [
        ['127.0.0.1:9', 'get_signals'],
        /there is no saved agent 127\.0\.0\.1:9: give a URL such as/,
      ],
      [['http://10.0.0.1', 'get_signals'], /https: is required: add --allow-private/],
    ]
    for (const [args, reported] of cases) {
      const [code, line] = ended(await call([...args, '--transport', 'http']))
      expect([code, line]).toEqual([2, expect.stringMatching(reported)])
    }
    expect(agent.calls).toEqual([])
  })
})

describe('the request', () => {
  test('is made of JSON and flags, and flags win', async () => {
    const agent = await at(() => ({ body: signals }))
    const file = join(folder(), 'request.json')
    writeFileSync(file, JSON.stringify({ signal_spec: 'from the file', currency: 'EUR' }))
    const args = [agent.url, 'get_signals', '--transport', 'http', '--auth', 'k-1234']
    await call([...args, `@${file}`, '--max-results=3', ...SPEC])
    await call([...args, '--max-results', '4', '{"currency":"USD"}', '--protocol-version', 'none'])
    expect(agent.calls.map(({ request }) => request)).toEqual([
      { proto_version: '3.1', signal_spec: SPEC[1], currency: 'EUR', max_results: 3 },
      { currency: 'USD', max_results: 4 },
    ])
    expect(agent.calls.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer k-1234',
      'Bearer k-1234',
    ])
  })

  test('may come on standard input, and the key instead of it, but not both', async () => {
    const agent = await at(() => ({ body: signals }))
    const run = (args: string[], input: string) =>
      new Promise<number | null>((resolve) => {
        const child = start(
          ['call', agent.url, 'get_signals', '--transport', 'http', ...args],
          HOME,
          input,
        )
        void child.ended.then(({ code }) => resolve(code))
      })
    expect(await run(['-'], '{"signal_spec":"in"}')).toBe(0)
    expect(await run(['{}', '--auth', '-'], 'k-from-input\n')).toBe(0)
    expect(await run(['-', '--auth', '-'], '{}')).toBe(2)
    expect(
      agent.calls.map(({ request, headers }) => [request.signal_spec, headers.authorization]),
    ).toEqual([
      ['in', undefined],
      [undefined, 'Bearer k-from-input'],
    ])
  })

  test('goes to a saved agent with its key and transport, and the key is never printed', async () => {
    const agent = await at(() => ({ body: signals }))
    const env = { XDG_CONFIG_HOME: folder() }
    await adwire(
      ['agents', 'add', 'acme', agent.url, '--auth', 'k-saved', '--transport', 'http'],
      env,
    )
    const done = await adwire(['call', 'acme', 'get_signals', '{}'], env)
    expect(done).toMatchObject({ code: 0, stdout: 'none\n' })
    expect(agent.calls[0]?.headers.authorization).toBe('Bearer k-saved')
    await adwire(['call', 'acme', 'get_signals', '{}', '--auth', 'k-other'], {
      ...env,
      ADWIRE_CALL_KEY: 'k-env',
    })
    expect(agent.calls[1]?.headers.authorization).toBe('Bearer k-other')
  })
})

test('strings of an agent are displayed as text, and --json returns the response unchanged', async () => {
  const evil = 'Cars\u001b[2J\u001b]0;owned\u0007\u202e\u009b31m'
  const signal = {
    signal_agent_segment_id: 's',
    name: evil,
    description: evil,
    signal_type: 'custom',
    data_provider: 'A',
    coverage_percentage: 1,
    deployments: [],
    pricing: { cpm: 1, currency: 'USD' },
  }
  const body = { status: 'completed', message: evil, signals: [signal] }
  const { url } = await at(() => ({ body }))
  const args = [url, 'get_signals', '{}', '--transport', 'http']
  const returned = await call(args)
  expect(returned.stdout).not.toMatch(/[^\P{C}\n]/u)
  expect(returned.stdout).toMatch(/^s +Cars31m +custom/m)
  const exact = await call([...args, '--json'])
  expect(JSON.parse(exact.stdout)).toEqual(body)
  expect(exact.stdout).not.toMatch(/[^\P{C}\n]/u)
})

test('no command displayed for pasting contains more than words of an agent', async () => {
  const word = "x'; touch /tmp/owned; '"
  const more = { ...signals, pagination: { has_more: true, cursor: word } }
  const paged = await at(() => ({ body: more }))
  const returned = await call([paged.url, 'get_signals', '{}', '--transport', 'http'])
  expect(returned.stdout).toBe(
    `none\nmore results exist: add --pagination '{"cursor":"<cursor>"}'\n`,
  )
  const begun = await at(() => ({ body: { status: 'working', task_id: word } }))
  const { stderr } = await call([begun.url, 'get_signals', '{}', '--transport', 'http'])
  expect(stderr).toMatch(/get_task_status --task-id <task_id>, or call with --wait\n$/)
})

test('what has no table is JSON in lines', async () => {
  const { url } = await at(() => ({ body: { status: 'completed', answer: [1] } }), { my_task: {} })
  const done = await call([url, 'my_task', '{}', '--transport', 'http'])
  expect(done.stdout).toBe('{\n  "status": "completed",\n  "answer": [\n    1\n  ]\n}\n')
})

test('--help says what the exit codes mean, without an agent', () => {
  const { stdout, status } = spawnSync(process.execPath, [MAIN, 'call', '--help'], {
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130])
    expect(stdout).toMatch(new RegExp(`^  ${code} +\\w`, 'm'))
  expect(spawnSync(process.execPath, [MAIN, 'call'], { encoding: 'utf8' })).toMatchObject({
    status: 2,
  })
})
