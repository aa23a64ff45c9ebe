import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import type { Signal } from '../../src/protocol/schemas/signal.ts'
import type { Activation } from '../../src/signals/activation-state.ts'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import { catalogueSignal } from '../support/memory-signals.ts'
import { callBy } from '../tasks/task-harness.ts'
import { type Json, nobody, PUBLIC_URL, signalsHarness } from './signals-harness.ts'

const sandbox = { type: 'platform', platform: 'sandbox' } as const
const openx = { type: 'platform', platform: 'openx' } as const
const key = { type: 'segment_id', segment_id: 'ox-77' } as const
/** spec 2.8: live by the catalogue, since it has been in there. */
const LIVE = { is_live: true, activation_key: key, deployed_at: '1970-01-01T00:00:00.000Z' }
const alice = callBy('alice')
const bob = callBy('bob')

const CATALOGUE: CatalogueSignal[] = [
  catalogueSignal(),
  catalogueSignal({
    signal_agent_segment_id: 'ev-owners',
    name: 'Electric Vehicle Owners',
    description: 'People who have an electric car registered.',
    data_provider: 'Garage Data',
    data_provider_domain: undefined,
    coverage_percentage: 3,
    countries: [],
    deployments: [
      { ...openx, is_live: true, activation_key: key },
      { ...sandbox, account: 'seat-1', is_live: true, activation_key: key },
    ],
  }),
  catalogueSignal({
    signal_agent_segment_id: 'crm electric/7',
    name: 'Electric crm of Alice',
    signal_type: 'owned',
    visibility: { principals: ['alice'] },
    pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm: 9, currency: 'EUR' }],
  }),
  catalogueSignal({
    signal_agent_segment_id: 'custom-electric',
    name: 'Custom electric audience',
    signal_type: 'custom',
    custom_pricing: { prn_bob: { cpm: 1.25, currency: 'EUR' } },
    pricing_options: [
      { pricing_option_id: 'list', model: 'cpm', cpm: 6, currency: 'USD' },
      { pricing_option_id: 'share', model: 'percent_of_media', percent: 10, currency: 'USD' },
    ],
  }),
]

let harness: Awaited<ReturnType<typeof signalsHarness>>
beforeEach(async () => {
  harness = await signalsHarness({ signals: CATALOGUE })
})
afterEach(() => harness.close())

const request = (over: Json = {}): Json => ({
  signal_spec: 'electric',
  deliver_to: { deployments: [sandbox, openx], countries: ['US'] },
  ...over,
})
const signalsOf = (body: Json) => body.signals as Signal[]
const idsOf = (body: Json) =>
  signalsOf(body)
    .map((one) => one.signal_agent_segment_id)
    .sort()
const find = async (over: Json = {}, call = alice) => idsOf(await harness.get(request(over), call))
const show = async (id: string, over: Json = {}, call = alice) =>
  signalsOf(await harness.get(request(over), call)).find(
    (one) => one.signal_agent_segment_id === id,
  )

const saved = async (over: Partial<Activation>) => {
  const place = { principal_id: 'prn_alice', signal_agent_segment_id: 'ev-intenders' }
  await harness.database.transact(async (tx) => {
    const [found] = await harness.activations.lock(tx, place, [sandbox])
    await harness.activations.save(tx, { ...(found as Activation), ...over })
  })
}

