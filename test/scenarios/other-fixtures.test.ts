// The tasks with other fixtures than those of the public graders: other brands, countries, currencies, formats and ids,
// over MCP and A2A and at each release, on the demo and on a sandbox. Every answer is also judged by its schema
// (test/support/answer-judge.ts).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import { type CallResult, throughEgress } from '../../src/transports/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>

const BUYERS = [
  { domain: 'loewen-kaffee.example', operator: 'mediahaus.example', countries: ['DE', 'AT'] },
  { domain: 'umi-denki.example', operator: 'tokyo-baitai.example', countries: ['JP'] },
] as const
const TRANSPORTS = [
  { transport: 'MCP', create: createMcpClient, path: '/mcp' },
  { transport: 'A2A', create: createA2aClient, path: '' },
] as const
const RELEASES = ['3.0', '3.1', '3.2'] as const
const SERVERS = ['demo', 'sandbox'] as const

const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
const fetch = throughEgress(egress)
const apps = new Map<string, { app: TestApp; key: string }>()
let keys = 0

beforeAll(async () => {
  for (const name of SERVERS) {
    const app = await startApp({
      config: {
        ...(name === 'demo'
          ? { demo: true }
          : { sandbox: true, sandboxKey: 'adw_other-fixtures-00000' }),
        console: false,
        signalsModel: false,
        sandboxDelaySeconds: 0,
        tasksPerMinute: 100_000,
      },
    })
    apps.set(name, {
      app,
      key: name === 'demo' ? await app.principal() : 'adw_other-fixtures-00000',
    })
  }
})
afterAll(async () => {
  for (const { app } of apps.values()) await app.stop()
  await egress.close()
})

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const dayOf = (days: number) => inDays(days).slice(0, 10)

const CASES = SERVERS.flatMap((server) =>
  TRANSPORTS.flatMap((way, index) =>
    RELEASES.map((release) => ({ server, ...way, release, buyer: BUYERS[index] as Buyer })),
  ),
)
interface Product {
  product_id: string
  delivery_type: string
  pricing_options: Json[]
}
type Buyer = (typeof BUYERS)[number]

