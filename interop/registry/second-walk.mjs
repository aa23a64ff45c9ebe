// Every method of the SDK's RegistryClient on the second world: each call has the values that are right for it. Values that
// are given must be equal; members that are not given are not looked at.
import { deepEqual, equal, fail, ok } from 'node:assert/strict'
import { PropertyRegistry, RegistryClient, RegistrySync } from '../sdk.mjs'
import {
  BRAND_AGENT,
  DAILY_BRAND,
  EXPIRED,
  ONE,
  PIN,
  SECOND_SITES,
  THREE,
  TWO,
} from './second-world.mjs'

/** Of a member that must not be there. */
const NOTHING = Symbol('nothing')
const time = (value) => ok(Date.parse(value) > Date.now() - 3_600_000, String(value))
const refused = (status) => ({ refused: status })
const urls = (list) => (found) =>
  deepEqual(
    found.map(({ url }) => url),
    list,
  )
const ids = (list) => (found) =>
  deepEqual(
    found.map(({ id }) => id),
    list,
  )
const some = (name, value) => (found) =>
  fits(found.find((one) => Object.values(one).includes(name)) ?? fail(`no ${name}`), value)

function fits(actual, expected, path = '') {
  if (typeof expected === 'function') return expected(actual)
  if (expected === NOTHING) return equal(actual, undefined, path)
  if (Array.isArray(expected)) {
    equal(actual?.length, expected.length, `${path}: ${JSON.stringify(actual)}`)
    return expected.forEach((one, n) => {
      fits(actual[n], one, `${path}/${n}`)
    })
  }
  if (typeof expected !== 'object' || expected === null) {
    return deepEqual(actual, expected, `${path}: ${JSON.stringify(actual)}`)
  }
  ok(actual && typeof actual === 'object', `${path}: ${JSON.stringify(actual)}`)
  for (const [name, value] of Object.entries(expected)) fits(actual[name], value, `${path}/${name}`)
}

