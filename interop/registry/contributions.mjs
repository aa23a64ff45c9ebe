// What callers bring: saved brands and properties with their history, policies, lists to check, files to write; and the feed.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { PropertyRegistry, RegistryClient, RegistrySync } from '../sdk.mjs'
import { LATE, MANAGED, SELL } from './world.mjs'

export async function contributionChecks({ url, key, step, client: make }) {
  const client = make(new RegistryClient({ baseUrl: url, apiKey: key }))
  const stranger = make(new RegistryClient({ baseUrl: url, apiKey: 'sk_of_nobody' }))
  await savedSteps({ client, stranger, step })
  await policySteps({ client, stranger, step })
  await toolSteps({ client, step })
  await feedSteps({ client, stranger, step })
}

async function savedSteps({ client, stranger, step }) {
  await step('saveBrand and getBrandHistory', async () => {
    const first = await client.saveBrand({
      domain: 'WWW.saved.example',
      brand_name: 'Saved',
      brand_manifest: { tagline: 'One' },
    })
    deepEqual([first.success, first.domain], [true, 'saved.example'])
    ok(first.id)
    deepEqual(await client.getBrandHistory({ domain: 'saved.example' }), {
      domain: 'saved.example',
      total: 0,
      revisions: [],
    })
    const brand = await client.lookupBrand('saved.example')
    deepEqual([brand.brand_name, brand.source], ['Saved', 'community'])
    for (const name of ['Saved again', 'Saved at last']) {
      await client.saveBrand({ domain: 'saved.example', brand_name: name })
    }
    const { total, revisions } = await client.getBrandHistory({ domain: 'saved.example', limit: 1 })
    deepEqual([total, revisions.length, revisions[0].revision_number], [2, 1, 2])
    equal(revisions[0].is_rollback, false)
    ok(revisions[0].editor_name && revisions[0].edit_summary && revisions[0].created_at)
    const rest = await client.getBrandHistory({ domain: 'saved.example', limit: 5, offset: 1 })
    deepEqual(
      rest.revisions.map((one) => one.revision_number),
      [1],
    )
    equal((await client.lookupBrand('saved.example')).brand_name, 'Saved at last')
    equal(await client.getBrandHistory({ domain: 'nobody.example' }), null)
  })
  await step('saveBrand refused', async () => {
    const save = (domain, by = client) => by.saveBrand({ domain, brand_name: 'Mine' })
    await rejects(save('gazette.example'), /\(409\)/)
    await rejects(save('co.uk'), /\(400\)/)
    await rejects(save('gmail.com'), /\(400\)/)
    await rejects(save('no domain'), /\(400\)/)
    await rejects(save('stranger.example', stranger), /\(401\)/)
    equal(await client.lookupBrand('stranger.example'), null)
  })
  await step('saveProperty, saveProperties and getPropertyHistory', async () => {
    const saved = await client.saveProperties([
      {
        publisher_domain: 'blog.example',
        authorized_agents: [{ url: SELL }],
        properties: [{ type: 'website', name: 'The Blog' }],
        contact: { name: 'Blogger', email: 'me@blog.example' },
      },
      { publisher_domain: 'gazette.example', authorized_agents: [] },
    ])
    equal(saved['blog.example'].success, true)
    ok(saved['blog.example'].id)
    ok(saved['gazette.example'].error.includes('(409)'))
    const found = await client.lookupProperty('blog.example')
    deepEqual(
      [found.source, found.verified, found.authorized_agents, found.properties[0].name],
      // It describes the blog, and authorizes nobody.
      ['hosted', false, [], 'The Blog'],
    )
    await client.saveProperty({
      publisher_domain: 'blog.example',
      authorized_agents: [],
      properties: [
        { type: 'website', name: 'The Blog' },
        { type: 'rss', name: 'Its feed' },
      ],
    })
    const history = await client.getPropertyHistory({ domain: 'blog.example' })
    deepEqual([history.total, history.revisions[0].revision_number], [1, 1])
    equal((await client.getPropertyHistory({ domain: 'gazette.example' })).total, 0)
    equal(await client.getPropertyHistory({ domain: 'nobody.example' }), null)
    const [listed] = (await client.listProperties({ search: 'blog.' })).properties
    deepEqual([listed.source, listed.property_count, listed.agent_count], ['community', 2, 0])
    await rejects(
      stranger.saveProperty({ publisher_domain: 'other.example', authorized_agents: [] }),
      /\(401\)/,
    )
  })
  await step('enrichBrand has nobody to ask', async () => {
    await rejects(client.enrichBrand('gazette.example'), /\(503\)/)
  })
}

