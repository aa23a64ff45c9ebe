// One server, and calls of every release that is in use: each in its own words, and answered in them (spec 9).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>
type Shape = '2.5' | '3.0' | '3.1' | '3.2'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await startApp({ config: { demo: true, console: false, signalsModel: false } })
  key = await app.principal()
  await app.storage.transact((tx) => app.storage.products.put(tx, [catalogueProduct()]))
})
afterAll(() => app.stop())

/** What a call of the release brings along; 2.5 knows no versions, and is answered as 3.1 names itself. */
const PINS: Record<Shape, Json> = {
  2.5: {},
  '3.0': { proto_version: '3.0' },
  3.1: { proto_version: '3.1' },
  3.2: { proto_version: '3.2' },
}
const ECHOED: Record<Shape, string> = { 2.5: '3.1', '3.0': '3.0', 3.1: '3.1', 3.2: '3.2' }
const SHAPES = Object.keys(PINS) as Shape[]
const NEWER: readonly Shape[] = ['3.0', '3.1', '3.2']

let keys = 0
/** 3.x wants a key of whatever changes something; 2.5 knows none. */
const fresh = (shape: Shape) =>
  shape === '2.5' ? {} : { idempotency_key: `release-call-${++keys}-0123456789` }
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const DSP = { type: 'platform', platform: 'sandbox' }
const BRAND = { domain: 'acme.example' }
const formatId = () => ({ agent_url: app.url, id: 'display_300x250_image' })
const assets = {
  banner_image: { asset_type: 'image', url: 'https://a.example/a.png', width: 300, height: 250 },
  click_url: { asset_type: 'url', url: 'https://a.example/' },
}
const canonical = {
  format_kind: 'image',
  assets: { image_main: assets.banner_image, landing_page_url: assets.click_url },
}
const flight = () => ({ start_time: inDays(1), end_time: inDays(9) })
const line = { product_id: 'homepage', pricing_option_id: 'cpm_usd', budget: 500 }

interface Form {
  task: string
  shapes: readonly Shape[]
  what: string
  request: (shape: Shape) => Json
  /** Of the answer, in the words of the shape; of 3.1 unless the shape has its own. */
  answer: Json
  own?: Partial<Record<Shape, Json>>
}

const BUY: Pick<Form, 'answer' | 'own'> = {
  answer: { status: 'completed', media_buy_status: 'pending_creatives', revision: 1 },
  // In 3.0 the status of a buy is the buy's own.
  own: { '3.0': { status: 'pending_creatives', revision: 1 } },
}

