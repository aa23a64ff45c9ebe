// A seller's server and a buyer over loopback: what impairs a buy, what the buyer receives about it, and what it sees
// of its webhooks (spec 2.12, 6.3).

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelBox } from '../../src/app/channel-box.ts'
import { readConfig } from '../../src/app/config.ts'
import { impairmentPorts } from '../../src/app/impairment-ports.ts'
import { raiseImpairment } from '../../src/media-buys/impairments/keep-impairments.ts'
import { createEmitter } from '../../src/webhooks/sender/emit.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { catalogueSignal } from '../support/catalogue.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>

const SANDBOX = { type: 'platform' as const, platform: 'sandbox' }

let app: TestApp
let key: string
let stranger: string
let hooks: string
const received: { path: string; body: Json }[] = []
/** Answers other than 200, by path. */
const answers = new Map<string, number>()
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const [path = ''] = (request.url ?? '').split('?')
  received.push({ path, body: JSON.parse(String(Buffer.concat(chunks))) as Json })
  response.writeHead(answers.get(path) ?? 200).end()
})

beforeAll(async () => {
  app = await startApp({
    config: {
      impairmentWindowSeconds: 1,
      sandboxDelaySeconds: 0,
      signalsAccounts: 'any' as const,
      signalsModel: false,
      warmUp: false,
    },
  })
  key = await app.principal()
  stranger = await app.principal()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hooks = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`
  const signal = catalogueSignal({ deployments: [{ ...SANDBOX, is_live: false }] })
  await app.storage.transact(async (tx) => {
    await app.storage.products.put(tx, [catalogueProduct()])
    await app.storage.signals.put(tx, [signal])
  })
})

afterAll(async () => {
  await app.stop()
  receiver.closeAllConnections()
  receiver.close()
})

const task = async (name: string, body: Json, as = key) =>
  (await call(`${app.url}/v3/${name}`, { key: as, body })).body
const reportedAt = (path: string) =>
  received.filter((one) => one.path === path).map(({ body }) => body)
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

async function bought(over: Json, terms: Json = {}): Promise<string> {
  const option = { product_id: 'homepage', budget: 1_000, pricing_option_id: 'cpm_usd' }
  const body = await task('create_media_buy', {
    start_time: inDays(1),
    end_time: inDays(5),
    packages: [{ ...option, ...terms }],
    ...over,
  })
  expect(body).toMatchObject({ status: 'completed' })
  return body.media_buy_id as string
}

const buysOf = async (id: string, as = key) =>
  (await task('get_media_buys', { media_buy_ids: [id], include_webhook_activity: true }, as))
    .media_buys as Json[]

/** Its key, once it is live: repeating an activation is safe. */
async function activated(signal: Json): Promise<unknown> {
  let key: unknown
  await eventually(async () => {
    const answer = await task('activate_signal', signal)
    const deployments = answer.deployments as { activation_key?: unknown }[] | undefined
    key = deployments?.[0]?.activation_key
    expect([answer, key]).toEqual([answer, expect.anything()])
  })
  return key
}

test('spec 6.3: a signal is activated, targeted and deactivated: health says so, and the buyer hears', async () => {
  const signal = { signal_agent_segment_id: 'acme-ev-intenders', deployments: [SANDBOX] }
  const activation_key = await activated(signal)
  const id = await bought(
    { push_notification_config: { url: `${hooks}/gone`, operation_id: 'op-gone' } },
    { targeting_overlay: { activation_keys: [activation_key] } },
  )
  expect(await buysOf(id)).toMatchObject([{ health: 'ok', impairments: [], webhook_activity: [] }])

  const ended = await task('activate_signal', {
    ...signal,
    action: 'deactivate',
    idempotency_key: randomUUID(),
  })
  expect(ended).not.toHaveProperty('errors')
  const impaired = {
    resource_type: 'audience',
    resource_id: 'acme-ev-intenders',
    transition: { to: 'suspended' },
  }
  await eventually(async () =>
    expect(await buysOf(id)).toMatchObject([{ health: 'impaired', impairments: [impaired] }]),
  )
  await eventually(() => expect(reportedAt('/gone')).toHaveLength(1))
  expect(reportedAt('/gone')[0]).toMatchObject({
    operation_id: 'op-gone',
    notification_id: expect.any(String),
    result: { notification_type: 'impairment', media_buy_id: id, health: 'impaired' },
  })
  // spec 3.2: its task_id can be looked up, and is no end of create_media_buy.
  const { task_id } = reportedAt('/gone')[0] as Json
  expect(await task('get_task_status', { task_id })).toMatchObject({
    task_id,
    task_type: 'update_media_buy',
    status: 'completed',
    result: { notification_type: 'impairment', media_buy_id: id, health: 'impaired' },
  })

  // The buyer takes the key out of the targeting.
  const [buy] = (await buysOf(id)) as [Json]
  const [{ package_id }] = buy.packages as [Json]
  const packages = [{ package_id, targeting_overlay: {} }]
  const updated = await task('update_media_buy', { media_buy_id: id, packages })
  expect(updated).toMatchObject({ status: 'completed' })
  expect(await buysOf(id)).toMatchObject([{ health: 'ok', impairments: [] }])
  await eventually(() => expect(reportedAt('/gone')).toHaveLength(2))
  const [opened, closed] = reportedAt('/gone')
  expect(closed?.notification_id).toBe(opened?.notification_id)
  expect(closed?.result).toMatchObject({ health: 'ok', change: 'cleared' })

  // Another principal sees neither buy nor activity, as if there were none.
  expect(await buysOf(id, stranger)).toEqual([])
  expect(await buysOf('mb_none', stranger)).toEqual([])
})

/** As an operator does. */
async function raised(
  media_buy_id: string,
  impairment_type: 'general' | 'fraud' = 'fraud',
): Promise<void> {
  const { storage } = app
  const box = await channelBox({ keySecret: undefined }, storage)
  const emitter = createEmitter({ ...storage, box, onFault: () => {} })
  const read = readConfig({}, {})
  if (!read.ok) throw new Error(read.errors.join())
  const ports = impairmentPorts({ config: read.config, storage }, emitter)
  await storage.transact(async (tx) => {
    const buy = await storage.mediaBuys.lock(tx, { media_buy_id })
    if (!buy) throw new Error('there is no such buy')
    const package_ids = buy.packages.map((one) => one.package_id)
    await raiseImpairment(ports, tx, {
      buy,
      wanted: {
        impairment_type,
        resource_type: 'property',
        resource_id: 'daily.example',
        package_ids,
        transition: { to: 'depublished' },
        reason_code: 'property_depublished',
        raised_by: 'operator',
      },
    })
  })
}

test('spec 6.4: update_media_buy changes the URL during a delivery retry: the next goes there, and both are returned', async () => {
  answers.set('/before', 401)
  const media_buy_id = await bought({ push_notification_config: { url: `${hooks}/before?x=1` } })
  await raised(media_buy_id)
  await eventually(() => expect(reportedAt('/before')).toHaveLength(1))
  const push_notification_config = { url: `${hooks}/after` }
  const updated = await task('update_media_buy', { media_buy_id, push_notification_config })
  expect(updated).toMatchObject({ status: 'completed' })
  await eventually(() => expect(reportedAt('/after')).toHaveLength(1))
  expect(reportedAt('/after')[0]?.idempotency_key).toBe(reportedAt('/before')[0]?.idempotency_key)
  await eventually(async () => {
    const [buy] = await buysOf(media_buy_id)
    expect(buy?.webhook_activity).toMatchObject([
      { attempt: 2, status: 'success', url: `${hooks}/after`, notification_type: 'impairment' },
      { attempt: 1, status: 'failed', http_status_code: 401, url: `${hooks}/before` },
    ])
  })
})

test('spec 6.3: what is pending when a buy ends is reported before its final report, and nothing after it', async () => {
  const media_buy_id = await bought({
    push_notification_config: { url: `${hooks}/ends` },
    reporting_webhook: { url: `${hooks}/ends`, reporting_frequency: 'daily' },
  })
  await raised(media_buy_id, 'general')
  const canceled = await task('update_media_buy', { media_buy_id, canceled: true })
  expect(canceled).toMatchObject({ media_buy_status: 'canceled' })
  const types = () =>
    reportedAt('/ends').map(
      ({ result }) => (result as { notification_type: string }).notification_type,
    )
  await eventually(() => expect(types()).toEqual(['impairment', 'final']))
  expect(await buysOf(media_buy_id)).toMatchObject([{ status: 'canceled', impairments: [] }])
  const { text } = await call(`${app.url}/metrics`)
  expect(text).toContain('adwire_delivery_reports_total{type="final"} 1')
  expect(text).toContain('adwire_delivery_report_windows{state="late"} 0')
})

test('spec 6.3: the window is declared in the capabilities', async () => {
  expect(await task('get_agent_capabilities', {})).toMatchObject({
    media_buy: {
      propagation_surfaces: ['snapshot', 'webhook'],
      impairment_coalescence: { general_seconds: 1, fraud_seconds: 0, safety_seconds: 0 },
    },
  })
})
