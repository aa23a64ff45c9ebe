// What the capabilities say to callers of each release (spec 4.5), so that the public schemas accept it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'

type Json = Record<string, unknown>
interface Slot {
  asset_type: string
  max_size_kb?: number
}
interface Capabilities {
  specialisms: string[]
  request_signing: Record<string, unknown>
  compliance_testing?: { scenarios: string[] }
  creative: {
    preview?: unknown
    supported_formats?: {
      capability_id: string
      format: { format_kind: string; params: { slots: Slot[] } }
    }[]
  }
}

let app: TestApp
let sandbox: TestApp
beforeAll(async () => {
  app = await startApp()
  sandbox = await startApp({ config: { sandbox: true } })
})
afterAll(() => Promise.all([app.stop(), sandbox.stop()]))

const capabilitiesOf = async (server: TestApp, body: Json): Promise<Capabilities> => {
  const answer = await call(`${server.url}/v3/get_agent_capabilities`, { body })
  expect(answer.status).toBe(200)
  return answer.body as unknown as Capabilities
}

describe.each(['3.0', '3.1', '3.2'])('spec 4.5: a caller of %s', (proto_version) => {
  test('reads methods with a slash only, and none that is always refused', async () => {
    const { request_signing } = await capabilitiesOf(app, { proto_version })
    const methods = request_signing.protocol_methods_supported_for as string[]
    expect(methods).toEqual(expect.arrayContaining(['tools/list', 'tasks/get', 'tasks/cancel']))
    for (const method of methods) expect(method).toMatch(/\//)
    for (const refused of ['message/stream', 'tasks/resubscribe']) {
      expect(methods).not.toContain(refused)
    }
  })

  test('reads the specialisms of signals and of sales', async () => {
    const { specialisms } = await capabilitiesOf(app, { proto_version })
    const all = ['signal-owned', 'signal-marketplace', 'sales-guaranteed', 'sales-non-guaranteed']
    expect(specialisms).toEqual(expect.arrayContaining(all))
  })
})

test('spec 4.5: a caller without a release reads only methods that are served', async () => {
  const { request_signing } = await capabilitiesOf(app, {})
  const methods = request_signing.protocol_methods_supported_for as string[]
  expect(methods).toEqual(expect.arrayContaining(['tools/call', 'SendMessage']))
  for (const refused of ['SendStreamingMessage', 'ListTasks', 'GetExtendedAgentCard']) {
    expect(methods).not.toContain(refused)
  }
})

test('spec 4.5: formats are declared from 3.1 on, and who previews them from 3.2 on', async () => {
  const [first, second, third] = await Promise.all(
    ['3.0', '3.1', '3.2'].map((proto_version) => capabilitiesOf(app, { proto_version })),
  )
  expect(first?.creative).not.toHaveProperty('supported_formats')
  expect(second?.creative.supported_formats).toEqual(third?.creative.supported_formats)
  expect(second?.creative.supported_formats?.length).toBeGreaterThan(10)
  expect(second?.creative).not.toHaveProperty('preview')
  expect(third?.creative.preview).toBeDefined()
})

test('spec 2.3: only slots of files limit the size of a file', async () => {
  const { creative } = await capabilitiesOf(app, { proto_version: '3.2' })
  const slots = creative.supported_formats?.flatMap(({ format }) => format.params.slots) ?? []
  const limited = slots.filter(({ max_size_kb }) => max_size_kb !== undefined)
  const types = new Set(limited.map(({ asset_type }) => asset_type))
  expect(types).toContain('image')
  for (const type of types) expect(['image', 'video', 'audio', 'zip']).toContain(type)
  expect(slots.map(({ asset_type }) => asset_type)).toContain('html')
})

test('spec 4.5: a sandbox lists every scenario, and to 3.0 those that 3.0 has names for', async () => {
  const [first, second] = await Promise.all(
    ['3.0', '3.1'].map((proto_version) => capabilitiesOf(sandbox, { proto_version })),
  )
  expect(second?.compliance_testing?.scenarios).toEqual(
    expect.arrayContaining(['seed_product', 'force_task_completion', 'query_upstream_traffic']),
  )
  expect(first?.compliance_testing?.scenarios).toEqual([
    'force_creative_status',
    'force_account_status',
    'force_media_buy_status',
    'simulate_delivery',
    'simulate_budget_spend',
  ])
})
