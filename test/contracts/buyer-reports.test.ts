import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Transaction } from '../../src/lib/transaction.ts'
import { createFeedbackStore } from '../../src/storage/stores/media-buys/feedback.ts'
import { createUsageStore } from '../../src/storage/stores/media-buys/usage.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS } from '../support/media-buys.ts'

const clock = fakeClock()

onBothStores(
  'what buyers report',
  (database) => {
    const inTx = <T>(work: (tx: Transaction) => Promise<T>) => database().transact(work)

    test('feedback is found by its owner and buy alone, and replaced, counted and listed', async () => {
      const feedback = createFeedbackStore(database())
      const [owner, media_buy_id] = [`prn_${randomUUID()}`, `mb_${randomUUID()}`]
      const record = (feedback_id: string, received_at: number) => ({
        feedback_id,
        owner,
        media_buy_id,
        assertion: { performance_index: 1.5, note: 'naïve — 名前' },
        received_at,
      })
      const [first, second] = [`fb_${randomUUID()}`, `fb_${randomUUID()}`]
      const now = clock.now()
      await inTx((tx) => feedback.add(tx, record(first, now - DAY_MS)))
      await inTx((tx) => feedback.add(tx, record(second, now)))
      const find = (over: object) =>
        inTx((tx) => feedback.find(tx, { owner, media_buy_id, feedback_id: first, ...over }))
      expect(await find({})).toEqual(record(first, now - DAY_MS))
      expect(await find({ owner: 'prn_other' })).toBeUndefined()
      expect(await find({ media_buy_id: 'mb_other' })).toBeUndefined()
      await inTx((tx) => feedback.supersede(tx, first, second))
      expect(await find({})).toMatchObject({ superseded_by: second })
      expect(await inTx((tx) => feedback.count(tx, media_buy_id, 1))).toBe(1)
      expect(await inTx((tx) => feedback.count(tx, media_buy_id, 9))).toBe(2)
      const listed = await feedback.list({ media_buy_id, limit: 9 })
      expect(listed.map(({ feedback_id }) => feedback_id)).toEqual([second, first])
      expect(await feedback.list({ limit: 1 })).toHaveLength(1)
      await inTx((tx) => feedback.sweep(tx, now))
      expect(await feedback.list({ media_buy_id, limit: 9 })).toHaveLength(1)
    })

    test('usage is superseded by account, media buy and period, and nothing else of it changes', async () => {
      const usage = createUsageStore(database())
      const owner = `prn_${randomUUID()}`
      const now = clock.now()
      const record = (over: object = {}) => ({
        usage_id: `us_${randomUUID()}`,
        owner,
        account_id: 'acc_1',
        media_buy_id: 'mb_1',
        period_start: 1,
        period_end: 2,
        usage_record: { vendor_cost: 2.5, currency: 'USD' },
        is_superseded: false,
        received_at: now,
        ...over,
      })
      const { media_buy_id: _id, ...withoutBuy } = record()
      const all = [
        record(),
        record({ account_id: 'acc_2' }),
        record({ media_buy_id: 'mb_2' }),
        record({ period_end: 3 }),
        withoutBuy,
      ]
      await inTx((tx) => usage.add(tx, all))
      await inTx((tx) => usage.supersede(tx, record()))
      const stands = async () => {
        const listed = await usage.list({ owner, limit: 9 })
        return all.map(({ usage_id }) => listed.find((it) => it.usage_id === usage_id))
      }
      expect(await stands()).toEqual(
        all.map((one, index) => ({ ...one, is_superseded: index === 0 })),
      )
      await inTx((tx) => usage.supersede(tx, withoutBuy))
      expect((await stands()).map((one) => one?.is_superseded)).toEqual([
        true,
        false,
        false,
        false,
        true,
      ])
      expect(await inTx((tx) => usage.count(tx, owner, 3))).toBe(3)
      expect(await inTx((tx) => usage.count(tx, 'prn_other', 3))).toBe(0)
      await inTx((tx) => usage.sweep(tx, now + 1))
      expect(await usage.list({ owner, limit: 9 })).toEqual([])
    })
  },
  { clock },
)