const house = { house_domain: 'bighouse.example', house_name: 'Big House' }
const claimed = { house_domain: NOTHING, claimed_house_domain: 'bighouse.example' }
const BRANDS = [
  [
    'lookupBrand',
    ['daily.example'],
    {
      canonical_id: 'daily',
      canonical_domain: 'daily.example',
      brand_name: 'Daily Planet',
      names: DAILY_BRAND.names,
      keller_type: 'endorsed',
      ...house,
      claimed_house_domain: NOTHING,
      relationship_trust: 'mutual',
      relationship_verified_at: time,
      relationship_declared_at: time,
      brand_agent_url: BRAND_AGENT,
      brand_manifest: DAILY_BRAND,
      source: 'brand_json',
    },
  ],
  [
    'lookupBrand',
    ['bighouse.example'],
    { canonical_id: 'big', keller_type: 'master', ...house, relationship_trust: 'inline' },
  ],
  [
    'lookupBrand',
    ['sub.example'],
    {
      canonical_id: 'big#sub',
      brand_name: 'Sub of Big',
      keller_type: 'sub_brand',
      parent_brand: 'big',
      ...house,
      relationship_trust: 'inline',
    },
  ],
  ['lookupBrand', ['resold.example'], { ...claimed, relationship_trust: 'leaf_only' }],
  ['lookupBrand', ['silent.example'], { ...claimed, relationship_trust: 'house_only' }],
  ['lookupBrand', ['old.example'], { ...claimed, relationship_trust: 'leaf_only' }],
  [
    'lookupBrand',
    ['lonely.example'],
    { claimed_house_domain: 'nohouse.example', relationship_trust: 'unverifiable' },
  ],
  [
    'lookupBrand',
    ['moved.example'],
    { canonical_id: 'moved', brand_name: 'Moved', relationship_trust: 'standalone' },
  ],
  [
    'lookupBrand',
    ['agentbrand.example'],
    { brand_agent_url: 'https://agent.agentbrand.example/mcp' },
  ],
  ['lookupBrand', ['bad.example'], null],
  [
    'lookupBrands',
    [['daily.example', 'WWW.Sub.example', 'nobody.example']],
    {
      'daily.example': { canonical_id: 'daily', brand_manifest: { id: 'daily' } },
      'WWW.Sub.example': { canonical_id: 'big#sub' },
      'nobody.example': null,
    },
  ],
  [
    'findCompany',
    ['big'],
    {
      results: [
        {
          domain: 'bighouse.example',
          brand_name: 'Big',
          house_domain: 'bighouse.example',
          keller_type: 'master',
          source: 'brand_json',
        },
        { domain: 'sub.example', house_domain: 'bighouse.example', parent_brand: 'big' },
      ],
    },
  ],
  [
    'findCompany',
    ['sub of'],
    { results: [{ domain: 'sub.example', keller_type: 'sub_brand', parent_brand: 'big' }] },
  ],
  [
    'findCompany',
    ['quotidien'],
    { results: [{ domain: 'daily.example', brand_agent_url: BRAND_AGENT }] },
  ],
  ['findCompany', ['q'], refused(400)],
  [
    'listBrands',
    [{ search: 'sub' }],
    {
      brands: [
        {
          domain: 'sub.example',
          brand_name: 'Sub of Big',
          has_manifest: true,
          verified: true,
          source: 'brand_json',
          house_domain: 'bighouse.example',
          relationship_trust: 'inline',
        },
      ],
    },
  ],
  ['listBrands', [{ limit: 1 }], { brands: [{ domain: 'agentbrand.example' }] }],
  ['listBrands', [], { stats: { houses: 1, sub_brands: 1, hosted: 0, community: 0 } }],
  [
    'getBrandJson',
    ['daily.example'],
    {
      domain: 'daily.example',
      url: 'https://daily.example/.well-known/brand.json',
      variant: 'brand_canonical',
      data: DAILY_BRAND,
    },
  ],
  [
    'getBrandJson',
    ['sub.example'],
    { url: 'https://bighouse.example/.well-known/brand.json', variant: 'house_portfolio' },
  ],
  [
    'getBrandJson',
    ['moved.example'],
    { url: 'https://cdn.example/brands/moved.json', data: { id: 'moved' } },
  ],
  ['getBrandJson', ['agentbrand.example'], { variant: 'brand_agent' }],
  ['getBrandJson', ['nobody.example'], null],
  ['enrichBrand', ['daily.example'], refused(503)],
  ['getBrandHistory', [{ domain: 'daily.example' }], { total: 0, revisions: [] }],
  ['getBrandHistory', [{ domain: 'nobody.example' }], null],
]

