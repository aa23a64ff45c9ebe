// Publishers and properties: who may sell for whom, by files of each kind that a publisher may have.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { RegistryClient } from '../sdk.mjs'
import { LATE, MANAGED, OTHER, SELL } from './world.mjs'

const GAZETTE = 'gazette.example'
const GAZETTE_IDS = ['gazette_site', 'gazette_app', 'gazette_tv']

export async function publisherChecks({ url, key, step, client: make }) {
  const client = make(new RegistryClient({ baseUrl: url, apiKey: key }))
  await propertySteps({ client, step })
  await publisherSteps({ client, step })
  await agentSteps({ client, step })
  await productSteps({ client, step })
  await searchSteps({ client, step })
}

async function propertySteps({ client, step }) {
  await step('lookupProperty', async () => {
    const { authorized_agents, properties, ...rest } = await client.lookupProperty(GAZETTE)
    deepEqual(rest, {
      publisher_domain: GAZETTE,
      source: 'adagents_json',
      contact: { name: 'Gazette Sales', email: 'sales@gazette.example' },
      verified: true,
    })
    deepEqual(authorized_agents, [
      { url: OTHER, authorized_for: 'Everything that is open' },
      { url: SELL, authorized_for: 'Display and video' },
    ])
    deepEqual(
      properties.map(({ id }) => id),
      GAZETTE_IDS,
    )
    deepEqual(properties[1].identifiers, [
      { type: 'ios_bundle', value: 'com.gazette.app' },
      { type: 'google_play_id', value: 'com.gazette.app' },
    ])
    deepEqual(properties[2], {
      id: 'gazette_tv',
      type: 'ctv_app',
      name: 'Gazette TV',
      identifiers: [{ type: 'roku_store_id', value: '41468' }],
      tags: ['premium'],
    })
  })
  await step('lookupProperty by other spellings', async () => {
    const found = await client.lookupProperty(GAZETTE)
    for (const domain of ['WWW.Gazette.example', 'https://gazette.example:8080/a?b', `${GAZETTE}.`])
      deepEqual(await client.lookupProperty(domain), found)
    const city = await client.lookupProperty('München.example')
    equal(city.publisher_domain, 'xn--mnchen-3ya.example')
    equal(await client.lookupProperty('nobody.example'), null)
    await rejects(client.lookupProperty('no domain'), /\(400\)/)
    await rejects(client.lookupProperty('127.0.0.1'), /\(400\)/)
  })
  await step('lookupProperty of what a manager says', async () => {
    const ids = async (domain) => {
      const found = await client.lookupProperty(domain)
      const agents = found.authorized_agents.map((agent) => agent.url)
      return [found.source, found.verified, found.properties.map(({ id }) => id), agents]
    }
    deepEqual(await ids('harbor.example'), [
      'adagents_json',
      true,
      ['harbor_site', 'harbor_news'],
      [MANAGED],
    ])
    deepEqual(await ids('tables.example'), ['adagents_json', true, ['tables_site'], [MANAGED]])
    // Its own site says nothing, so nobody is authorized.
    deepEqual(await ids('inland.example'), ['discovered', false, ['inland_site'], []])
    deepEqual((await ids('gone.example'))[3], [])
  })
  await step('lookupProperties, lookupPropertiesAll and domainsExist', async () => {
    const sent = [GAZETTE, 'WWW.GAZETTE.example', 'nobody.example', 'no domain', '__proto__']
    const found = await client.lookupProperties(sent)
    deepEqual(Object.keys(found), sent)
    deepEqual(found['WWW.GAZETTE.example'], found[GAZETTE])
    deepEqual([found['nobody.example'], found['no domain']], [null, null])
    const many = Array.from({ length: 250 }, (_, n) => `nobody-${n}.example`)
    const all = await client.lookupPropertiesAll([...many, GAZETTE])
    equal(Object.keys(all).length, 251)
    equal(all[GAZETTE].verified, true)
    deepEqual(await client.domainsExist([GAZETTE, 'nobody.example', 'broken.example']), {
      [GAZETTE]: true,
      'nobody.example': false,
      'broken.example': false,
    })
  })
  await step('listProperties', async () => {
    const { properties, stats } = await client.listProperties({ search: 'GAZ' })
    deepEqual(properties, [
      {
        domain: GAZETTE,
        source: 'adagents_json',
        property_count: 3,
        agent_count: 2,
        verified: true,
      },
    ])
    ok(stats.total >= 7)
    const all = (await client.listProperties()).properties.map(({ domain }) => domain)
    const pages = []
    for (let offset = 0; offset < all.length; offset += 2) {
      const page = await client.listProperties({ limit: 2, offset })
      pages.push(...page.properties.map(({ domain }) => domain))
    }
    deepEqual(pages, all)
    deepEqual((await client.listProperties({ search: 'nobody' })).properties, [])
    await rejects(client.listProperties({ limit: 5_001 }), /\(400\)/)
  })
  await step('validateProperty', async () => {
    const good = await client.validateProperty(GAZETTE)
    deepEqual([good.valid, good.domain, good.errors, good.status_code], [true, GAZETTE, [], 200])
    equal(good.raw_data.properties.length, 3)
    const pointed = await client.validateProperty('harbor.example')
    deepEqual([pointed.valid, pointed.url], [true, 'https://network.example/harbor.json'])
    for (const domain of ['broken.example', 'nobody.example', 'down.example']) {
      const { valid, errors } = await client.validateProperty(domain)
      equal(valid, false)
      ok(errors.length > 0)
    }
  })
}

