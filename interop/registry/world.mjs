// The publishers and brands that the registry is judged with: each is one way of saying who may sell for whom, and all are
// served by one server on this machine.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const CRAWLED_MS = 60_000

export const SELL = 'https://sell.agents.example/mcp'
export const OTHER = 'https://other.agents.example/mcp'
/** Its authorization has ended. */
export const LATE = 'https://late.agents.example/mcp'
export const MANAGED = 'https://managed.agents.example/mcp'

const property = (publisher_domain, property_id, more = {}) => ({
  property_id,
  property_type: 'website',
  name: `${property_id} of ${publisher_domain}`,
  publisher_domain,
  identifiers: [{ type: 'domain', value: publisher_domain }],
  tags: ['open'],
  ...more,
})
const byIds = (url, property_ids, more = {}) => ({
  url,
  authorized_for: 'Display and video',
  authorization_type: 'property_ids',
  property_ids,
  ...more,
})
const byTags = (url, property_tags) => ({
  url,
  authorized_for: 'Everything that is open',
  authorization_type: 'property_tags',
  property_tags,
})

const adagents = (body) => ({ '/.well-known/adagents.json': body })
const brand = (body) => ({ '/.well-known/brand.json': body })

const logo = 'https://gazette.example/logo.png'

/** By host and path: an object is JSON, a text is served as it is, a number is a status. */
const SITES = {
  'gazette.example': {
    ...adagents({
      contact: { name: 'Gazette Sales', email: 'sales@gazette.example' },
      properties: [
        property('gazette.example', 'gazette_site', { name: 'The Gazette' }),
        property('gazette.example', 'gazette_app', {
          property_type: 'mobile_app',
          name: 'Gazette for phones',
          identifiers: [
            { type: 'ios_bundle', value: 'com.gazette.app' },
            { type: 'google_play_id', value: 'com.gazette.app' },
          ],
          tags: ['open', 'mobile'],
        }),
        property('gazette.example', 'gazette_tv', {
          property_type: 'ctv_app',
          name: 'Gazette TV',
          identifiers: [{ type: 'roku_store_id', value: '41468' }],
          tags: ['premium'],
        }),
      ],
      tags: {
        open: { name: 'Open', description: 'For everybody' },
        mobile: { name: 'Mobile', description: 'Phones' },
        premium: { name: 'Premium', description: 'By agreement' },
      },
      authorized_agents: [
        byIds(SELL, ['gazette_site', 'gazette_tv'], { countries: ['DE', 'AT'] }),
        byTags(OTHER, ['open']),
        byIds(LATE, ['gazette_site'], {
          effective_until: '2020-01-01T00:00:00Z',
        }),
      ],
    }),
    ...brand({
      id: 'gazette',
      names: [{ en: 'The Gazette' }, { de: 'Das Blatt' }],
      keller_type: 'master',
      house_domain: 'press-house.example',
      tagline: 'Every morning',
      logos: [{ url: logo, variant: 'primary' }],
      properties: [{ type: 'website', identifier: 'gazette.example', primary: true }],
    }),
  },
  'press-house.example': brand({
    house: { domain: 'press-house.example', name: 'Press House' },
    brand_refs: [{ domain: 'gazette.example', brand_id: 'gazette' }],
    brands: [
      {
        id: 'weekly',
        names: [{ en: 'The Weekly' }],
        keller_type: 'sub_brand',
        parent_brand: 'press',
        properties: [{ type: 'website', identifier: 'weekly.example', relationship: 'owned' }],
      },
      { id: 'press', names: [{ en: 'Press House' }], keller_type: 'master' },
    ],
  }),
  'weekly.example': brand({ house: 'press-house.example' }),
  'claimer.example': brand({
    id: 'claimer',
    names: [{ en: 'Claimer' }],
    house_domain: 'press-house.example',
  }),
  'harbor.example': adagents({ authoritative_location: 'https://network.example/harbor.json' }),
  'network.example': {
    '/harbor.json': {
      properties: [
        property('harbor.example', 'harbor_site'),
        property('harbor.example', 'harbor_news', { tags: ['news'] }),
        property('inland.example', 'inland_site'),
      ],
      authorized_agents: [byIds(MANAGED, ['harbor_site', 'inland_site'])],
    },
    ...adagents({
      properties: [
        property('tables.example', 'tables_site'),
        property('gone.example', 'gone_site'),
      ],
      authorized_agents: [
        {
          url: MANAGED,
          authorized_for: 'The network',
          authorization_type: 'publisher_properties',
          publisher_properties: [
            { publisher_domains: ['tables.example', 'gone.example'], selection_type: 'all' },
          ],
        },
      ],
      revoked_publisher_domains: [
        {
          publisher_domain: 'gone.example',
          revoked_at: '2026-01-01T00:00:00Z',
          reason: 'relationship_ended',
        },
      ],
    }),
  },
  'tables.example': { '/ads.txt': 'exchange.example, 1, DIRECT\nMANAGERDOMAIN=network.example\n' },
  'gone.example': { '/ads.txt': 'MANAGERDOMAIN=network.example\n' },
  'broken.example': adagents('{"authorized_agents": ['),
  'wrong.example': adagents({ authorized_agents: [{ url: 'no url' }] }),
  'down.example': adagents(503),
  'xn--mnchen-3ya.example': adagents({
    properties: [property('xn--mnchen-3ya.example', 'stadt')],
    authorized_agents: [byIds(SELL, ['stadt'])],
  }),
}

/** Has the world crawled by a registry, to the end of each request. */
export async function crawlWorld({ url, key }, sites = SITES) {
  const path = `${url}/api/registry/crawl-request`
  const ask = async (address, init = {}) => {
    const authorization = `Bearer ${key}`
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(address, { ...init, headers })
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const request = (domain) => ask(path, { method: 'POST', body: JSON.stringify({ domain }) })
  const requests = []
  for (const domain of Object.keys(sites)) requests.push(await request(domain))
  const OPEN = ['queued', 'running', 'deferred']
  for (const { crawl_request_id } of requests) {
    const until = Date.now() + CRAWLED_MS
    while (OPEN.includes((await ask(`${path}/${crawl_request_id}`)).status)) {
      if (Date.now() > until) throw new Error('the world was not crawled in time')
      await wait(100)
    }
  }
}

/** `egressHosts` is for the setting of that name. */
export async function startWorld(sites = SITES) {
  const server = createServer(({ url = '/' }, response) => {
    const [, host, ...path] = url.split('/')
    const found = sites[host]?.[`/${path.join('/')}`]
    if (found === undefined || typeof found === 'number') {
      response.writeHead(found ?? 404, { 'content-type': 'text/plain' }).end('nothing here')
      return
    }
    const isText = typeof found === 'string'
    const type = isText && !found.startsWith('{') ? 'text/plain' : 'application/json'
    response.writeHead(200, { 'content-type': type })
    response.end(isText ? found : JSON.stringify(found))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    egressHosts: `*.example=http://127.0.0.1:${server.address().port}/{host}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