async function policySteps({ client, stranger, step }) {
  const policy = {
    policy_id: 'no_gambling',
    version: '1.0.0',
    name: 'No gambling',
    category: 'regulation',
    enforcement: 'must',
    policy: 'No ads for gambling',
    jurisdictions: ['DE'],
    policy_categories: ['gambling'],
    governance_domains: ['creative'],
    channels: ['display'],
    exemplars: { pass: [{ scenario: 'Shoes', explanation: 'No game' }], fail: [] },
  }
  await step('savePolicy, resolvePolicy and getPolicyHistory', async () => {
    const saved = await client.savePolicy(policy)
    deepEqual([saved.success, saved.policy_id, saved.revision_number], [true, 'no_gambling', null])
    const found = await client.resolvePolicy({ policy_id: 'no_gambling' })
    for (const [name, value] of Object.entries(policy)) deepEqual(found[name], value, name)
    deepEqual([found.source_type, found.guidance, found.ext], ['community', null, null])
    const next = { ...policy, version: '1.1.0', policy: 'No ads for gambling at all' }
    equal((await client.savePolicy(next)).revision_number, 1)
    const text = async (version) =>
      (await client.resolvePolicy({ policy_id: 'no_gambling', ...(version && { version }) }))
        ?.policy
    equal(await text(), next.policy)
    equal(await text('1.0.0'), policy.policy)
    equal(await text('9.9.9'), undefined)
    equal(await client.resolvePolicy({ policy_id: 'nothing' }), null)
    equal((await client.getPolicyHistory({ policy_id: 'no_gambling' })).total, 1)
    equal(await client.getPolicyHistory({ policy_id: 'nothing' }), null)
    await rejects(client.savePolicy({ ...policy, policy_id: 'Bad-Id' }), /\(400\)/)
    await rejects(stranger.savePolicy({ ...policy, policy_id: 'other' }), /\(401\)/)
  })
  await step('listPolicies and resolvePoliciesBulk', async () => {
    const ids = async (filter) =>
      (await client.listPolicies(filter)).policies.map(({ policy_id }) => policy_id)
    deepEqual(await ids({ search: 'gambl' }), ['no_gambling'])
    deepEqual(await ids({ jurisdiction: 'DE', domain: 'creative', enforcement: 'must' }), [
      'no_gambling',
    ])
    deepEqual(await ids({ category: 'standard' }), [])
    const { policies, stats } = await client.listPolicies({ policy_category: 'gambling' })
    equal('policy' in policies[0], false)
    deepEqual(stats, { total: 1, regulation: 1, standard: 0 })
    const { results } = await client.resolvePoliciesBulk({ policy_ids: ['no_gambling', 'nothing'] })
    deepEqual([results.no_gambling.version, results.nothing], ['1.1.0', null])
  })
}

async function toolSteps({ client, step }) {
  await step('checkPropertyList and getPropertyCheckReport', async () => {
    const { report_id, summary, ...found } = await client.checkPropertyList([
      'gazette.example',
      'https://www.gazette.example/a',
      'm.harbor.example',
      'securepubads.g.doubleclick.net',
      'nobody.example',
      'NOBODY.example',
      'inland.example',
    ])
    deepEqual(summary, { total: 7, remove: 3, modify: 1, assess: 1, ok: 3 })
    deepEqual(
      found.remove.map(({ canonical, reason }) => [canonical, reason]),
      [
        ['gazette.example', 'duplicate'],
        ['securepubads.g.doubleclick.net', 'blocked'],
        ['nobody.example', 'duplicate'],
      ],
    )
    equal(found.remove[1].domain_type, 'ad_server')
    deepEqual(found.modify, [
      { input: 'm.harbor.example', canonical: 'harbor.example', reason: 'm_stripped' },
    ])
    deepEqual(found.assess, [{ domain: 'nobody.example' }])
    deepEqual(
      found.ok.map(({ domain, source }) => [domain, source]),
      [
        ['gazette.example', 'adagents_json'],
        ['harbor.example', 'adagents_json'],
        ['inland.example', 'discovered'],
      ],
    )
    deepEqual((await client.getPropertyCheckReport(report_id)).summary, summary)
    await rejects(client.getPropertyCheckReport('none'), /\(404\)/)
    const many = Array.from({ length: 10_000 }, (_, n) => `nobody-${n}.example`)
    equal((await client.checkPropertyList(many)).summary.assess, 10_000)
  })
  await step('validateAdagents', async () => {
    const of = async (domain) => {
      const { success, data, timestamp } = await client.validateAdagents(domain)
      deepEqual([success, data.domain], [true, domain])
      ok(Date.parse(timestamp) > 0)
      return [data.found, data.validation.valid]
    }
    deepEqual(await of('gazette.example'), [true, true])
    deepEqual(await of('harbor.example'), [true, true])
    deepEqual(await of('tables.example'), [true, true])
    deepEqual(await of('broken.example'), [true, false])
    deepEqual(await of('wrong.example'), [true, false])
    deepEqual(await of('nobody.example'), [false, false])
  })
  await step('createAdagents', async () => {
    const properties = [
      {
        property_id: 'site',
        property_type: 'website',
        name: 'Site',
        identifiers: [{ type: 'domain', value: 'site.example' }],
        publisher_domain: 'site.example',
      },
    ]
    const agent = { url: SELL, authorized_for: 'Display' }
    const { data } = await client.createAdagents({
      authorized_agents: [agent],
      properties,
      include_schema: true,
      include_timestamp: true,
    })
    const file = data.adagents_json
    deepEqual([data.validation.valid, data.validation.errors], [true, []])
    deepEqual(file.properties, properties)
    deepEqual(file.authorized_agents, [
      { ...agent, authorization_type: 'property_ids', property_ids: ['site'] },
    ])
    ok(file.$schema && Date.parse(file.last_updated) > 0)
    const bare = await client.createAdagents({
      authorized_agents: [agent],
      include_schema: false,
      include_timestamp: false,
    })
    deepEqual(bare.data.adagents_json, { authorized_agents: [agent] })
    // It authorizes nothing, and is not called valid.
    equal(bare.data.validation.valid, false)
    await rejects(client.createAdagents({ authorized_agents: [] }), /\(400\)/)
    await rejects(client.createAdagents({ authorized_agents: [{ url: 'no url' }] }), /\(400\)/)
  })
  await step('requestCrawl', async () => {
    const { message, domain, crawl_request_id } = await client.requestCrawl('WWW.new.example')
    deepEqual([message, domain], ['Crawl request accepted', 'new.example'])
    ok(crawl_request_id)
    await rejects(client.requestCrawl('new.example'), /\(429\)/)
    await rejects(client.requestCrawl('localhost'), /\(400\)/)
  })
}

