import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Transaction } from '../../src/lib/transaction.ts'
import { subjectOfBuy, subjectOfReports } from '../../src/media-buys/buy-channels.ts'
import { MAX_CHANGES } from '../../src/media-buys/impairments/coalesce.ts'
import { notifyAgain } from '../../src/media-buys/impairments/keep-impairments.ts'
import { creativesChanged, signalChanged } from '../../src/media-buys/impairments/watch-buys.ts'
import type { MediaBuyRecord } from '../../src/media-buys/media-buy.ts'
import { sqlOf } from '../../src/storage/sql/database.ts'
import { createCreativeStore } from '../../src/storage/stores/creatives/creatives.ts'
import { createPackageCreatives } from '../../src/storage/stores/media-buys/package-creatives.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { impairmentDesk, REJECTED, WINDOW_MS } from '../support/impairments.ts'
import { packageRecord } from '../support/media-buys.ts'

const clock = fakeClock()
const PUSH = { url: 'https://buyer.example/push', operation_id: 'op-1' }
const REPORTS = { url: 'https://buyer.example/reports', operation_id: 'op-2' }
const KEY = { type: 'segment_id' as const, segment_id: 'seg-1' }

onBothStores(
  'impairments of media buys',
  (database, _store, another) => {
    const desk = () => impairmentDesk(database(), clock)
    const newOwner = () => `prn_${randomUUID()}`
    const bought = async (over: Partial<MediaBuyRecord> = {}) => {
      const one = desk()
      const buy = await one.addBuy(
        { owner: newOwner(), status: 'active', packages: [packageRecord()], ...over },
        { push_notification_config: PUSH },
      )
      const reported = () => one.reported(subjectOfBuy(buy.media_buy_id))
      return { ...one, buy, id: buy.media_buy_id, reported }
    }

    test('spec 6.3: twenty changes within a minute are one fire when the window ends', async () => {
      const { raise, fire, reported, id, returned, buy } = await bought()
      for (let n = 0; n < 20; n++) {
        await raise(id, { resource_id: `c${n}` })
        // Health and the list change with the event, not with the fire.
        expect(await returned(buy)).toMatchObject({ health: 'impaired' })
        clock.advance(2_000)
      }
      expect((await returned(buy)).impairments).toHaveLength(20)
      await fire()
      expect(await reported()).toEqual([])
      clock.advance(WINDOW_MS - 40_000)
      await fire()
      await fire()
      const [first, ...others] = await reported()
      expect(others).toEqual([])
      expect(first).toMatchObject({
        operation_id: 'op-1',
        status: 'completed',
        task_type: 'update_media_buy',
        notification_id: expect.any(String),
        result: { notification_type: 'impairment', media_buy_id: id, health: 'impaired' },
      })
      expect(first.result.changes).toHaveLength(20)
      expect(first.result.impairments).toHaveLength(20)
    })

    test('pending reports wait while the queue is full, stay bounded, and are reported in the end', async () => {
      const { raise, clear, fire, reported, id, queue, impairments, transact } = await bought()
      queue.isFull = true
      await raise(id, { impairment_type: 'safety', resource_id: 'unsafe' })
      for (let n = 0; n < 150; n++) {
        const record = await raise(id, { resource_id: `c${n % 3}` })
        await clear(record)
      }
      clock.advance(10 * WINDOW_MS)
      await fire()
      expect(await reported()).toEqual([])
      const pending = await transact((tx) => impairments.pending(tx, id))
      expect(pending?.changes.length).toBeLessThanOrEqual(MAX_CHANGES)
      queue.isFull = false
      clock.advance(WINDOW_MS)
      await fire()
      const [first, ...others] = await reported()
      expect(others).toEqual([])
      expect(first.result.impairments).toMatchObject([{ resource_id: 'unsafe' }])
      const changed = first.result.changes as {
        change: string
        impairment: { resource_id: string }
      }[]
      expect(new Set(changed.map((one) => one.impairment.resource_id))).toEqual(
        new Set(['unsafe', 'c0', 'c1', 'c2']),
      )
    })

    test('a buy has a bounded number of impairments; further ones come when others are cleared', async () => {
      const one = desk()
      const owner = newOwner()
      const library = createCreativeStore(database())
      const ids = Array.from({ length: 620 }, (_, n) => `c${String(n).padStart(3, '0')}`)
      const packages = Array.from({ length: 7 }, () => packageRecord())
      const save = (creatives: readonly string[], status: 'suspended' | 'approved') =>
        one.transact((tx) =>
          library.save(
            tx,
            owner,
            creatives.map((creative_id) => ({
              creative_id,
              name: creative_id,
              formatKey: 'f',
              status,
              bytes: 1,
              format_id: { agent_url: 'https://a.example', id: 'f' },
              assets: {},
              tags: [],
              others: {},
            })),
          ),
        )
      await save(ids, 'suspended')
      const buy = await one.addBuy(
        { owner, status: 'active', packages },
        { push_notification_config: PUSH },
      )
      const creatives = createPackageCreatives(database())
      await one.transact((tx) =>
        creatives.replace(
          tx,
          owner,
          new Map(
            packages.map(({ package_id }, at) => [
              package_id,
              ids.slice(at * 90, at * 90 + 90).map((creative_id) => ({ creative_id })),
            ]),
          ),
        ),
      )
      await one.save(buy.media_buy_id, (before) => before)
      const returned = async () =>
        (await one.returned(buy)).impairments as { resource_id: string }[]
      expect(await returned()).toHaveLength(500)
      const cleared = (await returned()).slice(0, 200).map(({ resource_id }) => resource_id)
      await save(cleared, 'approved')
      await one.save(buy.media_buy_id, (before) => before)
      expect(await returned()).toHaveLength(420)
      // Told in fires of bounded size.
      clock.advance(WINDOW_MS)
      await one.fire()
      const fires = await one.reported(subjectOfBuy(buy.media_buy_id))
      for (const { result } of fires) expect(result.changes.length).toBeLessThanOrEqual(MAX_CHANGES)
      const reported = fires.flatMap(({ result }) => result.changes)
      expect(reported).toHaveLength(500 + 200 + 120)
    })

    test('spec 6.3: fraud and safety are reported at once, and the window of the others continues', async () => {
      const { raise, fire, reported, id } = await bought()
      const general = await raise(id)
      const fraud = await raise(id, { impairment_type: 'fraud', resource_id: 'c2' })
      const safety = await raise(id, { impairment_type: 'safety', resource_id: 'c3' })
      const ids = async () => (await reported()).map(({ notification_id }) => notification_id)
      expect(await ids()).toEqual([fraud.impairment_id, safety.impairment_id])
      clock.advance(WINDOW_MS)
      await fire()
      expect(await ids()).toEqual([
        fraud.impairment_id,
        safety.impairment_id,
        general.impairment_id,
      ])
      const keys = new Set((await reported()).map(({ idempotency_key }) => idempotency_key))
      expect(keys.size).toBe(3)
    })

    test('spec 6.3: what is cleared is reported under the same id, what comes again has another', async () => {
      const { raise, clear, fire, reported, id, buy, returned } = await bought()
      const first = await raise(id)
      clock.advance(WINDOW_MS)
      await fire()
      await clear(first)
      expect(await returned(buy)).toEqual({ health: 'ok', impairments: [] })
      clock.advance(WINDOW_MS)
      await fire()
      const again = await raise(id)
      expect(again.impairment_id).not.toBe(first.impairment_id)
      const [opened, closed] = await reported()
      expect([opened.notification_id, closed.notification_id]).toEqual(
        Array(2).fill(first.impairment_id),
      )
      expect([opened.result.change, closed.result.change]).toEqual(['raised', 'cleared'])
      expect(closed.result).toMatchObject({ health: 'ok', impairments: [] })
    })

    test('spec 6.3: reported again it has the same notification_id and another idempotency_key', async () => {
      const { raise, fire, reported, id, ports, held } = await bought()
      const { impairment_id } = await raise(id)
      clock.advance(WINDOW_MS)
      await fire()
      const other = await bought()
      const again = (tx: Transaction, buy: MediaBuyRecord) =>
        notifyAgain(ports, tx, { buy, notification_id: impairment_id })
      expect(await held(id, (tx) => again(tx, other.buy))).toBe(false)
      expect(await held(id, again)).toBe(true)
      const [first, second] = await reported()
      expect(second.notification_id).toBe(first.notification_id)
      expect(second.idempotency_key).not.toBe(first.idempotency_key)
      expect(second.result.changes).toEqual(first.result.changes)
      expect(second.task_id).not.toBe(first.task_id)
    })

    test('spec 6.3: a window is reported once, even if the process ends and two instances check at once', async () => {
      const { raise, reported, id } = await bought()
      await raise(id)
      clock.advance(WINDOW_MS)
      const [one, two] = [another(), another()]
      try {
        await Promise.all([one, two].map((each) => impairmentDesk(each, clock).fire()))
      } finally {
        await Promise.all([one.close(), two.close()])
      }
      expect(await reported()).toHaveLength(1)
    })

    test('spec 3.4: what waits is reported before the end of the buy, and nothing after it', async () => {
      const { raise, end, fire, reported, id, buy, returned } = await bought()
      await raise(id)
      await end(id)
      const kinds = (await reported()).map(({ result }) => result.notification_type)
      expect(kinds).toEqual(['impairment', 'media_buy.status_changed'])
      clock.advance(WINDOW_MS)
      await fire()
      expect(await reported()).toHaveLength(2)
      expect(await returned(buy)).toEqual({ health: 'ok', impairments: [] })
    })

    test('spec 6.3: reporting_webhook hears too, unless it leads to the same place', async () => {
      const { addBuy, raise, reported } = desk()
      const wanted = [
        { reporting_webhook: REPORTS },
        { push_notification_config: PUSH, reporting_webhook: REPORTS },
        { push_notification_config: PUSH, reporting_webhook: { ...REPORTS, url: PUSH.url } },
      ]
      const received = []
      for (const channels of wanted) {
        const { media_buy_id } = await addBuy({ owner: newOwner(), status: 'active' }, channels)
        await raise(media_buy_id, { impairment_type: 'fraud' })
        const push = await reported(subjectOfBuy(media_buy_id))
        const reports = await reported(subjectOfReports(media_buy_id))
        received.push([...push, ...reports].map(({ url }) => url))
      }
      expect(received).toEqual([[REPORTS.url], [PUSH.url, REPORTS.url], [PUSH.url]])
    })

    test('spec 6.3: a signal of the targeting that is no longer live impairs the buy until it is again', async () => {
      const owner = newOwner()
      const signals = [{ signal_agent_segment_id: 's1', activation_key: KEY }]
      const packages = [packageRecord({ signals }), packageRecord()]
      const { id, buy, ports, returned, reported, fire, save, transact } = await bought({
        owner,
        packages,
      })
      const setLive = (isLive: boolean) =>
        transact(async (tx) => {
          await sqlOf(tx).run('DELETE FROM signal_activations WHERE principal_id = $1', [owner])
          if (isLive) {
            await sqlOf(tx).run(
              `INSERT INTO signal_activations (principal_id, signal_agent_segment_id, target_key,
                 state, task_id, changed_at, activation, origin, key_text)
               VALUES ($1, 's1', 't', 'live', 'x', 1, $2, 'platform', 'segment_id:seg-1')`,
              [owner, JSON.stringify({ activation_key: KEY })],
            )
          }
          await signalChanged(ports, tx, { owner, signal_agent_segment_id: 's1' })
        })
      await setLive(true)
      expect(await returned(buy)).toEqual({ health: 'ok', impairments: [] })
      await setLive(false)
      expect(await returned(buy)).toMatchObject({
        health: 'impaired',
        impairments: [
          {
            resource_type: 'audience',
            resource_id: 's1',
            reason_code: 'source_offline',
            package_ids: [packages[0]?.package_id],
            transition: { from: 'live', to: 'suspended' },
          },
        ],
      })
      clock.advance(WINDOW_MS)
      await fire()
      expect((await reported())[0].result).toMatchObject({ health: 'impaired', change: 'raised' })
      await setLive(true)
      expect(await returned(buy)).toMatchObject({ health: 'ok' })
      await setLive(false)
      // The buyer takes the key out of the targeting: nothing is impaired any more.
      await save(id, (now) => ({
        ...now,
        packages: now.packages.map((one) => ({ ...one, signals: [] })),
      }))
      expect(await returned(buy)).toEqual({ health: 'ok', impairments: [] })
    })

    test('spec 6.3: a rejected creative and a withdrawn format impair the packages that run them', async () => {
      const owner = newOwner()
      const { buy, ports, returned, served, transact } = await bought({ owner })
      const [one] = buy.packages
      const set = (status: string) =>
        transact(async (tx) => {
          await sqlOf(tx).run('DELETE FROM creative_assignments WHERE owner = $1', [owner])
          await sqlOf(tx).run('DELETE FROM creatives WHERE owner = $1', [owner])
          await addCreative(sqlOf(tx), { owner, status, package_id: one?.package_id ?? '' })
          await creativesChanged(ports, tx, { owner, creativeIds: ['c1'] })
        })
      await set('approved')
      expect(await returned(buy)).toEqual({ health: 'ok', impairments: [] })
      await set('rejected')
      expect((await returned(buy)).impairments).toMatchObject([
        { resource_type: 'creative', resource_id: 'c1', transition: { to: 'rejected' } },
      ])
      served.has = () => false
      await set('approved')
      expect((await returned(buy)).impairments).toMatchObject([
        { resource_type: 'catalog_item', resource_id: 'f1', transition: { to: 'withdrawn' } },
      ])
    })

    test('what the operator raised stays when the system finds nothing', async () => {
      const { raise, id, save, returned, buy } = await bought()
      await raise(id)
      await save(id, (now) => now)
      expect((await returned(buy)).impairments).toMatchObject([
        { resource_id: REJECTED.resource_id },
      ])
    })

    test('spec 6.3: whatever is raised and cleared, health is impaired exactly while something is open', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({ resource: fc.nat({ max: 3 }), isRaised: fc.boolean(), ms: fc.nat(40_000) }),
            { maxLength: 12 },
          ),
          async (steps) => {
            const { raise, clear, fire, reported, id, buy, returned, impairments, held } =
              await bought()
            const open = new Set<number>()
            let changes = 0
            for (const { resource, isRaised, ms } of steps) {
              clock.advance(ms)
              await fire()
              const now = await held(id, (tx) => impairments.open(tx, id))
              const known = now.find(({ resource_id }) => resource_id === `c${resource}`)
              if (isRaised && !known) {
                await raise(id, { resource_id: `c${resource}` })
                open.add(resource)
                changes += 1
              } else if (!isRaised && known) {
                await clear(known)
                open.delete(resource)
                changes += 1
              }
              const view = await returned(buy)
              expect(view.health).toBe(open.size === 0 ? 'ok' : 'impaired')
              expect(view.impairments).toHaveLength(open.size)
            }
            clock.advance(WINDOW_MS)
            await fire()
            const fired = await reported()
            const sum = fired.reduce((total, { result }) => total + result.changes.length, 0)
            expect(sum).toBe(changes)
          },
        ),
        { numRuns: 8 },
      )
    })
  },
  { clock },
)

async function addCreative(
  sql: ReturnType<typeof sqlOf>,
  { owner, status, package_id }: { owner: string; status: string; package_id: string },
): Promise<void> {
  const format_id = JSON.stringify({ agent_url: 'https://seller.example', id: 'f1' })
  await sql.run(
    `INSERT INTO creatives (owner, creative_id, name, name_folded, format_id, format_key, status,
       assets, tags, others, assignment_count, created_at, updated_at)
     VALUES ($1, 'c1', 'One', 'one', $2, 'f1', $3, '{}', '[]', '{}', 1, 1, 1)`,
    [owner, format_id, status],
  )
  await sql.run(
    `INSERT INTO creative_assignments (owner, creative_id, package_id, assigned_at)
     VALUES ($1, 'c1', $2, 1)`,
    [owner, package_id],
  )
}
