import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../support/app.ts'
import { startBrokenReceiver } from '../../../support/broken-receivers.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { eventually } from '../../../support/eventually.ts'
import { type RogueAgent, type RogueAnswer, startRogueAgent } from '../../../support/rogue-agent.ts'

const SECRET = 'rogue-key-0123456789'
const LIGHT = { signalsModel: false, workerPoolProcesses: 1, warmUp: false } as const
const WEBHOOK_SECRET = 'a shared secret of thirty-two characters'

let app: TestApp
let agent: RogueAgent
let operator: ConsoleClient
let viewer: ConsoleClient

beforeAll(async () => {
  const config = { ...LIGHT, trustProxy: ['127.0.0.1'], callAgentHosts: ['127.0.0.1'] }
  ;[app, agent] = await Promise.all([startApp({ config }), startRogueAgent(tools({}))])
  operator = await signIn(app, await app.principal('operator'))
  viewer = await signIn(app, await app.principal('viewer'))
})
afterAll(async () => {
  await app?.stop()
  await agent?.stop()
})

type Json = Record<string, unknown>

/** An MCP server whose tools answer as the test wants; one is listed for each. */
function tools(
  answers: Readonly<Record<string, (given: Json) => Json>>,
  more: Json[] = [],
): RogueAnswer {
  return ({ path, body }, response) => {
    const requested = path === '/mcp' && body !== '' ? JSON.parse(body) : {}
    const { method, id, params } = requested as { method?: string; id?: number; params?: Json }
    response.setHeader('content-type', 'application/json')
    const listed = Object.keys(answers).map((name) => ({ name, inputSchema: { type: 'object' } }))
    const call = answers[String(params?.name)]
    const result =
      method === 'tools/list'
        ? { tools: [...listed, ...more] }
        : method === 'tools/call' && call
          ? { structuredContent: call((params?.arguments ?? {}) as Json) }
          : undefined
    if (!result) response.writeHead(404)
    response.end(JSON.stringify(result ? { jsonrpc: '2.0', id, result } : {}))
  }
}

const audit = async () => {
  const { body } = await viewer.get('/audit?limit=200')
  return body.items as { action: string; target: string; outcome: string; detail?: string }[]
}

test('a viewer reads reports, and neither asks, calls nor examines', async () => {
  const at = { url: agent.url, transport: 'mcp', task: 'x' }
  for (const [path, body] of [
    ['/agents/ask', { url: agent.url }],
    ['/agents/call', { ...at, params: {} }],
    ['/agents/follow', { ...at, task_id: 't' }],
    ['/agents/cancel', { ...at, task_id: 't' }],
    ['/doctor', { subject: 'agent', url: agent.url }],
    ['/doctor/some/cancel', {}],
  ] as const) {
    expect([path, (await viewer.post(path, body)).status]).toEqual([path, 403])
  }
  expect((await viewer.get('/agents')).body).toMatchObject({
    own_url: app.url,
    has_demo_key: false,
  })
  expect((await viewer.get('/doctor')).status).toBe(200)
  expect((await viewer.get('/doctor/nobody')).status).toBe(404)
  expect(agent.received).toEqual([])
})