describe('spec 4.3: get_signals', () => {
  test('answers what both generations read of a signal', async () => {
    expect(await show('ev-intenders')).toEqual({
      signal_agent_segment_id: 'ev-intenders',
      name: 'Electric Vehicle Intenders',
      description: expect.stringContaining('electric cars'),
      signal_type: 'marketplace',
      data_provider: 'Motor Minds',
      coverage_percentage: 12.5,
      deployments: [
        {
          ...sandbox,
          is_live: false,
          estimated_activation_duration_minutes: 60,
          scope: 'platform-wide',
        },
      ],
      pricing: { cpm: 4.5, currency: 'USD' },
      pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm: 4.5, currency: 'USD' }],
      signal_id: {
        source: 'catalog',
        data_provider_domain: 'motor-minds.example',
        id: 'ev-intenders',
      },
      signal_ref: {
        scope: 'data_provider',
        data_provider_domain: 'motor-minds.example',
        signal_id: 'ev-intenders',
      },
      countries: ['US', 'DE'],
      ext: { match_reason: 'shares words', relevance: 1 },
    })
  })

  test('shows each caller what it may see: all of the public, and its own', async () => {
    expect(await find()).toEqual(['crm electric/7', 'custom-electric', 'ev-intenders', 'ev-owners'])
    expect(await find({}, bob)).toEqual(['custom-electric', 'ev-intenders', 'ev-owners'])
  })

  test('without a key shows public marketplace signals alone, and no key of any', async () => {
    expect(await find({}, nobody())).toEqual(['ev-intenders', 'ev-owners'])
    const body = await harness.get(request(), nobody())
    expect(JSON.stringify(body)).not.toContain('activation_key')
    expect(await find({ filters: { catalog_types: ['custom'] } }, nobody())).toEqual([])
  })

  test.each<[string, Json, string[]]>([
    ['types', { catalog_types: ['owned', 'custom'] }, ['crm electric/7', 'custom-electric']],
    ['providers, whatever their case', { data_providers: ['garage data'] }, ['ev-owners']],
    ['coverage', { min_coverage_percentage: 12.6 }, []],
    [
      'nothing, by lists without members',
      { catalog_types: [], data_providers: [] },
      ['crm electric/7', 'custom-electric', 'ev-intenders', 'ev-owners'],
    ],
  ])('is limited by %s', async (_what, filters, ids) => {
    expect(await find({ filters })).toEqual(ids)
  })

  test('compares prices as the caller has them', async () => {
    const filters = { max_cpm: 2, catalog_types: ['custom'] }
    expect((await show('custom-electric', {}, bob))?.pricing).toEqual({
      cpm: 1.25,
      currency: 'EUR',
    })
    expect((await show('custom-electric', {}, bob))?.pricing_options).toEqual([
      { pricing_option_id: 'list', model: 'cpm', cpm: 1.25, currency: 'EUR' },
      { pricing_option_id: 'share', model: 'percent_of_media', percent: 10, currency: 'USD' },
    ])
    expect((await show('custom-electric'))?.pricing).toEqual({ cpm: 6, currency: 'USD' })
    expect(await find({ filters })).toEqual([])
  })

  test('spec 4.3: max_cpm lets through only what is sold by CPM for no more, and counts the others', async () => {
    const share = { pricing_option_id: 'share', model: 'percent_of_media', percent: 10 } as const
    harness.signals.put(
      catalogueSignal({
        signal_agent_segment_id: 'both',
        pricing_options: [
          { pricing_option_id: 'cpm', model: 'cpm', cpm: 7.8, currency: 'USD' },
          { ...share, currency: 'USD' },
        ],
      }),
      catalogueSignal({
        signal_agent_segment_id: 'share-alone',
        pricing_options: [{ ...share, currency: 'USD' }],
      }),
      catalogueSignal({
        signal_agent_segment_id: 'two-prices',
        pricing_options: [
          { pricing_option_id: 'us', model: 'cpm', cpm: 5, currency: 'USD' },
          { pricing_option_id: 'eu', model: 'cpm', cpm: 1, currency: 'EUR' },
        ],
      }),
    )
    const filters = { max_cpm: 4.5, catalog_types: ['marketplace'] }
    const body = await harness.get(request({ filters }))
    expect(idsOf(body)).toEqual(['ev-intenders', 'ev-owners'])
    expect(body.ext).toEqual({ left_out: { max_cpm: 3 } })
    expect(body.message).toContain('3 signals that fit with no CPM of at most 4.5 USD are left out')

    expect(await find({ filters: { ...filters, currency: 'EUR' } })).toEqual(['two-prices'])
    expect(await find({ filters, currency: 'EUR' })).toEqual(['two-prices'])
    expect(await show('two-prices', { filters, currency: 'EUR' })).toMatchObject({
      pricing: { cpm: 1, currency: 'EUR' },
    })
    // What costs nothing does so in every currency.
    expect(await find({ filters: { max_cpm: 0 } })).toEqual(['crm electric/7'])
  })

  test('says that owned signals cost nothing', async () => {
    expect((await show('crm electric/7'))?.pricing).toEqual({ cpm: 0, currency: 'EUR' })
  })

  test('says so of a signal that is not sold by CPM', async () => {
    harness.signals.put(
      catalogueSignal({
        pricing_options: [
          {
            pricing_option_id: 'p',
            model: 'percent_of_media',
            percent: 15,
            max_cpm: 3,
            currency: 'GBP',
          },
        ],
      }),
    )
    expect(await show('ev-intenders')).toMatchObject({
      pricing: { cpm: 3, currency: 'GBP' },
      ext: { pricing_note: expect.stringContaining('not priced by CPM') },
    })
  })

  test('combines targets with OR and lists only those where the signal can go', async () => {
    expect((await show('ev-owners'))?.deployments).toEqual([
      { ...openx, ...LIVE, scope: 'platform-wide' },
    ])
    expect(await find({ deliver_to: { deployments: [openx], countries: [] } })).toEqual([
      'ev-owners',
    ])
  })

  test('warns of a target that none of the signals can go to', async () => {
    const lonely = { type: 'agent', agent_url: 'https://sales.example' }
    const body = await harness.get(
      request({ deliver_to: { deployments: [openx, lonely], countries: ['US'] } }),
    )
    expect(body.errors).toMatchObject([
      {
        code: 'PARTIAL_COVERAGE',
        details: { targets: [lonely] },
        field: '/deliver_to/deployments',
      },
    ])
    expect((await harness.get(request())).errors).toBeUndefined()
  })

  test('finds nothing with a message, and without an error', async () => {
    expect(await harness.get(request({ signal_spec: 'zzz' }))).toEqual({
      status: 'completed',
      signals: [],
      pagination: { has_more: false, total_count: 0 },
      message: expect.stringContaining('no signal matches'),
    })
  })

  test('a versioned call always returns for whom the answer is valid', async () => {
    const versioned = (call: typeof alice) => ({
      ...call,
      version: RELEASES.version('3.x'),
    })
    expect(await harness.get(request(), versioned(alice))).toMatchObject({ cache_scope: 'account' })
    expect(await harness.get(request(), versioned(nobody()))).toMatchObject({
      cache_scope: 'public',
    })
    expect(await harness.get(request(), alice)).not.toHaveProperty('cache_scope')
  })

  test('a brief that requests all signals is answered with the list', async () => {
    expect(await find({ signal_spec: 'Show all available signals' })).toEqual(
      CATALOGUE.map((one) => one.signal_agent_segment_id).sort(),
    )
  })

  test('spec 2.7: a signal for any agent goes to the one that is requested, and is listed with none', async () => {
    const anywhere = catalogueSignal({
      signal_agent_segment_id: 'anywhere',
      name: 'Electric everywhere',
      deployments: [
        { type: 'agent', agent_url: '*', is_live: false },
        { ...sandbox, is_live: false },
      ],
    })
    const open = await signalsHarness({ signals: [...CATALOGUE, anywhere] })
    onTestFinished(() => open.close())
    const agent = { type: 'agent', agent_url: 'https://sales.example/mcp' } as const
    const deliver_to = { deployments: [agent], countries: [] }
    const [found, ...others] = signalsOf(await open.get(request({ deliver_to })))
    expect(others).toEqual([])
    expect(found).toMatchObject({
      signal_agent_segment_id: 'anywhere',
      deployments: [{ ...agent, is_live: false, scope: 'platform-wide' }],
    })
    const all = await open.get({ ...request(), deliver_to: { platforms: 'all', countries: [] } })
    const returned = signalsOf(all).find((one) => one.signal_agent_segment_id === 'anywhere')
    expect(returned?.deployments).toEqual([expect.objectContaining(sandbox)])
  })

  test('shows accounts that the catalogue names to those alone who were granted them', async () => {
    const poolSlot = { ...sandbox, account: 'seat-1' }
    const deliver_to = { deployments: [poolSlot], countries: [] }
    expect(await find({ deliver_to })).not.toContain('ev-owners')
    await harness.grant('prn_alice', 'sandbox', 'seat-1')
    expect((await show('ev-owners', { deliver_to }))?.deployments).toEqual([
      { ...poolSlot, ...LIVE, scope: 'account-specific' },
    ])
    expect(await find({ deliver_to }, bob)).not.toContain('ev-owners')
    // Who was granted accounts on a platform uses those there and no others.
    const other = { deployments: [{ ...sandbox, account: 'seat-2' }], countries: [] }
    expect(await find({ deliver_to: other })).toEqual([])
  })

  test('spec 7.2: accounts are for those who were granted them, and the answer says so', async () => {
    const poolSlot = { ...sandbox, account: 'seat-2' }
    const deliver_to = { deployments: [poolSlot], countries: [] }
    const warning = { code: 'DEPLOYMENT_UNAUTHORIZED', details: { targets: [poolSlot] } }
    for (const call of [bob, nobody()]) {
      expect(await harness.get(request({ deliver_to }), call)).toMatchObject({
        signals: [],
        errors: [warning],
      })
    }
    const both = { deployments: [poolSlot, sandbox], countries: [] }
    const body = await harness.get(request({ deliver_to: both }), bob)
    expect(idsOf(body)).toEqual(['custom-electric', 'ev-intenders'])
    expect(body.errors).toMatchObject([warning])
    await harness.grant('prn_bob', 'sandbox', 'seat-2')
    expect(await find({ deliver_to }, bob)).toEqual(['custom-electric', 'ev-intenders'])

    const open = await signalsHarness({ signals: CATALOGUE, accounts: 'any' })
    onTestFinished(() => open.close())
    expect(idsOf(await open.get(request({ deliver_to }), bob))).toHaveLength(2)
  })

  test('lists every place that the caller may use when any will do', async () => {
    const anywhere = { deliver_to: { platforms: 'all', countries: ['US'] } }
    const places = async (call = alice) =>
      (await show('ev-owners', anywhere, call))?.deployments.map(({ account }) => account)
    expect(await places()).toEqual([undefined])
    await harness.grant('prn_alice', 'sandbox', 'seat-1')
    expect(await places()).toEqual([undefined, 'seat-1'])
    expect(await places(bob)).toEqual([undefined])
  })

  test('fields omit what is not requested, and never what makes a signal one', async () => {
    const returned = await show('ev-intenders', { fields: ['name'] })
    expect(returned).not.toHaveProperty('pricing_options')
    expect(returned).not.toHaveProperty('countries')
    expect(returned).toMatchObject({ signal_agent_segment_id: 'ev-intenders', signal_ref: {} })
  })

  test('reports how long it took and what it found', async () => {
    await harness.get(request())
    expect(harness.searches).toEqual([{ mode: 'words', found: 4, duration_ms: expect.any(Number) }])
  })
})

