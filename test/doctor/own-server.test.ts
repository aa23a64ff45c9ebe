import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examineAgent } from '../../src/doctor/examine-agent.ts'
import { examineReceiver } from '../../src/doctor/examine-receiver.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type BrokenReceiver, startBrokenReceiver } from '../support/broken-receivers.ts'

describe.each(['sqlite', 'postgres'] as const)('adwire doctor on our own [%s]', (store) => {
  let app: TestApp
  let receiver: BrokenReceiver
  beforeAll(async () => {
    app = await startApp({
      store,
      config: { signalsModel: false, workerPoolProcesses: 1, warmUp: false },
    })
    receiver = await startBrokenReceiver(store)
  })
  afterAll(async () => {
    await app?.stop()
    await receiver?.stop()
  })

  test('agent finds nothing with --write, where a build is what takes time', async () => {
    const { url: agentUrl } = app
    const [key, otherKey] = [await app.principal(), await app.principal()]
    const report = await examineAgent({
      agentUrl,
      key,
      otherKey,
      protocolName: 'proto',
      mayWrite: true,
    })
    expect(report.findings).toEqual([])
    expect(report.exit_code).toBe(0)
    const skipped = report.checks.filter(({ state }) => state === 'skipped')
    expect(skipped.map(({ id }) => id)).toEqual(['tls', 'rate-limit'])
  })

  test.each(['', '/mcp', '/a2a'])(
    'agent named over its transport %j finds nothing',
    async (path) => {
      const report = await examineAgent({ agentUrl: `${app.url}${path}`, protocolName: 'proto' })
      expect(report.findings).toEqual([])
    },
  )

  test('agent changes nothing and needs no key without --write', async () => {
    const before = await Promise.all(TABLES.map((table) => app.count(table)))
    const report = await examineAgent({
      agentUrl: app.url,
      protocolName: 'proto',
      key: await app.principal(),
    })
    expect(report.findings).toEqual([])
    expect(await Promise.all(TABLES.map((table) => app.count(table)))).toEqual(before)
    const skipped = report.checks.filter(({ reason }) => reason?.includes('--write'))
    expect(skipped.length).toBeGreaterThan(14)
  })

  test('receiver finds nothing, twice in a row', async () => {
    for (let n = 0; n < 2; n++) {
      const { pairs, keysPort: port, url } = receiver
      const report = await examineReceiver({
        url: `${url}/signed`,
        protocolName: 'proto',
        credential: { kind: 'served-keys', pairs, host: '127.0.0.1', port },
      })
      expect(report.findings).toEqual([])
      expect(report.checks.filter(({ state }) => state !== 'passed')).toEqual([])
    }
  })
})

const TABLES = [
  'tasks',
  'webhook_deliveries',
  'webhook_channels',
  'creatives',
  'creative_assets',
  'media_buys',
  'signal_activations',
  'buyer_accounts',
  'idempotent_requests',
]