const dailyAgents = [ONE, THREE, TWO]
const PROPERTIES = [
  [
    'lookupProperty',
    ['Daily.Example.'],
    {
      publisher_domain: 'daily.example',
      source: 'adagents_json',
      verified: true,
      contact: { name: 'Daily', email: 'ads@daily.example' },
      authorized_agents: [
        { url: ONE, authorized_for: 'for main' },
        { url: THREE, authorized_for: 'The app' },
        { url: TWO, authorized_for: 'Audio' },
      ],
      properties: [
        {
          id: 'main',
          type: 'website',
          name: 'main of daily.example',
          identifiers: [
            { type: 'domain', value: 'daily.example' },
            { type: 'subdomain', value: 'sport.daily.example' },
          ],
          tags: ['all'],
        },
        {
          id: 'pod',
          type: 'podcast',
          identifiers: [
            { type: 'rss_url', value: 'https://feeds.daily.example/Pod.xml' },
            { type: 'apple_podcast_id', value: '12345' },
          ],
        },
        { id: 'app', type: 'mobile_app' },
      ],
    },
  ],
  [
    'lookupProperty',
    ['point.example'],
    {
      source: 'adagents_json',
      properties: ids(['p1', 'p2']),
      authorized_agents: urls([ONE, THREE]),
    },
  ],
  [
    'lookupProperty',
    ['sibling.example'],
    { source: 'discovered', verified: false, authorized_agents: [], properties: ids(['s1']) },
  ],
  ['lookupProperty', ['adstxt.example'], { verified: true, authorized_agents: urls([TWO]) }],
  ['lookupProperty', ['revoked.example'], { authorized_agents: [] }],
  ['lookupProperty', ['noclaim.example'], { source: 'discovered', authorized_agents: [] }],
  ['lookupProperty', ['bad.example'], null],
  ['lookupProperty', ['10.0.0.1'], refused(400)],
  [
    'lookupProperties',
    [['point.example', 'nobody.example']],
    { 'point.example': { verified: true }, 'nobody.example': null },
  ],
  [
    'lookupPropertiesAll',
    [[...Array.from({ length: 120 }, (_, n) => `n${n}.example`), 'empty.example']],
    (found) => {
      equal(Object.keys(found).length, 121)
      equal(found['empty.example'].verified, true)
    },
  ],
  [
    'domainsExist',
    [['daily.example', 'sibling.example', 'bad.example']],
    { 'daily.example': true, 'sibling.example': true, 'bad.example': false },
  ],
  [
    'listProperties',
    [],
    {
      properties: (found) =>
        deepEqual(
          found.map((one) => [one.domain, one.source, one.property_count, one.agent_count]),
          [
            ['adstxt.example', 'adagents_json', 1, 1],
            ['daily.example', 'adagents_json', 3, 3],
            ['empty.example', 'adagents_json', 1, 0],
            ['manager.example', 'adagents_json', 0, 0],
            ['noclaim.example', 'discovered', 1, 0],
            ['point.example', 'adagents_json', 2, 2],
            ['revoked.example', 'adagents_json', 1, 0],
            ['sibling.example', 'discovered', 1, 0],
          ],
        ),
      stats: { total: 8, adagents_json: 6, discovered: 2, hosted: 0, community: 0, properties: 10 },
    },
  ],
  ['listProperties', [{ search: 'po', limit: 1 }], { properties: [{ domain: 'point.example' }] }],
  [
    'validateProperty',
    ['daily.example'],
    { valid: true, errors: [], status_code: 200, discovery_method: 'direct' },
  ],
  [
    'validateProperty',
    ['adstxt.example'],
    {
      valid: true,
      url: 'https://manager.example/.well-known/adagents.json',
      status_code: 200,
      discovery_method: 'ads_txt_managerdomain',
      manager_domain: 'manager.example',
    },
  ],
  ['validateProperty', ['bad.example'], { valid: false, status_code: 200 }],
  ['validateProperty', ['five.example'], { valid: false, status_code: 500 }],
  ['validateProperty', ['nobody.example'], { valid: false, status_code: 404 }],
  [
    'validatePublisher',
    ['daily.example'],
    {
      valid: true,
      agent_count: 4,
      property_count: 3,
      property_type_counts: { website: 1, podcast: 1, mobile_app: 1 },
      tag_count: 2,
    },
  ],
  ['validatePublisher', ['point.example'], { agent_count: 2, property_count: 3 }],
  ['validatePublisher', ['schema.example'], { valid: false, agent_count: 0 }],
  [
    'validateAdagents',
    ['daily.example'],
    { success: true, data: { found: true, validation: { valid: true, errors: [] } } },
  ],
  [
    'validateAdagents',
    ['schema.example'],
    {
      data: {
        found: true,
        validation: { valid: false, errors: [{ field: '/authorized_agents' }] },
      },
    },
  ],
  ['validateAdagents', ['five.example'], { data: { found: false, validation: { valid: false } } }],
  [
    'createAdagents',
    [
      {
        authorized_agents: [],
        properties: SECOND_SITES['empty.example']['/.well-known/adagents.json'].properties,
      },
    ],
    {
      success: true,
      data: { validation: { valid: true }, adagents_json: { authorized_agents: [] } },
    },
  ],
  ['createAdagents', [{ authorized_agents: [] }], refused(400)],
  ['getPropertyHistory', [{ domain: 'daily.example' }], { total: 0, revisions: [] }],
  [
    'listPublishers',
    [],
    {
      count: 6,
      publishers: some('daily.example', {
        agent_count: 3,
        has_valid_adagents: true,
        last_validated: time,
      }),
    },
  ],
  [
    'getRegistryStats',
    [],
    { publishers: 6, discovered: 2, properties: 10, authorized_agents: 4, brands: 12 },
  ],
]