describe('spec 3.3: the caller’s own activations', () => {
  test('make a signal live with its key for this caller and for no other', async () => {
    await saved({
      state: 'live',
      activation_key: key,
      deployed_at: Date.UTC(2026, 0, 2),
    })
    expect((await show('ev-intenders'))?.deployments).toEqual([
      {
        ...sandbox,
        is_live: true,
        activation_key: key,
        scope: 'platform-wide',
        deployed_at: '2026-01-02T00:00:00.000Z',
      },
    ])
    expect((await show('ev-intenders', {}, bob))?.deployments).toMatchObject([{ is_live: false }])
    expect((await show('ev-intenders', {}, nobody()))?.deployments).toMatchObject([
      { is_live: false },
    ])
  })

  test('show the minutes that remain, counting down to 0', async () => {
    await saved({ state: 'activating', eta_at: harness.clock.now() + 90_000 })
    const minutes = async () => (await show('ev-intenders'))?.deployments[0]
    expect(await minutes()).toMatchObject({
      is_live: false,
      estimated_activation_duration_minutes: 2,
    })
    harness.clock.advance(60_000)
    expect(await minutes()).toMatchObject({ estimated_activation_duration_minutes: 1 })
    harness.clock.advance(60_000)
    expect(await minutes()).toMatchObject({ estimated_activation_duration_minutes: 0 })
  })

  test.each(['failed', 'inactive'] as const)(
    'that are %s look as if never begun',
    async (state) => {
      await saved({ state, reason: 'away' })
      expect((await show('ev-intenders'))?.deployments).toMatchObject([
        { is_live: false, estimated_activation_duration_minutes: 60 },
      ])
    },
  )
})

