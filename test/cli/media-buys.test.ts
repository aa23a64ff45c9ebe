import { expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openStorage } from '../../src/app/open-storage.ts'
import type { ReportWindow } from '../../src/media-buys/reporting/report-store.ts'
import { adwire, folder } from '../support/cli.ts'
import { buyRecord, packageRecord } from '../support/media-buys.ts'

const OWNER = 'prn_buyer'

/** A folder with a buy that has a window without a report. */
async function placeWithBuy() {
  const data = folder()
  const read = readConfig({ data }, {})
  if (!read.ok) throw new Error(read.errors.join())
  const storage = await openStorage(read.config)
  const now = Date.now()
  const buy = buyRecord({
    owner: OWNER,
    media_buy_id: 'mb_1',
    status: 'active',
    created_at: now,
    start_at: now - 3_600_000,
    end_at: now + 3_600_000,
    packages: [packageRecord({ package_id: 'pk_1' })],
  })
  await storage.transact(async (tx) => {
    await storage.mediaBuys.add(tx, buy)
    await storage.reports.touch(tx, { media_buy_id: 'mb_1', owner: OWNER, delay_ms: 0 })
  })
  const visits = await storage.reports.visits(['mb_1'])
  const window: ReportWindow = {
    media_buy_id: 'mb_1',
    owner: OWNER,
    kind: 'window',
    state: 'late',
    is_settled: false,
    start: buy.start_at,
    end: now,
    notification_types: ['delayed'],
    sequence_number: 1,
    figures: undefined,
    digest: undefined,
    expected_at: now,
    sent_at: now,
    ended_at: undefined,
    reason: undefined,
  }
  await storage.transact((tx) =>
    storage.reports.save(
      tx,
      visits.map(({ stream }) => stream),
      [window],
    ),
  )
  await storage.close()
  return ['--data', data]
}

test('spec 6.2: reports that are missing are listed, by state and by buy', async () => {
  const at = await placeWithBuy()
  const listed = await adwire(['reports', 'list', '--json', ...at])
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { media_buy_id: 'mb_1', state: 'late', notification_types: ['delayed'], owner: OWNER },
  ])
  const others = ['reports', 'list', '--state', 'given_up', '--buy', 'mb_1', '--json', ...at]
  expect(JSON.parse((await adwire(others)).stdout)).toEqual([])
})

test('spec 6.3: an operator raises, lists and clears an impairment, and errors are reported', async () => {
  const at = await placeWithBuy()
  const raise = (...flags: string[]) =>
    adwire([
      'impairments',
      'raise',
      'mb_1',
      '--resource-type',
      'property',
      '--resource-id',
      'daily.example',
      '--reason-code',
      'property_depublished',
      ...flags,
      ...at,
    ])
  const wrong = await raise('--to', 'rejected')
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--to of property must be depublished, not rejected'),
  ])
  const raised = await raise('--to', 'depublished', '--json')
  const { impairment_id } = JSON.parse(raised.stdout) as { impairment_id: string }
  const list = async (...flags: string[]) =>
    JSON.parse((await adwire(['impairments', 'list', '--json', ...flags, ...at])).stdout)
  expect(await list()).toMatchObject([
    { impairment_id, media_buy_id: 'mb_1', package_ids: ['pk_1'], raised_by: 'operator' },
  ])
  expect((await adwire(['impairments', 'clear', impairment_id, ...at])).code).toBe(0)
  expect((await adwire(['impairments', 'clear', impairment_id, ...at])).code).toBe(2)
  expect(await list()).toEqual([])
  expect(await list('--all')).toMatchObject([{ impairment_id, cleared_at: expect.any(String) }])
})

test('spec 3.2: a question to the buyer is kept with what waits, until it is decided', async () => {
  const at = await placeWithBuy()
  const task_id = 'task_asked'
  const read = readConfig({ data: at[1] as string }, {})
  if (!read.ok) throw new Error(read.errors.join())
  const storage = await openStorage(read.config)
  await storage.transact(async (tx) => {
    await storage.tasks.add(tx, {
      task_id,
      owner: OWNER,
      task_type: 'create_media_buy',
      domain: 'media-buy',
      status: 'input-required',
      context: undefined,
      context_id: undefined,
      is_told: true,
      has_webhook: false,
      state: undefined,
      request: {},
      idempotency_key: undefined,
      deadlineMs: 3_600_000,
    })
    await storage.approvals.ask(tx, {
      task_id,
      owner: OWNER,
      task_type: 'create_media_buy',
      media_buy_id: 'mb_1',
      reason: 'the budget is large',
      requested: {
        total_budget: 50_000,
        currency: 'USD',
        product_ids: ['p'],
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-02-01T00:00:00Z',
      },
    })
  })
  await storage.close()
  const ask = (question: string, ...flags: string[]) =>
    adwire(['approvals', 'ask', task_id, question, ...flags, ...at])

  const requested = await ask('Which market?')
  expect([requested.code, requested.stdout]).toEqual([0, `${task_id}: asked\n`])
  expect(JSON.parse((await ask('And when?', '--json')).stdout)).toMatchObject({
    task_id,
    state: 'waiting',
    created_at: expect.stringMatching(/Z$/),
    talk: [
      { from: 'seller', by: 'cli', text: 'Which market?', at: expect.stringMatching(/Z$/) },
      { from: 'seller', by: 'cli', text: 'And when?' },
    ],
  })
  for (const question of [' ', 'x'.repeat(1_001)]) {
    const refused = await ask(question)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('1 to 1000')])
  }
  expect((await adwire(['approvals', 'reject', task_id, ...at])).code).toBe(0)
  const late = await ask('Still there?')
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('already rejected')])
})

test('what waits for approval is listed, and a task that does not is reported as unknown', async () => {
  const at = await placeWithBuy()
  const listed = await adwire(['approvals', 'list', '--json', ...at])
  expect(JSON.parse(listed.stdout)).toEqual([])
  const none = await adwire(['approvals', 'approve', 'task_none', ...at])
  expect([none.code, none.stdout]).toEqual([2, ''])
})
