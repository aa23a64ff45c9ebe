// The signal agent over every transport: found, activated, reported, refused (spec 3.3, 4.3, 7.2).

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/app/config.ts'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { folder } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { type Receiver, startReceiver } from '../support/faults/receiver.ts'
import { catalogueSignal, naiveSearch } from '../support/memory-signals.ts'
import { onEveryTransport } from '../support/transports.ts'

type Json = Record<string, unknown>

const sandbox = { type: 'platform', platform: 'sandbox' }
const unserved = { type: 'platform', platform: 'unserved' } as const
const CATALOGUE: CatalogueSignal[] = [
  catalogueSignal({
    deployments: [
      { type: 'platform', platform: 'sandbox', is_live: false },
      { ...unserved, is_live: false },
    ],
  }),
  catalogueSignal({
    signal_agent_segment_id: 'secret',
    name: 'Electric secret',
    visibility: { principals: ['Alice'] },
  }),
]

async function signalApp(config: Partial<Config> = {}): Promise<TestApp> {
  const app = await startApp({
    config: { sandboxDelaySeconds: 0, signalsAccounts: 'any', ...config },
    signalSearch: (storage) =>
      naiveSearch(async () =>
        (await storage().signals.page(undefined, 1_000)).map(({ signal }) => signal),
      ),
  })
  await app.storage.transact((tx) => app.storage.signals.put(tx, CATALOGUE))
  return app
}

let app: TestApp
let alice: string
let bob: string
beforeAll(async () => {
  app = await signalApp()
  alice = (await app.named('Alice')).key
  bob = (await app.named('Bob')).key
})
afterAll(() => app.stop())

const search = (over: Json = {}): Json => ({
  signal_spec: 'electric',
  deliver_to: { deployments: [sandbox], countries: ['US'] },
  ...over,
})
const activation = (over: Json = {}): Json => ({
  signal_agent_segment_id: 'ev-intenders',
  deployments: [sandbox],
  ...over,
})
const http = (task: string, body: Json, key?: string, on: TestApp = app) =>
  call(`${on.url}/v3/${task}`, { body, ...(key === undefined ? {} : { key }) })
const context = { trace: 'é' }

describe('spec 4.3: over every transport alike', () => {
  test('signals are found with a key and without one', async () => {
    const request = search({ context })
    expect(await onEveryTransport(app.url, 'get_signals', request)).toMatchObject({
      ok: true,
      body: { context, signals: [{ signal_agent_segment_id: 'ev-intenders' }] },
    })
    const { body } = await onEveryTransport(app.url, 'get_signals', request, alice)
    expect(body?.signals).toHaveLength(2)
    expect(body?.message).toContain('2 signals found')
  })

  test('spec 4.5: capabilities name providers, and whether a key is needed to look', async () => {
    const reported = async (over: Json, on: TestApp = app) =>
      (await http('get_agent_capabilities', over, undefined, on)).body.signals
    const data_provider_domains = ['motor-minds.example']
    expect(await reported({ proto_version: '3.2' })).toMatchObject({
      anonymous_discovery: true,
      data_provider_domains,
    })
    const older = await reported({ proto_version: '3.1' })
    expect(older).toMatchObject({ data_provider_domains })
    expect(older).not.toHaveProperty('anonymous_discovery')
    const closed = await signalApp({ signalsAnonymous: false })
    onTestFinished(() => closed.stop())
    expect(await reported({ proto_version: '3.2' }, closed)).toMatchObject({
      anonymous_discovery: false,
    })
    const { status, headers } = await http('get_signals', search(), undefined, closed)
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.any(String)])
    expect(
      (await http('get_signals', search(), (await closed.named('A')).key, closed)).status,
    ).toBe(200)
  })

  test('an unversioned call needs the fields of the specification, and a 3.x call does not', async () => {
    const { body } = await onEveryTransport(app.url, 'get_signals', { context })
    const { errors } = body as { errors: [{ issues: { pointer: string }[] }] }
    const [error] = errors
    expect(error.issues.map(({ pointer }) => pointer)).toEqual(['/signal_spec', '/deliver_to'])
    for (const newer of [
      { brief: 'electric', proto_version: '3.1' },
      { signal_spec: 'electric', destinations: [sandbox] },
      { discovery_mode: 'wholesale' },
    ]) {
      expect(await onEveryTransport(app.url, 'get_signals', newer, bob)).toMatchObject({
        ok: true,
        body: { signals: [{ signal_agent_segment_id: 'ev-intenders' }] },
      })
    }
    expect(
      await onEveryTransport(app.url, 'get_signals', {
        discovery_mode: 'wholesale',
        signal_spec: 'x',
      }),
    ).toMatchObject({ ok: false, body: { errors: [{ field: 'signal_spec' }] } })
  })
})

