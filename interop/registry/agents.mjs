// Agents: the list, the search, and the client that keeps a copy of both in step.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { PropertyRegistry, RegistryClient, RegistrySync } from '../sdk.mjs'

const AGENTS = 7

export async function agentChecks({ url, key, step }) {
  const client = new RegistryClient({ baseUrl: url, apiKey: key })
  const stranger = new RegistryClient({ baseUrl: url, apiKey: 'sk_of_nobody' })
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
}

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
