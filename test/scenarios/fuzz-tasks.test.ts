// Generated requests at every task: whatever is sent, the answer is one that the task promises.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import { createAgent } from '../../src/agent/call.ts'
import { getAgentCapabilities } from '../../src/agent/capabilities.ts'
import type { Principal } from '../../src/agent/principals.ts'
import { createTaskTable, type TableEntry } from '../../src/agent/task-table.ts'
import { listCreativeFormats } from '../../src/creative/list-creative-formats.ts'
import type { TaskError } from '../../src/protocol/errors.ts'
import { checkAnswer } from '../../src/protocol/schemas/envelope.ts'
import {
  activateSignalRequires,
  buildCreativeRequires,
  getSignalsRequires,
} from '../../src/protocol/schemas/generation-rules.ts'
import { toJsonSchema } from '../../src/protocol/schemas/json-schema.ts'
import { type AnyTask, defineTask } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import { createIdempotencyStore } from '../../src/storage/stores/tasks/idempotency.ts'
import { taskRoutes } from '../../src/transports/http/task-routes.ts'
import { EVERY_TASK } from '../protocol/schemas/every-task.ts'
import { call, startApp } from '../support/app.ts'
import { catalogue } from '../support/creative.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { extraTasks } from '../support/extra-tasks.ts'
import { valuesOf } from '../support/json-schema-arbitrary.ts'
import { mutated, spelledOut } from '../support/request-mutations.ts'
import { runs } from '../support/runs.ts'
import { IDENTIFIERS, serveRoutes, type TestServer } from '../support/test-agent.ts'

/** Printed by fast-check, with the path to the counterexample, when a test fails. */
const SEED = 20_260_131
/** Of each task. */
const REQUESTS = runs({ usual: 200, all: 2_000 })
const SHAPED_REQUESTS = runs({ usual: 50, all: 100 })
const REAL_REQUESTS = 100
const BODY_LIMIT = 64 * 1_024
const KEY = 'adw_fuzz_0123456789abcdef'

const MORE_RULES: Partial<Record<string, Pick<AnyTask, 'alsoRequired'>>> = {
  get_signals: { alsoRequired: getSignalsRequires },
  activate_signal: { alsoRequired: activateSignalRequires },
  build_creative: { alsoRequired: buildCreativeRequires },
}

const BUILT_IN = ['list_creative_formats', 'get_agent_capabilities']

/** The protocol's other tasks: their requests are validated, and each has one answer. */
const shapedTasks = Object.entries(EVERY_TASK)
  .filter(([name]) => !BUILT_IN.includes(name))
  .map(([name, { request, response, answer }]) =>
    defineTask({
      name,
      summary: name,
      area: 'creative',
      access: 'tasks',
      changes: true,
      cost: constantCost(10, 'nothing'),
      request,
      response,
      ...MORE_RULES[name],
      handle: async () => answer,
    }),
  )

// The one that always breaks has nothing to promise.
const ownTasks = extraTasks().tasks.filter(({ name }) => name !== 'break_down')

const tasks: AnyTask[] = [
  listCreativeFormats({
    catalogue: catalogue(),
    publicUrl: () => 'https://ads.example.com',
    ownAgentUrls: ['*'],
    creativeAgents: ['https://other.example.com'],
  }),
  ...ownTasks,
  ...shapedTasks,
]
tasks.push(
  getAgentCapabilities({ identifiers: IDENTIFIERS, tasks: () => tasks, buildVersion: '1.0.0' }),
)
const table = createTaskTable(tasks, IDENTIFIERS)
const served = table.entries.filter(({ name, task }) => name === task.name)

let opened: TestDatabase
let agent: Agent
let server: TestServer
const faults: unknown[] = []

beforeAll(async () => {
  opened = await testDatabase('sqlite')
  const { database } = opened
  agent = createAgent({
    tasks: table,
    identifiers: IDENTIFIERS,
    transact: database.transact,
    principals: { byKeyHash: async () => caller },
    idempotency: createIdempotencyStore(database),
    rateLimit: { take: () => ({ ok: true }) },
    timeoutMs: 30_000,
    onFault: (error) => faults.push(error),
  })
  server = await serveRoutes([taskRoutes(agent, IDENTIFIERS)])
})
afterAll(async () => {
  await server.close()
  await opened.drop()
})

const caller: Principal = {
  principal_id: 'prn_fuzz',
  name: 'fuzz',
  scopes: ['tasks', 'operator'],
  is_demo: false,
  is_sandbox: false,
  created_at: '2026-01-01T00:00:00Z',
  revoked_at: null,
}

