import { expect, test } from 'vitest'
import { createOutboxOperations } from '../../src/storage/stores/outbox/operations.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { buyRecord, DAY_MS, HOUR_MS } from '../support/media-buys.ts'
import { reportingSeller } from '../support/reporting.ts'

const START = Date.UTC(2026, 0, 1)
const clock = fakeClock(START)

onBothStores(
  'the store of delivery reports',
  (database) => {
    const seller = reportingSeller(database, clock)
    /** Begins on the hour. */
    const aBuy = (over: Parameters<typeof buyRecord>[0] = {}) => {
      clock.set(Math.ceil(clock.now() / HOUR_MS) * HOUR_MS)
      return buyRecord({
        start_at: clock.now(),
        end_at: clock.now() + 4 * HOUR_MS,
        status: 'active',
        created_at: clock.now(),
        reporting: { reporting_frequency: 'hourly' },
        ...over,
      })
    }

    test('a stream is claimed once, and again when the lease has ended', async () => {
      const buy = aBuy()
      await seller.add(buy)
      const { reports } = seller.stores()
      const claim = () =>
        database().transact((tx) => reports.claimDue(tx, { limit: 10, leaseMs: 60_000 }))
      expect((await claim()).media_buy_ids).toEqual([buy.media_buy_id])
      expect(await claim()).toEqual({ media_buy_ids: [], nextDueAt: clock.now() + 60_000 })
      clock.advance(60_000)
      expect((await claim()).media_buy_ids).toEqual([buy.media_buy_id])
      clock.advance(60_000)
      await seller.work()
    })

    test('who works by a claim that was lost, or by what a buy was before, writes nothing', async () => {
      const buy = aBuy()
      await seller.add(buy)
      const { reports } = seller.stores()
      await database().transact((tx) => reports.claimDue(tx, { limit: 10, leaseMs: 60_000 }))
      const [visit] = await reports.visits([buy.media_buy_id])
      await seller.change(buy.media_buy_id, { status: 'paused' })
      const held = await database().transact((tx) => reports.hold(tx, visit ? [visit.stream] : []))
      expect([...held]).toEqual([])
      await seller.work()
    })

    test('windows are opened, reported, delivered or failed permanently, and found by their state', async () => {
      const buy = aBuy()
      const id = buy.media_buy_id
      await seller.add(buy)
      await seller.runUntil(clock.now() + 2 * HOUR_MS + HOUR_MS / 2)
      const { reports } = seller.stores()
      expect((await reports.counts([id])).get(id)).toMatchObject({ owed: 0, sent: 2 })
      await seller.end(id, 'delivered', 1)
      await seller.end(id, 'exhausted')
      expect((await reports.counts([id])).get(id)).toMatchObject({ delivered: 1, given_up: 1 })
      expect(await reports.missing()).toMatchObject({ given_up: 1 })
      const found = await reports.list({ states: ['late', 'given_up'], limit: 1 })
      expect(found).toMatchObject({
        hasMore: false,
        windows: [{ media_buy_id: id, state: 'given_up', reason: 'no answer' }],
      })
      // An operator sends it again.
      const operations = createOutboxOperations(database())
      const [given] = await operations.list({ state: 'exhausted', limit: 1 })
      await database().transact((tx) => operations.retry(tx, given?.delivery_id ?? 0, DAY_MS))
      expect((await reports.counts([id])).get(id)).toMatchObject({ sent: 1, given_up: 0 })
      const all = await reports.list({ media_buy_ids: [id], limit: 1 })
      expect(all.hasMore).toBe(true)
      const [latest] = all.windows
      const rest = await reports.list({ media_buy_ids: [id], limit: 5, after: latest })
      expect(rest.windows.map(({ end }) => end)).toEqual([buy.start_at + HOUR_MS])
    })

    test('spec 6.2: after final nothing is due any more, whatever happens to the buy', async () => {
      const buy = aBuy()
      const id = buy.media_buy_id
      await seller.add(buy)
      await seller.runUntil(buy.end_at)
      await seller.change(id, { status: 'completed' })
      await seller.runUntil(clock.now() + 3 * DAY_MS)
      const sent = await seller.sent(id)
      expect(sent.at(-1)?.report.notification_type).toBe('final')
      await seller.change(id, { terms: { name: 'renamed' } })
      expect(await seller.work()).toBeUndefined()
      expect(await seller.sent(id)).toHaveLength(sent.length)
    })

    test('a buy that is rejected before it began has a final report alone, of zeros', async () => {
      const begin = clock.now() + DAY_MS
      const buy = aBuy({ start_at: begin, end_at: begin + DAY_MS })
      await seller.add({ ...buy, status: 'pending_start' })
      const ending = { by: 'seller' as const, at: clock.now(), reason: 'no' }
      await seller.change(buy.media_buy_id, { status: 'rejected', ending })
      await seller.work()
      const sent = await seller.sent(buy.media_buy_id)
      expect(sent.map(({ report }) => report)).toMatchObject([
        {
          notification_type: 'final',
          sequence_number: 1,
          media_buy_deliveries: [{ status: 'rejected', totals: { impressions: 0, spend: 0 } }],
        },
      ])
    })

    test('reports wait while their owner has too many webhooks queued, and none is lost', async () => {
      const narrow = reportingSeller(database, clock, { queued: 3 })
      const owner = 'prn_full_queue'
      const buy = aBuy({ owner, end_at: clock.now() + 12 * HOUR_MS })
      const other = aBuy({ owner: 'prn_with_room', end_at: clock.now() + 12 * HOUR_MS })
      await narrow.add(buy)
      await narrow.add(other)
      const id = buy.media_buy_id
      await narrow.runUntil(buy.start_at + 8 * HOUR_MS, () =>
        narrow.end(other.media_buy_id, 'delivered'),
      )
      const first = await narrow.sent(id)
      expect(first.length).toBeGreaterThanOrEqual(3)
      expect(first.length).toBeLessThanOrEqual(4)
      expect(narrow.waiting).toContainEqual({ owner, streams: 1 })
      expect((await narrow.sent(other.media_buy_id)).length).toBeGreaterThanOrEqual(7)
      // The receiver is back: the pending reports follow, window by window and in order.
      await narrow.runUntil(buy.start_at + 10 * HOUR_MS, () => narrow.end(id, 'delivered'))
      const sent = await narrow.sent(id)
      const starts = sent
        .filter(({ report }) => report.notification_type === 'scheduled')
        .map(({ report }) => Date.parse(report.reporting_period.start))
      expect(starts.slice(0, 9)).toEqual(
        Array.from({ length: 9 }, (_, hour) => buy.start_at + hour * HOUR_MS),
      )
    })

    test('claims that are given back are due at their time, unless all was reported', async () => {
      const buy = aBuy()
      await seller.add(buy)
      const { reports } = seller.stores()
      const { transact } = database()
      await transact((tx) => reports.claimDue(tx, { limit: 10, leaseMs: 60_000 }))
      const at = clock.now() + 5_000
      await transact((tx) => reports.giveBack(tx, [buy.media_buy_id], at))
      expect((await reports.streams([buy.media_buy_id])).get(buy.media_buy_id)?.due_at).toBe(at)
      clock.set(at)
      await seller.work()
    })

    test('windows of a range come in pages, the earliest first, and those that wait are counted', async () => {
      const away = reportingSeller(database, clock, { isAway: () => true })
      const buy = aBuy({ end_at: clock.now() + 6 * HOUR_MS })
      const id = buy.media_buy_id
      await away.add(buy)
      await away.runUntil(buy.start_at + 5 * HOUR_MS)
      const { reports } = away.stores()
      const range = {
        media_buy_id: id,
        from: buy.start_at + HOUR_MS,
        until: buy.start_at + 4 * HOUR_MS,
      }
      const first = await reports.windows({ ...range, limit: 2 })
      expect(first.hasMore).toBe(true)
      expect(first.windows.map(({ start }) => (start - buy.start_at) / HOUR_MS)).toEqual([1, 2])
      const next = await reports.windows({ ...range, from: buy.start_at + 3 * HOUR_MS, limit: 2 })
      expect(next).toMatchObject({
        hasMore: false,
        windows: [{ start: buy.start_at + 3 * HOUR_MS }],
      })
      expect((await reports.unreported([id, 'mb_none'])).get(id)).toBe(5)
      expect((await reports.sizes([id])).get(id)).toEqual({
        owner: buy.owner,
        packages: 1,
        windows: 5,
      })
      await away.change(id, { status: 'canceled' })
    })

    test('what was ordered is kept in its order, and once while it stays the same', async () => {
      const buy = aBuy()
      await seller.add(buy)
      clock.advance(1_000)
      await seller.change(buy.media_buy_id, { terms: { name: 'renamed' } })
      await seller.change(buy.media_buy_id, { status: 'paused' })
      const orders = (await seller.stores().orders.list([buy.media_buy_id])).get(buy.media_buy_id)
      expect(orders).toMatchObject([
        { at: buy.start_at, packages: [{ runs: true }] },
        { at: clock.now(), packages: [{ runs: false }] },
      ])
    })
  },
  { clock },
)
