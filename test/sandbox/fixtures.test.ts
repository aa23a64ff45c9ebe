// What graders find in a sandbox that no one prepared, and what they seed with no more than their test is about.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { configOf } from '../../src/app/config.ts'
import { loadBuiltIn } from '../../src/sandbox/load-built-in.ts'
import { type Answer, call, startApp, type TestApp } from '../support/app.ts'

const ACCOUNT = { brand: { domain: 'acme.example' }, operator: 'agency.example', sandbox: true }
const DAY_MS = 24 * 60 * 60 * 1_000

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp({
    config: {
      sandbox: true,
      signalsModel: false,
      signalsAccounts: 'any',
      formatAgentUrls: ['*'],
      sandboxKey: 'adw_a-key-of-the-tests-000',
    },
  })
  key = 'adw_a-key-of-the-tests-000'
})
afterAll(() => app.stop())

let keys = 0
const idempotency_key = () => `fixture-test-${++keys}-000000000`

const post = (task: string, body: object): Promise<Answer> =>
  call(`${app.url}/v3/${task}`, { key, body: { proto_version: '3.2', ...body } })

const seed = async (scenario: string, params: object) => {
  const { body } = await post('comply_test_controller', { scenario, params, account: ACCOUNT })
  expect(body).toMatchObject({ success: true, message: 'seeded' })
}

const productOf = async (product_id: string) => {
  const { body } = await post('get_products', { buying_mode: 'wholesale', account: ACCOUNT })
  return (body.products as Record<string, unknown>[]).find((one) => one.product_id === product_id)
}

test('a sandbox has the products, signals and formats that public tests name', async () => {
  expect(await productOf('test-product')).toMatchObject({
    pricing_options: expect.arrayContaining([
      expect.objectContaining({ pricing_option_id: 'default' }),
    ]),
  })
  const { body } = await post('get_signals', { signal_spec: 'outdoor enthusiasts' })
  expect(body.signals).toMatchObject([{ name: 'Outdoor Enthusiasts' }])
  const listed = await post('list_creative_formats', {})
  const ids = (listed.body.formats as { format_id: { id: string } }[]).map(
    ({ format_id }) => format_id.id,
  )
  for (const id of ['native_post', 'vast_30s']) expect(ids).toContain(id)
})

test('what is in the catalogues under an id of its own is left as it is', async () => {
  const products = await app.storage.products.get(['test-product'])
  const product = products.get('test-product')?.product
  if (!product) throw new Error('there is a test-product')
  const changed = { ...product, name: 'The operator’s own' }
  await app.storage.transact((tx) => app.storage.products.put(tx, [changed]))
  await loadBuiltIn(app.storage)
  expect(await productOf('test-product')).toMatchObject({ name: 'The operator’s own' })
})

test('a signal of the sandbox is activated on any sales agent and any platform', async () => {
  const { body } = await post('activate_signal', {
    signal_agent_segment_id: 'prism_high_ltv',
    destinations: [
      { type: 'platform', platform: 'a-platform-of-the-grader', account: 'seat-1' },
      { type: 'agent', agent_url: 'https://agent-of-the-grader.example' },
    ],
    idempotency_key: idempotency_key(),
  })
  expect(body.deployments).toMatchObject([
    { platform: 'a-platform-of-the-grader' },
    { agent_url: 'https://agent-of-the-grader.example' },
  ])
})

test('a price that is neither fixed nor has a floor is of an auction in which any bid counts', async () => {
  const option = { pricing_option_id: 'bid', pricing_model: 'cpm', price_guidance: { p50: 5 } }
  const fixture = {
    delivery_type: 'non_guaranteed',
    pricing_options: [option],
    reporting_capabilities: { available_metrics: ['impressions'] },
    publisher_properties: [
      { publisher_domain: 'a.example' },
      { publisher_domain: 'b.example', property_ids: ['x'] },
      { publisher_domain: 'c.example', property_tags: ['x'] },
    ],
  }
  await seed('seed_product', { product_id: 'auction', fixture })
  expect(await productOf('auction')).toMatchObject({
    pricing_options: [{ ...option, currency: 'USD', floor_price: 0, is_fixed: false }],
    reporting_capabilities: { available_metrics: ['impressions'], timezone: 'UTC' },
    publisher_properties: [
      { selection_type: 'all' },
      { selection_type: 'by_id' },
      { selection_type: 'by_tag' },
    ],
  })
  const { body } = await post('create_media_buy', {
    account: ACCOUNT,
    brand: ACCOUNT.brand,
    start_time: 'asap',
    end_time: new Date(Date.now() + 8 * DAY_MS).toISOString(),
    packages: [{ product_id: 'auction', pricing_option_id: 'bid', budget: 100 }],
    idempotency_key: idempotency_key(),
  })
  expect(body).toMatchObject({ status: 'completed' })
})

