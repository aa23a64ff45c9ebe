// Agents: the list, the search, what is found out by calling and examining one, and the client that keeps a copy in step.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { PropertyRegistry, RegistryClient, RegistrySync } from '../sdk.mjs'
import { LATE, MANAGED, OTHER, SELL } from './world.mjs'

const AGENTS = 7

export async function agentChecks({ url, key, step, client: make }) {
  const client = make(new RegistryClient({ baseUrl: url, apiKey: key }))
  const stranger = make(new RegistryClient({ baseUrl: url, apiKey: 'sk_of_nobody' }))
  const mine = Array.from({ length: AGENTS }, (_, n) => `https://agent-${n}.example/mcp`)
  for (const [n, agent] of mine.toReversed().entries()) {
    const type = n % 2 === 0 ? 'sales' : 'creative'
    await put(`${url}/api/me/agents`, key, {
      url: agent,
      type,
      visibility: 'public',
      name: `Agent ${agent}`,
    })
  }
  const ofType = (type) =>
    mine.filter((_, n) => ((AGENTS - 1 - n) % 2 === 0 ? 'sales' : 'creative') === type)

  await step('listAgents', async () => {
    const { agents, count, sources } = await stranger.listAgents()
    deepEqual(ours(agents), mine)
    equal(count, agents.length)
    equal(sources.registered, agents.length)
    equal(agents.find((agent) => agent.url === mine[0]).name, `Agent ${mine[0]}`)
  })
  await step('listAgents by type', async () => {
    const { agents } = await client.listAgents({ type: 'creative', properties: true })
    deepEqual(ours(agents), ofType('creative'))
    deepEqual((await client.listAgents({ type: 'governance' })).agents, [])
  })
  await step('searchAgents page by page', async () => {
    const seen = []
    let cursor
    do {
      const page = await client.searchAgents({ limit: 3, ...(cursor && { cursor }) })
      ok(page.results.length <= 3)
      seen.push(...page.results)
      cursor = page.has_more ? page.cursor : undefined
    } while (cursor)
    deepEqual(ours(seen), mine)
    const [first] = seen.filter((agent) => agent.url === mine[0])
    equal(first.inventory_profile.property_count, 0)
    equal(first.agent_url, first.url)
  })
  await step('searchAgents by type and by inventory', async () => {
    deepEqual(ours((await client.searchAgents({ type: 'sales' })).results), ofType('sales'))
    deepEqual((await client.searchAgents({ channels: 'display' })).results, [])
  })
  await step('RegistrySync keeps in step', async () => {
    const sync = new RegistrySync({ client, pollIntervalMs: 100 })
    await sync.start()
    try {
      equal(sync.state, 'syncing')
      deepEqual(ours(sync.getAgents()).sort(), mine)
      equal(sync.getAgent(mine[0]).type, ofType('sales').includes(mine[0]) ? 'sales' : 'creative')
      deepEqual(ours(sync.findAgents({ type: 'creative' })).sort(), ofType('creative'))
      const changed = new Promise((resolve) => sync.once('sync', resolve))
      const late = 'https://agent-late.example/mcp'
      await put(`${url}/api/me/agents`, key, { url: late, type: 'signals', visibility: 'public' })
      await changed
      equal(sync.getAgent(late).type, 'signals')
      const gone = new Promise((resolve) => sync.once('sync', resolve))
      const one = `${url}/api/me/agents/${encodeURIComponent(late)}`
      await put(one, key, { visibility: 'private' }, 'PATCH')
      await put(one, key, undefined, 'DELETE')
      await gone
    } finally {
      sync.stop()
    }
  })
  await step('PropertyRegistry starts', async () => {
    const registry = new PropertyRegistry({ registryClient: client })
    await registry.start()
    registry.stop()
    equal(registry.getAgent(mine[0]).url, mine[0])
    equal(registry.isAuthorized(mine[0], 'nobody.example'), false)
  })
  await callSteps({ client, url, step })
  await complianceSteps({ client, stranger, url, key, step })
}