const FORMS: readonly Form[] = [
  {
    task: 'get_agent_capabilities',
    shapes: SHAPES,
    what: 'nothing',
    request: () => ({}),
    answer: { proto: { major_versions: [3], supported_versions: ['3.0', '3.1', '3.2'] } },
    own: { 3.2: { creative: { supported_formats: expect.any(Array), preview: {} } } },
  },
  {
    task: 'list_creative_formats',
    shapes: SHAPES,
    what: 'filters and pages',
    request: () => ({ asset_types: ['image'], pagination: { max_results: 2 } }),
    answer: { formats: [{ format_id: {}, assets: expect.any(Array) }, {}] },
  },
  {
    task: 'get_signals',
    shapes: ['2.5'],
    what: 'deliver_to and max_results',
    request: () => ({
      signal_spec: 'electric car',
      max_results: 1,
      deliver_to: { deployments: [DSP], countries: ['US'] },
    }),
    answer: { signals: [{ signal_agent_segment_id: expect.any(String), pricing: {} }] },
  },
  {
    task: 'get_signals',
    shapes: NEWER,
    what: 'destinations and pagination',
    request: () => ({
      signal_spec: 'electric car',
      destinations: [DSP],
      countries: ['US'],
      pagination: { max_results: 1 },
    }),
    answer: { signals: [{ pricing_options: expect.any(Array) }], cache_scope: 'account' },
  },
  {
    task: 'get_signals',
    shapes: NEWER,
    what: 'discovery_mode wholesale',
    request: () => ({ discovery_mode: 'wholesale', pagination: { max_results: 1 } }),
    answer: { signals: [{}], wholesale_feed_version: expect.any(String) },
  },
  {
    task: 'build_creative',
    shapes: SHAPES,
    what: 'target_format_id',
    request: (shape) => ({
      ...fresh(shape),
      message: 'A summer sale at https://acme.example/sale.',
      target_format_id: formatId(),
    }),
    answer: { creative_manifest: { format_id: { id: 'display_300x250_image' } } },
  },
  {
    task: 'build_creative',
    shapes: ['3.2'],
    what: 'target_capability_id',
    request: (shape) => ({
      ...fresh(shape),
      message: 'A summer sale at https://acme.example/sale.',
      target_capability_id: 'display_300x250',
    }),
    answer: { creative_manifest: { format_kind: 'image', assets: { image_main: {} } } },
  },
  {
    task: 'preview_creative',
    shapes: SHAPES,
    what: 'format_id',
    request: () => ({
      request_type: 'single',
      format_id: formatId(),
      creative_manifest: { format_id: formatId(), assets },
    }),
    answer: { response_type: 'single', previews: [{ renders: [{}] }] },
  },
  {
    task: 'preview_creative',
    shapes: NEWER,
    what: 'a batch',
    request: () => ({
      request_type: 'batch',
      requests: [
        { creative_manifest: { format_id: formatId(), assets } },
        { creative_manifest: { format_id: { ...formatId(), id: 'none' }, assets } },
      ],
    }),
    answer: {
      results: [
        { success: true, creative_id: 'request_0' },
        { success: false, creative_id: 'request_1', errors: [{ recovery: 'correctable' }] },
      ],
    },
  },
  {
    task: 'preview_creative',
    shapes: ['3.2'],
    what: 'target_capability_id',
    request: () => ({
      request_type: 'single',
      target_capability_id: 'display_300x250',
      creative_manifest: canonical,
      quality: 'draft',
    }),
    answer: { previews: [{}], quality_used: 'draft' },
  },
  {
    task: 'validate_input',
    shapes: NEWER,
    what: 'a manifest that lacks its picture',
    request: () => ({ manifest: { format_id: formatId(), assets: {} } }),
    answer: { results: [{ result_kind: 'validated_fail' }] },
  },
  {
    task: 'sync_creatives',
    shapes: SHAPES,
    what: 'format_id',
    request: (shape) => ({
      ...fresh(shape),
      creatives: [{ creative_id: 'one', name: 'One', format_id: formatId(), assets }],
    }),
    answer: { creatives: [{ creative_id: 'one', action: expect.any(String) }] },
  },
  {
    task: 'list_creatives',
    shapes: SHAPES,
    what: 'pages',
    request: () => ({ pagination: { max_results: 1 } }),
    answer: { query_summary: {}, creatives: [{ creative_id: 'one' }] },
  },
  {
    task: 'get_products',
    shapes: ['2.5'],
    what: 'promoted_offering',
    request: () => ({ brief: 'the homepage', promoted_offering: 'shoes' }),
    answer: { products: expect.any(Array) },
  },
  {
    task: 'get_products',
    shapes: NEWER,
    what: 'buying_mode',
    request: () => ({ buying_mode: 'wholesale', brand: BRAND }),
    answer: { products: expect.any(Array), cache_scope: 'account' },
  },
  {
    task: 'create_media_buy',
    shapes: ['2.5'],
    what: 'buyer_ref',
    request: () => ({ ...flight(), buyer_ref: 'mine', packages: [{ ...line, buyer_ref: 'a' }] }),
    ...BUY,
  },
  {
    task: 'create_media_buy',
    shapes: NEWER,
    what: 'brand and a key',
    request: (shape) => ({ ...fresh(shape), ...flight(), brand: BRAND, packages: [line] }),
    ...BUY,
  },
  {
    task: 'get_media_buys',
    shapes: SHAPES,
    what: 'a state',
    request: () => ({ status_filter: ['pending_creatives'] }),
    answer: { media_buys: expect.any(Array) },
  },
  {
    task: 'get_media_buy_delivery',
    shapes: SHAPES,
    what: 'days',
    request: () => ({ start_date: '2026-01-01', end_date: '2026-02-01' }),
    answer: { reporting_period: {}, media_buy_deliveries: [] },
  },
  {
    task: 'sync_accounts',
    shapes: NEWER,
    what: 'brand and operator',
    request: (shape) => ({
      ...fresh(shape),
      accounts: [{ brand: BRAND, operator: 'agency.example', billing: 'operator' }],
    }),
    answer: { accounts: [{ brand: BRAND, operator: 'agency.example' }] },
  },
  {
    task: 'list_accounts',
    shapes: NEWER,
    what: 'pages',
    request: () => ({ pagination: { max_results: 1 } }),
    answer: { accounts: [{ brand: {} }], pagination: {} },
  },
]

