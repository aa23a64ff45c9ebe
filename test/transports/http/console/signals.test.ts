import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectorAnswer } from '../../../../src/signals/connectors/connector.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { catalogueSignal, manySignals } from '../../../support/catalogue.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { eventually } from '../../../support/eventually.ts'

const LIVE: ConnectorAnswer = {
  status: 'live',
  key: { type: 'segment_id', segment_id: 'seg <b>1</b>' },
}
const PENDING: ConnectorAnswer = { status: 'pending', etaMinutes: 10, pollAfterMs: 20 }

describe.each(['sqlite', 'postgres'] as const)('signals in the console [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient
  let buyer: { principal_id: string; key: string }
  /** What the platform answers. */
  let answer: ConnectorAnswer

  beforeAll(async () => {
    app = await startApp({
      store,
      config: { trustProxy: ['127.0.0.1'] },
      connectors: {
        dsp: {
          activate: async () => answer,
          poll: async () => answer,
          deactivate: async () => ({ status: 'off' }),
        },
      },
    })
    operator = await signIn(app, await app.principal('operator'))
    viewer = await signIn(app, await app.principal('viewer'))
    buyer = await app.named('Buyer & Co')
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    answer = LIVE
    const { transact, signals } = app.storage
    const ids = await signals.ids(undefined, 10_000)
    await transact((tx) => signals.remove(tx, ids))
    await transact((tx) => signals.put(tx, [OPEN, OTHER, OF_BUYER, OF_ANOTHER]))
  })

  const deployments = [
    {
      type: 'platform' as const,
      platform: 'dsp',
      is_live: false,
      estimated_activation_duration_minutes: 1,
    },
    {
      type: 'platform' as const,
      platform: 'elsewhere',
      is_live: true,
      activation_key: { type: 'segment_id' as const, segment_id: 'here' },
    },
  ]
  const OPEN = catalogueSignal({ deployments })
  const OTHER = catalogueSignal({
    signal_agent_segment_id: 'b/hikers?',
    name: 'Day Hikers',
    signal_type: 'custom',
    description: 'People who walk marked trails on weekends.',
    data_provider: 'Strideway',
    deployments,
  })
  const OF_BUYER = catalogueSignal({
    signal_agent_segment_id: 'c-buyers',
    name: 'Customers of the Buyer',
    signal_type: 'owned',
    visibility: { principals: ['Buyer & Co'] },
    custom_pricing: { 'Buyer & Co': { cpm: 0.5, currency: 'EUR' } },
    deployments,
  })
  const OF_ANOTHER = catalogueSignal({
    signal_agent_segment_id: 'd-anothers',
    name: 'Customers of Another',
    visibility: { principals: ['Another'] },
    deployments,
  })
  const idsOf = (body: { items: { signal_id: string }[] }) =>
    body.items.map(({ signal_id }) => signal_id)
  const list = async (query = '') => (await viewer.get(`/signals${query}`)).body

  test('the operator sees the whole catalogue, and with a principal what that one sees', async () => {
    expect(idsOf(await list())).toEqual([
      'acme-ev-intenders',
      'b/hikers?',
      'c-buyers',
      'd-anothers',
    ])
    const own = await list(`?as=${buyer.principal_id}`)
    expect(idsOf(own)).toEqual(['acme-ev-intenders', 'b/hikers?', 'c-buyers'])
    expect(own.items[2]).toMatchObject({ is_private: true, pricing_options: [{ cpm: 0.5 }] })
    expect((await viewer.get('/signals/d-anothers')).status).toBe(200)
    const hidden = await viewer.get(`/signals/d-anothers?as=${buyer.principal_id}`)
    const missing = await viewer.get(`/signals/no-such?as=${buyer.principal_id}`)
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect((await viewer.get('/signals?as=prn_nobody')).status).toBe(404)
  })

  test('words find signals, the best first, and each says why; an id finds its signal', async () => {
    const found = await list('?q=day%20hikers')
    expect(found.items[0]).toMatchObject({
      signal_id: 'b/hikers?',
      match: { reason: 'name matches', tier: 'name' },
    })
    expect(found.items[0].match.relevance).toBeGreaterThan(0.5)
    expect(found).toMatchObject({ corrected: [], model: { signals: 4 } })
    expect(found.message).toContain('the best match is Day Hikers')
    const words = await list('?q=walkers%20of%20marked%20trails')
    expect(words.items[0]).toMatchObject({ signal_id: 'b/hikers?', match: { tier: 'words' } })
    expect(words.items[0].match.reason).toContain('‘trails’')
    expect(idsOf(await list('?q=b%2Fhikers%3F'))).toEqual(['b/hikers?'])
  })

  test('the catalogue is narrowed by provider and type, and paged without a gap', async () => {
    expect(idsOf(await list('?provider=Strideway'))).toEqual(['b/hikers?'])
    expect(idsOf(await list('?type=owned'))).toEqual(['c-buyers'])
    expect(idsOf(await list('?type=owned&provider=Strideway'))).toEqual([])
    await app.storage.transact((tx) => app.storage.signals.put(tx, manySignals(7)))
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await list(`?limit=3${cursor}`)
      expect(page.total).toBe(11)
      seen.push(...idsOf(page))
      if (page.next_cursor === undefined) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(seen).toEqual([...seen].sort())
    expect(seen).toHaveLength(11)
    expect((await viewer.get('/signals?cursor=AAAA')).status).toBe(400)
    const { body } = await viewer.get('/signal-choices')
    expect(body.providers).toEqual(['Acme Auto Data', 'Strideway'])
  })

  const activate = (over: object = {}, id = 'acme-ev-intenders', by = operator) =>
    by.post(`/signals/${encodeURIComponent(id)}/activate`, {
      action: 'activate',
      type: 'platform',
      name: 'dsp',
      principal_id: buyer.principal_id,
      ...over,
    })
  const placeAt = async (name: string, id = 'acme-ev-intenders') => {
    const { body } = await viewer.get(`/signals/${encodeURIComponent(id)}`)
    return body.places.find((place: { name: string }) => place.name === name)
  }
  const lastAudit = async () => (await viewer.get('/audit?limit=1')).body.items[0]

  test('spec 3.3: an activation is a task of its principal, and is seen going live', async () => {
    answer = PENDING
    const begun = await activate({}, 'b/hikers?')
    expect(begun).toMatchObject({ status: 200, body: { outcome: 'begun' } })
    const { task_id } = begun.body
    expect(await lastAudit()).toMatchObject({
      action: 'signals.activate',
      target: 'b/hikers?',
      outcome: 'done',
      detail: 'dsp for Buyer & Co',
    })
    await eventually(async () =>
      expect(await placeAt('dsp', 'b/hikers?')).toMatchObject({
        activations: [
          {
            state: 'activating',
            principal_name: 'Buyer & Co',
            task_id,
            has_task: true,
            eta_at: expect.any(String),
          },
        ],
      }),
    )
    expect(idsOf(await list('?state=activating'))).toEqual(['b/hikers?'])
    expect(idsOf(await list(`?state=activating&as=${buyer.principal_id}`))).toEqual(['b/hikers?'])
    expect(idsOf(await list('?state=activating&provider=Acme%20Auto%20Data'))).toEqual([])
    expect(idsOf(await list('?state=activating&q=hikers'))).toEqual(['b/hikers?'])
    expect((await viewer.get(`/tasks/${task_id}`)).body).toMatchObject({
      task_type: 'activate_signal',
      principal_id: buyer.principal_id,
    })

    answer = LIVE
    await eventually(async () =>
      expect((await placeAt('dsp', 'b/hikers?')).activations).toMatchObject([
        { state: 'live', activation_key: { segment_id: 'seg <b>1</b>' } },
      ]),
    )
    expect(idsOf(await list('?state=live'))).toEqual(['b/hikers?'])
    const again = await activate({}, 'b/hikers?')
    expect(again.body).toMatchObject({
      outcome: 'done',
      message: expect.stringContaining('already'),
    })

    const off = await activate({ action: 'deactivate' }, 'b/hikers?')
    expect(off.body).toMatchObject({ outcome: 'begun' })
    await eventually(async () =>
      expect((await placeAt('dsp', 'b/hikers?')).activations).toMatchObject([
        { state: 'inactive' },
      ]),
    )
  })

  test('spec 7.2: an activation keeps within what its principal may, and says why not', async () => {
    const said = async (over: object, id?: string) => {
      const { status, body } = await activate(over, id)
      return [status, body.error.message]
    }
    expect(await said({}, 'd-anothers')).toEqual([
      409,
      expect.stringContaining('no signal with this'),
    ])
    expect(await said({ name: 'nowhere' })).toEqual([409, expect.stringContaining('nowhere')])
    expect(await said({ account: 'seat-1' })).toEqual([409, expect.stringContaining('seat-1')])
    expect(await lastAudit()).toMatchObject({ action: 'signals.activate', outcome: 'refused' })
    const { principals } = (await operator.get('/signal-choices')).body
    const self = principals.find(({ is_self }: { is_self: boolean }) => is_self)
    expect(self.refusal).toContain('scope tasks')
    expect(await said({ principal_id: self.principal_id })).toEqual([409, self.refusal])
    expect((await activate({ principal_id: 'prn_nobody' })).status).toBe(404)
    expect((await activate({}, 'acme-ev-intenders', viewer)).status).toBe(403)
    expect((await placeAt('dsp')).activations).toEqual([])

    const grant = { platform: 'dsp', account: 'seat-1' }
    await app.storage.transact((tx) => app.storage.grants.grant(tx, buyer.principal_id, grant))
    const { body } = await viewer.get(`/signal-accounts/${buyer.principal_id}`)
    expect(body.items).toEqual([grant])
    expect((await activate({ account: 'seat-1' })).status).toBe(200)
  })

  test('a platform that refuses is reported with its reason', async () => {
    answer = { status: 'failed', reason: 'no <i>room</i>', retryable: false }
    await activate({}, 'c-buyers')
    await eventually(async () =>
      expect((await placeAt('dsp', 'c-buyers')).activations).toMatchObject([
        { state: 'failed', reason: expect.stringContaining('no <i>room</i>') },
      ]),
    )
    expect(idsOf(await list('?state=failed'))).toEqual(['c-buyers'])
  })

  test('what is no id, and what no database holds, is not there', async () => {
    for (const id of ['%00', '%ED%A0%80', 'x'.repeat(500), '..%2F..']) {
      const { status } = await viewer.get(`/signals/${id}`)
      expect([id, [400, 404].includes(status)]).toEqual([id, true])
    }
    for (const query of ['q=%00', 'provider=%00', 'as=%00', 'state=live&as=%00']) {
      const { status } = await viewer.get(`/signals?${query}`)
      expect([query, [200, 400, 404].includes(status)]).toEqual([query, true])
    }
  })
})
