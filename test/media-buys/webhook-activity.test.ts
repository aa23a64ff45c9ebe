import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerChannels, subjectOfReports } from '../../src/media-buys/buy-channels.ts'
import {
  activityView,
  displayUrl,
  serializeAttempt,
} from '../../src/media-buys/webhook-activity.ts'
import { webhookActivity } from '../../src/protocol/schemas/webhook-activity.ts'
import type { ActivityRecord, ClaimedDelivery } from '../../src/webhooks/sender/store.ts'
import { testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { impairmentDesk } from '../support/impairments.ts'
import { aResult } from '../support/sender.ts'

const clock = fakeClock()
const REQUESTED = { include_webhook_activity: true }
let opened: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  opened = await testDatabase('sqlite', { clock })
})
afterAll(() => opened.drop())

const desk = () => impairmentDesk(opened.database, clock)
const newBuy = async (url?: string) => {
  const one = desk()
  const channels = url === undefined ? {} : { push_notification_config: { url } }
  const buy = await one.addBuy({ owner: `prn_${randomUUID()}`, status: 'active' }, channels)
  return { ...one, buy, id: buy.media_buy_id }
}

async function claimed({ outbox, transact }: ReturnType<typeof desk>): Promise<ClaimedDelivery[]> {
  const choose = (due: readonly { delivery_id: number }[]) => due as never
  return (await transact((tx) => outbox.claim(tx, { limit: 50, leaseMs: 30_000, choose }))).claimed
}

describe('spec 2.12: webhook_activity', () => {
  test('a URL that is replaced while a delivery is retried: both addresses are returned, the newest first', async () => {
    const before = 'https://old.example/hooks?secret=1'
    const { buy, id, raise, returned, ports, ...one } = await newBuy(before)
    await raise(id, { impairment_type: 'fraud' })
    expect((await returned(buy, buy.owner, REQUESTED)).webhook_activity).toMatchObject([
      { status: 'pending', attempt: 1, completed_at: null, http_status_code: null },
    ])
    const [first] = await claimed({ ...one, ports } as never)
    if (!first) throw new Error('nothing was due')
    clock.advance(100)
    const refused = { status: 'failed', http_status_code: 401, says: 'nothing' } as const
    const reported = 'the receiver answered 401'
    await one.transact((tx) =>
      one.outbox.record(tx, [
        aResult(first, {
          ...refused,
          error_message: reported,
          next: { state: 'pending', inMs: 1_000 },
        }),
      ]),
    )
    // 401 is retried and disables nothing; the new address counts for what waits.
    const sender = ports.sender as never
    await one.transact((tx) =>
      registerChannels({ sender }, tx, {
        buy,
        wanted: { push_notification_config: { url: 'https://new.example/hooks' } },
      }),
    )
    clock.advance(1_000)
    const [second] = await claimed({ ...one, ports } as never)
    if (!second) throw new Error('nothing was due')
    expect(second.channel.url).toBe('https://new.example/hooks')
    clock.advance(100)
    await one.transact((tx) => one.outbox.record(tx, [aResult(second)]))

    const { webhook_activity } = await returned(buy, buy.owner, REQUESTED)
    expect(webhook_activity).toMatchObject([
      {
        attempt: 2,
        status: 'success',
        url: 'https://new.example/hooks',
        http_status_code: 200,
        error_message: null,
        notification_type: 'impairment',
      },
      {
        attempt: 1,
        status: 'failed',
        url: 'https://old.example/hooks',
        http_status_code: 401,
        error_message: reported,
      },
    ])
    const keys = webhook_activity.map((entry: { idempotency_key: string }) => entry.idempotency_key)
    expect(keys[0]).toBe(keys[1])
    for (const entry of webhook_activity) expect(webhookActivity.parse(entry)).toEqual(entry)
    const limited = await returned(buy, buy.owner, { ...REQUESTED, webhook_activity_limit: 1 })
    expect(limited.webhook_activity).toMatchObject([{ attempt: 2 }])
  })

  test('is omitted unless requested, omitted without a webhook, and empty before the first fire', async () => {
    const { buy, returned } = await newBuy('https://buyer.example/hooks')
    expect(await returned(buy)).not.toHaveProperty('webhook_activity')
    expect((await returned(buy, buy.owner, REQUESTED)).webhook_activity).toEqual([])
    const silent = await newBuy()
    const view = await silent.returned(silent.buy, silent.buy.owner, REQUESTED)
    expect(view).not.toHaveProperty('webhook_activity')
  })

  test('is of the calling principal’s own fires alone', async () => {
    const { buy, id, raise, returned } = await newBuy('https://buyer.example/hooks')
    await raise(id, { impairment_type: 'fraud' })
    expect((await returned(buy, buy.owner, REQUESTED)).webhook_activity).toHaveLength(1)
    expect(await returned(buy, 'prn_other', REQUESTED)).not.toHaveProperty('webhook_activity')
  })

  test('is not returned where records are kept for less than 30 days', async () => {
    const { buy, channels } = await newBuy('https://buyer.example/hooks')
    const activity = { ofSubjects: async () => new Map() }
    const members = async (historyDays: number) => {
      const view = activityView({ activity, channels, historyDays })
      return (await view.membersOf([buy], REQUESTED, buy.owner)).get(buy.media_buy_id)
    }
    expect([await members(29), await members(30)]).toEqual([undefined, { webhook_activity: [] }])
  })

  test('has the reports of a buy beside its other fires, in one order', async () => {
    const owner = 'prn_order'
    const { buy } = await newBuy('https://buyer.example/hooks')
    const record = (fired_at: number, notification_type: string): ActivityRecord => ({
      fired_at,
      notification_type,
      attempt: 1,
      url: 'https://a.example/',
      status: 'success',
      http_status_code: 200,
      response_time_ms: 1,
      error_message: undefined,
      response_head: undefined,
      completed_at: fired_at,
      idempotency_key: 'k'.repeat(16),
      sequence_number: undefined,
      payload_size_bytes: 2,
      delivery_id: 1,
    })
    const subjects: string[] = []
    const view = activityView({
      activity: {
        ofSubjects: async (_owner, wanted) => {
          subjects.push(...wanted)
          const [push = '', reports = ''] = wanted
          return new Map([
            [push, [record(30, 'impairment'), record(10, 'impairment')]],
            [reports, [record(20, 'scheduled')]],
          ])
        },
      },
      channels: { list: async () => [] },
      historyDays: 30,
    })
    const returned = (await view.membersOf([{ ...buy, owner }], REQUESTED, owner)).get(
      buy.media_buy_id,
    )
    expect(subjects).toContain(subjectOfReports(buy.media_buy_id))
    expect(returned?.webhook_activity?.map(({ notification_type }) => notification_type)).toEqual([
      'impairment',
      'scheduled',
      'impairment',
    ])
    const long = serializeAttempt({ ...record(1, 'final'), error_message: 'x'.repeat(900) })
    expect(long.error_message).toHaveLength(500)
  })
})

test.each([
  ['https://a.example/hooks?token=1#x', 'https://a.example/hooks'],
  ['https://user:pw@a.example:8443/h', 'https://a.example:8443/h'],
  ['https://a.example/v1/media-buy-notifications', 'https://a.example/v1/media-buy-notifications'],
  ['https://a.example/T0K3Nabcdefghijklmn/in', 'https://a.example/[redacted]/in'],
  ['https://a.example/1234567890123456', 'https://a.example/[redacted]'],
  ['https://a.example', 'https://a.example'],
])('spec 2.12: %s is displayed as %s', (url, returned) => {
  expect(displayUrl(url)).toBe(returned)
})