/** What only callers of 3.2 know. */
const NEWEST = ['format_kind', 'format_options', 'supported_formats', 'capability_id', 'reason']

function newestIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) => [
    ...(NEWEST.includes(member) ? [member] : []),
    ...newestIn(inner),
  ])
}

describe('spec 9: a call in the words of its release is answered in them:', () => {
  const rows = FORMS.flatMap((form) =>
    form.shapes.map((shape) => [shape, form.task, form.what, form] as const),
  )
  test.each(rows)('%s, %s with %s', async (shape, task, _what, form) => {
    const body = { ...form.request(shape), ...PINS[shape], context: { of: shape } }
    const answer = await call(`${app.url}/v3/${task}`, { key, body })
    expect(answer.body).toMatchObject({
      proto_version: ECHOED[shape],
      context: { of: shape },
      ...(form.own?.[shape] ?? form.answer),
    })
    // Capabilities declare the formats from 3.1 on.
    const declares = shape === '3.1' && task === 'get_agent_capabilities'
    if (shape !== '3.2' && !declares) expect(newestIn(answer.body)).toEqual([])
    if (shape === '2.5') expect(answer.body).not.toHaveProperty('idempotency_key')
  })
})

const TRANSPORTS = ['HTTP', 'MCP', 'A2A'] as const

async function over(
  transport: (typeof TRANSPORTS)[number],
  task: string,
  request: Json,
): Promise<Json> {
  if (transport === 'HTTP')
    return (await call(`${app.url}/v3/${task}`, { key, body: request })).body
  const rpc = (method: string, params: Json) => ({ jsonrpc: '2.0', id: 1, method, params })
  if (transport === 'MCP') {
    const body = rpc('tools/call', { name: task, arguments: request })
    const answer = (await call(`${app.url}/mcp`, { key, body })).body
    return (answer.result as { structuredContent: Json }).structuredContent
  }
  const parts = [{ kind: 'data', data: { skill: task, parameters: request } }]
  const message = { kind: 'message', role: 'user', messageId: `m-${++keys}`, parts }
  const answer = (await call(`${app.url}/a2a`, { key, body: rpc('message/send', { message }) }))
    .body
  const { artifacts } = answer.result as { artifacts: { parts: { data: Json }[] }[] }
  return artifacts[0]?.parts[0]?.data ?? {}
}

/** A refusal of each kind: by shape, by what is requested, by what does not exist, by the state of a thing. */
const REFUSED: readonly (readonly [string, string, (shape: Shape) => Json])[] = [
  ['INVALID_REQUEST', 'get_agent_capabilities', () => ({ protocols: 'all' })],
  ['INVALID_FORMAT_ID', 'list_creative_formats', () => ({ format_ids: 'x' })],
  [
    'FORMAT_NOT_SUPPORTED',
    'build_creative',
    (shape) => ({
      ...fresh(shape),
      message: 'x',
      target_format_id: { agent_url: app.url, id: 'none' },
    }),
  ],
  [
    'PRODUCT_NOT_FOUND',
    'create_media_buy',
    (shape) => ({ ...fresh(shape), ...flight(), packages: [{ ...line, product_id: 'none' }] }),
  ],
  [
    'MEDIA_BUY_NOT_FOUND',
    'update_media_buy',
    (shape) => ({ ...fresh(shape), media_buy_id: 'none', paused: true }),
  ],
  ['TASK_NOT_FOUND', 'get_task_status', () => ({ task_id: 'none' })],
]

