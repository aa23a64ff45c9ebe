// A small agent with tasks of every kind, on a server with the routes that a test brings: public,
// protected, refusing, breaking and slow.

import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Agent } from '../../src/agent/agent.ts'
import { createAgent } from '../../src/agent/call.ts'
import type { Principal } from '../../src/agent/principals.ts'
import { createTaskTable } from '../../src/agent/task-table.ts'
import { hashApiKey } from '../../src/lib/api-key.ts'
import { createLog } from '../../src/lib/log.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { type AnyTask, defineTask, prepare } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createIdempotencyStore } from '../../src/storage/stores/tasks/idempotency.ts'
import { createHttpMetrics } from '../../src/transports/http/http-metrics.ts'
import { createHttpServer } from '../../src/transports/http/server.ts'

export const IDENTIFIERS = identifiersFor('proto')
export const ALICE_KEY = 'adw_alice_0123456789abcdef'
export const BOB_KEY = 'adw_bob_0123456789abcdef'
export const SECRET_MESSAGE = 'password=hunter2 at 10.0.0.7'

const principal = (name: string): Principal => ({
  principal_id: `prn_${name}`,
  name,
  scopes: ['tasks'],
  is_demo: false,
  is_sandbox: false,
  created_at: '2026-01-01T00:00:00Z',
  revoked_at: null,
})
const PRINCIPALS = new Map([
  [hashApiKey(ALICE_KEY), principal('alice')],
  [hashApiKey(BOB_KEY), principal('bob')],
])

/** Principals who exist whatever the database says. */
const principals = { byKeyHash: async (hash: string) => PRINCIPALS.get(hash) }

const greeting = z.looseObject({ greeting: z.string() })

const greet = defineTask({
  name: 'greet',
  aliases: ['say_hello'],
  summary: 'Greets whoever is named.',
  area: 'protocol',
  request: z.looseObject({ who: z.string().optional() }),
  response: greeting,
  access: 'public',
  changes: false,
  cost: constantCost(10, 'nothing'),
  handle: async ({ who = 'world' }) => ({ greeting: `hello ${who}` }),
})

const whoami = defineTask({
  name: 'whoami',
  summary: 'Says who calls.',
  area: 'creative',
  request: z.looseObject({ format_id: z.string().optional() }),
  response: z.looseObject({
    principal_id: z.string(),
    transport: z.string(),
    called_on: z.string(),
  }),
  access: 'tasks',
  changes: true,
  cost: constantCost(10, 'nothing'),
  handle: async (_request, { principal: caller, transport, calledOn }) => ({
    principal_id: caller?.principal_id ?? '',
    transport,
    called_on: calledOn,
  }),
})

const refuseTask = defineTask({
  name: 'refuse',
  summary: 'Refuses with a message for the caller.',
  area: 'signals',
  request: z.looseObject({}),
  response: z.looseObject({}),
  access: 'public',
  changes: false,
  cost: constantCost(10, 'nothing'),
  handle: async () => {
    throw new ProtocolError('FORMAT_NOT_SUPPORTED', 'there is no such format')
  },
})

const breakDown = defineTask({
  name: 'break_down',
  summary: 'Throws what nobody may see.',
  area: 'signals',
  request: z.looseObject({}),
  response: z.looseObject({}),
  access: 'public',
  changes: false,
  cost: constantCost(10, 'nothing'),
  handle: async () => {
    throw new Error(SECRET_MESSAGE)
  },
})

const submit = defineTask({
  name: 'submit',
  summary: 'Accepts work for later.',
  area: 'signals',
  request: z.looseObject({}),
  response: z.looseObject({}),
  access: 'tasks',
  changes: true,
  cost: constantCost(10, 'nothing'),
  handle: async () => ({ status: 'submitted' as const, task_id: 'task_later' }),
})

const large = defineTask({
  name: 'large',
  summary: 'Takes a large request and gives a large answer.',
  area: 'creative',
  request: z.looseObject({ filler: z.string().optional() }),
  response: z.looseObject({ rows: z.array(z.looseObject({ id: z.string() })) }),
  access: 'public',
  changes: false,
  cost: constantCost(10, 'nothing'),
  bodyLimitBytes: 256 * 1_024,
  keylessBodyBytes: 256 * 1_024,
  handle: async () => LARGE,
})
const LARGE = prepare({
  rows: Array.from({ length: 1_000 }, (_, index) => ({ id: `"row" ${index} ${'x'.repeat(80)}` })),
})

/** Ends when the test lets it. */
export function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const wait = defineTask({
    name: 'wait',
    summary: 'Waits for the gate.',
    area: 'tasks',
    request: z.looseObject({}),
    response: greeting,
    access: 'tasks',
    changes: true,
    cost: constantCost(10, 'nothing'),
    handle: async () => {
      await opened
      return { greeting: 'at last' }
    },
  })
  return { open: () => open(), task: wait }
}

export interface TestAgentOptions {
  database: Database
  more?: readonly AnyTask[]
  callsPerMinute?: number
}

export function testAgent({ database, more = [], callsPerMinute }: TestAgentOptions): Agent {
  const tasks = [greet, whoami, refuseTask, breakDown, submit, large, ...more]
  let left = callsPerMinute ?? Number.POSITIVE_INFINITY
  return createAgent({
    tasks: createTaskTable(tasks, IDENTIFIERS),
    identifiers: IDENTIFIERS,
    transact: database.transact,
    principals,
    idempotency: createIdempotencyStore(database),
    rateLimit: {
      take: (_caller, tokens = 1) => {
        if (left < tokens) return { ok: false, retryAfterSeconds: 7 }
        left -= tokens
        return { ok: true }
      },
    },
    timeoutMs: 10_000,
    onFault: () => {},
  })
}

export interface TestServer {
  app: FastifyInstance
  url: string
  close(): Promise<void>
}

export async function serveRoutes(
  routes: readonly ((app: FastifyInstance) => void)[],
  stopping?: AbortSignal,
): Promise<TestServer> {
  const app = await createHttpServer({
    log: createLog({ level: 'silent' }),
    metrics: createHttpMetrics(),
    bodyLimitBytes: 64 * 1_024,
    trustProxy: [],
    requestId: () => 'r1',
    headers: {},
    ...(stopping ? { stopping } : {}),
    routes,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, url: `http://127.0.0.1:${port}`, close: () => app.close() }
}