const AUTHORIZATIONS = [
  [
    'lookupPublisher',
    ['daily.example'],
    {
      adagents_valid: true,
      discovery_method: 'direct',
      manager_domain: null,
      hosting: { mode: 'self', last_http_status: 200, last_validated: time },
      files: { adagents_json: { status: 'valid' }, brand_json: { status: 'present' } },
      properties: ids(['main', 'pod', 'app']),
      authorized_agents: [
        {
          url: ONE,
          source: 'adagents_json',
          properties_authorized: 1,
          properties_total: 3,
          publisher_wide: false,
        },
        { url: THREE },
        { url: TWO },
      ],
    },
  ],
  [
    'lookupPublisher',
    ['point.example'],
    {
      discovery_method: 'authoritative_location',
      manager_domain: 'cdn.example',
      hosting: { mode: 'self_redirected', resolved_url: 'https://cdn.example/pubs/point.json' },
    },
  ],
  [
    'lookupPublisher',
    ['adstxt.example'],
    { discovery_method: 'ads_txt_managerdomain', manager_domain: 'manager.example' },
  ],
  [
    'lookupPublisher',
    ['noclaim.example'],
    { adagents_valid: false, authorized_agents: [{ url: TWO, source: 'agent_claim' }] },
  ],
  [
    'lookupPublisher',
    ['schema.example'],
    { adagents_valid: false, hosting: { mode: 'self_invalid' } },
  ],
  [
    'lookupPublisher',
    ['nobody.example'],
    { adagents_valid: null, hosting: { mode: 'none' }, properties: [] },
  ],
  [
    'lookupDomain',
    ['daily.example'],
    { authorized_agents: urls(dailyAgents), sales_agents_claiming: [] },
  ],
  [
    'lookupDomain',
    ['noclaim.example'],
    { authorized_agents: [], sales_agents_claiming: urls([TWO]) },
  ],
  [
    'lookupDomains',
    [['daily.example', 'revoked.example']],
    {
      'daily.example': { authorized_agents: urls(dailyAgents) },
      'revoked.example': { authorized_agents: [] },
    },
  ],
  ...[
    ['domain', 'daily.example', [ONE]],
    ['subdomain', 'sport.daily.example', [ONE]],
    ['domain', 'sport.daily.example', []],
    ['rss_url', 'https://FEEDS.daily.example/Pod.xml', [TWO]],
    ['apple_podcast_id', '12345', [TWO]],
    ['ios_bundle', 'COM.daily.app', [THREE]],
    ['domain', 'noclaim.example', []],
  ].map(([type, value, agents]) => [
    'lookupPropertyByIdentifier',
    [type, value],
    { type, value, count: agents.length, agents: urls(agents) },
  ]),
  [
    'lookupPropertyIdentifiers',
    [
      [
        { type: 'ios_bundle', value: 'com.daily.app' },
        { type: 'ios_bundle', value: 'com.nobody' },
      ],
    ],
    { 'ios_bundle:com.daily.app': { count: 1 }, 'ios_bundle:com.nobody': { count: 0 } },
  ],
  ...[
    [ONE, ['daily.example', 'point.example', 'sibling.example']],
    [TWO, ['adstxt.example', 'daily.example', 'noclaim.example']],
    ['https://THREE.sellers.example:8443/Path/mcp/', ['daily.example', 'point.example']],
    ['https://three.sellers.example:8443/path/mcp', []],
    [EXPIRED, []],
  ].map(([agent, domains]) => ['getAgentDomains', [agent], { domains, count: domains.length }]),
  ...[
    [ONE, 'domain', 'daily.example', true],
    [ONE, 'domain', 'www.daily.example', true],
    [ONE, 'subdomain', 'sport.daily.example', true],
    [ONE, 'domain', 'sport.daily.example', false],
    [TWO, 'domain', 'daily.example', false],
    [TWO, 'apple_podcast_id', '12345', true],
    [THREE, 'ios_bundle', 'com.daily.app', true],
    [EXPIRED, 'domain', 'daily.example', false],
    [TWO, 'domain', 'adstxt.example', true],
    [TWO, 'domain', 'noclaim.example', false],
    [TWO, 'domain', 'revoked.example', false],
    [ONE, 'domain', 'sibling.example', false],
  ].map(([agent_url, identifier_type, identifier_value, authorized]) => [
    'validatePropertyAuthorization',
    [agent_url, identifier_type, identifier_value],
    { agent_url, identifier_type, identifier_value, authorized, checked_at: time },
  ]),
  [
    'validateProductAuthorization',
    [
      ONE,
      [
        { publisher_domain: 'daily.example', property_ids: ['main'] },
        { publisher_domain: 'point.example', property_types: ['website'] },
      ],
    ],
    {
      authorized: false,
      total_requested: 3,
      total_authorized: 2,
      coverage_percentage: 66,
      selectors: [
        { requested_count: 1, authorized_count: 1, unauthorized_items: [] },
        { requested_count: 2, authorized_count: 1, unauthorized_items: ['p2'] },
      ],
    },
  ],
  [
    'validateProductAuthorization',
    [TWO, [{ publisher_domain: 'daily.example', tags: ['audio'] }]],
    { authorized: true, coverage_percentage: 100 },
  ],
  [
    'validateProductAuthorization',
    [TWO, [{ publisher_domain: 'revoked.example' }]],
    { authorized: false },
  ],
  [
    'expandProductIdentifiers',
    [ONE, [{ publisher_domain: 'daily.example' }, { publisher_domain: 'point.example' }]],
    {
      property_count: 2,
      identifier_count: 3,
      identifiers: [
        { type: 'domain', value: 'daily.example', property_id: 'main' },
        { type: 'subdomain', value: 'sport.daily.example', property_id: 'main' },
        { type: 'domain', value: 'point.example', publisher_domain: 'point.example' },
      ],
    },
  ],
  [
    'lookupOperator',
    ['sellers.example'],
    {
      agents: some(ONE, {
        name: 'One',
        type: 'sales',
        authorized_by: [
          { publisher_domain: 'daily.example', source: 'adagents_json' },
          { publisher_domain: 'point.example', source: 'adagents_json' },
          { publisher_domain: 'sibling.example', source: 'agent_claim' },
        ],
      }),
    },
  ],
  [
    'lookupOperator',
    ['daily.example'],
    { agents: [{ url: BRAND_AGENT, type: 'brand', authorized_by: [] }] },
  ],
]

