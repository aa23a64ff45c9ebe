// Notes on a request that its task makes (spec 9), over HTTP, MCP and A2A and at each release: ids that name nothing, bids
// that do not count, and targets that differ. None of them is an error.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import { throughEgress } from '../../src/transports/client.ts'
import { createHttpClient } from '../../src/transports/http/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>

const TRANSPORTS = [
  { transport: 'HTTP', create: createHttpClient, path: '' },
  { transport: 'MCP', create: createMcpClient, path: '/mcp' },
  { transport: 'A2A', create: createA2aClient, path: '' },
] as const
const CASES = TRANSPORTS.flatMap((driver) =>
  ['3.0', '3.1', '3.2'].map((release) => ({ ...driver, release })),
)

const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
const fetch = throughEgress(egress)
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

let app: TestApp
let key: string
let count = 0

beforeAll(async () => {
  app = await startApp()
  key = await app.principal()
  await app.storage.transact((tx) => app.storage.products.put(tx, [catalogueProduct()]))
})
afterAll(async () => {
  await app.stop()
  await egress.close()
})

describe.each(CASES)('over $transport at $release', ({ create, path, release }) => {
  const notesOf = async (task: string, request: Json): Promise<unknown> => {
    const client = create({ url: `${app.url}${path}`, fetch, key })
    const result = await client.call(task, { proto_version: release, ...request })
    expect(result).toMatchObject({ ok: true, status: 'completed' })
    return (result.body as { ext?: { request_notes?: string[] } }).ext?.request_notes
  }

  test('spec 9: ids that name nothing are noted, each by its place', async () => {
    expect(await notesOf('get_media_buys', { media_buy_ids: ['mb_none'] })).toEqual([
      '/media_buy_ids/0: no media buy mb_none was found',
    ])
    const filters = { media_buy_ids: ['mb_none'] }
    expect(await notesOf('list_creatives', { filters })).toEqual([
      '/filters/media_buy_ids/0: no media buy mb_none was found',
    ])
    expect(await notesOf('list_creatives', { filters: { creative_ids: ['none'] } })).toEqual([
      '/filters/creative_ids/0: no creative none was found',
    ])
    const known = { agent_url: app.url, id: 'display_300x250_image' }
    const unknown = { agent_url: app.url, id: 'no_such_format' }
    expect(await notesOf('list_creatives', { filters: { format_ids: [known, unknown] } })).toEqual([
      '/filters/format_ids/1: no format no_such_format was found',
    ])
    expect(await notesOf('list_creative_formats', { format_ids: [known, unknown] })).toEqual([
      '/format_ids/1: no format no_such_format was found',
    ])
    const products = { buying_mode: 'wholesale', filters: { format_ids: [known, unknown] } }
    expect(await notesOf('get_products', products)).toEqual([
      '/filters/format_ids/1: no product with format no_such_format was found',
    ])
  })

  test('spec 4.3: targets that differ between members are noted', async () => {
    const target = (platform: string) => ({ type: 'platform', platform, account: 'a-1' })
    const request = {
      signal_spec: 'people who run',
      deliver_to: { deployments: [target('dsp-one')], countries: ['US'] },
      destinations: [target('dsp-two')],
    }
    expect(await notesOf('get_signals', request)).toEqual([
      '/destinations and /deliver_to/deployments name different targets: signals for any of them are returned',
    ])
  })

  test('spec 4.5: a bid on a fixed price is noted, in the answer and when the buy is read', async () => {
    const client = create({ url: `${app.url}${path}`, fetch, key })
    const made = await client.call('create_media_buy', {
      proto_version: release,
      idempotency_key: `request-notes-0123456789-${++count}`,
      account: { brand: { domain: 'acme.example' }, operator: 'agency.example' },
      brand: { domain: 'acme.example' },
      start_time: inDays(1),
      end_time: inDays(5),
      packages: [
        { product_id: 'homepage', pricing_option_id: 'cpm_usd', budget: 500, bid_price: 30 },
      ],
    })
    const { media_buy_id, packages, ext } = made.body as {
      media_buy_id: string
      packages: { package_id: string }[]
      ext: Json
    }
    expect(ext).toEqual({
      request_notes: [
        `bid_price 30 of ${packages[0]?.package_id} is not applied: its price is fixed at 10`,
      ],
    })
    expect(await notesOf('get_media_buys', { media_buy_ids: [media_buy_id] })).toBeUndefined()
  })
})
