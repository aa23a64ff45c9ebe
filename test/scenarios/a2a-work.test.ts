// Work that continues behind an A2A task: requested again under its key, and as it ends.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { decide } from '../../src/media-buys/approvals.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>

interface A2aTask {
  id: string
  status: { state: string }
  artifacts: [{ parts: [{ data: Json }] }]
}

let app: TestApp
let key: string

beforeAll(async () => {
  app = await startApp({ config: { approveAbove: ['USD:5000'] } })
  key = await app.principal()
  await app.storage.transact((tx) => app.storage.products.put(tx, [catalogueProduct()]))
})

afterAll(() => app.stop())

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
let count = 0
/** A buy that waits for the seller. */
const request = (): Json => ({
  idempotency_key: `a2a-work-0123456789-${++count}`,
  start_time: inDays(1),
  end_time: inDays(3),
  packages: [{ product_id: 'homepage', pricing_option_id: 'cpm_usd', budget: 9_000 }],
})

async function rpc(method: string, params: Json): Promise<Json> {
  const { body } = await call(`${app.url}/a2a`, {
    key,
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  return body
}

async function buy(parameters: Json): Promise<A2aTask> {
  const data = { skill: 'create_media_buy', parameters }
  const message = { role: 'user', messageId: 'm1', parts: [{ data }] }
  return (await rpc('message/send', { message })).result as A2aTask
}

const returned = async (id: string) => (await rpc('tasks/get', { id })).result as A2aTask
const bodyOf = ({ artifacts }: A2aTask) => artifacts[0].parts[0].data
const approve = (task_id: string, approved: boolean) =>
  decide(app.storage, task_id, { approved, note: undefined, by: 'the test' })

test('spec 7.3: a repetition over A2A follows the work that the first call began', async () => {
  const requested = request()
  const first = await buy(requested)
  const again = await buy(requested)
  const { task_id } = bodyOf(first) as { task_id: string }
  expect(bodyOf(again)).toMatchObject({ replayed: true, task_id })
  const { body: overHttp } = await call(`${app.url}/v3/create_media_buy`, { key, body: requested })
  expect(overHttp).toMatchObject({ replayed: true, task_id })

  await approve(task_id, true)
  for (const { id } of [first, again]) {
    await eventually(async () => expect((await returned(id)).status.state).toBe('completed'))
    expect(bodyOf(await returned(id))).toMatchObject({ task_id, media_buy_id: expect.any(String) })
  }
})

test('spec 7.3: a repetition over A2A cancels the work that the first call began', async () => {
  const requested = request()
  await buy(requested)
  const { id } = await buy(requested)
  expect(await rpc('tasks/cancel', { id })).toMatchObject({
    result: { id, status: { state: 'canceled' } },
  })
})

test('spec 7: what the seller rejects says why over A2A too', async () => {
  const { id } = await buy(request())
  await approve(id, false)
  await eventually(async () => expect((await returned(id)).status.state).toBe('rejected'))
  expect(bodyOf(await returned(id))).toMatchObject({
    status: 'rejected',
    task_id: id,
    errors: [{ code: 'TERMS_REJECTED', recovery: expect.any(String) }],
  })
})
