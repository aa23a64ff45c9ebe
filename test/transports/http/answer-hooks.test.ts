import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { taskRoutes } from '../../../src/transports/http/task-routes.ts'
import { mcpRoutes } from '../../../src/transports/mcp/server.ts'
import { call } from '../../support/call.ts'
import { type TestDatabase, testDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import {
  ALICE_KEY,
  IDENTIFIERS,
  serveRoutes,
  type TestServer,
  testAgent,
} from '../../support/test-agent.ts'

const MIB = 1_024 * 1_024
/** Two of them are more than one address may leave unread, and more than the buffers of the system take. */
const LARGE = Buffer.alloc(20 * MIB, ' ')

let opened: TestDatabase
let server: TestServer
let changes = 0

beforeAll(async () => {
  opened = await testDatabase('sqlite')
  const agent = testAgent({ database: opened.database })
  server = await serveRoutes([
    taskRoutes(agent, IDENTIFIERS),
    mcpRoutes(agent, { name: 'adwire', version: '1' }),
    (app: FastifyInstance) => {
      app.get('/large', (_request, reply) =>
        reply.header('cache-control', 'public, max-age=300').header('etag', '"a"').send(LARGE),
      )
      app.get('/probe', { config: { counts: 'nothing' } }, () => ({ ok: true }))
      app.post('/change', (_request, reply) => {
        changes += 1
        return reply.send(LARGE)
      })
    },
  ])
})
afterAll(async () => {
  await server.close()
  await opened.drop()
})

/** Asks for the large answer and does not read it. */
function leaveUnread(request = 'GET /large'): void {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  socket.write(
    `${request} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
  )
  onTestFinished(() => void socket.destroy())
}

const reserved = () => server.app.answers.bytes()
const given = () => eventually(() => expect(reserved()).toBe(0))

test('an answer is counted from before its work until it is read', async () => {
  await given()
  leaveUnread()
  await eventually(() => expect(reserved()).toBe(LARGE.length))
})

test('what does not fit beside unread answers is refused in the form of what was called', async () => {
  await given()
  leaveUnread()
  await eventually(() => expect(reserved()).toBe(LARGE.length))
  const refused = await call(`${server.url}/large`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  // Neither is true of the refusal.
  expect([refused.headers.get('cache-control'), refused.headers.get('etag')]).toEqual([null, null])
  expect(reserved()).toBe(LARGE.length)
})

test('a caller without room is refused before the work, over every transport; a caller with a key is not', async () => {
  await given()
  // Changes are answered beyond the limit, and counted.
  leaveUnread('POST /change')
  leaveUnread('POST /change')
  await eventually(() => expect(reserved()).toBe(2 * LARGE.length))
  expect(changes).toBe(2)
  const greet = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet' } }
  const overHttp = await call(`${server.url}/v3/greet`, { body: {} })
  expect([overHttp.status, overHttp.headers.get('retry-after')]).toEqual([429, '1'])
  expect(overHttp.body).toMatchObject({ errors: [{ code: 'RATE_LIMITED', retry_after: 1 }] })
  const overMcp = await call(`${server.url}/mcp`, { body: greet })
  expect(overMcp.status).toBe(429)
  expect(overMcp.body).toMatchObject({ error: { data: { errors: [{ code: 'RATE_LIMITED' }] } } })
  expect((await call(`${server.url}/change`, { body: {} })).status).toBe(429)
  expect(changes).toBe(2)

  expect((await call(`${server.url}/probe`)).status).toBe(200)
  const keyed = await call(`${server.url}/v3/whoami`, { key: ALICE_KEY, body: {} })
  expect(keyed.status).toBe(200)
})