describe('spec 7.2: over every transport alike', () => {
  const refused = async (request: Json, key: string, code: string, on: TestApp = app) => {
    const result = await onEveryTransport(on.url, 'activate_signal', { ...request, context }, key)
    expect(result).toMatchObject({ ok: false, code, body: { status: 'failed', context } })
    const [error] = (result.body as { errors: [Json] }).errors
    expect(error).toMatchObject({
      code,
      message: expect.any(String),
      suggestion: expect.any(String),
    })
    return error
  }

  test('SIGNAL_AGENT_SEGMENT_NOT_FOUND', async () => {
    const code = 'SIGNAL_AGENT_SEGMENT_NOT_FOUND'
    const request = activation({ signal_agent_segment_id: 'nothing' })
    expect(await refused(request, bob, code)).toMatchObject({ field: '/signal_agent_segment_id' })
    expect((await http('activate_signal', request, bob)).status).toBe(404)
  })

  test('ACTIVATION_FAILED', async () => {
    const request = activation({ deployments: [{ ...sandbox, account: 'fail-1' }] })
    const error = await refused(request, bob, 'ACTIVATION_FAILED')
    expect(error).toMatchObject({ field: '/deployments/0', recovery: 'transient' })
    expect((await http('activate_signal', request, bob)).status).toBe(502)
    const noConnector = await refused(
      activation({ deployments: [unserved] }),
      bob,
      'ACTIVATION_FAILED',
    )
    expect(noConnector).toMatchObject({
      recovery: 'terminal',
      message: expect.stringContaining('configured are sandbox'),
    })
  })

  test('ALREADY_ACTIVATED, which is a warning', async () => {
    const request = activation({ deployments: [{ ...sandbox, account: 'mine' }] })
    expect((await http('activate_signal', request, bob)).status).toBe(200)
    const result = await onEveryTransport(app.url, 'activate_signal', { ...request, context }, bob)
    expect(result).toMatchObject({
      ok: true,
      body: {
        context,
        deployments: [{ is_live: true, activation_key: { type: 'segment_id' } }],
        errors: [{ code: 'ALREADY_ACTIVATED', field: '/deployments/0' }],
      },
    })
    expect((await http('activate_signal', request, bob)).status).toBe(200)
  })

  test('DEPLOYMENT_UNAUTHORIZED', async () => {
    const request = activation({ deployments: [{ type: 'platform', platform: 'elsewhere' }] })
    const error = await refused(request, bob, 'DEPLOYMENT_UNAUTHORIZED')
    expect(error).toMatchObject({ field: '/deployments/0', recovery: 'terminal' })
    expect((await http('activate_signal', request, bob)).status).toBe(403)
  })

  test('AGENT_NOT_FOUND, of a private agent, whatever is requested from it', async () => {
    const hidden = await signalApp({ signalsAccess: 'private', signalsPrincipals: ['Alice'] })
    onTestFinished(() => hidden.stop())
    const member = (await hidden.named('Alice')).key
    const stranger = (await hidden.named('Bob')).key
    await refused(activation(), stranger, 'AGENT_NOT_FOUND', hidden)
    const answers = await Promise.all([
      http('activate_signal', activation(), stranger, hidden),
      http('activate_signal', activation({ signal_agent_segment_id: 'x' }), stranger, hidden),
      http('get_signals', search(), stranger, hidden),
      http('get_signals', search({ signal_spec: 'zzz' }), undefined, hidden),
      // Neither a missing key nor an invalid request reveals more.
      http('activate_signal', activation(), undefined, hidden),
      http('get_signals', { max_results: 'many' }, undefined, hidden),
      http('get_signals', { max_results: 'many' }, stranger, hidden),
    ])
    for (const { status, text } of answers) expect([status, text]).toEqual([404, answers[0]?.text])
    const { body } = await http('get_signals', search(), member, hidden)
    expect(body.signals).toHaveLength(2)

    // Nothing names it to those whom it is not for. The registry knows agents of this kind elsewhere.
    const NAMED = /get[_-]signals|activate[_-]signal|signal agent|signal\.json/
    const reportsOn = async (key: string | undefined) => {
      const { body: reported } = await http('get_agent_capabilities', {}, key, hidden)
      const headers = {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      }
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const wrong = { ...list, method: 'tools/call', params: { name: 'nothing', arguments: {} } }
      const mcp = await Promise.all(
        [list, wrong].map(async (message) => {
          const sent = { method: 'POST', headers, body: JSON.stringify(message) }
          return (await fetch(`${hidden.url}/mcp`, sent)).text()
        }),
      )
      // A member of report_usage that the protocol has, whatever a server offers.
      const names = [JSON.stringify(reported), ...mcp].map((text) =>
        text.replaceAll('signal_agent_segment_id', ''),
      )
      return names.map((text) => text.includes('signal'))
    }
    expect(await reportsOn(undefined)).toEqual([false, false, false])
    expect(await reportsOn(stranger)).toEqual([false, false, false])
    expect(await reportsOn(member)).toEqual([true, true, true])
    for (const path of [
      '/.well-known/agent-card.json',
      '/openapi.json',
      '/schemas/v3/index.json',
    ]) {
      const text = await (await fetch(`${hidden.url}${path}`)).text()
      expect([path, NAMED.test(text), text.length > 100]).toEqual([path, false, true])
    }
    expect((await fetch(`${hidden.url}/schemas/v3/get-signals-request.json`)).status).toBe(404)
  })

  test('AGENT_ACCESS_DENIED, of an agent that is open to others', async () => {
    const choosy = await signalApp({ signalsPrincipals: ['Alice'] })
    onTestFinished(() => choosy.stop())
    const stranger = (await choosy.named('Bob')).key
    await refused(activation(), stranger, 'AGENT_ACCESS_DENIED', choosy)
    expect((await http('get_signals', search(), stranger, choosy)).status).toBe(403)
    // Without a key it is refused with the same code, in the same words.
    for (const [task, request] of [
      ['get_signals', search()],
      ['activate_signal', activation()],
    ] as const) {
      const [foreign, none] = await Promise.all([
        http(task, request, stranger, choosy),
        http(task, request, undefined, choosy),
      ])
      expect([none?.status, none?.text]).toEqual([403, foreign?.text])
    }
  })

  test('a segment that is private looks like a missing one, body and headers', async () => {
    const requested = async (id: string, action?: string) => {
      // As long as any other, and taken out of the answer: it is the caller's own.
      const idempotency_key = `${action}-0123456789abcdef-${id.padEnd(8, '-')}`
      const more = action === undefined ? {} : { action, idempotency_key }
      const request = activation({ signal_agent_segment_id: id, ...more })
      const { status, headers, text } = await http('activate_signal', request, bob)
      const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
      return { status, text: text.replace(idempotency_key, ''), headers: kept }
    }
    expect(await requested('secret')).toEqual(await requested('nothing'))
    expect(await requested('secret', 'deactivate')).toEqual(
      await requested('nothing', 'deactivate'),
    )
    expect((await requested('secret')).status).toBe(404)
    expect(
      (await http('activate_signal', activation({ signal_agent_segment_id: 'secret' }), alice))
        .status,
    ).toBe(200)
  })
})

