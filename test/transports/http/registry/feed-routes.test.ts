import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { organizationKeys } from '../../../../src/registry/organizations.ts'
import { call, startApp, type TestApp } from '../../../support/app.ts'
import { eventually } from '../../../support/eventually.ts'

interface Page {
  events: { event_id: string; event_type: string; payload: { domain: string } }[]
  cursor: string | null
  has_more: boolean
}

describe.each(['sqlite', 'postgres'] as const)('the feed over HTTP [%s]', (store) => {
  let app: TestApp
  let key: string
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    key = (await app.organization()).key
    for (const n of [1, 2, 3]) await contribute(`seed${n}.example`)
  })
  afterAll(() => app.stop())

  const contribute = async (domain: string) => {
    const manifest_url = `https://${domain}/brand.json`
    const body = { domain, reference_type: 'url', manifest_url }
    const answer = await call(`${app.url}/api/manifest-refs`, { key, body })
    expect(answer.status).toBe(201)
  }
  const feed = (query = '') => call(`${app.url}/api/registry/feed?${query}`, { key })
  const domains = ({ events }: Page) => events.map(({ payload }) => payload.domain)
  const latest = async () => ((await feed('limit=10000')).body as unknown as Page).cursor as string

  async function stream(query: string, by = key) {
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const response = await fetch(`${app.url}/api/registry/feed/stream?${query}`, {
      headers: { authorization: `Bearer ${by}` },
      signal: ending.signal,
    })
    return { response, events: eventsOf(response), end: () => ending.abort() }
  }

  test('pages follow each other by the cursor and say how fresh they are', async () => {
    const first = (await feed('types=manifest_ref.*&limit=2')).body as unknown as Page
    expect(domains(first)).toEqual(['seed1.example', 'seed2.example'])
    expect(first.has_more).toBe(true)
    expect(first.cursor).toBe(first.events[1]?.event_id)
    const second = await feed(`types=manifest_ref.*&limit=2&cursor=${first.cursor}`)
    expect(domains(second.body as unknown as Page)).toEqual(['seed3.example'])
    expect(second.body).toMatchObject({
      has_more: false,
      freshness: { retention_days: 90, lag_seconds: expect.any(Number) },
    })
  })

  test('an event holds who did what to which entity', async () => {
    const { body } = await feed('types=manifest_ref.created&limit=1')
    expect((body as unknown as Page).events[0]).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_type: 'manifest_ref.created',
      entity_type: 'manifest_ref',
      entity_id: expect.any(String),
      payload: expect.objectContaining({ domain: 'seed1.example', verification_status: 'pending' }),
      actor: expect.stringMatching(/^org:org_/),
      created_at: expect.stringMatching(/Z$/),
    })
  })

  test('a caught-up reader keeps its cursor', async () => {
    const cursor = await latest()
    expect((await feed(`cursor=${cursor}`)).body).toMatchObject({
      events: [],
      cursor,
      has_more: false,
    })
  })

  test.each(['feed', 'feed/stream'])('an unknown cursor of the %s is 410', async (path) => {
    const answer = await call(`${app.url}/api/registry/${path}?cursor=${randomUUID()}`, { key })
    expect(answer.status).toBe(410)
    expect(answer.body).toEqual({
      error: 'cursor_expired',
      message: expect.stringContaining('90 days'),
    })
  })

  test.each([
    'cursor=yesterday',
    'limit=0',
    'limit=10001',
    'limit=ten',
    'types=Manifest%20Ref',
    'types=a%25',
    'cursor=a&cursor=b',
    `types=${Array.from({ length: 51 }, (_, n) => `t${n}`).join(',')}`,
  ])('%s is a 400 that says why', async (query) => {
    const answer = await feed(query)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.any(String) })
  })

  test.each(['poll_interval_seconds=4', 'poll_interval_seconds=61', 'poll_interval_seconds=x'])(
    'a stream with %s is a 400 that says why',
    async (query) => {
      const answer = await call(`${app.url}/api/registry/feed/stream?${query}`, { key })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: expect.stringContaining('from 5 to 60') })
    },
  )

  test('a stream delivers an event when it happens, and a reconnect takes up where it ended', async () => {
    const cursor = await latest()
    const one = await stream(`cursor=${cursor}&types=manifest_ref.*`)
    expect(one.response.headers.get('content-type')).toContain('text/event-stream')
    expect(one.response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await one.events.next()).toMatchObject({
      value: { name: 'heartbeat', data: { cursor } },
    })
    await contribute('live.example')
    const live = (await one.events.next()).value as StreamEvent
    expect(live.name).toBe('feed')
    expect(domains(live.data as Page)).toEqual(['live.example'])
    one.end()

    await contribute('missed.example')
    const two = await stream(`cursor=${(live.data as Page).cursor}`)
    const missed = (await two.events.next()).value
    expect(missed?.name).toBe('feed')
    expect(domains(missed?.data as Page)).toEqual(['missed.example'])
    two.end()
  })

  test('spec 5: a key that is revoked reads nothing more, also on a stream that is open', async () => {
    const reader = await app.organization('Reader')
    const { events, end } = await stream(`cursor=${await latest()}`, reader.key)
    expect((await events.next()).value?.name).toBe('heartbeat')
    const keys = organizationKeys(app.storage)
    const listed = await keys.list(reader.id)
    if (!listed.ok) throw new Error(listed.message)
    for (const { key_id } of listed.keys) expect(await keys.revoke(key_id)).toBe(true)
    await contribute('secret.example')
    const last = (await events.next()).value
    expect([last?.name, JSON.stringify(last?.data)]).toEqual([
      'error',
      expect.stringContaining('revoked'),
    ])
    end()
  })

  test('a stream without a cursor begins with all there is', async () => {
    const { events, end } = await stream('types=manifest_ref.created&limit=2')
    const first = (await events.next()).value?.data as Page
    const second = (await events.next()).value?.data as Page
    expect([...domains(first), ...domains(second)].slice(0, 3)).toEqual([
      'seed1.example',
      'seed2.example',
      'seed3.example',
    ])
    end()
  })
})

