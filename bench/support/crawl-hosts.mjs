// Publishers of a simulated network, all on one port: `/{host}/path`. What a host does follows from its number: most have a
// good file; some are slow, broken, huge or redirecting, and some point to the file of one manager.
// argv: how many properties the manager's file has
import { createServer } from 'node:http'

const properties = Number(process.argv[2] ?? 6_800)
const AGENT = 'https://sales.network.example/mcp'
const WELL_KNOWN = '/.well-known/adagents.json'
const LOCATION = 'https://network.example/network.json'

const numberOf = (host) => Number(/^h(\d+)\./.exec(host)?.[1] ?? -1)
/** @internal */
export function kindOf(n) {
  const place = n % 100
  if (place < 70) return 'good'
  if (place < 85) return 'delegating'
  if (place < 90) return 'broken'
  if (place < 94) return 'redirecting'
  if (place < 98) return 'slow'
  return place < 99 ? 'absent' : 'huge'
}

function fileOf(domain, extra = '') {
  return JSON.stringify({
    authorized_agents: [
      {
        url: AGENT,
        authorized_for: 'Display',
        authorization_type: 'property_ids',
        property_ids: ['site'],
      },
    ],
    properties: [propertyOf(domain, 'site')],
    ext: extra,
  })
}

function propertyOf(domain, property_id) {
  return {
    property_id,
    property_type: 'website',
    name: `The site of ${domain}, with a name as long as names of sites are in such files`,
    identifiers: [{ type: 'domain', value: domain }],
    publisher_domain: domain,
    tags: ['network', 'display', 'video', 'news', 'sports', 'weather'],
  }
}

/** About 3 MB with 6,800 properties: of the hosts that point to it. */
const network = Buffer.from(
  JSON.stringify({
    authorized_agents: [
      {
        url: AGENT,
        authorized_for: 'Display',
        authorization_type: 'property_tags',
        property_tags: ['network'],
      },
    ],
    properties: Array.from({ length: properties }, (_, n) => {
      const host = Math.floor(n / 15) * 100 + 70 + (n % 15)
      return propertyOf(`h${host}.example`, `p${n}`)
    }),
  }),
)
const huge = 'x'.repeat(5_000_000)

const server = createServer((request, response) => {
  const [, host = '', ...rest] = (request.url ?? '').split('/')
  const path = `/${rest.join('/')}`
  const json = { 'content-type': 'application/json' }
  if (host === 'network.example') return response.writeHead(200, json).end(network)
  if (path !== WELL_KNOWN && path !== '/moved.json') return response.writeHead(404).end()
  switch (kindOf(numberOf(host))) {
    case 'delegating':
      return response.writeHead(200, json).end(JSON.stringify({ authoritative_location: LOCATION }))
    case 'broken':
      return response.writeHead(200, json).end('{"authorized_agents": 7}')
    case 'redirecting':
      if (path === '/moved.json') return response.writeHead(200, json).end(fileOf(host))
      return response.writeHead(302, { location: `https://${host}/moved.json` }).end()
    case 'slow':
      return setTimeout(() => response.writeHead(200, json).end(fileOf(host)), 300)
    case 'absent':
      return response.writeHead(404).end()
    case 'huge':
      return response.writeHead(200, json).end(fileOf(host, huge))
    default:
      return response.writeHead(200, json).end(fileOf(host))
  }
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.on('SIGTERM', () => process.exit(0))