/** Agents that are called while one waits: the server's own. */
async function callSteps({ client, url, step }) {
  const agent = `${url}/mcp`
  await step('discoverAgent', async () => {
    const { name, protocols, type, tools, tools_count, stats } = await client.discoverAgent(agent)
    ok(name.length > 0)
    deepEqual([protocols, type, tools_count], [['mcp', 'a2a'], 'sales', tools.length])
    const names = tools.map((tool) => tool.name)
    for (const task of ['get_products', 'list_creative_formats', 'get_signals']) {
      ok(names.includes(task), task)
    }
    equal(stats.format_count, (await client.getAgentFormats(agent)).formats.length)
  })
  await step('getAgentFormats', async () => {
    const { success, formats } = await client.getAgentFormats(agent)
    equal(success, true)
    ok(formats.length > 10)
    for (const { format_id, name } of formats) ok(format_id.id && format_id.agent_url && name)
  })
  await step('getAgentProducts', async () => {
    const answer = await client.getAgentProducts(agent).catch((error) => String(error))
    // Products of this agent are for those who have a key, and the registry sends none.
    if (typeof answer === 'string') return match(answer, /\(502\).*could not be called/)
    equal(answer.success, true)
    for (const { product_id, name } of answer.products) ok(product_id && name)
  })
  await step('agents that cannot be called', async () => {
    for (const method of ['discoverAgent', 'getAgentFormats', 'getAgentProducts']) {
      await rejects(client[method](NEVER), /\(502\)/, method)
      await rejects(client[method]('ftp://a.example'), /\(400\)/, method)
      await rejects(client[method]('no url'), /\(400\)/, method)
    }
  })
}

const NEVER = 'https://never.example/mcp'