describe('signals by their names', () => {
  const look = (over: Json, call = alice) => harness.get(over, call)

  test('a signal is found by each name that it was returned with', async () => {
    for (const returned of signalsOf(await harness.get(request()))) {
      for (const names of [
        { signal_ids: [returned.signal_id] },
        { signal_refs: [returned.signal_ref] },
      ]) {
        const body = await look(names)
        expect(body.errors).toBeUndefined()
        expect(idsOf(body)).toEqual([returned.signal_agent_segment_id])
      }
    }
  })

  test('one without a provider’s domain, or with other letters in its id, is named by this agent', async () => {
    expect((await show('ev-owners'))?.signal_id).toEqual({
      source: 'agent',
      agent_url: PUBLIC_URL,
      id: 'ev-owners',
    })
    expect((await show('crm electric/7'))?.signal_id).toEqual({
      source: 'agent',
      agent_url: PUBLIC_URL,
      id: expect.stringMatching(/^x64_[A-Za-z0-9_-]+$/),
    })
  })

  test.each<[string, Json]>([
    ['a missing one', { scope: 'product', signal_id: 'nothing' }],
    [
      'one of another provider',
      {
        scope: 'data_provider',
        data_provider_domain: 'other.example',
        signal_id: 'ev-intenders',
      },
    ],
    [
      'one of another agent',
      {
        scope: 'signal_source',
        signal_source_url: 'https://other.example',
        signal_id: 'ev-owners',
      },
    ],
    [
      'one that is not for the caller',
      {
        scope: 'signal_source',
        signal_source_url: PUBLIC_URL,
        signal_id: `x64_${Buffer.from('crm electric/7').toString('base64url')}`,
      },
    ],
  ])('%s is reported with the same message', async (_what, ref) => {
    expect(await look({ signal_refs: [ref] }, bob)).toMatchObject({
      signals: [],
      errors: [
        {
          code: 'REFERENCE_NOT_FOUND',
          field: '/signal_refs/0',
          message: '/signal_refs/0: no signal with this id',
        },
      ],
    })
  })

  test('all that are named are answered on one page, and words only order them', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `seg-${n}`)
    harness.signals.put(...ids.map((id) => catalogueSignal({ signal_agent_segment_id: id })))
    const signal_refs = ids.map((signal_id) => ({ scope: 'product', signal_id }))
    expect(idsOf(await look({ signal_refs }))).toEqual([...ids].sort())
    const refined = await look({ signal_refs, signal_spec: 'electric' })
    expect(signalsOf(refined)).toHaveLength(30)
    expect(signalsOf(refined)[0]?.ext).toMatchObject({ relevance: 1 })
  })
})

