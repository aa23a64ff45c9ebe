import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { describeTask, guideOf, instructionsFor } from '../../src/agent/task-guides.ts'
import { createTaskTable } from '../../src/agent/task-table.ts'
import { defineTask } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { IDENTIFIERS } from '../support/test-agent.ts'

const taskOf = (name: string, aliases: string[] = []) =>
  defineTask({
    name,
    aliases,
    summary: `Does ${name}`,
    area: 'protocol',
    request: z.looseObject({}),
    response: z.looseObject({}),
    access: 'public',
    changes: false,
    cost: constantCost(1, 'nothing'),
    handle: async () => ({}),
  })
const entriesOf = (...names: string[]) =>
  createTaskTable(
    names.map((name) => taskOf(name)),
    IDENTIFIERS,
  ).entries

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const mcp = async (method: string, params: object = {}) => {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await app.principal()}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  return { bytes: Buffer.byteLength(text), result: JSON.parse(text).result }
}
interface Tool {
  name: string
  description: string
  inputSchema: { properties: Record<string, unknown>; examples?: unknown }
}

test('spec 4.2: the list of all tools takes at most 30 kB of the context of a model', async () => {
  const { bytes, result } = await mcp('tools/list')
  expect((result.tools as Tool[]).length).toBeGreaterThan(30)
  expect(bytes).toBeLessThanOrEqual(30_000)
})

test('each tool says when to use it, as text of its own', async () => {
  const tools = (await mcp('tools/list')).result.tools as Tool[]
  expect(new Set(tools.map(({ description }) => description)).size).toBe(tools.length)
  for (const { name, description } of tools) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\bUse |^The same as /)])
    if (description.startsWith('The same as')) continue
    expect([name, guideOf(name) !== undefined]).toEqual([name, true])
  }
})

test('every tool and member that a guide names exists', async () => {
  const tools = (await mcp('tools/list')).result.tools as Tool[]
  for (const { name, inputSchema } of tools) {
    const members = Object.keys(inputSchema.properties)
    expect(members).toEqual(expect.arrayContaining([...(guideOf(name)?.members ?? [])]))
  }
})

test('format ids, targets, budgets and brands have their members, or an example', async () => {
  const tools = (await mcp('tools/list')).result.tools as Tool[]
  const member = (task: string, name: string) =>
    JSON.stringify(tools.find((tool) => tool.name === task)?.inputSchema.properties[name])
  expect(member('build_creative', 'target_format_id')).toContain('"required":["agent_url","id"]')
  expect(member('build_creative', 'brand')).toContain('"domain"')
  expect(member('activate_signal', 'deployments')).toContain('"enum":["platform","agent"]')
  expect(member('activate_signal', 'push_notification_config')).toContain('"url"')
  expect(member('get_signals', 'deliver_to')).toContain('"countries"')
  expect(member('create_media_buy', 'packages')).toContain('"required":["budget","product_id"]')
  expect(member('create_media_buy', 'push_notification_config')).toContain('"url"')
  expect(member('sync_creatives', 'creatives')).toContain('"creative_id"')
})

test('initialize says which tools are for which job, in order', async () => {
  const { instructions } = (await mcp('initialize', { protocolVersion: '2025-06-18' })).result
  expect(instructions).toContain('Reach an audience: get_signals, activate_signal.')
  expect(instructions.length).toBeLessThan(2_000)
})

test('a caller does not read about tasks that it does not know of', () => {
  const all = entriesOf('get_signals', 'activate_signal', 'get_task_status')
  const some = entriesOf('get_signals', 'get_task_status')
  expect(instructionsFor(all)).toContain('get_signals, activate_signal')
  expect(instructionsFor(some)).not.toContain('signal')
  const [entry] = some
  if (!entry) throw new Error('there is no entry')
  expect(describeTask(entry, all)).toContain('pass signal_agent_segment_id')
  expect(describeTask(entry, some)).toBe('Does get_signals')
})

test('a task without a guide has its summary, and an alias names its task', () => {
  const { entries } = createTaskTable([taskOf('greet', ['say_hello'])], IDENTIFIERS)
  expect(entries.map((entry) => describeTask(entry, entries))).toEqual([
    'Does greet',
    'The same as greet, by another name.',
  ])
  expect(instructionsFor(entries)).toBeUndefined()
})