describe('an agent that is queried', () => {
  test('is returned with its transports, tasks and schemas, and what was sent without the key', async () => {
    const schema = { type: 'object', properties: { '<b>': { type: 'string' } }, required: ['<b>'] }
    const more = [
      {
        name: 'buy',
        description: '<img src=x>',
        inputSchema: schema,
        annotations: { readOnlyHint: false },
      },
    ]
    agent.answerWith(tools({ get_signals: () => ({}) }, more))
    const { status, body } = await operator.post('/agents/ask', { url: agent.url, key: SECRET })
    expect(status).toBe(200)
    const states = body.transports.map((one: { transport: string; state: string }) => [
      one.transport,
      one.state,
    ])
    expect(states).toEqual([
      ['mcp', 'found'],
      ['http', 'not_found'],
      ['a2a', 'not_found'],
    ])
    expect(body.tasks[0]).toEqual({
      name: 'buy',
      description: '<img src=x>',
      changes: true,
      transports: ['mcp'],
      input_schema: schema,
    })
    // A task of the protocol has the protocol's schema beside the agent's own.
    expect(body.tasks[1]).toMatchObject({
      name: 'get_signals',
      changes: false,
      transports: ['mcp'],
    })
    expect(Object.keys(body.tasks[1].protocol_schema.properties)).toContain('signal_spec')
    expect(body.exchanges[0].request_headers).toContainEqual({
      name: 'authorization',
      value: '',
      is_hidden: true,
    })
    expect(JSON.stringify(body)).not.toContain(SECRET)
    expect(agent.received.some(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(
      true,
    )
  })

  test('may send the key back, and it is returned nowhere', async () => {
    agent.answerWith(
      tools({ echo: () => ({ status: 'completed', [SECRET]: `key ${SECRET}` }) }, [
        { name: `echo_${SECRET}`, description: SECRET },
      ]),
    )
    const requested = await operator.post('/agents/ask', { url: agent.url, key: SECRET })
    const called = await operator.post('/agents/call', {
      url: `${agent.url}/mcp`,
      key: SECRET,
      transport: 'mcp',
      task: 'echo',
      params: { a: SECRET },
    })
    expect(requested.body.tasks).toHaveLength(2)
    expect(called.body).toMatchObject({ ok: true, status: 'completed' })
    expect(JSON.stringify([requested.body, called.body])).not.toContain(SECRET)
  })

  test('with schemas that are too large or too deep is returned without them, and the response says so', async () => {
    let deep: Json = { type: 'string' }
    for (let depth = 0; depth < 45; depth++) deep = { properties: { a: deep } }
    agent.answerWith(
      tools({}, [
        { name: 'large', inputSchema: { title: 'x'.repeat(300_000) } },
        { name: 'deep', inputSchema: deep },
        { name: 'small', inputSchema: { type: 'object' } },
      ]),
    )
    const { body } = await operator.post('/agents/ask', { url: agent.url })
    const withSchema = body.tasks.filter((task: Json) => task.input_schema !== undefined)
    expect(withSchema.map(({ name }: Json) => name)).toEqual(['small'])
    expect(body.notes).toEqual([
      'The schema of large is too large or too deeply nested to display.',
      'The schema of deep is too large or too deeply nested to display.',
    ])
  })

  test.each([
    ['http://10.0.0.1', /address|https/],
    ['https://[::1]:1', /address/],
    ['https://user:pw@agent.example', /user name or password/],
    ['file:///etc/passwd', /scheme/],
    ['nonsense', /no URL/],
  ])(
    'at %s is refused with a readable message and logged, before anything is sent',
    async (url, why) => {
      const { status, body } = await operator.post('/agents/ask', { url })
      expect([status, body.error.code]).toEqual([400, 'invalid_url'])
      expect(body.error.message).toMatch(why)
      const [entry] = await audit()
      expect(entry).toMatchObject({ action: 'agents.ask', outcome: 'refused' })
      expect(entry?.target).not.toContain('pw')
    },
  )

  test('at a private address is reached only where the settings name its host', async () => {
    const guarded = await startApp({ config: { ...LIGHT, trustProxy: ['127.0.0.1'] } })
    const someone = await signIn(guarded, await guarded.principal('operator'))
    const before = agent.received.length
    const { status } = await someone.post('/agents/ask', { url: agent.url })
    const examined = await someone.post('/doctor', { subject: 'agent', url: agent.url })
    const own = await someone.post('/agents/ask', { url: guarded.url })
    await guarded.stop()
    expect([status, examined.status]).toEqual([400, 400])
    expect(agent.received.length).toBe(before)
    // This server itself is no stranger.
    expect(own.body.transports[0]).toMatchObject({ transport: 'mcp', state: 'found' })
  })
})

describe('a task that is called', () => {
  const at = () => ({ url: `${agent.url}/mcp`, transport: 'mcp', key: SECRET })

  test('is answered with its status and body; the caller is in the log, without what was said', async () => {
    agent.answerWith(tools({ list_things: (given) => ({ status: 'completed', given }) }))
    const { body } = await operator.post('/agents/call', {
      ...at(),
      task: 'list_things',
      params: { brief: 'a secret plan' },
    })
    expect(body).toMatchObject({ ok: true, status: 'completed', goes_on: false })
    expect(body.body.given).toMatchObject({ brief: 'a secret plan' })
    expect(body.exchanges.at(-1)).toMatchObject({ method: 'POST', status: 200 })

    const [answer, call] = await audit()
    expect(call).toMatchObject({ action: 'agents.call', target: at().url, detail: 'list_things' })
    expect(answer).toMatchObject({ action: 'agents.answer', detail: 'list_things: completed' })
    const kept = JSON.stringify([await audit(), app.logged])
    expect(kept).not.toContain(SECRET)
    expect(kept).not.toContain('secret plan')
  })

  test('may be refused by the agent, which is reported with its code and what can be done', async () => {
    const errors = [
      { code: 'INVALID_REQUEST', message: 'no brief', field: '/brief', recovery: 'correctable' },
    ]
    agent.answerWith(tools({ list_things: () => ({ status: 'failed', errors }) }))
    const { status, body } = await operator.post('/agents/call', {
      ...at(),
      task: 'list_things',
      params: {},
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: false, goes_on: false, error: { code: 'INVALID_REQUEST' } })
    expect((await audit())[0]).toMatchObject({ action: 'agents.answer', outcome: 'refused' })
  })

  test('that continues is queried once for each request, and cancelled', async () => {
    let status = 'working'
    const task = (task_id: unknown) => ({ task_id, status, progress: { percentage: 40 } })
    agent.answerWith(
      tools({
        dig: () => ({ status: 'submitted', task_id: 'dig-1' }),
        get_task_status: ({ task_id }) => task(task_id),
        cancel_task: ({ task_id }) => {
          status = 'canceled'
          return task(task_id)
        },
      }),
    )
    const begun = await operator.post('/agents/call', { ...at(), task: 'dig', params: {} })
    expect(begun.body).toMatchObject({
      ok: true,
      status: 'submitted',
      task_id: 'dig-1',
      goes_on: true,
    })
    const of = { ...at(), task: 'dig', task_id: 'dig-1' }
    const polled = await operator.post('/agents/follow', of)
    expect(polled.body).toMatchObject({ ok: true, status: 'working', goes_on: true })
    expect(polled.body.progress).toEqual({ percentage: 40 })
    const polls = polled.body.exchanges.filter(({ request_body }: Json) =>
      String(request_body).includes('get_task_status'),
    )
    expect(polls).toHaveLength(1)

    expect((await operator.post('/agents/cancel', of)).body.ok).toBe(true)
    const ended = await operator.post('/agents/follow', of)
    expect(ended.body).toMatchObject({ ok: false, status: 'canceled', goes_on: false })
  })

  test('is never called with a key of this server, unless it is this server’s own', async () => {
    const key = await app.principal()
    const before = agent.received.length
    const call = { key, transport: 'mcp', task: 'get_agent_capabilities', params: {} }
    const { status, body } = await operator.post('/agents/call', { ...call, url: agent.url })
    expect([status, body.error.code]).toEqual([400, 'own_key'])
    const examined = await operator.post('/doctor', { subject: 'agent', url: agent.url, key })
    expect(examined.body.error.code).toBe('own_key')
    expect(agent.received.length).toBe(before)
    const own = await operator.post('/agents/call', { ...call, url: `${app.url}/mcp` })
    expect(own.body).toMatchObject({ ok: true, status: 'completed' })
  })
})

describe('an examination', () => {
  const ended = (runId: string) =>
    eventually(
      async () => {
        const { body } = await viewer.get(`/doctor/${runId}`)
        expect(body.state).not.toBe('running')
        return body
      },
      { timeoutMs: 120_000 },
    )

  test('of this server’s own agent is reported check by check, and changes nothing by default', async () => {
    const key = await app.principal()
    const { status, body } = await operator.post('/doctor', { subject: 'agent', url: app.url, key })
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'running', subject: 'agent', may_write: false })
    const report = await ended(body.run_id)
    expect(report).toMatchObject({ state: 'done', is_away: false, summary: { failed: 0 } })
    const written = report.checks.filter(({ group }: Json) => group === 'webhooks')
    expect(written.length).toBeGreaterThan(0)
    for (const { state, reason } of written) {
      expect([state, reason]).toEqual(['skipped', 'it changes something, which was not allowed'])
    }
    expect(JSON.stringify(report)).not.toContain(key)
    const list = (await viewer.get('/doctor')).body.items
    expect(list[0]).toMatchObject({ run_id: body.run_id, state: 'done', by: 'Caller' })
    await eventually(async () => {
      const actions = (await audit()).slice(0, 2).map(({ action }) => action)
      expect(actions).toEqual(['doctor.report', 'doctor.run'])
    })
    // The last report of an address takes the place of the one before.
    const again = await operator.post('/doctor', { subject: 'agent', url: app.url, key })
    await ended(again.body.run_id)
    expect((await viewer.get('/doctor')).body.items).toHaveLength(1)
  })

  test('of no one says that no one is there', async () => {
    const { body } = await operator.post('/doctor', { subject: 'agent', url: 'http://127.0.0.1:9' })
    const report = await ended(body.run_id)
    expect(report).toMatchObject({ state: 'done', is_away: true, summary: { failed: 1 } })
    expect(report.checks[0].findings[0]).toMatchObject({ check: 'reachable' })
  })

  test('of a receiver is made with a legacy secret, which is kept nowhere', async () => {
    const receiver = await startBrokenReceiver('sqlite')
    const { body } = await operator.post('/doctor', {
      subject: 'receiver',
      url: receiver.url,
      credential: { kind: 'hmac', secret: WEBHOOK_SECRET },
    })
    const report = await ended(body.run_id)
    await receiver.stop()
    expect(report.state).toBe('done')
    // It does not know the secret, so that it accepts nothing is found out.
    expect(report.summary.failed).toBeGreaterThan(0)
    expect(
      report.checks.flatMap(({ findings }: { findings: Json[] }) => findings)[0],
    ).toMatchObject({
      what: expect.any(String),
      why: expect.any(String),
      fix: expect.any(String),
    })
    expect(JSON.stringify([report, await audit(), app.logged])).not.toContain(WEBHOOK_SECRET)
  })

  test('is ended by anyone who cancels it, and no more than two run at once', async () => {
    // Answers no one: the first check waits.
    agent.answerWith(() => {})
    const start = (path: string) =>
      operator.post('/doctor', { subject: 'agent', url: `${agent.url}/${path}` })
    const [one, two] = [await start('one'), await start('two')]
    const three = await start('three')
    expect(three.status).toBe(429)
    expect(three.headers.get('retry-after')).not.toBeNull()
    for (const { body } of [one, two]) {
      const stopped = await operator.post(`/doctor/${body.run_id}/cancel`)
      expect(stopped.status).toBe(200)
      expect(await ended(body.run_id)).toMatchObject({
        state: 'stopped',
        reason: 'cancelled by Caller',
      })
      expect((await operator.post(`/doctor/${body.run_id}/cancel`)).status).toBe(409)
    }
  })
})
