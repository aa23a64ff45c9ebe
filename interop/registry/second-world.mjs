// Other publishers and brands than those of world.mjs, made independently of them: a house with one brand of each kind of
// relationship, and one publisher for each way of naming an agent.

export const ONE = 'https://one.sellers.example/mcp'
export const TWO = 'https://two.sellers.example/a2a'
export const THREE = 'https://three.sellers.example:8443/Path/mcp'
/** Its authorization has ended. */
export const EXPIRED = 'https://expired.sellers.example/mcp'
export const BRAND_AGENT = 'https://brand.daily.example/mcp'

const property = (publisher_domain, property_id, more = {}) => ({
  property_id,
  property_type: 'website',
  name: `${property_id} of ${publisher_domain}`,
  publisher_domain,
  identifiers: [{ type: 'domain', value: publisher_domain }],
  tags: ['all'],
  ...more,
})
const byIds = (url, property_ids, more = {}) => ({
  url,
  authorized_for: `for ${property_ids.join(' and ')}`,
  authorization_type: 'property_ids',
  property_ids,
  ...more,
})
const adagents = (body) => ({ '/.well-known/adagents.json': body })
const brand = (body) => ({ '/.well-known/brand.json': body })
const website = (identifier, relationship) => ({ type: 'website', identifier, relationship })

export const DAILY_BRAND = {
  id: 'daily',
  names: [{ en: 'Daily Planet' }, { fr: 'Le Quotidien' }],
  keller_type: 'endorsed',
  house_domain: 'bighouse.example',
  logos: [{ url: 'https://daily.example/l.png', variant: 'primary' }],
  agents: [{ type: 'brand', url: BRAND_AGENT, id: 'daily' }],
  properties: [{ type: 'website', identifier: 'daily.example', primary: true }],
}
export const PIN = {
  kid: 'k1',
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}

const daily = {
  contact: { name: 'Daily', email: 'ads@daily.example' },
  properties: [
    property('daily.example', 'main', {
      identifiers: [
        { type: 'domain', value: 'daily.example' },
        { type: 'subdomain', value: 'sport.daily.example' },
      ],
    }),
    property('daily.example', 'pod', {
      property_type: 'podcast',
      identifiers: [
        { type: 'rss_url', value: 'https://Feeds.daily.example/Pod.xml' },
        { type: 'apple_podcast_id', value: '12345' },
      ],
      tags: ['audio'],
    }),
  ],
  tags: {
    all: { name: 'All', description: 'Everything' },
    audio: { name: 'Audio', description: 'To listen to' },
  },
  authorized_agents: [
    byIds(ONE, ['main'], {
      signing_keys: [PIN],
      countries: ['US'],
      exclusive: true,
      delegation_type: 'direct',
    }),
    {
      url: TWO,
      authorized_for: 'Audio',
      authorization_type: 'property_tags',
      property_tags: ['audio'],
    },
    byIds(EXPIRED, ['main'], { effective_until: '2021-01-01T00:00:00Z' }),
    {
      url: THREE,
      authorized_for: 'The app',
      authorization_type: 'inline_properties',
      properties: [
        property('daily.example', 'app', {
          property_type: 'mobile_app',
          identifiers: [{ type: 'ios_bundle', value: 'com.daily.app' }],
          tags: [],
        }),
      ],
    },
  ],
}

export const SECOND_SITES = {
  'daily.example': { ...adagents(daily), ...brand(DAILY_BRAND) },
  'bighouse.example': brand({
    house: { domain: 'bighouse.example', name: 'Big House' },
    brand_refs: [
      { domain: 'daily.example', brand_id: 'daily' },
      { domain: 'silent.example', brand_id: 'silent' },
      { domain: 'old.example', brand_id: 'old', effective_at: '2020-01-01T00:00:00Z' },
    ],
    brands: [
      { id: 'big', names: [{ en: 'Big' }], keller_type: 'master' },
      {
        id: 'sub',
        names: [{ en: 'Sub of Big' }],
        keller_type: 'sub_brand',
        parent_brand: 'big',
        properties: [website('sub.example', 'owned'), website('resold.example', 'direct')],
      },
    ],
  }),
  'sub.example': brand({ house: 'bighouse.example' }),
  'resold.example': brand({ house: 'bighouse.example' }),
  'silent.example': brand({ id: 'silent', names: [{ en: 'Silent' }] }),
  'old.example': brand({ id: 'old', names: [{ en: 'Old' }], house_domain: 'bighouse.example' }),
  'lonely.example': brand({
    id: 'lonely',
    names: [{ en: 'Lonely' }],
    house_domain: 'nohouse.example',
  }),
  'moved.example': brand({ authoritative_location: 'https://cdn.example/brands/moved.json' }),
  'agentbrand.example': brand({
    brand_agent: { url: 'https://agent.agentbrand.example/mcp', id: 'ab' },
  }),
  'cdn.example': {
    '/brands/moved.json': { id: 'moved', names: [{ en: 'Moved' }] },
    '/pubs/point.json': {
      properties: [
        property('point.example', 'p1'),
        property('point.example', 'p2', {
          tags: ['x'],
          identifiers: [{ type: 'subdomain', value: 'two.point.example' }],
        }),
        property('sibling.example', 's1'),
      ],
      authorized_agents: [byIds(ONE, ['p1', 's1']), byIds(THREE, ['p2'])],
    },
  },
  'point.example': adagents({ authoritative_location: 'https://cdn.example/pubs/point.json' }),
  'manager.example': adagents({
    properties: [
      property('adstxt.example', 'a1'),
      property('revoked.example', 'r1'),
      property('noclaim.example', 'n1'),
    ],
    authorized_agents: [
      {
        url: TWO,
        authorized_for: 'The network',
        authorization_type: 'publisher_properties',
        publisher_properties: [
          { publisher_domain: 'adstxt.example', selection_type: 'by_id', property_ids: ['a1'] },
          { publisher_domains: ['revoked.example', 'noclaim.example'], selection_type: 'all' },
        ],
      },
    ],
    revoked_publisher_domains: [
      {
        publisher_domain: 'revoked.example',
        revoked_at: '2026-06-01T00:00:00Z',
        reason: 'compliance_violation',
      },
    ],
  }),
  'adstxt.example': {
    '/ads.txt':
      '# a comment\nMANAGERDOMAIN=other.example # noagents\nmanagerdomain = manager.example\n',
  },
  'revoked.example': { '/ads.txt': 'MANAGERDOMAIN=manager.example\n' },
  'bad.example': adagents('{nope'),
  'schema.example': adagents({ authorized_agents: 'x' }),
  'five.example': adagents(500),
  'empty.example': adagents({
    authorized_agents: [],
    properties: [property('empty.example', 'only')],
  }),
}
