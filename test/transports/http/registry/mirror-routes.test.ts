import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'

const property = {
  property_id: 'app',
  property_type: 'website',
  name: 'Social',
  publisher_domain: 'social.example',
  identifiers: [{ type: 'domain', value: 'social.example' }],
}
const mirror = { properties: [property] }

function mirrorOf(overrides: object = {}) {
  return { properties: [property], ...overrides }
}

describe.each(['sqlite', 'postgres'] as const)('community mirrors over HTTP [%s]', (store) => {
  let app: TestApp
  let key: string
  let moderator: string
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    key = (await app.organization('Acme')).key
    moderator = await app.principal('operator')
  })
  afterAll(() => app.stop())

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const put = (platform: string, body: object, by = moderator) =>
    ask(`/api/registry/mirrors/${platform}`, { method: 'PUT', key: by, body })
  const served = (platform: string, headers = {}) =>
    ask(`/translated/${platform}/adagents.json`, { headers })
  const decide = (id: unknown, what: string, body: object, by = moderator) =>
    ask(`/api/registry/mirror-proposals/${id}/${what}`, { key: by, body })

  test('what a moderator puts is public at once, and authorizes no one', async () => {
    const evil = [{ url: 'https://evil.example/mcp', authorized_for: 'all' }]
    const done = await put('social', { ...mirror, authorized_agents: evil })
    expect([done.status, done.body]).toEqual([
      200,
      {
        success: true,
        platform: 'social',
        catalog_etag: null,
        superseded_by: null,
        publisher_domains: ['social.example'],
        updated_at: expect.any(String),
      },
    ])
    const read = await ask('/api/registry/mirrors/social')
    expect(read.body).toMatchObject({
      platform: 'social',
      adagents_json: { authorized_agents: [], properties: mirror.properties },
    })
    const listed = await ask('/api/registry/mirrors')
    expect(listed.body).toMatchObject({ mirrors: [{ platform: 'social' }], total: 1 })
  })

  test('the served file has an etag, and is not sent to a client that has it', async () => {
    await put('etagged', { ...mirror, catalog_etag: 'v1' })
    const first = await served('etagged')
    expect(first.status).toBe(200)
    expect(first.headers.get('etag')).toBe('"v1"')
    expect(first.headers.get('x-content-type-options')).toBe('nosniff')
    expect(first.body).toMatchObject({ authorized_agents: [], catalog_etag: 'v1' })
    expect((await served('etagged', { 'if-none-match': '"v1"' })).status).toBe(304)
    expect((await served('etagged', { 'if-none-match': 'W/"v0", W/"v1"' })).status).toBe(304)
    expect((await served('etagged', { 'if-none-match': '"v0"' })).status).toBe(200)
    expect((await served('nothing')).status).toBe(404)
    expect((await ask('/api/registry/mirrors/nothing')).status).toBe(404)

    const reused = await put('etagged', { ...mirror, contact: { name: 'B' }, catalog_etag: 'v1' })
    expect([reused.status, reused.body.error]).toEqual([400, expect.stringContaining('v1')])
    const plain = await put('hashed', mirror)
    expect(plain.status).toBe(200)
    const etag = (await served('hashed')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect((await served('hashed', { 'if-none-match': etag })).status).toBe(304)
  })

  test('what an organisation puts is a proposal that no one else sees until it is approved', async () => {
    const stranger = (await app.organization('Other')).key
    const done = await put('proposed', mirror, key)
    expect([done.status, done.body]).toEqual([
      202,
      {
        success: true,
        status: 'pending',
        proposal_id: expect.any(String),
        proposal_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        platform: 'proposed',
        status_url: `${app.url}/api/registry/mirror-proposals/${done.body.proposal_id}`,
        submitted_at: expect.any(String),
      },
    ])
    expect(done.headers.get('location')).toBe(done.body.status_url)
    expect((await served('proposed')).status).toBe(404)

    const { proposal_id: id, proposal_digest } = done.body
    const path = `/api/registry/mirror-proposals/${id}`
    expect((await ask(path)).status).toBe(401)
    expect((await ask(path, { key: stranger })).status).toBe(404)
    const read = await ask(path, { key })
    expect(read.body.proposal).toMatchObject({ id, status: 'pending', published_at: null })
    const queue = '/api/registry/mirror-proposals?review_queue=true&status=pending'
    expect((await ask(queue, { key })).status).toBe(403)
    expect((await ask(queue, { key: moderator })).body.total).toBe(1)
    const strangers = await ask('/api/registry/mirror-proposals', { key: stranger })
    expect(strangers.body).toEqual({ proposals: [], total: 0 })

    expect((await decide(id, 'approve', { proposal_digest }, key)).status).toBe(403)
    expect((await decide(id, 'approve', { proposal_digest: 'other' })).status).toBe(409)
    const approved = await decide(id, 'approve', { proposal_digest })
    expect([approved.status, approved.body]).toEqual([
      200,
      expect.objectContaining({ success: true, platform: 'proposed', proposal_id: id }),
    ])
    expect((await served('proposed')).status).toBe(200)
    expect((await decide(id, 'approve', { proposal_digest })).status).toBe(409)
    const kinds = await ask('/api/registry/feed?types=mirror.*&limit=1000', { key: stranger })
    const events = kinds.body.events as { entity_id: string; event_type: string }[]
    expect(
      events.filter((one) => one.entity_id === 'proposed').map((one) => one.event_type),
    ).toEqual(['mirror.published'])
  })

  test('a proposal that was made over something else is not approved', async () => {
    const { body } = await put('moved', mirror, key)
    await put('moved', { ...mirror, contact: { name: 'Now' } })
    const { proposal_id: id, proposal_digest } = body
    const answer = await decide(id, 'approve', { proposal_digest })
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringContaining('changed')])
    expect((await decide(id, 'reject', { proposal_digest })).status).toBe(400)
    const rejected = await decide(id, 'reject', { proposal_digest, review_notes: 'outdated' })
    expect(rejected.body).toMatchObject({
      success: true,
      proposal: { status: 'rejected', review_notes: 'outdated' },
    })
  })

  test('a mirror is withdrawn when it has a successor, or by force', async () => {
    const gone = (platform: string, more = '', by = moderator) =>
      ask(`/api/registry/mirrors/${platform}${more}`, { method: 'DELETE', key: by })
    await put('old', mirror)
    expect((await gone('old', '', key)).status).toBe(403)
    expect((await gone('old')).status).toBe(409)
    const superseded_by = 'https://social.example/.well-known/adagents.json'
    await put('old', { ...mirror, superseded_by })
    expect((await served('old')).headers.get('link')).toBe(
      `<${superseded_by}>; rel="successor-version"`,
    )
    expect((await gone('old')).body).toEqual({ success: true, platform: 'old' })
    expect((await gone('old')).status).toBe(404)
    await put('forced', mirror)
    expect((await gone('forced', '?force=true')).status).toBe(200)
    expect((await served('forced')).status).toBe(404)
  })

  test.each<[string, string, object]>([
    ['a platform with capitals', 'Social', mirrorOf()],
    ['a platform with a dot', 'a.b', mirrorOf()],
    ['nothing in it', 'empty', { properties: [] }],
    ['a list that is none', 'odd', { properties: {} }],
    ['a successor over http', 'odd', mirrorOf({ superseded_by: 'http://a.example/' })],
    ['an invented presentation', 'odd', { placements: [{ presentation_ref: { uri: 'x' } }] }],
    ['an invented preview', 'odd', { placements: [{ preview_provider: {} }] }],
    ['properties that break the schema', 'odd', { properties: [{ name: 7 }] }],
  ])('a mirror with %s is refused', async (_what, platform, body) => {
    for (const by of [key, moderator]) {
      const answer = await put(platform, body, by)
      expect([answer.status, answer.body.error]).toEqual([400, expect.any(String)])
    }
  })

  test('an organisation proposes mirrors of a bounded size, and a bounded number', async () => {
    const flood = (await app.organization('Flood')).key
    const large = await put('large', { formats: new Array(2_001).fill({}) }, flood)
    expect([large.status, large.body.error]).toEqual([413, expect.stringContaining('2001')])
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) statuses.push((await put(`flood_${n}`, mirror, flood)).status)
    expect(statuses).toEqual([...new Array(20).fill(202), 429])
  })

  test('without a credential nothing is proposed', async () => {
    const answer = await ask('/api/registry/mirrors/social', { method: 'PUT', body: mirror })
    expect(answer.status).toBe(401)
  })
})