describe.each(CASES)(
  '$server over $transport at $release',
  ({ server, release, buyer, ...way }) => {
    const own = () => apps.get(server) as { app: TestApp; key: string }
    const account = {
      brand: { domain: buyer.domain },
      operator: buyer.operator,
      ...(server === 'sandbox' ? { sandbox: true } : {}),
    }

    async function ask(task: string, request: Json): Promise<CallResult> {
      const { app, key } = own()
      const client = way.create({ url: `${app.url}${way.path}`, fetch, key })
      return client.call(task, { proto_version: release, ...request })
    }
    async function done(task: string, request: Json): Promise<Json> {
      const result = await ask(task, request)
      if (!result.ok)
        throw new Error(`${task}: ${JSON.stringify(result.body ?? result).slice(0, 600)}`)
      return result.body as Json
    }
    const fresh = () => ({ idempotency_key: `other-fixtures-${++keys}-0123456789` })

    test('accounts are made and listed', async () => {
      const wanted = { ...account, billing: 'agent', payment_terms: 'net_60', name: 'Löwen 東京' }
      const { accounts } = await done('sync_accounts', { ...fresh(), accounts: [wanted] })
      expect(accounts).toMatchObject([{ ...account, status: 'active', billing: 'agent' }])
      const listed = (await done('list_accounts', { pagination: { max_results: 100 } })).accounts
      expect(listed).toContainEqual(expect.objectContaining({ operator: buyer.operator }))
    })

    test('every product is bought at every price, targeted, changed and reported', async () => {
      const { products } = (await done('get_products', { buying_mode: 'wholesale', account })) as {
        products: (Json & { product_id: string; pricing_options: Json[]; min_spend?: number })[]
      }
      expect(products.length).toBeGreaterThan(0)
      for (const { product_id, pricing_options } of products) {
        for (const option of pricing_options) {
          const least = Math.max(Number(option.min_spend_per_package ?? 0), 100)
          const floor = option.floor_price as number | undefined
          const buy = await ask('create_media_buy', {
            ...fresh(),
            account,
            brand: account.brand,
            start_time: inDays(2),
            end_time: inDays(33),
            packages: [
              {
                product_id,
                pricing_option_id: option.pricing_option_id,
                budget: least + 37,
                ...(option.fixed_price === undefined ? { bid_price: (floor ?? 1) * 2 + 0.37 } : {}),
                targeting_overlay: { geo_countries: buyer.countries },
              },
            ],
          })
          const what = `${product_id} ${JSON.stringify(option)}`
          const body = buy.body as Json
          expect([what, buy.ok || body.errors]).toEqual([what, true])
        }
      }
    })

    test('every format is built, checked, shown and synced', async () => {
      const { formats } = (await done('list_creative_formats', { type: 'display' })) as {
        formats: { format_id: Json; accepts_parameters?: unknown }[]
      }
      expect(formats.length).toBeGreaterThan(0)
      const fixed = formats.filter((one) => one.accepts_parameters === undefined)
      for (const { format_id } of fixed.slice(0, 8)) {
        const what = JSON.stringify(format_id)
        const built = await ask('build_creative', {
          ...fresh(),
          message:
            'Frischer Kaffee aus Bremen, 250 g für 7,90 €. https://loewen-kaffee.example/laden',
          brand: account.brand,
          target_format_id: format_id,
        })
        const { creative_manifest: manifest, errors } = built.body as Json
        expect([what, built.ok || errors]).toEqual([what, true])
        const shown = await ask('preview_creative', {
          request_type: 'single',
          format_id,
          creative_manifest: manifest,
        })
        expect([what, shown.ok || shown.body]).toEqual([what, true])
        const creative_id = `kaffee-${++keys}`
        const synced = await ask('sync_creatives', {
          ...fresh(),
          account,
          creatives: [{ creative_id, name: 'Kaffee', ...(manifest as Json) }],
        })
        expect([what, (synced.body as Json).creatives ?? synced.body]).toEqual([
          what,
          [expect.objectContaining({ creative_id, action: 'created' })],
        ])
      }
    })

    test('signals are found in other words, activated on an agent and a platform, and taken down', async () => {
      const agent = { type: 'agent', agent_url: 'https://verkauf.medienhaus-nord.example/proto' }
      const { signals } = (await done('get_signals', {
        signal_spec:
          server === 'demo' ? 'Menschen, die gern Kaffee trinken' : 'outdoor enthusiasts',
        destinations: [agent],
        countries: server === 'demo' ? ['DE'] : ['US'],
      })) as { signals: { signal_agent_segment_id: string; pricing_options: Json[] }[] }
      expect(signals.length).toBeGreaterThan(0)
      for (const { signal_agent_segment_id, pricing_options } of signals.slice(0, 3)) {
        const { deployments } = await done('activate_signal', {
          ...fresh(),
          signal_agent_segment_id,
          ...(pricing_options[0]
            ? { pricing_option_id: pricing_options[0].pricing_option_id }
            : {}),
          destinations: [agent],
        })
        expect(deployments).toMatchObject([
          { is_live: true, activation_key: { type: 'key_value' } },
        ])
        const ended = await done('activate_signal', {
          ...fresh(),
          signal_agent_segment_id,
          action: 'deactivate',
          destinations: [agent],
        })
        expect(ended.deployments).toMatchObject([{ is_live: false }])
      }
    })

    test('a running buy is changed, delivered, rated and canceled', async () => {
      const { products } = (await done('get_products', {
        buying_mode: 'brief',
        brief: 'Werbung für Kaffee auf Nachrichtenseiten',
        account,
        brand: account.brand,
      })) as { products: Product[] }
      const all =
        products.length > 0
          ? products
          : ((await done('get_products', { buying_mode: 'wholesale' })).products as Product[])
      const product = all.find((one) => one.delivery_type === 'non_guaranteed') ?? all[0]
      const [option] = product?.pricing_options ?? []
      const made = (await done('create_media_buy', {
        ...fresh(),
        account,
        brand: account.brand,
        po_number: 'K-2026/77',
        start_time: 'asap',
        end_time: inDays(12),
        packages: [
          {
            product_id: product?.product_id,
            pricing_option_id: option?.pricing_option_id,
            budget: Math.max(Number(option?.min_spend_per_package ?? 0), 900),
            ...(option?.fixed_price === undefined ? { bid_price: 44 } : {}),
          },
        ],
      })) as { media_buy_id: string; revision: number; packages: { package_id: string }[] }
      const { media_buy_id } = made
      const of = { account, media_buy_id }
      await done('update_media_buy', { ...fresh(), ...of, paused: true })
      await done('update_media_buy', { ...fresh(), ...of, paused: false, end_time: inDays(20) })
      const [{ package_id } = { package_id: '' }] = made.packages
      await done('update_media_buy', {
        ...fresh(),
        ...of,
        packages: [{ package_id, budget: 12_500 }],
      })
      const read = (await done('get_media_buys', { account, media_buy_ids: [media_buy_id] })) as {
        media_buys: Json[]
      }
      expect(read.media_buys).toMatchObject([{ media_buy_id, total_budget: expect.anything() }])
      const range = { start_date: dayOf(-2), end_date: dayOf(1) }
      await done('get_media_buy_delivery', { account, media_buy_ids: [media_buy_id], ...range })
      await done('get_reporting_status', { account, media_buy_ids: [media_buy_id] })
      await done('provide_performance_feedback', {
        ...fresh(),
        media_buy_id,
        measurement_period: { start: inDays(-3), end: inDays(-1) },
        performance_index: 1.3,
      })
      const canceled = await done('update_media_buy', { ...fresh(), ...of, canceled: true })
      expect(canceled).toMatchObject({ media_buy_status: 'canceled' })
      const again = await ask('update_media_buy', { ...fresh(), ...of, canceled: true })
      expect(again.body).toMatchObject({ errors: [{ code: expect.any(String) }] })
    })
  },
)