const RECOVERIES = ['transient', 'correctable', 'terminal']

function expectErrors(body: Json, shape: Shape): void {
  const errors = body.errors as Json[]
  expect(errors.length).toBeGreaterThan(0)
  const alone = body.error ? [body.error as Json] : []
  for (const error of [...errors, body.proto_error as Json, ...(shape === '2.5' ? [] : alone)]) {
    expect(RECOVERIES).toContain(error.recovery)
    if (error.retry_after !== undefined) {
      expect(Number.isInteger(error.retry_after)).toBe(true)
      expect(error.retry_after).toBeGreaterThanOrEqual(1)
      expect(error.retry_after).toBeLessThanOrEqual(3_600)
    }
  }
}

describe('spec 7.2, 9: a refusal returns its recovery over every transport, whatever the release:', () => {
  test.each(SHAPES.flatMap((shape) => TRANSPORTS.map((transport) => [shape, transport] as const)))(
    '%s over %s',
    async (shape, transport) => {
      for (const [code, task, request] of REFUSED) {
        const body = await over(transport, task, { ...request(shape), ...PINS[shape] })
        expect(body).toMatchObject({
          status: 'failed',
          errors: [{ code }],
          proto_error: { code },
          proto_version: ECHOED[shape],
        })
        expectErrors(body, shape)
        const [{ field }] = body.errors as [{ field?: string }]
        expect(field?.startsWith('/') ?? false).toBe(shape === '2.5' && field !== undefined)
      }
    },
  )

  test.each(SHAPES)('a key that was used for something else, %s', async (shape) => {
    for (const transport of TRANSPORTS) {
      const own = { idempotency_key: `conflict-${++keys}-0123456789` }
      const request = { ...own, ...flight(), ...PINS[shape], packages: [line] }
      await over(transport, 'create_media_buy', request)
      const body = await over(transport, 'create_media_buy', { ...request, po_number: 'other' })
      expect(body).toMatchObject({ errors: [{ code: 'IDEMPOTENCY_CONFLICT' }] })
      const [error] = body.errors as [Json]
      // In 3.0 nothing may reveal the earlier request.
      if (shape === '3.0') expect(Object.keys(error).sort()).toEqual(['code', 'message'])
      else expectErrors(body, shape)
    }
  })

  test('a release that is not served gets the list of those that are, and so does a call without a key', async () => {
    for (const transport of TRANSPORTS) {
      const body = await over(transport, 'list_creative_formats', { proto_version: '2.5' })
      expect(body).toMatchObject({ errors: [{ code: 'VERSION_UNSUPPORTED' }] })
      expectErrors(body, '2.5')
    }
    const { body } = await call(`${app.url}/v3/list_accounts`, { body: {} })
    expectErrors(body, '2.5')
  })
})

test('spec 9: 3.x activations have deployments or errors, and never both', async () => {
  const found = await call(`${app.url}/v3/get_signals`, {
    key,
    body: { signal_spec: 'electric car', destinations: [DSP], pagination: { max_results: 1 } },
  })
  const [{ signal_agent_segment_id }] = found.body.signals as [Json]
  const request = { signal_agent_segment_id, deployments: [DSP] }
  const activate = (more: Json) =>
    call(`${app.url}/v3/activate_signal`, { key, body: { ...request, ...more } })
  await eventually(async () => {
    const { body } = await activate({})
    expect(body).toMatchObject({ errors: [{ code: 'ALREADY_ACTIVATED' }], deployments: [{}] })
  })
  for (const shape of NEWER) {
    const { body } = await activate({ ...fresh(shape), ...PINS[shape] })
    expect(body).toMatchObject({
      deployments: [{ is_live: true }],
      ext: { activation_notes: [{ code: 'ALREADY_ACTIVATED', field: 'deployments[0]' }] },
    })
    expect(body).not.toHaveProperty('errors')
  }
})