test('formats of a product are named by ids alone, or by canonical kinds', async () => {
  await seed('seed_product', { product_id: 'by_id', fixture: { format_ids: ['video_30s'] } })
  expect(await productOf('by_id')).toMatchObject({ format_ids: [{ id: 'video_30s' }] })
  const size = { width: 728, height: 90 }
  const format_options = [
    { format_option_id: 'grader_1', format_kind: 'image', params: size },
    { format_option_id: 'grader_2', format_kind: 'agent_placement', params: {} },
  ]
  await seed('seed_product', { product_id: 'by_kind', fixture: { format_options } })
  const found = (await productOf('by_kind')) as { format_options: unknown[] }
  expect(found.format_options).toMatchObject([{ format_kind: 'image', params: size }])
})

test('a creative may be of a format that no one has: it gets the slots of its assets', async () => {
  const assets = { post: { asset_type: 'published_post', post_url: 'https://social.example/1' } }
  const format_id = { agent_url: 'https://grader.example', id: 'format_of_the_grader' }
  await seed('seed_creative', { creative_id: 'unknown_format', fixture: { format_id, assets } })
  const { body } = await post('list_creatives', { filters: { creative_ids: ['unknown_format'] } })
  expect(body.creatives).toMatchObject([{ creative_id: 'unknown_format', format_id, assets }])
})

test('an HTML5 bundle and a published post are seeded as creatives', async () => {
  const post_url = 'https://social.example/p/1'
  const format_id = { agent_url: 'https://grader.example', id: 'existing_post' }
  const assets = { existing_post: { asset_type: 'published_post', post_url } }
  await seed('seed_creative', { creative_id: 'post', fixture: { format_id, assets } })
  const html5_bundle = { asset_type: 'zip', url: 'https://cdn.example/banner.zip' }
  const bundle = { format_kind: 'html5', assets: { html5_bundle } }
  await seed('seed_creative', { creative_id: 'bundle', fixture: bundle })
  const filters = { creative_ids: ['post', 'bundle'] }
  const { body } = await post('list_creatives', { filters })
  expect(body.creatives).toHaveLength(2)
})

test('several accounts of one brand and operator are seeded, and a buy for the account of the call', async () => {
  const fixture = { ...ACCOUNT, status: 'active' }
  await seed('seed_account', { account_id: 'grader_account_1', fixture })
  await seed('seed_account', { account_id: 'grader_account_2', fixture })
  await seed('seed_media_buy', { media_buy_id: 'mb_of_account', fixture: { status: 'active' } })
  const { body } = await post('get_media_buys', { account: ACCOUNT })
  expect((body.media_buys as { media_buy_id: string }[]).map((one) => one.media_buy_id)).toContain(
    'mb_of_account',
  )
})

test('a sandbox takes formats of any agent and legacy webhooks of unsigned calls, unless set otherwise', () => {
  const settings = (given: Record<string, string>) =>
    configOf((name) => ({
      text: new Map(Object.entries({ sandbox: 'true', ...given })).get(name),
      name,
    }))
  expect(settings({})).toMatchObject({
    ok: true,
    config: { formatAgentUrls: ['*'], unsignedLegacyWebhooks: 'all' },
  })
  expect(settings({ unsignedLegacyWebhooks: 'none', formatAgentUrls: '' })).toMatchObject({
    ok: true,
    config: { formatAgentUrls: [], unsignedLegacyWebhooks: 'none' },
  })
})