describe('spec 3.3: an activation that takes its time', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  const reported = (path: string) =>
    receiver.seen
      .filter((seen) => seen.path === path)
      .map(({ body }) => JSON.parse(body.toString()) as Json)

  test('is submitted, reported by webhooks, and live for its caller alone', async () => {
    const slow = await signalApp({ sandboxDelaySeconds: 1 })
    onTestFinished(() => slow.stop())
    const key = (await slow.named('Alice')).key
    const other = (await slow.named('Bob')).key
    const config = { url: receiver.url('/told'), operation_id: 'op-1' }
    const { status, body } = await http(
      'activate_signal',
      activation({ context, push_notification_config: config }),
      key,
      slow,
    )
    expect([status, body.status, body.context]).toEqual([202, 'submitted', context])
    const all = await eventually(() => {
      expect(reported('/told').map((one) => one.status)).toEqual(['working', 'completed'])
      return reported('/told')
    })
    for (const one of all) {
      expect(one).toMatchObject({
        task_id: body.task_id,
        task_type: 'activate_signal',
        domain: 'signals',
        operation_id: 'op-1',
        context,
      })
    }
    expect(all[0]?.result).toMatchObject({ percentage: 0, total_steps: 1 })
    const { deployments } = (all[1] as { result: { deployments: Json[] } }).result
    expect(deployments).toMatchObject([{ ...sandbox, is_live: true, activation_key: {} }])

    const returned = async (by: string) => {
      const found = await http('get_signals', search(), by, slow)
      const signals = found.body.signals as {
        signal_agent_segment_id: string
        deployments: Json[]
      }[]
      return signals.find((one) => one.signal_agent_segment_id === 'ev-intenders')?.deployments
    }
    expect(await returned(key)).toEqual(deployments)
    expect(await returned(other)).toEqual([{ ...sandbox, is_live: false, scope: 'platform-wide' }])
    const metrics = await call(`${slow.url}/metrics`)
    expect(metrics.text).toContain('adwire_signal_activations_total{outcome="live"} 1')
    expect(metrics.text).toContain('adwire_signal_search_duration_seconds_count{mode="words"} 2')
  })

  test('without a webhook is answered as working, to be polled or canceled', async () => {
    const slow = await signalApp({ sandboxDelaySeconds: 3_600 })
    onTestFinished(() => slow.stop())
    const key = (await slow.named('Alice')).key
    const { status, body } = await http('activate_signal', activation(), key, slow)
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: 'working', message: expect.stringContaining('0 of 1') })
    const found = await http('get_signals', search(), key, slow)
    expect(found.body.signals).toMatchObject([
      { deployments: [{ is_live: false, estimated_activation_duration_minutes: 60 }] },
      {},
    ])
    const canceled = await call(`${slow.url}/v3/tasks/${body.task_id}/cancel`, { key, body: {} })
    expect(canceled.body).toMatchObject({ status: 'canceled' })
    const after = await http('get_signals', search(), key, slow)
    expect(after.body.signals).not.toMatchObject([
      { deployments: [{ estimated_activation_duration_minutes: 60 }] },
      {},
    ])
  })
})