async function publisherSteps({ client, step }) {
  await step('listPublishers', async () => {
    const { publishers, count } = await client.listPublishers()
    equal(count, publishers.length)
    const gazette = publishers.find(({ domain }) => domain === GAZETTE)
    deepEqual([gazette.agent_count, gazette.has_valid_adagents], [2, true])
    ok(Date.parse(gazette.last_validated) > 0)
    equal(
      publishers.some(({ domain }) => domain === 'broken.example'),
      false,
    )
  })
  await step('getRegistryStats', async () => {
    const { publishers, properties, brands } = await client.getRegistryStats()
    ok(publishers >= 7 && properties >= 8 && brands >= 7)
  })
  await step('lookupPublisher', async () => {
    const found = await client.lookupPublisher('www.gazette.example')
    deepEqual(
      [found.domain, found.adagents_valid, found.discovery_method, found.hosting.mode],
      [GAZETTE, true, 'direct', 'self'],
    )
    equal(found.files.adagents_json.status, 'valid')
    equal(found.files.brand_json.status, 'present')
    deepEqual(
      found.properties.map(({ id, source }) => [id, source]),
      GAZETTE_IDS.map((id) => [id, 'adagents_json']),
    )
    deepEqual(
      found.authorized_agents.map((one) => [one.url, one.source, one.properties_authorized]),
      [
        [OTHER, 'adagents_json', 2],
        [SELL, 'adagents_json', 2],
      ],
    )
  })
  await step('lookupPublisher of those in need', async () => {
    const of = async (domain) => {
      const { adagents_valid, hosting, manager_domain } = await client.lookupPublisher(domain)
      return [adagents_valid, hosting.mode, manager_domain]
    }
    deepEqual(await of('harbor.example'), [true, 'self_redirected', 'network.example'])
    deepEqual(await of('broken.example'), [false, 'self_invalid', null])
    deepEqual(await of('down.example'), [null, 'none', null])
    deepEqual(await of('nobody.example'), [null, 'none', null])
    const inland = await client.lookupPublisher('inland.example')
    deepEqual(
      [inland.properties[0].source, inland.authorized_agents[0].source],
      ['discovered', 'agent_claim'],
    )
  })
  await step('lookupDomain and lookupDomains', async () => {
    const urls = (agents) => agents.map((agent) => agent.url)
    const found = await client.lookupDomain('GAZETTE.example')
    equal(found.domain, GAZETTE)
    deepEqual(urls(found.authorized_agents), [OTHER, SELL])
    deepEqual(found.sales_agents_claiming, [])
    const all = await client.lookupDomains([
      'inland.example',
      'gone.example',
      'nobody.example',
      'no domain',
    ])
    deepEqual(Object.keys(all), ['inland.example', 'gone.example', 'nobody.example'])
    deepEqual(urls(all['inland.example'].authorized_agents), [])
    deepEqual(urls(all['inland.example'].sales_agents_claiming), [MANAGED])
    deepEqual(all['gone.example'].authorized_agents, [])
  })
}

async function agentSteps({ client, step }) {
  await step('lookupPropertyByIdentifier and lookupPropertyIdentifiers', async () => {
    const agents = async (type, value) => {
      const found = await client.lookupPropertyByIdentifier(type, value)
      deepEqual([found.type, found.value, found.count], [type, value, found.agents.length])
      return found.agents.map((agent) => agent.url)
    }
    deepEqual(await agents('domain', GAZETTE), [OTHER, SELL])
    deepEqual(await agents('domain', 'WWW.Gazette.example'), [OTHER, SELL])
    deepEqual(await agents('ios_bundle', 'com.gazette.app'), [OTHER])
    deepEqual(await agents('roku_store_id', '41468'), [SELL])
    deepEqual(await agents('domain', 'sub.gazette.example'), [])
    deepEqual(await agents('domain', 'inland.example'), [])
    deepEqual(await agents('ios_bundle', 'com.nobody'), [])
    const both = await client.lookupPropertyIdentifiers([
      { type: 'roku_store_id', value: '41468' },
      { type: 'domain', value: 'nobody.example' },
    ])
    deepEqual(
      Object.entries(both).map(([name, { count }]) => [name, count]),
      [
        ['roku_store_id:41468', 1],
        ['domain:nobody.example', 0],
      ],
    )
  })
  await step('getAgentDomains', async () => {
    const domains = async (agent) => (await client.getAgentDomains(agent)).domains
    deepEqual(await domains(SELL), [GAZETTE, 'xn--mnchen-3ya.example'])
    deepEqual(await domains('https://SELL.agents.example:443/mcp/'), await domains(SELL))
    deepEqual(await domains(MANAGED), ['harbor.example', 'inland.example', 'tables.example'])
    deepEqual(await domains(LATE), [])
    deepEqual(await domains('https://nobody.example/mcp'), [])
    await rejects(client.getAgentDomains('no url'), /\(400\)/)
  })
  await step('validatePropertyAuthorization', async () => {
    const may = async (...question) => {
      const answer = await client.validatePropertyAuthorization(...question)
      deepEqual([answer.agent_url, answer.identifier_type, answer.identifier_value], question)
      ok(Date.parse(answer.checked_at) > 0)
      return answer.authorized
    }
    equal(await may(SELL, 'domain', GAZETTE), true)
    equal(await may(SELL, 'domain', 'www.gazette.example'), true)
    equal(await may(SELL, 'ios_bundle', 'com.gazette.app'), false)
    equal(await may(OTHER, 'ios_bundle', 'com.gazette.app'), true)
    equal(await may(MANAGED, 'domain', 'harbor.example'), true)
    equal(await may(MANAGED, 'domain', 'tables.example'), true)
    equal(await may(MANAGED, 'domain', 'inland.example'), false)
    equal(await may(MANAGED, 'domain', 'gone.example'), false)
    equal(await may(LATE, 'domain', GAZETTE), false)
    equal(await may('https://nobody.example/mcp', 'domain', GAZETTE), false)
    equal(await may(SELL, 'domain', 'nobody.example'), false)
  })
}