describe('pages', () => {
  const many = Array.from({ length: 25 }, (_, n) => `seg-${String(n).padStart(2, '0')}`)
  beforeEach(() => {
    harness.signals.put(...many.map((id) => catalogueSignal({ signal_agent_segment_id: id })))
  })
  const page = (pagination: Json, over: Json = {}, call = alice) =>
    harness.get(
      {
        discovery_mode: 'wholesale',
        filters: { data_providers: ['Motor Minds'], catalog_types: ['marketplace'] },
        pagination,
        ...over,
      },
      call,
    )

  test('together have every signal once, and the last says so', async () => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const body = await page({ max_results: 7, ...(cursor === undefined ? {} : { cursor }) })
      ids.push(...idsOf(body))
      const reported = body.pagination as { has_more: boolean; cursor?: string }
      expect(reported.has_more).toBe(reported.cursor !== undefined)
      cursor = reported.cursor
    } while (cursor !== undefined)
    expect(ids.sort()).toEqual(['ev-intenders', ...many])
  })

  test('are filled although signals in between are not for the caller', async () => {
    // Each second signal goes only to an account that others were granted, the others to any.
    const account = 'private'
    const open = await signalsHarness({
      signals: [
        catalogueSignal(),
        ...many.map((id) => catalogueSignal({ signal_agent_segment_id: id })),
      ],
      accounts: 'any',
    })
    onTestFinished(() => open.close())
    const page = (pagination: Json, over: Json = {}) =>
      open.get({ discovery_mode: 'wholesale', pagination, ...over })
    open.signals.put(
      ...many
        .filter((_, n) => n % 2 === 0)
        .map((id) =>
          catalogueSignal({
            signal_agent_segment_id: id,
            deployments: [{ ...sandbox, account, is_live: false }],
          }),
        ),
    )
    const destinations = [{ ...sandbox, account }]
    const first = await page({ max_results: 5 }, { destinations })
    expect(signalsOf(first)).toHaveLength(5)
    const { cursor } = first.pagination as { cursor: string }
    const rest = await page({ max_results: 50, cursor }, { destinations })
    const ids = [...idsOf(first), ...idsOf(rest)].sort()
    expect(ids).toEqual(['ev-intenders', ...many.filter((_, n) => n % 2 === 1)])
  })

  test('have 10 signals by default, and max_results at most', async () => {
    expect(signalsOf(await harness.get(request()))).toHaveLength(10)
    expect(signalsOf(await harness.get(request({ max_results: 3 })))).toHaveLength(3)
  })

  test.each(['x', '', Buffer.from('[7,"x"]').toString('base64url'), 'bnVsbA'])(
    'begin at no cursor such as %j',
    async (cursor) => {
      await expect(page({ cursor: cursor || ' ' })).rejects.toMatchObject({
        errors: [{ code: 'INVALID_REQUEST', field: '/pagination/cursor' }],
      })
    },
  )

  test('of one question do not continue in another, or with another caller', async () => {
    const { cursor } = (await page({ max_results: 3 })).pagination as Json
    for (const requested of [
      page({ cursor }, { countries: ['FR'] }),
      page({ cursor }, {}, bob),
      harness.get(request({ pagination: { cursor } })),
    ]) {
      await expect(requested).rejects.toMatchObject({ errors: [{ code: 'INVALID_REQUEST' }] })
    }
  })
})

