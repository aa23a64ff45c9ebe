// What a grader does with a sandbox, over the wire: each scenario goes the way that the server itself goes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPrefix } from '../../src/sandbox/tenants.ts'
import { type Answer, call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { catchWebhooks } from '../support/webhook-catcher.ts'

const ACCOUNT = { brand: { domain: 'acme.example' }, operator: 'agency.example', sandbox: true }
const DAY_MS = 24 * 60 * 60 * 1_000

let app: TestApp
let key: string
let tenants = 0
beforeAll(async () => {
  app = await startApp({ config: { sandbox: true, signalsModel: false, signalsAccounts: 'any' } })
  const { transact, sandboxNotes: notes } = app.storage
  await addPrefix({ transact, notes }, { prefix: 'demo-acme-', name: 'Acme' })
  key = newTenant()
})
afterAll(() => app.stop())

function newTenant(): string {
  return `demo-acme-${++tenants}`
}

const post = (task: string, body: object, by = key): Promise<Answer> =>
  call(`${app.url}/v3/${task}`, { key: by, body: { proto_version: '3.0', ...body } })

const force = async (scenario: string, params: object = {}, by = key) =>
  (await post('comply_test_controller', { scenario, params, account: ACCOUNT }, by)).body

let keys = 0
const idempotency_key = () => `controller-test-${++keys}-000000000`

async function seededProduct(product_id = 'seeded'): Promise<void> {
  const product = { product_id, fixture: { delivery_type: 'guaranteed', channels: ['video'] } }
  expect(await force('seed_product', product)).toMatchObject({ success: true })
  const option = { pricing_model: 'cpm', currency: 'USD', fixed_price: 5 }
  await force('seed_pricing_option', { product_id, pricing_option_id: 'cpm', fixture: option })
}

async function boughtBuy(by = key, over: object = {}): Promise<Answer> {
  await seededProduct()
  return post(
    'create_media_buy',
    {
      account: ACCOUNT,
      start_time: new Date(Date.now() + DAY_MS).toISOString(),
      end_time: new Date(Date.now() + 8 * DAY_MS).toISOString(),
      packages: [{ product_id: 'seeded', pricing_option_id: 'cpm', budget: 1_000 }],
      idempotency_key: idempotency_key(),
      ...over,
    },
    by,
  )
}

describe('an invalid request', () => {
  test.each([
    ['nonexistent', {}, 'UNKNOWN_SCENARIO'],
    ['force_creative_status', {}, 'INVALID_PARAMS'],
    ['force_creative_status', { creative_id: 'none', status: 'approved' }, 'NOT_FOUND'],
    ['force_media_buy_status', { media_buy_id: 'none', status: 'active' }, 'NOT_FOUND'],
    ['force_account_status', { account_id: 'none', status: 'active' }, 'NOT_FOUND'],
    ['force_task_completion', { task_id: 'none', result: {} }, 'NOT_FOUND'],
    ['force_create_media_buy_arm', { arm: 'submitted' }, 'INVALID_PARAMS'],
    ['force_create_media_buy_arm', { arm: 'input-required', task_id: 't' }, 'INVALID_PARAMS'],
    ['simulate_delivery', { media_buy_id: 'none' }, 'NOT_FOUND'],
    ['simulate_budget_spend', { spend_percentage: 5 }, 'INVALID_PARAMS'],
    ['seed_pricing_option', { product_id: 'none', pricing_option_id: 'p' }, 'NOT_FOUND'],
    [
      'seed_creative',
      { creative_id: 'c', fixture: { format_id: { id: 'display_300x250' }, status: 'odd' } },
      'INVALID_PARAMS',
    ],
  ])('%s with %j is refused as %s', async (scenario, params, error) => {
    expect(await force(scenario, params)).toMatchObject({ success: false, error })
  })

  test('an account that is not of the sandbox is forbidden, and none at all is not', async () => {
    const { sandbox: _sandbox, ...real } = ACCOUNT
    const requested = { scenario: 'force_media_buy_status', params: {} }
    const forbidden = await post('comply_test_controller', { ...requested, account: real })
    expect(forbidden.body).toMatchObject({ success: false, error: 'FORBIDDEN' })
    const { body } = await post('comply_test_controller', { scenario: 'nonexistent' })
    expect(body).toMatchObject({ error: 'UNKNOWN_SCENARIO' })
  })
})

test('each key of a prefix is a tenant of its own, and no other key is good', async () => {
  const mine = newTenant()
  const { body } = await boughtBuy(mine)
  const ids = { media_buy_ids: [body.media_buy_id], account: ACCOUNT }
  expect((await post('get_media_buys', ids, mine)).body.media_buys).toHaveLength(1)
  expect((await post('get_media_buys', ids, newTenant())).body.media_buys).toEqual([])
  expect((await post('get_media_buys', ids, 'demo-other-1')).status).toBe(401)
})

test('a buy goes from state to state as the table of moves has it, and no other way', async () => {
  const hook = await catchWebhooks()
  const push_notification_config = { url: hook.url, operation_id: 'forced' }
  const { body } = await boughtBuy(key, { push_notification_config })
  const media_buy_id = String(body.media_buy_id)
  const to = (status: string) => force('force_media_buy_status', { media_buy_id, status })
  expect(await to('active')).toMatchObject({
    success: true,
    previous_state: 'pending_creatives',
    current_state: 'active',
  })
  expect(JSON.parse(String((await hook.first).body))).toMatchObject({
    operation_id: 'forced',
    result: { media_buy_status: 'pending_start', previous_status: 'pending_creatives' },
  })
  expect(await to('active')).toMatchObject({ success: true, previous_state: 'active' })
  expect(await to('completed')).toMatchObject({ success: true, current_state: 'completed' })
  expect(await to('active')).toMatchObject({
    success: false,
    error: 'INVALID_TRANSITION',
    current_state: 'completed',
  })
})

test('spec 6.4: a new status of an account is sent to its receiver, signed, in the body of the event', async () => {
  const hook = await catchWebhooks()
  const config = { subscriber_id: 'crm', url: hook.url, event_types: ['account.status_changed'] }
  const by = newTenant()
  const of = { brand: { domain: 'notified.example' }, operator: 'agency.example' }
  const { body } = await post(
    'sync_accounts',
    {
      idempotency_key: idempotency_key(),
      accounts: [{ ...of, billing: 'operator', sandbox: true, notification_configs: [config] }],
    },
    by,
  )
  const [made] = body.accounts as { account_id: string }[]
  expect(made).toMatchObject({ action: 'created', notification_configs: [config] })
  const account_id = String(made?.account_id)
  expect(
    await force('force_account_status', { account_id, status: 'suspended' }, by),
  ).toMatchObject({
    success: true,
    current_state: 'suspended',
  })
  const message = await hook.first
  expect(JSON.parse(String(message.body))).toEqual({
    idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    notification_id: expect.any(String),
    notification_type: 'account.status_changed',
    fired_at: expect.any(String),
    account_id,
    previous_status: 'active',
    status: 'suspended',
    observed_at: expect.any(String),
    reason_code: 'manual_update',
    subscriber_id: 'crm',
  })
  expect(await hook.verify(message, app.url)).toMatchObject({ ok: true })
})

test('a creative is seeded, reviewed and purged by the rules of a review', async () => {
  const creative_id = 'reviewed'
  const to = (status: string) => force('force_creative_status', { creative_id, status })
  await force('seed_creative', { creative_id, fixture: { format_id: { id: 'display_static' } } })
  expect(await to('suspended')).toMatchObject({ previous_state: 'approved' })
  expect(await to('archived')).toMatchObject({ success: true })
  expect(await to('processing')).toMatchObject({ error: 'INVALID_TRANSITION' })
  const purge = { creative_id, purge_kind: 'hard' }
  expect(await force('force_creative_purge', purge)).toMatchObject({ current_state: 'purged' })
  expect(await to('approved')).toMatchObject({ error: 'NOT_FOUND' })
})

test('an account that is suspended is returned as such, and one that is closed stays closed', async () => {
  const account_id = 'acc_of_a_test'
  await force('seed_account', { account_id, fixture: { brand: { domain: 'seed.example' } } })
  const to = (status: string) => force('force_account_status', { account_id, status })
  expect(await to('suspended')).toMatchObject({ previous_state: 'active' })
  // However it is named, nothing is bought for it.
  const { body: known } = await post('list_accounts', {})
  const [of] = (known.accounts as Record<string, unknown>[]).filter(
    (one) => one.account_id === account_id,
  )
  const { brand, operator, sandbox } = of as Record<string, unknown>
  for (const account of [{ account_id }, { brand, operator, sandbox }]) {
    expect((await boughtBuy(key, { account })).body).toMatchObject({
      status: 'failed',
      errors: [{ code: 'ACCOUNT_NOT_FOUND' }],
    })
  }
  const { body } = await post('list_accounts', { status: 'suspended' })
  expect(body.accounts).toMatchObject([{ account_id, status: 'suspended' }])
  expect(await to('closed')).toMatchObject({ success: true })
  expect(await to('active')).toMatchObject({ error: 'INVALID_TRANSITION', current_state: 'closed' })
})

test('only the next call gets the forced answer, and its task ends as requested', async () => {
  const arm = { arm: 'submitted', task_id: 'task_forced_1', message: 'awaiting a signature' }
  expect(await force('force_create_media_buy_arm', arm)).toMatchObject({
    forced: { arm: 'submitted', task_id: 'task_forced_1' },
  })
  const hook = await catchWebhooks()
  const push_notification_config = { url: hook.url, operation_id: 'armed' }
  const forced = await boughtBuy(key, { push_notification_config })
  expect(forced.body).toMatchObject({ status: 'submitted', task_id: 'task_forced_1' })
  expect((await boughtBuy()).body).toHaveProperty('media_buy_id')

  for (const [misfit, pointer] of [
    [{ packages: [] }, '/media_buy_id'],
    [{ media_buy_id: 7, packages: [] }, '/media_buy_id'],
    [{ media_buy_id: 'mb_forced', packages: [{ package_id: true }] }, '/packages/0/package_id'],
  ] as const) {
    const refused = await force('force_task_completion', {
      task_id: 'task_forced_1',
      result: misfit,
    })
    expect(refused).toMatchObject({ success: false, error: 'INVALID_PARAMS' })
    expect(refused.error_detail).toContain(`/params/result${pointer}: `)
  }
  const result = { media_buy_id: 'mb_forced', packages: [], of_a_later_release: true }
  const completion = { task_id: 'task_forced_1', result }
  expect(await force('force_task_completion', completion)).toMatchObject({
    previous_state: 'submitted',
    current_state: 'completed',
  })
  const reported = JSON.parse(String((await hook.first).body))
  expect(reported).toMatchObject({ status: 'completed', result })
  const { body } = await post('get_task_status', { task_id: 'task_forced_1' })
  expect(body).toMatchObject({ status: 'completed' })
  expect(await force('force_task_completion', completion)).toMatchObject({ success: true })
  const other = { task_id: 'task_forced_1', result: { media_buy_id: 'another' } }
  expect(await force('force_task_completion', other)).toMatchObject({ error: 'INVALID_TRANSITION' })
})

test('what is simulated adds up, is split over the packages and is returned at once', async () => {
  const { body } = await boughtBuy()
  const media_buy_id = String(body.media_buy_id)
  const figures = {
    impressions: 1_001,
    clicks: 10,
    reported_spend: { amount: 5.5, currency: 'USD' },
  }
  await force('simulate_delivery', { media_buy_id, ...figures })
  expect(await force('simulate_delivery', { media_buy_id, ...figures })).toMatchObject({
    simulated: figures,
    cumulative: { impressions: 2_002, clicks: 20, reported_spend: { amount: 11 } },
  })
  const returned = async () => {
    const answer = await post('get_media_buy_delivery', { media_buy_ids: [media_buy_id] })
    return (answer.body.media_buy_deliveries as { totals: object }[])[0]?.totals
  }
  expect(await returned()).toMatchObject({ impressions: 2_002, clicks: 20, spend: 11 })
  const spent = { media_buy_id, spend_percentage: 95 }
  expect(await force('simulate_budget_spend', spent)).toMatchObject({
    simulated: { spend_percentage: 95, computed_spend: 950, budget: 1_000 },
  })
  expect(await returned()).toMatchObject({ impressions: 2_002, spend: 950 })
})

test('a seed again is the same, and another one under its id is refused', async () => {
  const seed = (name: string) => force('seed_product', { product_id: 'twice', fixture: { name } })
  expect(await seed('One')).toMatchObject({ success: true, message: 'seeded' })
  expect(await seed('One')).toMatchObject({ success: true, message: 'existing' })
  expect(await seed('Two')).toMatchObject({ success: false, error: 'INVALID_PARAMS' })
  const buy = { media_buy_id: 'mb_seeded', fixture: { status: 'paused', currency: 'EUR' } }
  expect(await force('seed_media_buy', buy)).toMatchObject({ success: true })
  const { body } = await post('get_media_buys', { media_buy_ids: ['mb_seeded'] })
  expect(body.media_buys).toMatchObject([{ media_buy_id: 'mb_seeded' }])
})

test('for an account that is not there only what was seeded is listed', async () => {
  const alone = newTenant()
  const fixture = { name: 'Seeded', type: 'display' }
  for (const format_id of ['seeded_format_1', 'seeded_format_2']) {
    await force('seed_creative_format', { format_id, fixture }, alone)
  }
  const account = { account_id: 'made_up' }
  const { body } = await post('list_creative_formats', { account }, alone)
  expect(body.formats).toHaveLength(2)
  const all = await post('list_creative_formats', {}, alone)
  expect((all.body.formats as unknown[]).length).toBeGreaterThan(2)
})

test('a call of a platform is recorded for whom it was made', async () => {
  const mine = newTenant()
  await app.storage.transact((tx) =>
    app.storage.signals.put(tx, [
      {
        signal_agent_segment_id: 'sig',
        name: 'Hikers',
        description: 'People who hike.',
        signal_type: 'marketplace',
        data_provider: 'Trail',
        coverage_percentage: 5,
        countries: [],
        tags: [],
        pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm: 2, currency: 'USD' }],
        deployments: [{ type: 'platform', platform: 'some-dsp', is_live: false }],
      },
    ]),
  )
  const activated = await post(
    'activate_signal',
    {
      signal_agent_segment_id: 'sig',
      pricing_option_id: 'cpm',
      destinations: [{ type: 'platform', platform: 'some-dsp', account: 'seat-1' }],
      idempotency_key: idempotency_key(),
    },
    mine,
  )
  expect(activated.body).toMatchObject({ status: 'completed' })
  expect(activated.body.deployments).toMatchObject([{ activation_key: { type: 'segment_id' } }])
  await eventually(async () => {
    const pattern = { endpoint_pattern: 'POST *activations' }
    const { recorded_calls } = await force('query_upstream_traffic', pattern, mine)
    expect(recorded_calls).toMatchObject([
      { method: 'POST', payload: { signal_agent_segment_id: 'sig' }, status_code: 200 },
    ])
  })
  expect(await force('query_upstream_traffic', {}, newTenant())).toMatchObject({ total_count: 0 })
})
