// Responses that are requested and not read: each caller has a reserve, which is used up before the work is done,
// and no other caller is affected.

import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { HTTP_LIMITS } from '../../src/transports/http/limits.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { reservedBytes, whileAnotherCalls } from '../support/other-caller.ts'
import { headOf } from '../support/raw-http.ts'

const MIB = 1_024 * 1_024

const post = (path: string, message: unknown, key?: string) => {
  const body = JSON.stringify(message)
  const length = Buffer.byteLength(body)
  return headOf({ path, body: length, ...(key === undefined ? {} : { key }) }) + body
}
const get = (path: string, key?: string) => {
  const authorization = key === undefined ? '' : `authorization: Bearer ${key}\r\n`
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${authorization}\r\n`
}
const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
const batch = (messages: number) => Array.from({ length: messages }, (_, id) => list(id))
const skill = {
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: {
    message: {
      role: 'user',
      parts: [{ data: { skill: 'list_creative_formats', parameters: {} } }],
    },
  },
}

describe.each(['sqlite', 'postgres'] as const)('answers that nobody reads, on %s', (store) => {
  let app: TestApp
  let key: string
  let attackerKey: string
  let organizationKey: string
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    key = await app.principal()
    attackerKey = await app.principal()
    organizationKey = (await app.organization()).key
    // Created on the first request.
    await call(`${app.url}/mcp`, { body: list(1) })
  })
  afterAll(() => app.stop())

  /** Sends the bytes on this many connections, and reads nothing. */
  function sendUnread(bytes: string, connections: number): Socket[] {
    const { port, hostname } = new URL(app.url)
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(Number(port), hostname).pause()
      socket.on('error', () => {})
      socket.write(bytes)
      return socket
    })
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    return sockets
  }

  test.each([
    ['batches of MCP', () => post('/mcp', batch(10)), 100],
    ['batches of MCP that are too long without a key', () => post('/mcp', batch(50)), 100],
    ['lists of tools, pipelined', () => post('/mcp', list(1)).repeat(100), 20],
    ['formats over HTTP, pipelined', () => post('/v3/list_creative_formats', {}).repeat(100), 20],
    ['formats over A2A, pipelined', () => post('/a2a', skill).repeat(50), 20],
    ['the OpenAPI description, pipelined', () => get('/openapi.json').repeat(100), 20],
    ['pages of the registry, pipelined', () => get('/api/manifest-refs?limit=200').repeat(100), 20],
    ['the console’s app, pipelined', () => get('/console/').repeat(100), 20],
  ])('without a key: %s', async (_what, bytes, connections) => {
    const most = await whileAnotherCalls(app, key, async () => {
      sendUnread(bytes(), connections)
      let largest = 0
      for (let look = 0; look < 20; look++) {
        largest = Math.max(largest, await reservedBytes(app))
      }
      return largest
    })
    expect(most).toBeLessThanOrEqual(HTTP_LIMITS.answerBytesOfOneKeyless.value + MIB)
  })

  test('with a key: batches, pages of the feed and pipelined calls', async () => {
    // The answers of the test before are let go when their sockets have closed.
    await eventually(async () => expect(await reservedBytes(app)).toBeLessThan(MIB))
    const requests = [
      [post('/mcp', batch(50), attackerKey), 50],
      [post('/v3/list_creative_formats', {}, attackerKey).repeat(100), 20],
      [get('/api/registry/feed?limit=10000', organizationKey).repeat(100), 20],
    ] as const
    const most = await whileAnotherCalls(app, key, async () => {
      for (const [bytes, connections] of requests) sendUnread(bytes, connections)
      let largest = 0
      for (let look = 0; look < 20; look++) largest = Math.max(largest, await reservedBytes(app))
      return largest
    })
    // With what is left of the test before, and the answers of the caller who looks.
    expect(most).toBeLessThanOrEqual(2 * HTTP_LIMITS.answerBytesOfOne.value + 2 * MIB)
  })

  test('what was reserved is given back when the connections end', async () => {
    const sockets = sendUnread(post('/mcp', batch(10)), 30)
    await eventually(async () => expect(await reservedBytes(app)).toBeGreaterThan(0))
    for (const socket of sockets) socket.destroy()
    // The scrape that reports this has its own response.
    await eventually(async () => expect(await reservedBytes(app)).toBeLessThan(MIB))
  })
})