async function productSteps({ client, step }) {
  const of = (more = {}) => ({ publisher_domain: GAZETTE, ...more })
  await step('validateProductAuthorization', async () => {
    const may = async (agent, ...selectors) =>
      (await client.validateProductAuthorization(agent, selectors)).authorized
    equal(await may(SELL, of({ property_ids: ['gazette_site', 'gazette_tv'] })), true)
    equal(await may(SELL, of({ property_ids: ['gazette_site', 'gazette_app'] })), false)
    equal(await may(SELL, of()), false)
    equal(await may(OTHER, of({ tags: ['mobile'] }), of({ property_types: ['website'] })), true)
    equal(await may(OTHER, of({ tags: ['premium'] })), false)
    equal(await may(SELL, of({ property_types: ['ctv_app'] })), true)
    equal(await may(SELL, { publisher_domain: 'nobody.example' }), false)
    equal(await may(LATE, of({ property_ids: ['gazette_site'] })), false)
    equal(await may(SELL), false)
    const half = await client.validateProductAuthorization(SELL, [
      of({ property_ids: ['gazette_site', 'gazette_app'] }),
    ])
    equal(half.coverage_percentage, 50)
    deepEqual(half.selectors[0].unauthorized_items, ['gazette_app'])
  })
  await step('expandProductIdentifiers', async () => {
    const found = await client.expandProductIdentifiers(OTHER, [of()])
    deepEqual(
      found.identifiers.map(({ type, value, property_id }) => [type, value, property_id]),
      [
        ['domain', GAZETTE, 'gazette_site'],
        ['ios_bundle', 'com.gazette.app', 'gazette_app'],
        ['google_play_id', 'com.gazette.app', 'gazette_app'],
      ],
    )
    deepEqual([found.property_count, found.identifier_count], [2, 3])
    ok(Date.parse(found.generated_at) > 0)
    equal((await client.expandProductIdentifiers(LATE, [of()])).identifier_count, 0)
  })
}

async function searchSteps({ client, step }) {
  await step('search', async () => {
    const found = await client.search('gazette')
    for (const kind of ['brands', 'publishers', 'properties']) {
      ok(
        found[kind].some(({ domain }) => domain === GAZETTE),
        kind,
      )
    }
    deepEqual(
      (await client.search('Gazette TV')).properties.map(({ name }) => name),
      ['Gazette TV'],
    )
    ok((await client.search('das blatt')).brands.some(({ domain }) => domain === GAZETTE))
    deepEqual(await client.search('nobody'), { brands: [], publishers: [], properties: [] })
    await rejects(client.search('g'), /\(400\)/)
  })
  await step('lookupManifestRef', async () => {
    const found = async (...question) => {
      const { reference } = await client.lookupManifestRef(...question)
      return reference && [reference.manifest_url, reference.verification_status]
    }
    deepEqual(await found(GAZETTE), ['https://gazette.example/.well-known/brand.json', 'valid'])
    deepEqual(await found(GAZETTE, 'adagents.json'), [
      'https://gazette.example/.well-known/adagents.json',
      'valid',
    ])
    deepEqual(await found('harbor.example', 'adagents.json'), [
      'https://network.example/harbor.json',
      'valid',
    ])
    equal(await found('nobody.example'), undefined)
    equal(await found(GAZETTE, 'no such type'), undefined)
  })
  await step('validatePublisher', async () => {
    const good = await client.validatePublisher(GAZETTE)
    deepEqual([good.valid, good.agent_count, good.property_count, good.tag_count], [true, 3, 3, 3])
    deepEqual(good.property_type_counts, { website: 1, mobile_app: 1, ctv_app: 1 })
    equal((await client.validatePublisher('harbor.example')).property_count, 3)
    equal((await client.validatePublisher('nobody.example')).valid, false)
  })
}
