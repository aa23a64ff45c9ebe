// Proposals between a seller and a buyer over loopback: what is held, what is read of a request, and who buys.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { decide } from '../../src/media-buys/approvals.ts'
import type { CatalogueProduct } from '../../src/protocol/schemas/product.ts'
import { sqlOf } from '../../src/storage/sql/database.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { migratedPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>

interface Returned {
  proposal_id: string
  proposal_status: string
  allocations: { product_id: string; allocation_percentage: number }[]
  total_budget_guidance: { min: number }
}

let app: TestApp
let key: string

const PRODUCTS = [
  catalogueProduct({ product_id: 'video', name: 'Morning video', description: 'Clips.' }),
  catalogueProduct({ product_id: 'audio', name: 'Morning audio', description: 'Talk.' }),
]
const option = PRODUCTS[0]!.pricing_options[0]!
const TAKEOVER = catalogueProduct({
  product_id: 'takeover',
  name: 'Takeover of the homepage',
  description: 'One day.',
  pricing_options: [
    { ...option, pricing_option_id: 'day', pricing_model: 'flat_rate', fixed_price: 3_000 },
  ],
})

const put = (products: readonly CatalogueProduct[], { storage } = app) =>
  storage.transact((tx) => storage.products.put(tx, products))

beforeAll(async () => {
  app = await startApp()
  key = await app.principal()
  await put([...PRODUCTS, TAKEOVER])
})

afterAll(() => app.stop())

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const task = async (name: string, body: Json, at = { url: app.url, key }) =>
  (await call(`${at.url}/v3/${name}`, { key: at.key, body: { proto_version: '3.1', ...body } }))
    .body
let count = 0

async function offered(brief: string, at = { url: app.url, key }): Promise<Returned> {
  const { proposals } = await task('get_products', { buying_mode: 'brief', brief }, at)
  return (proposals as Returned[])[0] as Returned
}

async function refined(...refine: Json[]) {
  const body = await task('get_products', { buying_mode: 'refine', refine })
  return body as unknown as { proposals: Returned[]; refinement_applied: Json[] }
}

const about = (proposal_id: string, over: Json = {}) => ({
  scope: 'proposal',
  proposal_id,
  ...over,
})
const finalised = (proposal_id: string) => refined(about(proposal_id, { action: 'finalize' }))

const buy = (proposal_id: string, amount: number, at = { url: app.url, key }) =>
  task(
    'create_media_buy',
    {
      idempotency_key: `proposals-0123456789-${++count}`,
      proposal_id,
      start_time: inDays(1),
      end_time: inDays(5),
      total_budget: { amount, currency: 'USD' },
    },
    at,
  )

const rateOf = async (media_buy_id: unknown) => {
  const kept = await app.storage.transact((tx) =>
    app.storage.mediaBuys.lock(tx, { media_buy_id: media_buy_id as string }),
  )
  return kept?.packages[0]?.pricing.rate
}

test('spec 4.5: the least budget of a plan buys it, also where a product has one price for all', async () => {
  const { proposal_id, total_budget_guidance } = await offered('takeover')
  expect(total_budget_guidance).toMatchObject({ min: 3_000 })
  await finalised(proposal_id)
  expect(await buy(proposal_id, total_budget_guidance.min)).toMatchObject({ status: 'completed' })
})

test('spec 4.5: a finalised proposal is bought as it was held, whatever the operator changes', async () => {
  const { proposal_id } = await offered('takeover please')
  await finalised(proposal_id)
  const dearer = { ...TAKEOVER.pricing_options[0]!, fixed_price: 9_000, currency: 'EUR' }
  const least = { ...dearer, min_spend_per_package: 9_000 }
  await put([{ ...TAKEOVER, pricing_options: [least] }])
  onTestFinished(() => put([TAKEOVER]).then(() => {}))
  const made = await buy(proposal_id, 3_000)
  expect(made).toMatchObject({ status: 'completed', packages: [{ budget: 3_000 }] })
  expect(await rateOf(made.media_buy_id)).toBe(3_000)
})