async function feedSteps({ client, stranger, step }) {
  await step('getFeed', async () => {
    const seen = []
    let cursor
    let page
    do {
      page = await client.getFeed({ limit: 5, ...(cursor && { cursor }) })
      ok(page.events.length <= 5)
      seen.push(...page.events)
      cursor = page.cursor
    } while (page.has_more)
    equal(new Set(seen.map(({ event_id }) => event_id)).size, seen.length)
    deepEqual(
      seen.map(({ event_id }) => event_id),
      seen.map(({ event_id }) => event_id).sort(),
    )
    const { events, has_more } = await client.getFeed({ types: 'publisher.*', limit: 1_000 })
    equal(has_more, false)
    ok(events.every(({ event_type }) => event_type.startsWith('publisher.')))
    const gazette = events.find(({ entity_id }) => entity_id === 'gazette.example')
    equal(gazette.event_type, 'publisher.adagents_discovered')
    deepEqual((await client.getFeed({ cursor })).events, [])
    await rejects(client.getFeed({ cursor: 'none' }), /\(400\)/)
    await rejects(client.getFeed({ cursor: '01800000-0000-7000-8000-000000000000' }), /\(410\)/)
    await rejects(stranger.getFeed(), /\(401\)/)
  })
  await step('RegistrySync knows who may sell', async () => {
    const sync = new RegistrySync({ client })
    await sync.start()
    sync.stop()
    const domains = (agent) =>
      sync
        .getAuthorizationsForAgent(agent)
        .map(({ publisher_domain }) => publisher_domain)
        .sort()
    deepEqual(domains(SELL), ['gazette.example', 'xn--mnchen-3ya.example'])
    deepEqual(domains(MANAGED), ['harbor.example', 'tables.example'])
    const [entry] = sync
      .getAuthorizationsForDomain('gazette.example')
      .filter(({ agent_url }) => agent_url === SELL)
    deepEqual(
      [entry.authorization_type, entry.property_ids, entry.countries],
      ['property_ids', ['gazette_site', 'gazette_tv'], ['DE', 'AT']],
    )
    equal(sync.isAuthorized(MANAGED, 'inland.example'), false)
    equal(sync.isAuthorized(MANAGED, 'gone.example'), false)
    equal(sync.isAuthorized(LATE, 'gazette.example'), false)
  })
  await step('PropertyRegistry knows who may sell', async () => {
    const registry = new PropertyRegistry({ registryClient: client })
    await registry.start()
    registry.stop()
    equal(registry.isAuthorized(SELL, 'gazette.example'), true)
    equal(registry.isAuthorized(SELL, 'harbor.example'), false)
    equal(registry.getAuthorizationsForDomain('tables.example').length, 1)
    ok(registry.getStats().authorizations >= 5)
    ok(registry.getStats().lastSync instanceof Date)
  })
}