const AGENTS = [
  [
    'listAgents',
    [{ type: 'sales', properties: true }],
    {
      count: 1,
      agents: [
        {
          url: ONE,
          name: 'One',
          type: 'sales',
          publisher_domains: ['daily.example', 'point.example'],
          property_summary: {
            total_count: 2,
            count_by_type: { website: 2 },
            tags: ['all'],
            publisher_count: 2,
          },
        },
      ],
    },
  ],
  ['listAgents', [{ type: 'signals' }], { count: 0, agents: [] }],
  [
    'searchAgents',
    [{ limit: 200 }],
    {
      results: some(ONE, {
        url: ONE,
        agent_url: ONE,
        type: 'sales',
        inventory_profile: { channels: ['display'], markets: ['US'], property_count: 2 },
        channels: ['display'],
        match: { matched_filters: [] },
      }),
      has_more: false,
      cursor: null,
    },
  ],
  [
    'searchAgents',
    [{ channels: 'audio,ctv' }],
    { results: [{ url: TWO, match: { matched_filters: ['channels'] } }] },
  ],
  ['searchAgents', [{ property_types: 'mobile_app' }], { results: [{ url: THREE }] }],
  ['searchAgents', [{ markets: 'US', tags: 'audio' }], { results: [] }],
  ['searchAgents', [{ min_properties: 2, type: 'sales' }], { results: [{ url: ONE }] }],
  ['discoverAgent', ['https://nobody.example/mcp'], refused(502)],
  ['getAgentFormats', ['https://nobody.example/mcp'], refused(502)],
  ['getAgentProducts', ['https://nobody.example/mcp'], refused(502)],
  [
    'getAgentCompliance',
    [ONE],
    { agent_url: ONE, status: 'unknown', last_checked_at: null, storyboards_total: 0 },
  ],
  ['getAgentStoryboardStatus', [ONE], { agent_url: ONE, storyboards: [], total_count: 0 }],
  ['getAgentStoryboardStatusBulk', [[ONE, TWO]], { agents: { [ONE]: [], [TWO]: [] } }],
]

