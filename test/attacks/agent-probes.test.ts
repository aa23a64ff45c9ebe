// Calls of agents that anyone may have made: no way to flood someone else's server, and no answer of an agent that holds
// this one up.

import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CATALOGUE_LIMITS } from '../../src/registry/catalogue-limits.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { whileAnotherCalls } from '../support/other-caller.ts'
import { json, type RogueAgent, startRogueAgent } from '../support/rogue-agent.ts'

const NOTHING_HERE = (_: unknown, response: Parameters<typeof json>[0]) => json(response, 404, {})

/** Of a caller at another address of this machine. */
function probeFrom(address: string, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { localAddress: address }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject)
    sent.end()
  })
}

describe('agents that are called on request', () => {
  let app: TestApp
  let rogue: RogueAgent
  beforeAll(async () => {
    app = await startApp({ config: { registryVerifyConcurrency: 0 } })
  })
  beforeEach(async () => {
    rogue = await startRogueAgent()
    return () => rogue.stop()
  })
  afterAll(() => app.stop())

  const discover = (url: string) =>
    `${app.url}/api/public/discover-agent?url=${encodeURIComponent(url)}`

  test('spec 8: an agent is called a bounded number of times, however many callers request it', async () => {
    rogue.answerWith(NOTHING_HERE)
    const statuses: number[] = []
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
      for (let n = 0; n < 28; n++) {
        statuses.push(await probeFrom(address, discover(`${rogue.url}/agent-${n}`)))
      }
    }
    const called = statuses.filter((status) => status !== 429).length
    // A minute refills the rest of them one by one.
    expect(called).toBeLessThan(CATALOGUE_LIMITS.agentProbesOfSite.value + 24)
    expect(statuses.at(-1)).toBe(429)
    expect(rogue.received.length).toBeLessThanOrEqual(called * 5)
  })

  test('spec 8: one caller cannot call many agents by many names of one site', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) {
      statuses.push(await probeFrom('127.0.0.5', discover(`http://127.0.0.${n + 10}:9/mcp`)))
    }
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('what such an agent answers', () => {
  let app: TestApp
  let rogue: RogueAgent
  let other: string
  beforeEach(async () => {
    app = await startApp({ config: { registryVerifyConcurrency: 0 } })
    rogue = await startRogueAgent()
    other = await app.principal()
    return async () => {
      await rogue.stop()
      await app.stop()
    }
  })

  const discover = (what = 'discover-agent') =>
    call(`${app.url}/api/public/${what}?url=${encodeURIComponent(rogue.url)}`)

  test('spec 8: more than a megabyte is not read, and other callers do not notice', async () => {
    rogue.answerWith((_request, response) =>
      json(response, 200, `{"a":[${'{},'.repeat(2_000_000)}{}]}`),
    )
    const { status } = await whileAnotherCalls(app, other, () => discover())
    expect(status).toBe(502)
  })

  test('spec 8: lists without an end end', async () => {
    rogue.answerWith(({ body }, response) => {
      const { id } = (body === '' ? {} : JSON.parse(body)) as { id?: number }
      const tools = [{ name: 'get_products', inputSchema: { type: 'object' } }]
      json(response, 200, { jsonrpc: '2.0', id, result: { tools, nextCursor: 'more' } })
    })
    const { status, body } = await discover()
    expect(status).toBe(200)
    expect(body.tools_count).toBeLessThanOrEqual(200)
    expect(rogue.received.length).toBeLessThan(40)
  })

  test('spec 8: no redirect leads elsewhere', async () => {
    rogue.answerWith((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' })
      response.end()
    })
    for (const what of ['discover-agent', 'agent-formats', 'agent-products', 'agent-publishers']) {
      expect((await discover(what)).status).toBe(502)
    }
  })

  test('spec 8: a bounded number of agents is called at the same time', async () => {
    rogue.answerWith(() => {})
    const most = CATALOGUE_LIMITS.agentProbesAtOnce.value
    const answers = Array.from({ length: most + 4 }, () => discover())
    const refused: [number, string | null][] = []
    for (const answer of answers) {
      void answer.then(({ status, headers }) => refused.push([status, headers.get('retry-after')]))
    }
    await expect.poll(() => refused).toEqual(Array.from({ length: 4 }, () => [503, '5']))
    await rogue.stop()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(4)
    rogue = await startRogueAgent()
  }, 30_000)
})
