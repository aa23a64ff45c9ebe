import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../../../support/app.ts'
import { crawling } from '../../../support/crawl.ts'
import { startWeb, type Web } from '../../../support/web.ts'

const AGENT = 'https://sell.example/mcp'
const property = (publisher_domain: string, property_id = 'home') => ({
  property_id,
  property_type: 'website',
  name: `Site ${publisher_domain}`,
  publisher_domain,
  identifiers: [{ type: 'domain', value: publisher_domain }],
})
const entry = {
  url: AGENT,
  authorized_for: 'display',
  authorization_type: 'property_ids',
  property_ids: ['home'],
}

interface Answer {
  success: boolean
  data: {
    found: boolean
    adagents_json: { authorized_agents: Record<string, unknown>[]; $schema?: string }
    validation: Record<string, unknown> & { valid: boolean; errors: { field: string }[] }
  }
}

describe('tools for an adagents.json', () => {
  let web: Web
  let app: TestApp
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({ config: crawling(web.egressHosts), resolveTxt: web.resolveTxt })
    const network = { authorized_agents: [entry], properties: [property('leaf.example')] }
    web.publish('https://manager.example/network.json', { body: network })
    web.publish('https://manager.example/.well-known/adagents.json', { body: network })
    const point = (domain: string, authoritative_location: string) =>
      web.publish(`https://${domain}/.well-known/adagents.json`, {
        body: { authoritative_location },
      })
    point('leaf.example', 'https://manager.example/network.json')
    point('lost.example', 'https://manager.example/nothing.json')
    web.publish('https://own.example/.well-known/adagents.json', {
      body: { authorized_agents: [entry], properties: [property('own.example')] },
    })
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const send = async (path: string, body: object) => {
    const answer = await call(`${app.url}${path}`, { body: body as Record<string, unknown> })
    return { ...answer, body: answer.body as unknown as Answer & { error: string } }
  }
  const validate = async (domain: string) => (await send('/api/adagents/validate', { domain })).body
  const create = (parts: object) => send('/api/adagents/create', parts)

  test('spec 4.5: the file of a domain is checked where it is served', async () => {
    const { success, data } = await validate('WWW.own.example')
    expect(success).toBe(true)
    expect(data).toMatchObject({
      domain: 'own.example',
      found: true,
      validation: { valid: true, errors: [], status_code: 200, summary: { property_count: 1 } },
    })
  })

  test('a pointer is followed, and what speaks for the domain is counted', async () => {
    const { data } = await validate('leaf.example')
    expect(data.validation).toMatchObject({
      valid: true,
      url: 'https://leaf.example/.well-known/adagents.json',
      resolved_url: 'https://manager.example/network.json',
      discovery_method: 'authoritative_location',
      manager_domain: 'manager.example',
      agent_count: 1,
      property_count: 1,
    })
  })

  test('a pointer to nothing makes a file invalid, and says where', async () => {
    const { data } = await validate('lost.example')
    expect(data.found).toBe(true)
    expect(data.validation.valid).toBe(false)
    expect(data.validation.errors[0]?.field).toBe('/authoritative_location')
  })

  test('a domain that no file speaks for has none', async () => {
    const { data } = await validate('nobody.example')
    expect(data).toMatchObject({ found: false, validation: { valid: false, status_code: 404 } })
    expect((await send('/api/adagents/validate', { domain: 'no domain' })).status).toBe(400)
  })

  test('a created file holds what was given, and says that it is valid', async () => {
    const parts = { authorized_agents: [entry], properties: [property('own.example')] }
    const { status, body } = await create({ ...parts, include_schema: true })
    expect(status).toBe(200)
    expect(body.data.adagents_json).toMatchObject(parts)
    expect(body.data.adagents_json.$schema).toMatch(/^https:/)
    expect(body.data.validation).toMatchObject({ valid: true, errors: [], warnings: [] })
  })

  test('an entry that does not say by what it authorizes gets what its members mean, or every property', async () => {
    const properties = [property('own.example', 'a'), property('own.example', 'b')]
    const short = { url: AGENT, authorized_for: 'display' }
    const { body } = await create({
      authorized_agents: [short, { ...short, property_tags: ['news'] }],
      properties,
    })
    expect(body.data.adagents_json.authorized_agents).toEqual([
      { ...short, authorization_type: 'property_ids', property_ids: ['a', 'b'] },
      { ...short, authorization_type: 'property_tags', property_tags: ['news'] },
    ])
  })

  test('what is missing and follows from nothing is named, and the file is not called valid', async () => {
    const { status, body } = await create({ authorized_agents: [{ url: AGENT }] })
    expect(status).toBe(200)
    expect(body.data.validation.valid).toBe(false)
    expect(body.data.validation.errors.map(({ field }) => field).sort()).toEqual([
      '/authorized_agents/0/authorization_type',
      '/authorized_agents/0/authorized_for',
    ])
  })

  test('what was given and is wrong is refused', async () => {
    const { status, body } = await create({ authorized_agents: [{ ...entry, url: 'no url' }] })
    expect(status).toBe(400)
    expect(body.error).toContain('/authorized_agents/0/url')
    expect((await create({ authorized_agents: [] })).status).toBe(400)
  })
})
