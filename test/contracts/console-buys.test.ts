import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { BuyListFilter } from '../../src/console/buy-queries.ts'
import type { ImpairmentRecord } from '../../src/media-buys/impairments/impairment.ts'
import type { MediaBuyRecord } from '../../src/media-buys/media-buy.ts'
import type { ReportState, ReportWindow } from '../../src/media-buys/reporting/report-store.ts'
import { createBuyQueries } from '../../src/storage/stores/console/buys.ts'
import { createApprovalStore } from '../../src/storage/stores/media-buys/approvals.ts'
import { createImpairmentStore } from '../../src/storage/stores/media-buys/impairments.ts'
import { createMediaBuyStore } from '../../src/storage/stores/media-buys/media-buys.ts'
import { createReportStore } from '../../src/storage/stores/media-buys/reports.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { buyRecord, DAY_MS, HOUR_MS } from '../support/media-buys.ts'

const clock = fakeClock()

onBothStores(
  'media buys as the console asks for them',
  (database) => {
    const queries = () => createBuyQueries(database())
    const transact: ReturnType<typeof database>['transact'] = (work) => database().transact(work)
    beforeEach(() => transact((tx) => tx.run('DELETE FROM media_buys')))

    const add = async (over: Partial<MediaBuyRecord> = {}) => {
      clock.advance(1_000)
      const buy = buyRecord({ created_at: clock.now(), ...over })
      await transact((tx) => createMediaBuyStore(database()).add(tx, buy))
      return buy.media_buy_id
    }
    const impair = async (media_buy_id: string, over: Partial<ImpairmentRecord> = {}) => {
      clock.advance(1_000)
      const record: ImpairmentRecord = {
        impairment_id: randomUUID(),
        media_buy_id,
        owner: 'prn_buyer',
        impairment_type: 'general',
        resource_type: 'creative',
        resource_id: randomUUID(),
        package_ids: ['p1'],
        transition: { to: 'rejected' },
        raised_by: 'operator',
        reason_code: 'content_rejected',
        observed_at: clock.now(),
        cleared_at: undefined,
        ...over,
      }
      await transact((tx) => createImpairmentStore(database()).add(tx, record))
    }
    const report = async (media_buy_id: string, states: readonly ReportState[]) => {
      const reports = createReportStore(database())
      const windows = states.map((state, index): ReportWindow => {
        const start = clock.now() + index * HOUR_MS
        return {
          media_buy_id,
          owner: 'prn_buyer',
          kind: 'window',
          state,
          is_settled: true,
          start,
          end: start + HOUR_MS,
          sequence_number: index + 1,
          digest: undefined,
          notification_types: [],
          figures: undefined,
          expected_at: undefined,
          sent_at: undefined,
          ended_at: undefined,
          reason: undefined,
        }
      })
      await transact(async (tx) => {
        await reports.touch(tx, { media_buy_id, owner: 'prn_buyer' })
        const [stream] = [...(await reports.streams([media_buy_id])).values()]
        await reports.save(tx, stream ? [stream] : [], windows)
      })
    }
    const found = async (filter: Partial<BuyListFilter> = {}) =>
      (await queries().buys({ limit: 50, ...filter })).rows.map(({ media_buy_id }) => media_buy_id)

    test('the newest come first, and are found by status, principal, time and both', async () => {
      const early = await add({ owner: 'prn_a', status: 'active' })
      const between = clock.now() + 500
      const late = await add({ owner: 'prn_b', status: 'active' })
      const ended = await add({ owner: 'prn_a', status: 'canceled', due_at: undefined })
      expect(await found()).toEqual([ended, late, early])
      expect(await found({ status: 'active' })).toEqual([late, early])
      expect(await found({ owner: 'prn_a' })).toEqual([ended, early])
      expect(await found({ owner: 'prn_a', status: 'active' })).toEqual([early])
      expect(await found({ since: between })).toEqual([ended, late])
      expect(await found({ until: between })).toEqual([early])
      expect(await found({ owner: 'no \u0000 body' })).toEqual([])
    })

    test('every buy is on one page, in any requested order', async () => {
      for (let n = 0; n < 5; n++) {
        const id = await add()
        await impair(id)
        await impair(id)
        await report(id, ['late', 'delivered', 'late', 'given_up'])
      }
      for (const trouble of [undefined, 'impaired', 'late', 'given_up'] as const) {
        const whole = await found({ trouble })
        expect([trouble, new Set(whole).size, whole.length]).toEqual([trouble, 5, 5])
        const walked: string[] = []
        let after: BuyListFilter['after']
        do {
          const page = await queries().buys({ limit: 2, trouble, after })
          walked.push(...page.rows.map(({ media_buy_id }) => media_buy_id))
          after = page.next
        } while (after)
        expect([trouble, walked]).toEqual([trouble, whole])
      }
    })

    test('of those in trouble the last that got into it is first, and each says how much', async () => {
      const [old, well, young] = [await add(), await add(), await add({ status: 'active' })]
      await impair(young)
      await impair(old)
      await impair(well, { cleared_at: clock.now() })
      expect(await found({ trouble: 'impaired' })).toEqual([old, young])
      expect(await found({ trouble: 'impaired', status: 'active' })).toEqual([young])
      await report(young, ['late', 'late', 'delivered'])
      await report(well, ['given_up', 'owed'])
      expect(await found({ trouble: 'late' })).toEqual([young])
      expect(await found({ trouble: 'given_up' })).toEqual([well])
      const { rows } = await queries().buys({ limit: 9 })
      expect(rows).toMatchObject([
        { media_buy_id: young, open_impairments: 1, late_reports: 2, given_up_reports: 0 },
        { media_buy_id: well, open_impairments: 0, late_reports: 0, given_up_reports: 1 },
        { media_buy_id: old, open_impairments: 1, reported_spend: undefined, packages: 1 },
      ])
    })

    test('a word finds what the buyer said, an id the buy of it or of its package', async () => {
      const acme = await add({
        terms: { brand: { domain: 'acme.example' }, name: 'Spring "sale"', buyer_ref: 'ref-1' },
      })
      const other = await add({ terms: { brand: { domain: 'other.example' }, po_number: 'PO-9' } })
      expect(await found({ word: 'ACME' })).toEqual([acme])
      expect(await found({ word: '"sale"' })).toEqual([acme])
      expect(await found({ word: 'po-9' })).toEqual([other])
      expect(await found({ brand: 'other.example' })).toEqual([other])
      expect(await found({ brand: 'example' })).toEqual([])
      // The names of members are not what anyone said.
      expect(await found({ word: 'domain' })).toEqual([])
      expect(await found({ word: acme })).toEqual([acme])
      const returned = await queries().buy(other)
      const [first] = returned?.record.packages ?? []
      expect(await found({ word: first?.package_id ?? '' })).toEqual([other])
      expect(await found({ word: acme, status: 'completed' })).toEqual([])
    })

    test('one buy comes with its packages; what is none is not there', async () => {
      const id = await add()
      expect(await queries().buy(id)).toMatchObject({
        record: { media_buy_id: id, packages: [{ product_id: 'homepage' }] },
        listed: { media_buy_id: id, packages: 1 },
      })
      expect(await queries().buy('mb_none')).toBeUndefined()
      expect(await queries().buy('\u0000')).toBeUndefined()
    })

    test('what an operator had to decide about a buy, and what was reported about its impairments', async () => {
      const id = await add()
      const requested = {
        total_budget: 1,
        currency: 'USD',
        product_ids: [],
        start_time: '',
        end_time: '',
      }
      const store = createApprovalStore(database())
      for (const task_id of [`t_${randomUUID()}`, `t_${randomUUID()}`]) {
        clock.advance(1)
        await transact((tx) =>
          store.ask(tx, {
            task_id,
            owner: 'prn_buyer',
            task_type: 'create_media_buy',
            media_buy_id: id,
            reason: 'large',
            requested,
          }),
        )
      }
      expect(await queries().approvalsOf(id, 1)).toMatchObject([{ media_buy_id: id, requested }])
      expect(await queries().approvalsOf(id, 9)).toHaveLength(2)
      const impairments = createImpairmentStore(database())
      const of = { media_buy_id: id, owner: 'prn_buyer' }
      const fire = { window_id: 'w', opened_at: 1, due_at: 5, changes: [] }
      await transact((tx) => impairments.putPending(tx, of, fire))
      expect(await queries().pendingFireAt(id)).toBe(5)
      const fired = { ...of, notification_id: 'n1', fired_at: 7, result: { health: 'ok' } }
      await transact((tx) => impairments.addFired(tx, fired, { endsWindow: true }))
      expect(await queries().pendingFireAt(id)).toBeUndefined()
      expect(await queries().fires(id, 9)).toMatchObject([fired])
    })

    test('of 20 000 buys the newest are a page, and what no one said is looked for in part', async () => {
      await transact(async (tx) => {
        await tx.run(
          `INSERT INTO media_buys (media_buy_id, owner, status, is_held, revision, currency,
             total_budget, time_zone, start_at, end_at, status_changed_at, created_at, updated_at, terms)
           WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
           SELECT 'mb_many_' || n, 'prn_many', 'completed', 0, 1, 'USD', 1, 'UTC', 1, 2, 1,
             n, n, '{"name":"many"}' FROM numbers`,
        )
      })
      const first = await queries().buys({ limit: 50, status: 'completed' })
      expect([first.rows.length, first.rows[0]?.media_buy_id]).toEqual([50, 'mb_many_20000'])
      // What no one has is looked for in part, and the page says where to continue.
      const nothing = await queries().buys({ limit: 50, word: 'nobody said this' })
      expect(nothing.rows).toEqual([])
      expect(nothing.next).toEqual({ at: 18_001, id: 'mb_many_18001' })
      expect(await found({ status: 'active', until: clock.now() + DAY_MS })).toEqual([])
    })
  },
  { clock },
)
