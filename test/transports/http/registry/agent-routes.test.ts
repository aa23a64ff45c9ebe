import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'

describe.each(['sqlite', 'postgres'] as const)('agents over HTTP [%s]', (store) => {
  let app: TestApp
  let key: string
  let other: string
  const listed = Array.from({ length: 5 }, (_, n) => `https://agents.example/${n}`)
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    key = (await app.organization('Acme')).key
    other = (await app.organization('Other')).key
    // Not in their order.
    for (const url of listed.toReversed()) {
      await register({ url, type: url.endsWith('3') ? 'creative' : 'sales', visibility: 'public' })
    }
    await register({ url: 'https://members.example/', type: 'sales', visibility: 'members_only' })
    await register({ url: 'https://own.example/mcp', type: 'sales', name: 'Own' })
  })
  afterAll(() => app.stop())

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const register = (body: object) => ask('/api/me/agents', { key, body })
  const list = async (query = '', request?: Call) => {
    const { body } = await ask(`/api/registry/agents${query}`, request)
    return (body.agents as { url: string }[]).map(({ url }) => url)
  }
  const search = (query = '', by = key) => ask(`/api/registry/agents/search?${query}`, { key: by })
  const found = async (query = '', by = key) => {
    const { body } = await search(query, by)
    return (body.results as { url: string }[]).map(({ url }) => url)
  }

  test('spec 4.5: everyone reads the public agents, members those for members too', async () => {
    const { status, body } = await ask('/api/registry/agents')
    expect(status).toBe(200)
    expect(body).toEqual({
      agents: listed.map((url) => ({
        url,
        name: url,
        type: url.endsWith('3') ? 'creative' : 'sales',
        added_date: expect.any(String),
        source: 'registered',
        member: { display_name: 'Acme' },
      })),
      count: 5,
      sources: { registered: 5, discovered: 0 },
    })
    expect(await list('', { key: other })).toEqual([...listed, 'https://members.example'])
    expect(await list('', { key })).toEqual([...listed, 'https://members.example'])
    expect(await list('', { key: 'sk_wrong' })).toEqual(listed)
  })

  test('spec 4.5: filters of the list', async () => {
    expect(await list('?type=creative')).toEqual([listed[3]])
    expect(await list('?type=signals')).toEqual([])
    expect(await list('?health=true&capabilities=true&properties=true')).toEqual(listed)
    expect(await list('?metric_id=viewability')).toEqual([])
    expect(await list('?q=agents')).toEqual([])
    await register({
      url: 'https://measure.example',
      type: 'measurement',
      visibility: 'public',
      name: 'Ünit',
    })
    expect(await list('?q=%C3%BCNIT')).toEqual(['https://measure.example'])
    expect(await list('?q=other')).toEqual([])
    await ask('/api/me/agents/https%3A%2F%2Fmeasure.example', {
      method: 'PATCH',
      key,
      body: { visibility: 'private' },
    })
    for (const wrong of ['type=si', 'source=all', 'q=a%25', 'health=no', `q=${'a'.repeat(65)}`]) {
      expect((await ask(`/api/registry/agents?${wrong}`)).status).toBe(400)
    }
  })

  test('spec 4.5: an agent is read by its URL, in any spelling of it, by those who may see it', async () => {
    const one = (url: string, by?: string) =>
      ask(`/api/registry/agents/${encodeURIComponent(url)}`, by === undefined ? {} : { key: by })
    expect((await one('HTTPS://agents.EXAMPLE:443/3/')).body).toMatchObject({
      url: listed[3],
      type: 'creative',
    })
    expect((await one('https://members.example')).status).toBe(404)
    expect((await one('https://members.example', other)).status).toBe(200)
    expect((await one('https://own.example/mcp', other)).status).toBe(404)
    expect((await one('https://own.example/mcp', key)).body).toMatchObject({ name: 'Own' })
    const none = await one('nothing')
    expect([none.status, none.body]).toEqual([
      404,
      { error: 'Agent not found', agent_url: 'nothing' },
    ])
  })

  test('spec 4.5: the search takes a credential, and its rows have both shapes', async () => {
    expect((await ask('/api/registry/agents/search')).status).toBe(401)
    const profile = {
      channels: [],
      property_types: [],
      markets: [],
      categories: [],
      category_taxonomy: null,
      tags: [],
      delivery_types: [],
      format_ids: [],
      format_kinds: [],
      property_count: 0,
      publisher_count: 0,
      has_tmp: false,
    }
    const { status, body } = await search('type=creative')
    expect(status).toBe(200)
    expect(body).toEqual({
      results: [
        {
          url: listed[3],
          agent_url: listed[3],
          name: listed[3],
          type: 'creative',
          inventory_profile: profile,
          match: { score: 1, matched_filters: ['type'] },
          ...profile,
          relevance_score: 1,
          matched_filters: ['type'],
          updated_at: expect.any(String),
        },
      ],
      cursor: null,
      has_more: false,
    })
  })

  test.each([1, 2, 3, 200])(
    'spec 4.5: pages of %i lead through all agents, each once',
    async (limit) => {
      const seen: string[] = []
      let cursor = ''
      do {
        const { body } = await search(`limit=${limit}${cursor && `&cursor=${cursor}`}`, other)
        seen.push(...(body.results as { url: string }[]).map(({ url }) => url))
        expect(body.has_more).toBe(body.cursor !== null)
        cursor = String(body.cursor ?? '')
      } while (cursor !== '')
      expect(seen).toEqual([...listed, 'https://members.example'])
    },
  )

  test('spec 4.5: the private agents of an organisation are found by itself alone', async () => {
    expect(await found('')).toContain('https://own.example/mcp')
    expect(await found('', other)).not.toContain('https://own.example/mcp')
  })

  test('spec 4.5: an agent without known inventory is not found by inventory', async () => {
    expect(await found('channels=display,video&markets=US')).toEqual([])
    expect(await found('has_tmp=true')).toEqual([])
    expect(await found('min_properties=1')).toEqual([])
    expect(await found('has_tmp=false&min_properties=0&channels=,', other)).toHaveLength(6)
  })

  test('spec 7: a cursor of another search, a wrong one, and wrong filters are refused', async () => {
    const { body } = await search('limit=1')
    const cursor = String(body.cursor)
    expect((await search(`limit=1&type=sales&cursor=${cursor}`)).status).toBe(400)
    expect((await search(`limit=1&has_tmp=false&cursor=${cursor}`)).status).toBe(400)
    expect((await search('cursor=x')).status).toBe(400)
    for (const wrong of [
      'limit=0',
      'limit=201',
      'has_tmp=1',
      'type=si',
      'min_properties=-1',
      'sort=name',
    ]) {
      expect((await search(wrong)).status).toBe(400)
    }
    expect((await search(`tags=${'a,'.repeat(101)}`)).status).toBe(400)
  })

  test('a client that searches and then reads the feed has the agents of the search', async () => {
    const agents = new Set(await found('limit=200', other))
    await register({ url: 'https://later.example', type: 'sales', visibility: 'public' })
    const feed = await ask('/api/registry/feed?types=agent.*&limit=1000', { key: other })
    for (const { event_type, entity_id } of feed.body.events as Record<string, string>[]) {
      if (event_type === 'agent.removed') agents.delete(String(entity_id))
      else agents.add(String(entity_id))
    }
    expect([...agents].sort()).toEqual(await found('limit=200', other))
  })

  test('an address may read a bounded number of times', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 65; n++) statuses.push((await ask('/api/registry/agents')).status)
    expect(statuses.at(-1)).toBe(429)
    const refused = await ask('/api/registry/agents')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