const REST = [
  [
    'search',
    ['daily'],
    {
      brands: [{ domain: 'daily.example', name: 'Daily Planet' }],
      publishers: [{ domain: 'daily.example' }],
    },
  ],
  ['search', ['big house'], { brands: [{ domain: 'bighouse.example' }] }],
  ['search', ['pod of'], { properties: [{ name: 'pod of daily.example' }] }],
  [
    'lookupManifestRef',
    ['daily.example'],
    {
      success: true,
      found: true,
      reference: {
        reference_type: 'url',
        manifest_url: 'https://daily.example/.well-known/brand.json',
        agent_url: null,
        agent_id: null,
        verification_status: 'valid',
      },
    },
  ],
  [
    'lookupManifestRef',
    ['point.example', 'adagents.json'],
    { reference: { manifest_url: 'https://cdn.example/pubs/point.json' } },
  ],
  ['lookupManifestRef', ['nobody.example'], { success: false, found: false }],
  [
    'checkPropertyList',
    [['daily.example', 'WWW.point.example', 'DAILY.example/x', 'cdn.adnxs.com', 'nobody.example']],
    {
      summary: { total: 5, remove: 2, modify: 1, assess: 1, ok: 2 },
      remove: [
        { canonical: 'daily.example', reason: 'duplicate' },
        { canonical: 'cdn.adnxs.com', reason: 'blocked' },
      ],
      modify: [{ canonical: 'point.example', reason: 'www_stripped' }],
      assess: [{ domain: 'nobody.example' }],
      ok: [{ domain: 'daily.example' }, { domain: 'point.example' }],
    },
  ],
  ['getPropertyCheckReport', ['00000000-0000-4000-8000-000000000000'], refused(404)],
  ['requestCrawl', ['soon.example'], { message: 'Crawl request accepted', domain: 'soon.example' }],
  ['requestCrawl', ['daily.example'], refused(429)],
  ['requestCrawl', ['127.0.0.1'], refused(400)],
  ['getFeed', [{ types: 'publisher.*', limit: 1000 }], { has_more: false }],
  [
    'getFeed',
    [{ types: 'authorization.granted', limit: 1000 }],
    {
      events: (found) => {
        const { payload } = found.find((one) => one.payload.agent_url === ONE)
        fits(payload, {
          publisher_domain: 'daily.example',
          authorization_type: 'property_ids',
          property_ids: ['main'],
          countries: ['US'],
          exclusive: true,
          delegation_type: 'direct',
          signing_keys: [PIN],
          evidence: 'adagents_json',
        })
        equal(
          found.some((one) => one.payload.agent_url === EXPIRED),
          false,
        )
      },
    },
  ],
]

const policy = {
  policy_id: 'no_tobacco',
  version: '2.0.0',
  name: 'No tobacco',
  category: 'standard',
  enforcement: 'should',
  policy: 'No ads for tobacco',
  jurisdictions: ['FR'],
}
const CHANGES = [
  ['saveBrand', [{ domain: 'nova.example', brand_name: 'Nova' }], { success: true }],
  ['lookupBrand', ['nova.example'], { brand_name: 'Nova', source: 'community' }],
  ['getBrandHistory', [{ domain: 'nova.example' }], { domain: 'nova.example', total: 0 }],
  ['saveBrand', [{ domain: 'daily.example', brand_name: 'Mine' }], refused(409)],
  [
    'saveProperty',
    [
      {
        publisher_domain: 'shop.example',
        authorized_agents: [{ url: ONE }],
        properties: [{ type: 'website', name: 'Shop' }],
      },
    ],
    { success: true },
  ],
  [
    'lookupProperty',
    ['shop.example'],
    { source: 'hosted', authorized_agents: [], properties: [{ type: 'website', name: 'Shop' }] },
  ],
  [
    'saveProperties',
    [[{ publisher_domain: 'daily.example', authorized_agents: [] }]],
    { 'daily.example': { error: (text) => ok(text.includes('(409)')) } },
  ],
  ['savePolicy', [policy], { success: true, policy_id: 'no_tobacco', revision_number: null }],
  ['resolvePolicy', [{ policy_id: 'no_tobacco' }], { ...policy, source_type: 'community' }],
  ['resolvePolicy', [{ policy_id: 'no_tobacco', version: '1.0.0' }], null],
  [
    'listPolicies',
    [{ jurisdiction: 'FR' }],
    { policies: [{ policy_id: 'no_tobacco' }], stats: { total: 1, standard: 1, regulation: 0 } },
  ],
  [
    'resolvePoliciesBulk',
    [{ policy_ids: ['no_tobacco', 'none'] }],
    { results: { no_tobacco: { version: '2.0.0' }, none: null } },
  ],
  ['getPolicyHistory', [{ policy_id: 'no_tobacco' }], { total: 0, revisions: [] }],
]