test('spec 4.5: a package keeps the price at which it was bought when it is changed', async () => {
  const { proposal_id } = await offered('morning clips')
  await refined(about(proposal_id, { ask: 'drop audio' }))
  await finalised(proposal_id)
  const { media_buy_id, packages } = await buy(proposal_id, 1_000)
  await put([{ ...PRODUCTS[0]!, pricing_options: [{ ...option, fixed_price: 99 }] }])
  onTestFinished(() => put(PRODUCTS).then(() => {}))
  const [{ package_id } = { package_id: '' }] = packages as { package_id: string }[]
  const changed = await task('update_media_buy', {
    idempotency_key: `proposals-0123456789-${++count}`,
    media_buy_id,
    packages: [{ package_id, budget: 1_500 }],
  })
  expect(changed).toMatchObject({ affected_packages: [{ budget: 1_500 }] })
  expect(await rateOf(media_buy_id)).toBe(10)
})

test('spec 4.5: a proposal is not finalised with what was not read, so that it can still be requested differently', async () => {
  const { proposal_id } = await offered('morning show')
  const ask = 'something bold'
  const { proposals, refinement_applied } = await refined(
    about(proposal_id, { action: 'finalize', ask }),
  )
  expect(proposals).toMatchObject([{ proposal_id, proposal_status: 'draft' }])
  expect(refinement_applied).toMatchObject([
    { status: 'unable', notes: expect.stringContaining('it is not finalised') },
  ])
  const both = await refined(about(proposal_id, { action: 'finalize', ask: 'drop audio' }))
  expect(both).toMatchObject({
    proposals: [{ proposal_status: 'committed', allocations: [{ product_id: 'video' }] }],
    refinement_applied: [{ status: 'applied' }],
  })
})

test('a proposal that is named twice is returned once, in its final state', async () => {
  const { proposal_id } = await offered('a morning in two parts')
  const { proposals } = await refined(
    about(proposal_id, { ask: '70% to video' }),
    about(proposal_id, { ask: '60% to video' }),
  )
  expect(proposals).toMatchObject([{ proposal_id, proposal_status: 'draft' }])
  expect(proposals).toHaveLength(1)
})

test('spec 4.5: of twenty who buy one proposal at once on two instances one has it', async () => {
  const { url: databaseUrl, drop } = await migratedPostgres()
  onTestFinished(drop)
  const apps: TestApp[] = []
  for (const _ of [1, 2]) {
    const one = await startApp({ config: { databaseUrl } })
    onTestFinished(() => one.stop())
    apps.push(one)
  }
  const [first] = apps as [TestApp, TestApp]
  await put(PRODUCTS, first)
  const owner = await first.principal()
  const at = { url: first.url, key: owner }
  const { proposal_id } = await offered('morning', at)
  const refine = [about(proposal_id, { action: 'finalize' })]
  await task('get_products', { buying_mode: 'refine', refine }, at)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      buy(proposal_id, 1_000, { url: apps[index % 2]!.url, key: owner }),
    ),
  )
  expect(answers.filter(({ status }) => status === 'completed')).toHaveLength(1)
  const codes = answers.flatMap(({ errors }) => (errors as { code: string }[] | undefined) ?? [])
  expect(new Set(codes.map(({ code }) => code))).toEqual(new Set(['INVALID_STATE']))
  const other = { url: first.url, key: await first.principal() }
  expect(await buy(proposal_id, 1_000, other)).toMatchObject({
    errors: [{ code: 'PROPOSAL_NOT_FOUND' }],
  })
})

test('spec 4.5: a buy that was requested in time does not expire while it waits for the seller', async () => {
  const { url: databaseUrl, drop } = await migratedPostgres()
  onTestFinished(drop)
  const config = { databaseUrl, approveAbove: ['USD:500'] }
  const requested = await startApp({ config: { ...config, taskConcurrency: 0 } })
  onTestFinished(() => requested.stop())
  await put(PRODUCTS, requested)
  const at = { url: requested.url, key: await requested.principal() }
  const { proposal_id } = await offered('morning', at)
  const refine = [about(proposal_id, { action: 'finalize' })]
  await task('get_products', { buying_mode: 'refine', refine }, at)
  const { status, task_id } = await buy(proposal_id, 1_000, at)
  expect(status).toBe('working')
  await requested.storage.transact((tx) =>
    sqlOf(tx).run('UPDATE media_buy_proposals SET expires_at = $1', [Date.now() - 1_000]),
  )
  const works = await startApp({ config })
  onTestFinished(() => works.stop())
  const returned = () => task('get_task_status', { task_id }, at)
  await eventually(async () => expect(await returned()).toMatchObject({ status: 'input-required' }))
  await decide(works.storage, task_id as string, { approved: true, by: 'cli' })
  await eventually(async () => expect(await returned()).toMatchObject({ status: 'completed' }))
}, 120_000)
