import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../../support/app.ts'

describe.each(['sqlite', 'postgres'] as const)('policies over HTTP [%s]', (store) => {
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
  const save = (overrides: object, by = key) =>
    ask('/api/policies/save', { key: by, body: { ...policy, ...overrides } })
  const resolve = (id: string, more = '', by?: string) =>
    ask(`/api/policies/resolve?policy_id=${id}${more}`, by === undefined ? {} : { key: by })
  const approve = (id: string, by = moderator) =>
    ask(`/api/registry/reviews/policy/${id}/approve`, { method: 'POST', key: by })
  const eventsOf = async (id: string, by = key) => {
    const { body } = await ask('/api/registry/feed?types=policy.*&limit=1000', { key: by })
    const events = body.events as { entity_id: string; event_type: string }[]
    return events.filter(({ entity_id }) => entity_id === id).map(({ event_type }) => event_type)
  }

  test('spec 4.5: a new policy waits for a review, and until then its contributor and moderators alone read it', async () => {
    const stranger = (await app.organization('Other')).key
    const saved = await save({ policy_id: 'new_one' })
    expect([saved.status, saved.body]).toEqual([
      200,
      {
        success: true,
        message: expect.stringContaining('moderator'),
        policy_id: 'new_one',
        revision_number: null,
      },
    ])
    expect((await resolve('new_one')).status).toBe(404)
    expect((await resolve('new_one', '', stranger)).status).toBe(404)
    expect((await resolve('new_one', '', 'sk_wrong')).status).toBe(404)
    expect((await resolve('new_one', '', key)).body).toMatchObject({ review_status: 'pending' })
    expect((await resolve('new_one', '', moderator)).status).toBe(200)
    expect(await eventsOf('new_one', stranger)).toEqual([])

    const again = await save({ policy_id: 'new_one', name: 'Changed' })
    expect([again.status, again.body]).toEqual([
      409,
      { error: expect.stringContaining('review'), policy_id: 'new_one' },
    ])
    expect((await approve('new_one')).status).toBe(200)
    expect((await resolve('new_one')).body).toMatchObject({
      policy_id: 'new_one',
      review_status: 'approved',
      source_type: 'community',
      policy: policy.policy,
      exemplars: { pass: [], fail: [] },
      ext: null,
    })
    expect(await eventsOf('new_one', stranger)).toEqual(['policy.approved'])
    expect(await eventsOf('new_one')).toEqual(['policy.created', 'policy.approved'])
    expect((await approve('new_one')).status).toBe(409)
  })

  test('a rejected policy is gone, and its id is free', async () => {
    await save({ policy_id: 'bad_one' })
    const path = '/api/registry/reviews/policy/bad_one/reject'
    expect((await ask(path, { method: 'POST', key })).status).toBe(403)
    expect((await ask(path, { method: 'POST' })).status).toBe(401)
    expect((await ask(path, { method: 'POST', key: moderator })).status).toBe(200)
    expect((await resolve('bad_one', '', key)).status).toBe(404)
    expect((await ask(path, { method: 'POST', key: moderator })).status).toBe(404)
    expect((await save({ policy_id: 'bad_one' })).status).toBe(200)
  })

  test('spec 4.5: an edit is a revision, and every version stays readable by its number', async () => {
    await save({ policy_id: 'versions', version: '1.0.0', policy: 'first' })
    await approve('versions')
    const history = () => ask('/api/policies/history?policy_id=versions')
    expect((await history()).body).toEqual({ policy_id: 'versions', total: 0, revisions: [] })

    const edited = await save({ policy_id: 'versions', version: '2.0.0', policy: 'second' })
    expect(edited.body).toMatchObject({ success: true, revision_number: 1 })
    expect((await resolve('versions')).body).toMatchObject({ version: '2.0.0', policy: 'second' })
    expect((await resolve('versions', '&version=1.0.0')).body).toMatchObject({
      version: '1.0.0',
      policy: 'first',
    })
    const missing = await resolve('versions', '&version=9')
    expect([missing.status, missing.body]).toEqual([
      404,
      { error: expect.any(String), policy_id: 'versions', current_version: '2.0.0' },
    ])
    expect((await history()).body).toMatchObject({
      total: 1,
      revisions: [
        {
          revision_number: 1,
          editor_name: 'Acme',
          edit_summary: 'changed policy (version 1.0.0 to 2.0.0)',
          is_rollback: false,
        },
      ],
    })
    // Nothing changed: nothing to report.
    const same = await save({ policy_id: 'versions', version: '2.0.0', policy: 'second' })
    expect(same.body).toMatchObject({ success: true, revision_number: null })
    expect(await eventsOf('versions')).toEqual([
      'policy.created',
      'policy.approved',
      'policy.updated',
    ])
  })

  test('the text of a published version is never changed', async () => {
    await save({ policy_id: 'pinned', version: '1.0.0', policy: 'first' }, moderator)
    const changed = await save({ policy_id: 'pinned', version: '1.0.0', policy: 'x' }, moderator)
    expect([changed.status, changed.body.policy_id]).toEqual([409, 'pinned'])
    expect(changed.body.error).toContain('version 1.0.0')
    await save({ policy_id: 'pinned', version: '2.0.0', policy: 'second' }, moderator)
    const old = await save({ policy_id: 'pinned', version: '1.0.0', policy: 'x' }, moderator)
    expect(old.status).toBe(409)
    const back = await save({ policy_id: 'pinned', version: '1.0.0', policy: 'first' }, moderator)
    expect(back.body).toMatchObject({ revision_number: 2 })
  })

  test('another organisation may not change an approved policy', async () => {
    await save({ policy_id: 'mine' })
    await approve('mine')
    const stranger = (await app.organization('Thief')).key
    const stolen = await save({ policy_id: 'mine', version: '6.6.6', policy: 'evil' }, stranger)
    expect(stolen.status).toBe(403)
    expect((await resolve('mine')).body.policy).toBe(policy.policy)
  })

  test('the list has no texts, and counts what matches', async () => {
    await save({ policy_id: 'listed', name: 'Zebra crossing', jurisdictions: ['NZ'] }, moderator)
    const listed = await ask('/api/policies/registry?jurisdiction=nz&limit=1000')
    expect(listed.body).toMatchObject({
      policies: [{ policy_id: 'listed', name: 'Zebra crossing' }],
      stats: { total: 1, regulation: 1, standard: 0 },
    })
    expect((listed.body.policies as object[])[0]).not.toHaveProperty('policy')
    expect((await ask('/api/policies/registry?search=ZEBRA')).body.stats).toMatchObject({
      total: 1,
    })
    for (const wrong of ['limit=1001', 'limit=0', 'offset=-1', 'category=law', 'limit=x']) {
      expect([wrong, (await ask(`/api/policies/registry?${wrong}`)).status]).toEqual([wrong, 400])
    }
  })

  test('many are resolved at once: null for what is unknown, waits, or is no id', async () => {
    await save({ policy_id: 'bulk_public' }, moderator)
    await save({ policy_id: 'bulk_waits' })
    const policy_ids = ['bulk_public', 'bulk_waits', 'nothing', 'constructor', 'NO ID']
    const { status, body } = await ask('/api/policies/resolve/bulk', { body: { policy_ids } })
    expect(status).toBe(200)
    const results = body.results as Record<string, { policy_id: string } | null>
    expect(Object.keys(results).sort()).toEqual([...policy_ids].sort())
    expect(results.bulk_public?.policy_id).toBe('bulk_public')
    for (const id of policy_ids.slice(1)) expect([id, results[id]]).toEqual([id, null])
    for (const wrong of [[], new Array(101).fill('a'), 'a', [7]]) {
      const answer = await ask('/api/policies/resolve/bulk', { body: { policy_ids: wrong } })
      expect(answer.status).toBe(400)
    }
  })

  test.each<[string, object]>([
    ['an id with capitals', { policy_id: 'Upper' }],
    ['an id that begins with a digit', { policy_id: '1a' }],
    ['no version', { version: undefined }],
    ['an empty name', { name: '' }],
    ['an unknown category', { category: 'law' }],
    ['an unknown enforcement', { enforcement: 'never' }],
    ['jurisdictions that are no list', { jurisdictions: 'EU' }],
    ['aliases that are a list', { region_aliases: ['EU'] }],
    ['a source that is no http URL', { source_url: 'javascript:alert(1)' }],
    ['a date that is none', { effective_date: 'soon' }],
    ['a text with NUL', { policy: 'a\0b' }],
    ['half a pair', { name: 'a\ud800' }],
    ['a list as ext', { ext: [] }],
  ])('spec 4.5: a policy with %s is refused', async (_what, overrides) => {
    const before = await app.count('policies')
    const answer = await save(overrides)
    expect([answer.status, answer.body.error]).toEqual([400, expect.any(String)])
    expect(await app.count('policies')).toBe(before)
  })

  test('without a credential nothing is saved, and the body is not read', async () => {
    const answer = await ask('/api/policies/save', { method: 'POST', body: '{' })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="http/)
  })

  test('moderators see what waits, with all of it', async () => {
    await save({ policy_id: 'queued' })
    const { body } = await ask('/api/registry/reviews?kind=policy&limit=100', { key: moderator })
    const queued = (body.reviews as { key: string }[]).find((one) => one.key === 'queued')
    expect(queued).toMatchObject({
      kind: 'policy',
      name: policy.name,
      content: { policy: policy.policy },
    })
    expect((await ask('/api/registry/reviews', { key })).status).toBe(403)
    expect((await ask('/api/registry/reviews')).status).toBe(401)
  })

  test('an organisation has a bounded number of policies that wait', async () => {
    const flood = (await app.organization('Flood')).key
    const answers: number[] = []
    for (let n = 0; n < 101; n++) {
      answers.push((await save({ policy_id: `flood_${n}` }, flood)).status)
    }
    expect(answers.slice(0, 100)).toEqual(new Array(100).fill(200))
    expect(answers[100]).toBe(429)
  })
})

const policy = {
  policy_id: 'some_policy',
  version: '1.0.0',
  name: 'Some policy',
  category: 'regulation',
  enforcement: 'must',
  policy: 'Say what is an ad.',
}