/** The version of a right request is one that is served; its schema says only that it is text. */
const VERSIONS = {
  [IDENTIFIERS.versionMember]: { enum: ['3.0', '3.1', '3.9'] },
  [IDENTIFIERS.majorVersionMember]: { const: 3 },
}

function requestsOf({ request }: TableEntry): fc.Arbitrary<string> {
  const { properties, ...rest } = toJsonSchema(request)
  return mutated(valuesOf({ ...rest, properties: { ...(properties as object), ...VERSIONS } }))
}

async function fuzz(entry: TableEntry, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(requestsOf(entry), (returned) =>
    send(entry, spelledOut(returned)),
  )
  await fc.assert(property, { seed: SEED, numRuns })
  expect(faults).toEqual([])
}

const isShaped = ({ task }: TableEntry) => shapedTasks.includes(task)
const titled = (entries: readonly TableEntry[]) =>
  entries.map((entry) => [entry.name, entry] as const)

describe(`spec 7: ${REQUESTS} generated requests get the answers that are promised by`, () => {
  test.each(titled(served.filter((entry) => !isShaped(entry))))('%s', (_name, entry) =>
    fuzz(entry, REQUESTS),
  )
})

describe(`spec 7: ${SHAPED_REQUESTS} generated requests are validated by the schema of`, () => {
  test.each(titled(served.filter(isShaped)))('%s', (_name, entry) => fuzz(entry, SHAPED_REQUESTS))
})

test('spec 7: over real connections, no transport answers with a fault of the server', async () => {
  const app = await startApp({ moreTasks: ownTasks, config: { bodyLimitBytes: BODY_LIMIT } })
  onTestFinished(() => app.stop())
  const key = await app.principal('tasks', 'operator')
  const entries = served.filter((entry) => !isShaped(entry))
  const requests = entries.flatMap((entry) =>
    fc
      .sample(requestsOf(entry), { seed: SEED, numRuns: REAL_REQUESTS / entries.length })
      .map((returned) => ({ entry, text: spelledOut(returned) })),
  )
  expect(requests).toHaveLength(REAL_REQUESTS)
  for (const { entry, text } of requests) {
    const answers = await Promise.all([
      call(`${app.url}/v3/${entry.name}`, { key, body: text }),
      call(`${app.url}/mcp`, { key, body: toolCall(entry.name, text) }),
      call(`${app.url}/a2a`, { key, body: skillCall(entry.name, text) }),
    ])
    for (const { status, text: answered } of answers) {
      expect(status, text.slice(0, 500)).toBeLessThan(500)
      expect(answered).not.toContain('SERVICE_UNAVAILABLE')
    }
  }
  expect(app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

function toolCall(name: string, text: string): string {
  const head = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  return `${JSON.stringify(head).slice(0, -1)},"params":{"name":"${name}","arguments":${text}}}`
}

/** As the text of a part, which the server parses itself. */
function skillCall(skill: string, parameters: string): string {
  const text = `{"skill":"${skill}","parameters":${parameters}}`
  const message = { messageId: 'm1', role: 'user', parts: [{ kind: 'text', text }] }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } })
}

/** Sends a request past the sockets and checks the answer. */
async function send(entry: TableEntry, text: string): Promise<void> {
  const response = await server.app.inject({
    method: 'POST',
    url: `/v3/${entry.name}`,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    payload: text,
  })
  const body = response.json() as Record<string, unknown>
  if (body.status !== undefined) return check(entry, response.statusCode, body)
  // Refused before there was a request: too large, or with a member that no request may have.
  expect([400, 413]).toContain(response.statusCode)
  expect(body).toEqual({ error: expect.any(String) })
  const account = 'address 127.0.0.1'
  const admitted = await agent.admit({ authorization: `Bearer ${KEY}`, account })
  if (!admitted.ok) throw new Error(admitted.error.message)
  const answer = await agent.call({
    task: entry.name,
    arguments: JSON.parse(text),
    transport: 'a2a',
    admitted,
    calledOn: 'https://ads.example.com',
    signal: new AbortController().signal,
  })
  check(entry, 200, JSON.parse(answer?.json() ?? '{}'))
}

function check({ task }: TableEntry, status: number, body: Record<string, unknown>): void {
  const errors = (body.status === 'failed' ? body.errors : []) as TaskError[]
  const [first] = errors
  expect(status).toBeLessThan(500)
  expect(first?.code).not.toBe('SERVICE_UNAVAILABLE')
  expect(checkAnswer(task.response, body, IDENTIFIERS)).toEqual([])
  // In 3.0 a key that was used before is reported by code and message alone; all other errors say what helps.
  for (const error of errors)
    if (error.code !== 'IDEMPOTENCY_CONFLICT') expect(error.recovery).toBeDefined()
}
