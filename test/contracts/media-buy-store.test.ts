import { expect, test } from 'vitest'
import type { MediaBuyRecord } from '../../src/media-buys/media-buy.ts'
import type { BuyOutline, HistoryEntry } from '../../src/media-buys/store.ts'
import { createMediaBuyStore } from '../../src/storage/stores/media-buys/media-buys.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { buyRecord, DAY_MS, HOUR_MS, packageRecord } from '../support/media-buys.ts'

const clock = fakeClock()
let owners = 0

const entryOf = (buy: MediaBuyRecord, over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  revision: buy.revision,
  at: clock.now(),
  actor: 'buyer',
  action: 'pause',
  ...over,
})

onBothStores(
  'the store of media buys',
  (database) => {
    const store = () => createMediaBuyStore(database())
    const { transact } = {
      transact: <T>(work: Parameters<ReturnType<typeof database>['transact']>[0]) =>
        database().transact(work) as Promise<T>,
    }
    const newOwner = () => `prn_buyer_${++owners}`
    const add = async (over: Partial<MediaBuyRecord> = {}, key?: string) => {
      const buy = buyRecord({ created_at: clock.now(), owner: newOwner(), ...over })
      const kept = key ? { idempotency_key: key, request_digest: 'd' } : undefined
      await transact<void>((tx) => store().add(tx, buy, kept))
      return buy
    }
    const get = (media_buy_id: string, owner?: string) =>
      transact<MediaBuyRecord | undefined>((tx) =>
        store().lock(tx, { media_buy_id, ...(owner ? { owner } : {}) }),
      )
    const claim = () =>
      transact<{ media_buy_ids: string[] }>((tx) =>
        store().claimDue(tx, { limit: 100, leaseMs: 60_000 }),
      )

    test('a buy comes back as it was added, with its packages in their order', async () => {
      const signals = [
        {
          signal_agent_segment_id: 's1',
          activation_key: { type: 'segment_id' as const, segment_id: 'x' },
        },
      ]
      const buy = await add({
        context: { note: 'a\u0000b' },
        reporting: { reporting_frequency: 'hourly', requested_metrics: ['clicks'] },
        terms: { brand: { domain: 'acme.example' }, buyer_ref: 'r1' },
        packages: [packageRecord({ signals }), packageRecord({ budget: 5.25, pacing: 'even' })],
      })
      expect(await get(buy.media_buy_id, buy.owner)).toEqual(buy)
    })

    test('another owner finds nothing', async () => {
      const buy = await add()
      expect(await get(buy.media_buy_id, 'prn_other')).toBeUndefined()
      const page = await store().list('prn_other', { media_buy_ids: [buy.media_buy_id], limit: 10 })
      expect(page).toEqual({ buys: [], hasMore: false, total: 0 })
      const packages = buy.packages.map(({ package_id }) => package_id)
      const found = (owner: string) =>
        transact((tx) => store().ofPackages(tx, owner, { packageIds: packages }))
      expect(await found('prn_other')).toEqual([])
      expect(await found(buy.owner)).toEqual([buy.media_buy_id])
    })

    test('a saved change is read back, and kept in the history, the newest first', async () => {
      const buy = await add()
      const second = { ...buy, status: 'paused' as const, revision: 2, is_held: true }
      const added = packageRecord({ product_id: 'video' })
      const third = { ...second, revision: 3, packages: [...buy.packages, added] }
      for (const saved of [second, third]) {
        await transact<void>((tx) =>
          store().save(tx, saved, { entry: entryOf(saved, { status: saved.status }) }),
        )
      }
      expect(await get(buy.media_buy_id)).toEqual(third)
      const history = await store().history([buy.media_buy_id], 10)
      expect(history.get(buy.media_buy_id)?.map(({ revision }) => revision)).toEqual([3, 2, 1])
      expect(history.get(buy.media_buy_id)?.at(-1)).toMatchObject({ action: 'create' })
      const last = await store().history([buy.media_buy_id], 1)
      expect(last.get(buy.media_buy_id)?.map(({ revision }) => revision)).toEqual([3])
    })

    test('who changes the buys of an owner together with their creatives waits for who does', async () => {
      const { owner, media_buy_id } = await add()
      const order: string[] = []
      const seconds: Promise<void>[] = []
      const first = transact<void>(async (tx) => {
        await store().holdOwner(tx, owner)
        const second = transact<void>(async (other) => {
          await store().holdOwner(other, owner)
          order.push('second')
        })
        // Anyone who did not wait would be done long before.
        for (let n = 0; n < 50; n++) await store().lock(tx, { media_buy_id })
        order.push('first')
        seconds.push(second)
      })
      await first
      await Promise.all(seconds)
      expect(order).toEqual(['first', 'second'])
    })

    test('a change is known by its key for a day', async () => {
      const buy = await add()
      const saved = { ...buy, revision: 2 }
      await transact<void>((tx) =>
        store().save(tx, saved, { entry: entryOf(saved), idempotencyKey: 'key-of-the-change' }),
      )
      const isDone = () =>
        transact<boolean>((tx) => store().isDone(tx, buy.media_buy_id, 'key-of-the-change'))
      expect(await isDone()).toBe(true)
      clock.advance(DAY_MS + 1)
      expect(await isDone()).toBe(false)
    })

    test('a buy is found by the key it was made under, for its owner alone', async () => {
      const buy = await add({}, 'key-of-the-buy-01')
      const find = (owner: string) =>
        transact<{ media_buy_id: string } | undefined>((tx) =>
          store().findByKey(tx, { owner, idempotency_key: 'key-of-the-buy-01' }),
        )
      expect(await find(buy.owner)).toMatchObject({ media_buy_id: buy.media_buy_id })
      expect(await find('prn_other')).toBeUndefined()
    })

    test('a list is filtered and in pages, the newest first', async () => {
      const owner = newOwner()
      const made: MediaBuyRecord[] = []
      for (let n = 0; n < 5; n++) {
        clock.advance(1)
        made.push(await add({ owner, status: n % 2 === 0 ? 'active' : 'paused' }))
      }
      const newest = made.map(({ media_buy_id }) => media_buy_id).reverse()
      const first = await store().list(owner, { limit: 3 })
      expect(first).toMatchObject({ hasMore: true, total: 5 })
      const { created_at, media_buy_id } = first.buys[2] as BuyOutline
      const second = await store().list(owner, { limit: 3, after: { created_at, media_buy_id } })
      const ids = [...first.buys, ...second.buys].map((buy) => buy.media_buy_id)
      expect(ids).toEqual(newest)
      const paused = await store().list(owner, { statuses: ['paused'], limit: 10 })
      expect(paused.buys.map((buy) => buy.media_buy_id)).toEqual([newest[1], newest[3]])
    })

    test('what the clock has to move is claimed once, and again when the lease has ended', async () => {
      const buy = await add({ due_at: clock.now() + HOUR_MS })
      const mine = (ids: readonly string[]) => ids.filter((id) => id === buy.media_buy_id)
      expect(mine((await claim()).media_buy_ids)).toEqual([])
      clock.advance(HOUR_MS)
      expect(mine((await claim()).media_buy_ids)).toEqual([buy.media_buy_id])
      expect(mine((await claim()).media_buy_ids)).toEqual([])
      clock.advance(60_000)
      expect(mine((await claim()).media_buy_ids)).toEqual([buy.media_buy_id])
      await transact<void>((tx) => store().endClaim(tx, buy.media_buy_id, undefined))
      clock.advance(DAY_MS)
      expect(mine((await claim()).media_buy_ids)).toEqual([])
    })

    test('buys that target a signal are found until they have ended or the package is canceled', async () => {
      const signals = [
        {
          signal_agent_segment_id: 'seg-1',
          activation_key: { type: 'key_value' as const, key: 'k', value: 'v' },
        },
      ]
      const [kept, gone] = [packageRecord({ signals }), packageRecord({ signals })]
      const buy = await add({ packages: [kept, gone] })
      const targeting = () =>
        transact<{ package_id: string; key_text: string }[]>((tx) =>
          store().targeting(tx, buy.owner, 'seg-1'),
        )
      expect((await targeting()).map(({ package_id }) => package_id).sort()).toEqual(
        [kept.package_id, gone.package_id].sort(),
      )
      const changed = { ...buy, revision: 2, packages: [kept, { ...gone, canceled: true }] }
      await transact<void>((tx) => store().save(tx, changed, { entry: entryOf(changed) }))
      expect(await targeting()).toEqual([
        {
          media_buy_id: buy.media_buy_id,
          package_id: kept.package_id,
          key_text: 'key_value:k=v',
        },
      ])
      const ended = { ...changed, revision: 3, status: 'canceled' as const, due_at: undefined }
      await transact<void>((tx) => store().save(tx, ended, { entry: entryOf(ended) }))
      expect(await targeting()).toEqual([])
    })
  },
  { clock },
)
