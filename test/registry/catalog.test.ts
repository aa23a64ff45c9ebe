import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../support/app.ts'
import { crawl, crawling } from '../support/crawl.ts'
import { eventually } from '../support/eventually.ts'
import { startWeb, type Web } from '../support/web.ts'

const AGENT = 'https://ads.seller.example/mcp'
interface Described {
  id: string
  name?: string
  identifiers: [type: string, value: string][]
}
const fileOf = (properties: Described[]) => ({
  body: {
    authorized_agents: [
      {
        url: AGENT,
        authorized_for: 'display',
        authorization_type: 'property_tags',
        property_tags: ['all'],
      },
    ],
    properties: properties.map(({ id, name = id, identifiers }) => ({
      property_id: id,
      property_type: 'website',
      name,
      identifiers: identifiers.map(([type, value]) => ({ type, value })),
      tags: ['all'],
    })),
  },
})

describe.each(['sqlite', 'postgres'] as const)('the catalogue of properties [%s]', (store) => {
  let web: Web
  let app: TestApp
  let key: string
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({ store, config: crawling(web.egressHosts), resolveTxt: web.resolveTxt })
    key = (await app.organization('Acme')).key
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const publish = async (domain: string, properties: Described[] | undefined) => {
    const url = `https://${domain}/.well-known/adagents.json`
    web.publish(url, properties ? fileOf(properties) : { status: 404, body: 'none' })
    await crawl(app, domain)
    await eventually(async () => {
      const { read } = app.storage.database
      expect(await read.all('SELECT id FROM catalog_marks', [])).toEqual([])
    })
  }
  const resolve = (
    identifiers: [string, string][],
    more: object = {},
    caller: string | undefined = key,
  ) =>
    ask('/api/registry/resolve', {
      ...(caller ? { key: caller } : {}),
      body: {
        identifiers: identifiers.map(([type, value]) => ({ type, value })),
        provenance: { type: 'member_assertion' },
        ...more,
      },
    })
  const ridOf = async (type: string, value: string): Promise<string | null> => {
    const { body } = await resolve([[type, value]], { mode: 'lookup' })
    return (body.resolved as { property_rid: string | null }[])[0]?.property_rid ?? null
  }
  const entryOf = (rid: string | null) => ask(`/api/registry/catalog/properties/${rid}`)
  const eventsOf = async (rid: string | null) => {
    const { body } = await ask('/api/registry/feed?types=property.*&limit=10000', { key })
    const events = body.events as { event_type: string; entity_id: string; payload: object }[]
    return events.filter(({ entity_id }) => entity_id === rid)
  }

  test('spec 4.5: a property keeps its id when it is renamed, moved and crawled again', async () => {
    await publish('pa.example', [
      { id: 'site', identifiers: [['domain', 'pa.example']] },
      { id: 'app', identifiers: [['ios_bundle', 'com.pa.app']] },
    ])
    const site = await ridOf('domain', 'WWW.pa.example')
    const app1 = await ridOf('ios_bundle', 'COM.pa.app')
    expect(site).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(app1).not.toBe(site)
    expect((await entryOf(site)).body).toEqual({
      property_rid: site,
      property_id: 'site',
      publisher_domain: 'pa.example',
      classification: 'property',
      source: 'authoritative',
      status: 'active',
      identifiers: [{ type: 'domain', value: 'pa.example' }],
      alias_rid: null,
    })
    // Renamed: its identifier stays. Moved: its name stays.
    await publish('pa.example', [
      { id: 'home', identifiers: [['domain', 'pa.example']] },
      { id: 'app', identifiers: [['ios_bundle', 'com.pa.app2']] },
    ])
    expect(await ridOf('domain', 'pa.example')).toBe(site)
    expect(await ridOf('ios_bundle', 'com.pa.app2')).toBe(app1)
    expect(await ridOf('ios_bundle', 'com.pa.app')).toBeNull()
    expect((await entryOf(site)).body.property_id).toBe('home')
    const changes = (await eventsOf(site)).map(({ event_type, payload }) => [
      event_type,
      (payload as { changed_fields?: string[] }).changed_fields,
    ])
    expect(changes).toEqual([
      ['property.created', undefined],
      ['property.updated', ['property_id', 'name']],
    ])
    expect((await eventsOf(app1)).at(-1)?.payload).toMatchObject({
      property_rid: app1,
      publisher_domain: 'pa.example',
      identifiers: [{ type: 'ios_bundle', value: 'com.pa.app2' }],
      classification: 'property',
      source: 'authoritative',
      changed_fields: ['identifiers'],
    })
  })

  test('spec 4.5: a property that leaves the file comes back under its id', async () => {
    await publish('pc.example', [{ id: 'one', identifiers: [['domain', 'pc.example']] }])
    const rid = await ridOf('domain', 'pc.example')
    await publish('pc.example', undefined)
    expect((await entryOf(rid)).body.status).toBe('removed')
    await publish('pc.example', [{ id: 'one', identifiers: [['domain', 'pc.example']] }])
    expect(await ridOf('domain', 'pc.example')).toBe(rid)
    expect((await entryOf(rid)).body.status).toBe('active')
    expect((await eventsOf(rid)).map(({ event_type }) => event_type)).toEqual([
      'property.created',
      'property.stale',
      'property.reactivated',
    ])
  })

  test('spec 4.5: a merge leaves an alias that resolves, however often it is repeated', async () => {
    const given: [string, string][] = [
      ['domain', 'pm.example'],
      ['ios_bundle', 'com.pm'],
      ['roku_store_id', '777'],
    ]
    const contributed = await resolve(given)
    const rids = (contributed.body.resolved as { property_rid: string }[]).map(
      ({ property_rid }) => property_rid,
    )
    expect(new Set(rids).size).toBe(3)
    await publish('pm.example', [{ id: 'all', identifiers: given.slice(0, 2) }])
    const first = await ridOf('domain', 'pm.example')
    // The publisher now says that the third one is the same, too.
    await publish('pm.example', [{ id: 'all', identifiers: given }])
    for (const [type, value] of given) expect(await ridOf(type, value)).toBe(first)
    for (const rid of rids) {
      const { body } = await entryOf(rid)
      expect([body.property_rid, body.alias_rid]).toEqual([first, rid === first ? null : rid])
    }
    const merged = (await eventsOf(first)).filter(({ event_type }) => event_type.endsWith('merged'))
    expect(merged.map(({ payload }) => payload)).toEqual(
      rids
        .filter((rid) => rid !== first)
        .map((alias_rid) =>
          expect.objectContaining({ alias_rid, canonical_rid: first, evidence: 'adagents_json' }),
        ),
    )
  })

  test('spec 4.5: no publisher takes over the property of another by its file', async () => {
    await publish('victim.example', [
      {
        id: 'site',
        identifiers: [
          ['domain', 'victim.example'],
          ['ios_bundle', 'com.victim'],
        ],
      },
    ])
    const site = await ridOf('domain', 'victim.example')
    await publish('thief.example', [
      {
        id: 'site',
        identifiers: [
          ['domain', 'victim.example'],
          ['subdomain', 'shop.victim.example'],
          ['ios_bundle', 'com.victim'],
          ['domain', 'unclaimed.example'],
          ['domain', 'thief.example'],
        ],
      },
    ])
    expect(await ridOf('domain', 'victim.example')).toBe(site)
    expect(await ridOf('ios_bundle', 'com.victim')).toBe(site)
    const thief = await ridOf('domain', 'thief.example')
    expect(thief).not.toBe(site)
    expect(await ridOf('domain', 'unclaimed.example')).toBe(thief)
    // What was only said of a domain ends when the domain speaks for itself, and the thief's id stays with the thief.
    await publish('unclaimed.example', [
      { id: 'mine', identifiers: [['domain', 'unclaimed.example']] },
    ])
    const own = await ridOf('domain', 'unclaimed.example')
    expect(own).not.toBe(thief)
    expect((await entryOf(own)).body.publisher_domain).toBe('unclaimed.example')
    await publish('victim.example', [
      {
        id: 'site',
        identifiers: [
          ['domain', 'victim.example'],
          ['subdomain', 'shop.victim.example'],
        ],
      },
    ])
    expect(await ridOf('subdomain', 'shop.victim.example')).toBe(site)
  })

  test('spec 4.5: a file with thousands of properties and identifiers of others holds nobody up', async () => {
    const many = 3_000
    await publish('large.example', [
      ...Array.from(
        { length: many },
        (_, n): Described => ({
          id: `p${n}`,
          identifiers: [
            ['subdomain', `p${n}.large.example`],
            ['domain', 'victim.example'],
          ],
        }),
      ),
    ])
    const first = await ridOf('subdomain', 'p0.large.example')
    const last = await ridOf('subdomain', `p${many - 1}.large.example`)
    expect([first === null, last === null, first === last]).toEqual([false, false, false])
    const { body } = await ask('/api/registry/catalog?search=p&identifier_type=subdomain')
    expect(body.total).toBe(many)
    expect((await entryOf(await ridOf('domain', 'victim.example'))).body.publisher_domain).toBe(
      'victim.example',
    )
    await publish('large.example', undefined)
    expect((await entryOf(first)).body.status).toBe('removed')
  }, 120_000)

  test('spec 4.5: identifiers are resolved in their order, and unknown ones contributed', async () => {
    const given: [string, string][] = [
      ['domain', 'https://WWW.new.example/path'],
      ['domain', 'new.example'],
      ['domain', 'ads.doubleclick.net'],
      ['domain', 'no domain'],
      ['domain', 'pa.example'],
    ]
    const lookup = await resolve(given, { mode: 'lookup' })
    expect(lookup.body.summary).toEqual({
      total: 5,
      resolved: 1,
      created: 0,
      excluded: 2,
      not_found: 2,
    })
    const { status, body } = await resolve(given)
    expect(status).toBe(200)
    expect(body.summary).toEqual({ total: 5, resolved: 3, created: 2, excluded: 2, not_found: 0 })
    const resolved = body.resolved as { property_rid: string; classification: string }[]
    expect(resolved.map((one) => one.classification)).toEqual([
      'property',
      'property',
      'ad_infra',
      'unclassified',
      'property',
    ])
    expect(resolved[0]?.property_rid).toBe(resolved[1]?.property_rid)
    expect(resolved[0]).toMatchObject({ status: 'created', source: 'contributed' })
    expect((await resolve([['domain', 'new.example']])).body.summary).toMatchObject({
      created: 0,
      resolved: 1,
    })
    expect((await resolve(given, {}, 'sk_of_nobody')).status).toBe(401)
    expect((await resolve([['shoe_size', '44']])).status).toBe(400)
    expect((await resolve([])).status).toBe(400)
  })

  test('spec 4.5: the catalogue is read in pages, and by what changed', async () => {
    const all: string[] = []
    let cursor = ''
    do {
      const { body } = await ask(
        `/api/registry/catalog?status=active&limit=3${cursor && `&cursor=${cursor}`}`,
      )
      all.push(...(body.entries as { property_rid: string }[]).map((one) => one.property_rid))
      cursor = (body.next_cursor as string | null) ?? ''
    } while (cursor)
    expect(all).toEqual([...new Set(all)].sort())
    const { body } = await ask('/api/registry/catalog?search=PA.example&identifier_type=domain')
    expect([body.total, (body.entries as { property_id: string }[])[0]?.property_id]).toEqual([
      1,
      'home',
    ])
    expect((await ask('/api/registry/catalog?source=contributed')).body.total).toBe(1)
    expect((await ask('/api/registry/catalog?classification=network')).body.total).toBe(0)
    const since = '2020-01-01T00:00:00Z'
    const changed: string[] = []
    let next = ''
    do {
      const page = await ask(
        `/api/registry/catalog/sync?since=${since}&limit=10000${next && `&cursor=${next}`}`,
      )
      const entries = page.body.entries as { property_rid: string; status: string }[]
      const active = entries.filter(({ status }) => status === 'active')
      changed.push(...active.map((one) => one.property_rid))
      next = (page.body.next_cursor as string | null) ?? ''
    } while (next)
    expect(changed.sort()).toEqual(all)
    const page = async (more: string) =>
      (await ask(`/api/registry/catalog/sync?since=${since}&limit=2${more}`)).body as {
        entries: { property_rid: string }[]
        next_cursor: string
      }
    const one = await page('')
    const two = await page(`&cursor=${one.next_cursor}`)
    const both = [...one.entries, ...two.entries].map(({ property_rid }) => property_rid)
    expect(new Set(both).size).toBe(4)
    const now = new Date().toISOString()
    expect((await ask(`/api/registry/catalog/sync?since=${now}`)).body.entries).toEqual([])
    for (const bad of ['', '?since=never', `?since=${since}&cursor=x`, `?since=${since}&limit=0`]) {
      expect((await ask(`/api/registry/catalog/sync${bad}`)).status).toBe(400)
    }
    expect((await entryOf('none')).status).toBe(404)
  })
})