test('a stop ends the open streams at once', async () => {
  const app = await startApp({ config: { stopTimeoutSeconds: 120 } })
  const { key } = await app.organization()
  const response = await fetch(`${app.url}/api/registry/feed/stream`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const events = eventsOf(response)
  await events.next()
  const started = Date.now()
  await app.stop()
  // Not when its time to stop is over.
  expect(Date.now() - started).toBeLessThan(60_000)
  expect((await events.next()).done).toBe(true)
})

test('there is a limit to the streams of one caller and of all, and room again when one ends', async () => {
  const app = await startApp()
  onTestFinished(() => app.stop())
  const held: Response[] = []
  const open = async (key: string, signal?: AbortSignal) => {
    const response = await fetch(`${app.url}/api/registry/feed/stream`, {
      headers: { authorization: `Bearer ${key}` },
      ...(signal ? { signal } : {}),
    })
    // A response that no one holds is collected, and its stream ends.
    held.push(response)
    if (response.status !== 200) await response.text()
    return response
  }
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const keys = await Promise.all(
    Array.from({ length: 11 }, async () => (await app.organization()).key),
  )
  const [first = '', last = ''] = [keys[0], keys[10]]
  const many = (key: string, signal = ending.signal) =>
    Promise.all(Array.from({ length: 10 }, () => open(key, signal)))

  const ofFirst = new AbortController()
  expect((await many(first, ofFirst.signal)).every(({ status }) => status === 200)).toBe(true)
  const ofOne = await open(first)
  expect([ofOne.status, ofOne.headers.get('retry-after')]).toEqual([429, '30'])
  for (const key of keys.slice(1, 10)) {
    expect((await many(key)).every(({ status }) => status === 200)).toBe(true)
  }
  expect((await open(last)).status).toBe(429)

  ofFirst.abort()
  await eventually(async () => expect((await open(last, ending.signal)).status).toBe(200))
})

interface StreamEvent {
  name: string
  data: unknown
}

/** The events of a text/event-stream, one by one. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  let buffered = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    buffered += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = buffered.indexOf('\n\n'); end >= 0; end = buffered.indexOf('\n\n')) {
      const [, name = '', data = ''] =
        /^event: (.*)\ndata: (.*)$/.exec(buffered.slice(0, end)) ?? []
      buffered = buffered.slice(end + 2)
      yield { name, data: JSON.parse(data) as unknown }
    }
  }
}