describe('spec 3.3: connectors of the operator', () => {
  const unservedBy = async (source: Json) => {
    const own = await signalApp({ connectors: JSON.stringify({ unserved: source }) })
    onTestFinished(() => own.stop())
    return { own, key: (await own.named('Alice')).key }
  }

  test('are plugged in as a module, such as the one of the examples', async () => {
    const module = fileURLToPath(
      new URL('../../examples/connectors/file-connector.mjs', import.meta.url),
    )
    const file = join(folder(), 'segments.json')
    const { own, key } = await unservedBy({ module, options: { file, minutes: 0 } })
    const written = () => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Json)
    const request = activation({ deployments: [unserved] })
    const { body } = await http('activate_signal', request, key, own)
    const [[id, entry] = []] = written()
    expect(entry).toEqual({
      segment: 'ev-intenders',
      name: 'Electric Vehicle Intenders',
      account: null,
    })
    expect(body.deployments).toMatchObject([
      { ...unserved, is_live: true, activation_key: { type: 'segment_id', segment_id: id } },
    ])
    const closed = activation({ deployments: [{ ...unserved, account: 'closed' }] })
    expect((await http('activate_signal', closed, key, own)).status).toBe(502)
    const idempotency_key = 'take-it-off-0123456789'
    await http('activate_signal', { ...request, action: 'deactivate', idempotency_key }, key, own)
    expect(written()).toEqual([])
  })

  test('are services that are called through the guard', async () => {
    const service = createServer((_request, response) => {
      const activation_key = { type: 'segment_id', segment_id: 'theirs-1' }
      response.end(JSON.stringify({ status: 'live', activation_key }))
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      service.closeAllConnections()
      service.close()
    })
    const { port } = service.address() as AddressInfo
    const { own, key } = await unservedBy({ url: `http://127.0.0.1:${port}` })
    const request = activation({ deployments: [unserved] })
    expect((await http('activate_signal', request, key, own)).body.deployments).toMatchObject([
      { is_live: true, activation_key: { segment_id: 'theirs-1' } },
    ])
  })

  test.each([
    [{ module: '/nowhere.mjs' }, 'the connector module of unserved cannot be loaded'],
    [{ url: 'http://127.0.0.1', bearer_file: '/nowhere' }, 'the bearer_file of unserved'],
    [{ uri: 'http://127.0.0.1' }, 'ADWIRE_CONNECTORS has a wrong entry for "unserved"'],
  ])('stop the start when they are %j', async (source, message) => {
    await expect(unservedBy(source)).rejects.toThrow(message)
  })
})