describe('the whole list', () => {
  const list = (over: Json = {}, call = alice) =>
    harness.get({ discovery_mode: 'wholesale', ...over }, call)

  test('is unchanged until the catalogue or an activation of the caller changes', async () => {
    const { wholesale_feed_version: version, cache_scope } = await list()
    expect(cache_scope).toBe('account')
    const again = { if_wholesale_feed_version: version }
    expect(await list(again)).toEqual({
      status: 'completed',
      unchanged: true,
      cache_scope,
      wholesale_feed_version: version,
      pricing_version: version,
    })
    const first = { ...alice, version: RELEASES.version('3.0', { named: 'release' }) }
    expect(await list(again, first as typeof alice)).toMatchObject({ signals: [], unchanged: true })
    await saved({ state: 'live', changed_at: 7 })
    const changed = await list(again)
    expect(changed.unchanged).toBeUndefined()
    expect(signalsOf(changed)).toHaveLength(4)
    harness.signals.remove('ev-owners')
    const removed = await list({ if_wholesale_feed_version: changed.wholesale_feed_version })
    expect(signalsOf(removed)).toHaveLength(3)
  })

  test('is public without a key', async () => {
    expect(await list({}, nobody())).toMatchObject({ cache_scope: 'public' })
    expect(idsOf(await list({}, nobody()))).toEqual(['ev-intenders', 'ev-owners'])
  })

  test('that changes between two pages says so, and continues', async () => {
    const paged = (cursor?: string) =>
      list({ pagination: { max_results: 2, ...(cursor === undefined ? {} : { cursor }) } })
    const first = await paged()
    expect(first.pagination).toMatchObject({ has_more: true, total_count: 4 })
    const { cursor } = first.pagination as { cursor: string }
    const still = await paged(cursor)
    expect(still.incomplete).toBeUndefined()
    expect([...idsOf(first), ...idsOf(still)]).toHaveLength(4)
    harness.signals.remove('ev-owners')
    expect(await paged(cursor)).toMatchObject({ incomplete: [{ scope: 'wholesale_feed' }] })
    expect((await paged()).incomplete).toBeUndefined()
  })
})

