// Hundreds of searches without a key, and someone else who searches meanwhile. Compared is not time, which a
// busy machine stretches, but how many of the flood are answered before the other one is: without turns all
// that came before it would be.

import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueSignal } from '../support/memory-signals.ts'

const FLOOD = 230
/**
 * Requests of the flood that may be answered while another caller's search runs: those in progress, and a few
 * more.
 */
const FEW = 20
const OWN = '127.0.0.1'
const OTHER = '127.0.0.2'

let app: TestApp
let strict: TestApp
let key: string
beforeAll(async () => {
  app = await startApp({
    config: {
      // So wide that nothing of the flood is refused, and only turns protect the others.
      signalsKeylessPerMinute: 1_000_000,
      signalsKeylessWaiting: 1_000,
      signalsSearchesWaiting: 10_000,
      signalsKeylessSpecLength: 4_000,
    },
  })
  strict = await startApp()
  for (const one of [app, strict]) {
    await one.storage.transact((tx) => one.storage.signals.put(tx, CATALOGUE))
  }
  key = await app.principal()
})
afterAll(async () => {
  await Promise.all([app.stop(), strict.stop()])
})

const WHO = ['Dog', 'Cat', 'Golf', 'Wine', 'Ski', 'Vegan', 'Luxury Car', 'Garden', 'Jazz', 'Yoga']
const HOW = ['Owners', 'Lovers', 'Shoppers', 'Travellers', 'Fans', 'Beginners', 'Collectors']
const CATALOGUE = WHO.flatMap((who, a) =>
  HOW.flatMap((how, b) =>
    Array.from({ length: 20 }, (_, c) =>
      catalogueSignal({
        signal_agent_segment_id: `s-${a}-${b}-${c}`,
        name: `${who} ${how} ${c}`,
        description: `People who are ${who.toLowerCase()} ${how.toLowerCase()} of the kind ${c}.`,
      }),
    ),
  ),
)

/** Several audiences each, no two alike. */
const flooding = (n: number) =>
  `${WHO.slice(n % 5).join(` ${HOW[n % 7]} number ${n}, `)} and people who hike in region ${n}`

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

interface Requested {
  answer: Promise<Answer>
  request: ClientRequest
  /** Every byte of it has been handed to the connection. */
  sent: Promise<unknown>
}

function ask(
  on: TestApp,
  spec: string,
  {
    from = OWN,
    key,
    agent = new Agent({ localAddress: from }),
  }: { from?: string; key?: string; agent?: Agent } = {},
): Requested {
  const requested = request(`${on.url}/v3/get_signals`, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
  })
  const deliver_to = { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] }
  requested.end(JSON.stringify({ signal_spec: spec, deliver_to }))
  const answer = once(requested, 'response').then(async ([response]) => {
    const { statusCode: status, headers } = response
    return { status, headers, body: await text(response) } as Answer
  })
  answer.catch(() => {})
  return { answer, request: requested, sent: once(requested, 'finish') }
}

/** An agent whose connection is open, so that what is counted afterwards is the search and not the connecting. */
async function connected(on: TestApp, from = OWN): Promise<Agent> {
  const agent = new Agent({ localAddress: from, keepAlive: true })
  const requested = request(`${on.url}/healthz`, { agent })
  requested.end()
  const [response] = await once(requested, 'response')
  await text(response)
  return agent
}

const waitingIn = async (on: TestApp) => {
  const metrics = await (await fetch(`${on.url}/metrics`)).text()
  return Number(/^adwire_signal_searches\{state="waiting"\} (\d+)/m.exec(metrics)?.[1])
}

test('spec 4.3: a flood of 230 searches without a key keeps neither a principal nor another address waiting', async () => {
  await ask(app, 'dog owners', { key }).answer
  let answered = 0
  const flood = Array.from({ length: FLOOD }, (_, n) => {
    const one = ask(app, flooding(n))
    void one.answer.then(
      () => answered++,
      () => {},
    )
    return one
  })
  await eventually(() => expect(answered).toBeGreaterThan(2))

  const others: { key?: string; from?: string }[] = [{ key }, { from: OTHER }]
  for (const other of others) {
    const agent = await connected(app, other.from)
    const { answer, sent } = ask(app, 'wine lovers who travel', { ...other, agent })
    await sent
    const before = answered
    const { status } = await answer
    agent.destroy()
    expect(status).toBe(200)
    expect(answered - before).toBeLessThanOrEqual(FEW)
    // The flood is still running, or there was nothing to wait behind.
    expect(answered).toBeLessThan(FLOOD - FEW)
  }

  // Those who have gone are searched for no more.
  for (const { request: gone } of flood) gone.destroy()
  await eventually(async () => expect(await waitingIn(app)).toBe(0))
})

test('spec 7.2: with the usual limits a flood gets 429 and when to retry, at once', async () => {
  const floodKey = await strict.principal()
  const flood = Array.from({ length: 100 }, (_, n) => ask(strict, flooding(n)))
  const other = await ask(strict, 'wine lovers', { key: floodKey }).answer
  expect(other.status).toBe(200)
  const answers = await Promise.all(flood.map(({ answer }) => answer))
  const refused = answers.filter(({ status }) => status === 429)
  // Sixty a minute, one at a time, and eight that wait.
  expect(refused.length).toBeGreaterThanOrEqual(40)
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true)
})

test('spec 4.3: a description that is too long without a key is refused with both limits named', async () => {
  const { status, body } = await ask(strict, 'x'.repeat(1_001), { from: OTHER }).answer
  expect(status).toBe(400)
  expect(body).toContain('at most 1000 characters without a key, and 4000 with one')
})