async function complianceSteps({ client, stranger, url, key, step }) {
  const agent = `${url}/mcp`
  const path = `${url}/api/registry/agents/${encodeURIComponent(agent)}`
  const read = async (what, init) => {
    const response = await fetch(`${path}/${what}`, init)
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  await put(`${url}/api/me/agents`, key, { url: agent, type: 'sales', visibility: 'public' })
  await step('getAgentCompliance of one that was never examined', async () => {
    for (const one of [agent, NEVER]) {
      const { agent_url, status, last_checked_at, tracks, ...rest } =
        await client.getAgentCompliance(one)
      deepEqual([agent_url, status, last_checked_at, tracks], [one, 'unknown', null, {}])
      deepEqual([rest.storyboards_passing, rest.storyboards_total, rest.streak_days], [0, 0, 0])
      deepEqual([rest.headline, rest.storyboard_statuses], [null, []])
    }
    await rejects(client.getAgentCompliance('no url'), /\(400\)/)
    deepEqual((await client.getAgentStoryboardStatus(agent)).storyboards, [])
    const [, , text] = await read('verification')
    const { verified, badges, withheld } = JSON.parse(text)
    deepEqual([verified, badges, withheld[0].role], [false, [], 'media-buy'])
  })
  await step('getAgentCompliance of one that was examined', async () => {
    const headers = { authorization: `Bearer ${key}` }
    const refresh = () => read('refresh', { method: 'POST', headers })
    const [first, second] = await Promise.all([refresh(), refresh()])
    // An agent is examined once at a time.
    deepEqual([first[0], second[0]].sort(), [200, 409], `${first[2]} ${second[2]}`)
    const found = await client.getAgentCompliance(agent)
    ok(['passing', 'degraded', 'failing'].includes(found.status))
    equal(found.agent_url, agent)
    ok(found.headline.length > 0)
    equal(found.status_changed_at, found.last_checked_at)
    equal(found.storyboards_total, found.storyboard_statuses.length)
    const passing = found.storyboard_statuses.filter(({ status }) => status === 'passing')
    equal(found.storyboards_passing, passing.length)
    equal(Object.keys(found.tracks).length, found.storyboards_total)
    deepEqual(await stranger.getAgentCompliance(agent), found)
    for (const one of found.storyboard_statuses) equal(one.first_failure_message, null)
  })
  await step('listAgents with health and capabilities', async () => {
    const { agents } = await stranger.listAgents({ health: true, capabilities: true })
    const own = agents.find((one) => one.url === agent)
    const { tools } = await client.discoverAgent(agent)
    equal(own.protocol, 'mcp')
    deepEqual([own.health.online, own.health.tools_count], [true, tools.length])
    ok(own.health.response_time_ms > 0)
    equal(own.health.checked_at.slice(0, 10), new Date().toISOString().slice(0, 10))
    deepEqual([own.stats.property_count, own.stats.publishers], [0, []])
    ok(own.stats.creative_formats > 10)
    equal(own.capabilities.tools_count, tools.length)
    equal(own.capabilities.standard_operations.can_create_order, true)
    equal(own.capabilities.creative_capabilities.can_preview, true)
    equal(own.capabilities.signals_capabilities.can_activate, true)
    // One that was never called: nothing is made up.
    const never = agents.find((one) => one.url === 'https://agent-0.example/mcp')
    deepEqual([never.health, never.capabilities], [undefined, undefined])
    const { results } = await client.searchAgents({ limit: 200 })
    const { status } = await client.getAgentCompliance(agent)
    equal(results.find((one) => one.url === agent).compliance_summary.status, status)
  })
  await step('getAgentStoryboardStatus and Bulk', async () => {
    const found = await client.getAgentStoryboardStatus(agent)
    const { storyboards_total, storyboards_passing } = await client.getAgentCompliance(agent)
    equal(found.agent_url, agent)
    deepEqual([found.total_count, found.passing_count], [storyboards_total, storyboards_passing])
    for (const one of found.storyboards) {
      equal(one.steps_total, one.steps_passed + one.failure_count)
      if (one.status === 'passing') equal(one.failure_count, 0)
      // Its owner reads what failed.
      equal(one.first_failed_step_id !== null, one.failure_count > 0)
    }
    const bulk = await client.getAgentStoryboardStatusBulk([agent, NEVER, 'no url', '__proto__'])
    deepEqual(Object.keys(bulk.agents).sort(), [agent, NEVER].sort())
    deepEqual(bulk.agents[agent], found.storyboards)
    deepEqual([bulk.agents[NEVER], bulk.invalid_urls], [[], 2])
    await rejects(stranger.getAgentStoryboardStatus(agent), /\(401\)/)
    await rejects(stranger.getAgentStoryboardStatusBulk([agent]), /\(401\)/)
  })
  await step('badges say what the compliance says', async () => {
    const { status } = await client.getAgentCompliance(agent)
    const verification = JSON.parse((await read('verification'))[2])
    equal(verification.verified, status === 'passing')
    equal(verification.badges.length + verification.withheld.length, 1)
    const [code, type, svg] = await read('badge/media-buy.svg')
    deepEqual([code, type], [200, 'image/svg+xml; charset=utf-8'])
    match(svg, status === 'passing' ? /: verified</ : /: not verified</)
    match((await read('badge/creative.svg'))[2], /: not verified</)
    const embedded = JSON.parse((await read('badge/media-buy/embed'))[2])
    equal(embedded.verified, verification.verified)
    equal((await fetch(embedded.badge_svg_url)).status, 200)
    equal((await read('badge/nothing.svg'))[0], 400)
  })
}

/** Of the world: what its publishers let each agent sell. */
export async function inventoryChecks({ url, key, step, client: make }) {
  const client = make(new RegistryClient({ baseUrl: url, apiKey: key }))
  const find = async (query) => {
    const { results } = await client.searchAgents({ limit: 200, ...query })
    return results.map((agent) => agent.url).filter((one) => WORLD.includes(one))
  }
  await put(`${url}/api/me/agents`, key, {
    url: SELL,
    type: 'sales',
    visibility: 'public',
    name: 'Sell',
  })
  await step('searchAgents has the inventory of the publishers', async () => {
    const { results } = await client.searchAgents({ limit: 200 })
    const of = (agent) => results.find((one) => one.url === agent)
    const { updated_at, ...sell } = of(SELL)
    const inventory = {
      channels: ['ctv', 'display'],
      property_types: ['ctv_app', 'website'],
      markets: ['AT', 'DE'],
      categories: [],
      category_taxonomy: null,
      tags: ['open', 'premium'],
      delivery_types: [],
      format_ids: [],
      format_kinds: [],
      property_count: 3,
      publisher_count: 2,
      has_tmp: false,
    }
    const score = Math.round(0.1 * Math.log(4) * 1_000_000) / 1_000_000
    deepEqual(sell, {
      url: SELL,
      name: 'Sell',
      type: 'sales',
      inventory_profile: inventory,
      match: { score, matched_filters: [] },
      agent_url: SELL,
      ...inventory,
      relevance_score: score,
      matched_filters: [],
    })
    ok(Date.parse(updated_at) > Date.now() - 600_000)
    const counts = (agent) => [of(agent).property_count, of(agent).publisher_count]
    deepEqual(
      [counts(OTHER), counts(MANAGED)],
      [
        [2, 1],
        [2, 2],
      ],
    )
    equal(of(OTHER).type, 'unknown')
    // Its authorization has ended.
    equal(of(LATE), undefined)
  })
  await step('searchAgents by each filter', async () => {
    deepEqual(await find({ channels: 'ctv' }), [SELL])
    deepEqual(await find({ channels: 'ctv,mobile' }), [SELL, OTHER])
    deepEqual(await find({ property_types: 'mobile_app' }), [OTHER])
    deepEqual(await find({ markets: 'AT' }), [SELL])
    deepEqual(await find({ tags: 'mobile,premium', channels: 'display' }), [SELL, OTHER])
    deepEqual(await find({ min_properties: 3 }), [SELL])
    deepEqual(await find({ min_properties: 1, type: 'sales' }), [SELL])
    deepEqual(await find({ has_tmp: false, channels: 'ctv' }), [SELL])
    for (const none of [
      { has_tmp: true },
      { categories: 'IAB1' },
      { delivery_types: 'guaranteed' },
    ])
      deepEqual(await find(none), [])
    const [found] = (await client.searchAgents({ channels: 'ctv', markets: 'DE' })).results
    deepEqual(found.match.matched_filters.sort(), ['channels', 'markets'])
    ok(found.match.score > 1)
  })
  await step('listAgents with properties', async () => {
    const { agents } = await client.listAgents({ properties: true, type: 'sales' })
    const sell = agents.find((agent) => agent.url === SELL)
    deepEqual(sell.publisher_domains, ['gazette.example', 'xn--mnchen-3ya.example'])
    deepEqual(sell.property_summary, {
      total_count: 3,
      count_by_type: { ctv_app: 1, website: 2 },
      tags: ['open', 'premium'],
      publisher_count: 2,
    })
    // Those that only publishers name are not registered.
    equal(
      agents.find((agent) => agent.url === OTHER),
      undefined,
    )
  })
  await step('lookupOperator', async () => {
    const { domain, agents } = await client.lookupOperator('WWW.agents.example')
    equal(domain, 'agents.example')
    const named = (agent) =>
      agents
        .find((one) => one.url === agent)
        ?.authorized_by.map(({ publisher_domain, source }) => `${publisher_domain} ${source}`)
    deepEqual(named(SELL), [
      'gazette.example adagents_json',
      'xn--mnchen-3ya.example adagents_json',
    ])
    deepEqual(named(OTHER), ['gazette.example adagents_json'])
    deepEqual(named(MANAGED), [
      'harbor.example adagents_json',
      'inland.example agent_claim',
      'tables.example adagents_json',
    ])
    const own = await client.lookupOperator('sell.agents.example')
    deepEqual(
      own.agents.map((agent) => [agent.url, agent.name, agent.type]),
      [[SELL, 'Sell', 'sales']],
    )
    deepEqual(await client.lookupOperator('nobody.example'), {
      domain: 'nobody.example',
      member: null,
      agents: [],
    })
    await rejects(client.lookupOperator('127.0.0.1'), /\(400\)/)
  })
}

const WORLD = [SELL, OTHER, LATE, MANAGED]

/** The demo may list agents of its own. */
const ours = (agents) =>
  agents.map(({ url }) => url).filter((one) => one.startsWith('https://agent-'))

async function put(url, key, body, method = 'POST') {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  ok(response.ok, `${method} ${url}: ${response.status}`)
}
