// Answers of called agents that are made to hold this server up: refused while they arrive, or read in slices, and other
// callers do not notice.

import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CALLER_LIMITS } from '../../src/caller/limits.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { whileAnotherCalls } from '../support/other-caller.ts'
import { json, type RogueAgent, type RogueAnswer, startRogueAgent } from '../support/rogue-agent.ts'

const { responseBytes, responseValues, answerBytes } = CALLER_LIMITS
const TOKEN = 'tok_0123456789abcdef'

/** Speaks MCP, and answers a call with what is written here. */
const answering =
  (write: (id: unknown, response: ServerResponse) => void): RogueAnswer =>
  ({ body }, response) => {
    const { id, method } = (body === '' ? {} : JSON.parse(body)) as {
      id?: unknown
      method?: string
    }
    if (method === undefined) return json(response, 404, {})
    const tools = [{ name: 'get_signals', inputSchema: { type: 'object' } }]
    const listed = { jsonrpc: '2.0', id, result: { tools } }
    if (method !== 'tools/call') return json(response, 200, listed)
    write(id, response)
  }
const toolResult = (result: string) =>
  answering((id, response) =>
    json(response, 200, `{"jsonrpc":"2.0","id":${id},"result":${result}}`),
  )
const structured = (json: string) => toolResult(`{"structuredContent":{"a":${json}},"content":[]}`)
const repeated = (part: string, chars: number) => part.repeat(Math.floor(chars / part.length))

describe.each(['sqlite', 'postgres'] as const)('what a called agent answers, on %s', (store) => {
  let app: TestApp
  let rogue: RogueAgent
  let key: string
  let other: string
  beforeAll(async () => {
    app = await startApp({ store, config: { callAgentHosts: ['127.0.0.1'] } })
    rogue = await startRogueAgent()
    key = await app.principal('call-agents')
    other = await app.principal()
  })
  afterAll(async () => {
    await Promise.all([app.stop(), rogue.stop()])
  })

  const against = (answer: RogueAnswer) => {
    rogue.answerWith(answer)
    return whileAnotherCalls(app, other, () =>
      call(`${app.url}/v3/call_proto_agent`, {
        key,
        body: { agent_url: rogue.url, task: 'get_signals', params: {}, auth_token: TOKEN },
      }),
    )
  }

  const most = responseBytes.value - 200
  test.each([
    ['four megabytes of empty objects', () => structured(`[${repeated('{},', most)}{}]`)],
    ['four megabytes of numbers', () => structured(`[${repeated('1,', most)}1]`)],
    ['an object of many members', () => structured(`{${repeated('"a":1,', most)}"b":2}`)],
    ['brackets without end', () => structured(repeated('[', most))],
    [
      'many values inside a text',
      () => {
        const text = JSON.stringify(`{"a":[${repeated('{},', 900_000)}{}]}`)
        return toolResult(`{"content":[{"type":"text","text":${text}}]}`)
      },
    ],
    [
      'events without end',
      () =>
        answering((_id, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end(repeated('data: {}\n\n', most))
        }),
    ],
    ['one string of four megabytes', () => structured(`"${'x'.repeat(most)}"`)],
  ])('%s is refused', async (_what, answer) => {
    const before = rogue.received.length
    const { status, body, text } = await against(answer())
    expect(status).toBe(424)
    expect(body).toMatchObject({ errors: [{ code: 'AGENT_CALL_FAILED' }] })
    expect(text.length).toBeLessThan(5_000)
    // It would be the same the next time.
    const calls = rogue.received.slice(before).filter((one) => one.body.includes('tools/call'))
    expect(calls).toHaveLength(1)
  })

  test('as many values as may be are handed on, without the token that was sent', async () => {
    const rows = Math.floor(responseValues.value / 3) - 100
    const row = `{"t":"${TOKEN}"}`
    expect(rows * row.length).toBeLessThan(answerBytes.value)
    const { status, body, text } = await against(structured(`[${Array(rows).fill(row)}]`))
    expect(status).toBe(200)
    const { data } = body.answer as { data: { a: unknown[] } }
    expect(data.a).toHaveLength(rows)
    expect(text).not.toContain(TOKEN)
  })
})