const GROUPS = { BRANDS, PROPERTIES, AUTHORIZATIONS, AGENTS, REST, CHANGES }

export async function secondWalk({ url, key, step, client: make }) {
  const client = make(new RegistryClient({ baseUrl: url, apiKey: key }))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: ONE, type: 'sales', visibility: 'public', name: 'One' })
  const listed = await fetch(`${url}/api/me/agents`, { method: 'POST', headers, body })
  ok(listed.ok)
  for (const [group, calls] of Object.entries(GROUPS)) {
    for (const [n, [method, args, expected]] of calls.entries()) {
      await step(`${group.toLowerCase()} ${n + 1}: ${method}`, () =>
        one(client, { method, args, expected }),
      )
    }
  }
  await step('getPropertyCheckReport of a check', async () => {
    const { report_id, summary } = await client.checkPropertyList(['daily.example'])
    deepEqual((await client.getPropertyCheckReport(report_id)).summary, summary)
  })
  await replicaSteps(client, step)
  await step('paths that are not served', () => notServed(url))
}

async function one(client, { method, args, expected }) {
  const answer = await client[method](...args).then(
    (value) => ({ value }),
    (error) => ({ error: String(error) }),
  )
  if (expected?.refused)
    return ok(answer.error?.includes(`(${expected.refused})`), String(answer.error))
  if (answer.error) throw new Error(answer.error)
  fits(answer.value, expected)
}

async function replicaSteps(client, step) {
  await step('RegistrySync', async () => {
    const sync = new RegistrySync({ client })
    await sync.start()
    sync.stop()
    equal(sync.getStats().authorizations, 6)
    equal(sync.isAuthorized(TWO, 'adstxt.example'), true)
    equal(sync.isAuthorized(TWO, 'noclaim.example'), false)
    equal(sync.isAuthorized(EXPIRED, 'daily.example'), false)
    deepEqual(
      sync.findAgents({ channels: ['audio'] }).map((agent) => agent.url),
      [TWO],
    )
    deepEqual(
      sync.getAuthorizationsForAgent(THREE).map((entry) => entry.authorization_type),
      ['inline_properties', 'property_ids'],
    )
  })
  await step('PropertyRegistry', async () => {
    const registry = new PropertyRegistry({ registryClient: client })
    await registry.start()
    registry.stop()
    urls(dailyAgents.toSorted())(
      registry.findAgentsByDomain('daily.example').toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    )
    equal(registry.isAuthorized(ONE, 'point.example'), true)
    equal(registry.getAgent(ONE).type, 'sales')
  })
}

/** Clients take a 404 for "there is none". */
async function notServed(url) {
  const paths = [
    ['GET', '/api/storyboards'],
    ['GET', '/api/.well-known/jwks.json'],
    ['GET', `/api/registry/agents/${encodeURIComponent(ONE)}/monitoring/settings`],
    ['PUT', `/api/registry/agents/${encodeURIComponent(ONE)}/lifecycle`],
    ['POST', '/api/brands/setup-my-brand'],
    ['PUT', '/api/registry/catalog/collections/one'],
    ['POST', '/api/registry/catalog/disputes'],
  ]
  for (const [method, path] of paths) {
    equal((await fetch(url + path, { method })).status, 501, `${method} ${path}`)
  }
}