describe('facts of a signal that newer releases have', () => {
  const members = {
    restricted_attributes: ['age'] as 'age'[],
    demographic_predicate: { age: { min: 25, max: 34, include_unknown: false } },
  }
  const pinned = (release: '3.0' | '3.1' | '3.2') =>
    callBy('alice', { version: RELEASES.version(release, { named: 'release' }) })
  const ids = { signal_ids: [{ source: 'agent', agent_url: PUBLIC_URL, id: 'adults' }] }
  const returned = async (call = alice, over: Json = {}) =>
    signalsOf(await harness.get({ ...ids, ...over }, call))[0]
  beforeEach(() =>
    harness.signals.put(catalogueSignal({ signal_agent_segment_id: 'adults', ...members })),
  )

  test('spec 9: are returned to callers of a release that has them, and to no other', async () => {
    const { restricted_attributes } = members
    expect(await returned(pinned('3.2'))).toMatchObject(members)
    expect(await returned(pinned('3.1'))).toMatchObject({ restricted_attributes })
    for (const call of [pinned('3.1'), pinned('3.0'), alice]) {
      expect(await returned(call)).not.toHaveProperty('demographic_predicate')
    }
    for (const call of [pinned('3.0'), alice]) {
      expect(await returned(call)).not.toHaveProperty('restricted_attributes')
    }
  })

  test('a requested predicate comes with the attributes that it touches', async () => {
    const fields = ['demographic_predicate']
    expect(await returned(pinned('3.2'), { fields })).toMatchObject(members)
  })
})

describe('what an answer does not go by', () => {
  const reported = async (over: Json, call = alice) => {
    const { ext, message } = await harness.get(request(over), call)
    return { list: (ext as Json | undefined)?.not_honoured, message: String(message) }
  }

  test('spec 4.3: is reported by its place: filters and members that do not exist', async () => {
    const filters = { max_cpm: 9, min_reach: 7, 'a/b': 1 }
    const { list, message } = await reported({ filters, fields: ['name', 'art9_basis'] })
    expect(list).toEqual([
      { field: '/filters/min_reach', reason: 'this agent has no such filter' },
      { field: '/filters/a~1b', reason: 'this agent has no such filter' },
      { field: '/fields/1', reason: 'signals have no such member here' },
    ])
    expect(message).toContain('not applied: /filters/min_reach (this agent has no such filter)')
  })

  test('spec 4.3: of two page sizes, the one that does not count', async () => {
    const sizes = { max_results: 3, pagination: { max_results: 2 } }
    expect((await reported(sizes)).list).toEqual([
      { field: '/max_results', reason: 'pagination.max_results is given as well: 2' },
    ])
    expect((await reported({ ...sizes, max_results: 2 })).list).toBeUndefined()
  })

  test('spec 4.3: of countries, what is no code of ISO 3166-1', async () => {
    expect((await reported({ countries: ['US', 'uk'] })).list).toEqual([
      { field: '/countries/1', reason: 'uk is not an ISO 3166-1 country code: use GB' },
    ])
    expect((await reported({ countries: ['GB', 'UA'] })).list).toBeUndefined()
  })

  test('is reported for types that no one sees without a key', async () => {
    const filters = { catalog_types: ['marketplace', 'owned'] }
    expect((await reported({ filters }, nobody())).list).toEqual([
      { field: '/filters/catalog_types/1', reason: expect.stringContaining('require a key') },
    ])
    expect((await reported({ filters })).list).toBeUndefined()
  })
})
