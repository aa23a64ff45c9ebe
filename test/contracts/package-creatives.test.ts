import { describe, expect, test } from 'vitest'
import type { SavedCreative } from '../../src/creative/library-store.ts'
import type { NewAssignment } from '../../src/media-buys/store.ts'
import { createCreativeStore } from '../../src/storage/stores/creatives/creatives.ts'
import { createImpairmentStore } from '../../src/storage/stores/media-buys/impairments.ts'
import { createPackageCreatives } from '../../src/storage/stores/media-buys/package-creatives.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
let owners = 0
const format_id = { agent_url: 'https://ads.example', id: 'display_300x250_image' }
const creative = (creative_id: string, status: SavedCreative['status'] = 'approved') =>
  ({
    creative_id,
    name: creative_id,
    format_id,
    formatKey: format_id.id,
    status,
    assets: {},
    tags: [],
    others: {},
    bytes: 100,
  }) as SavedCreative
const named = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `c${String(index + from).padStart(3, '0')}`)

onBothStores(
  'the creatives of packages',
  (database) => {
    const fallback = async (creatives: readonly SavedCreative[]) => {
      const owner = `prn_${++owners}`
      const { transact } = database()
      const library = createCreativeStore(database())
      const store = createPackageCreatives(database())
      await transact((tx) => library.save(tx, owner, creatives))
      return {
        owner,
        library,
        store,
        transact,
        replace: (packages: Record<string, readonly (string | NewAssignment)[]>) =>
          transact((tx) =>
            store.replace(
              tx,
              owner,
              new Map(
                Object.entries(packages).map(([id, wanted]) => [
                  id,
                  wanted.map((one) => (typeof one === 'string' ? { creative_id: one } : one)),
                ]),
              ),
            ),
          ),
        of: async (...ids: string[]) =>
          Object.fromEntries(
            [...(await store.list(owner, ids))].map(([id, own]) => [
              id,
              own.map(({ creative_id }) => creative_id),
            ]),
          ),
        counts: async () => {
          const page = await library.list(owner, {
            filter: {},
            sort: { field: 'name', direction: 'asc' } as const,
            limit: 1_000,
          })
          return Object.fromEntries(
            page.creatives.map(({ creative_id, assignment_count }) => [
              creative_id,
              assignment_count,
            ]),
          )
        },
        /** Counted in the table itself. */
        rows: async () =>
          (
            await database().read.all<{ creative_id: string; n: number }>(
              `SELECT creative_id, count(*) AS n FROM creative_assignments WHERE owner = $1
               GROUP BY creative_id ORDER BY creative_id`,
              [owner],
            )
          ).map(({ creative_id, n }) => [creative_id, n]),
      }
    }

    test('are replaced package by package, and each creative knows how many packages it has', async () => {
      const { replace, of, counts } = await fallback(['a', 'b', 'c'].map((id) => creative(id)))
      await replace({ p1: ['a', 'b'], p2: ['b'] })
      expect(await of('p1', 'p2')).toEqual({ p1: ['a', 'b'], p2: ['b'] })
      expect(await counts()).toEqual({ a: 1, b: 2, c: 0 })
      await replace({ p1: ['c'], p2: [] })
      expect(await of('p1', 'p2', 'p3')).toEqual({ p1: ['c'], p2: [], p3: [] })
      expect(await counts()).toEqual({ a: 0, b: 0, c: 1 })
    })

    test('that stay keep the time at which they were assigned; others are changed', async () => {
      const { replace, library, owner } = await fallback([creative('a'), creative('b')])
      await replace({ p1: ['a', { creative_id: 'b', weight: 10 }] })
      const assigned = async () => {
        const one = { assignment_count: 1 }
        const ids = ['a', 'b'].map((creative_id) => ({ creative_id, ...one }))
        return [...(await library.assignmentsOf(owner, ids)).values()].flat()
      }
      const before = await assigned()
      await clock.advance(60_000)
      const b = { creative_id: 'b', weight: 20, placement_ids: ['top'] }
      await replace({ p1: ['a', b] })
      const after = await assigned()
      expect(after.map(({ assigned_at }) => assigned_at)).toEqual(
        before.map(({ assigned_at }) => assigned_at),
      )
      expect(after[1]).toMatchObject(b)
    })

    test('100 packages × 100 creatives are replaced by difference, with the right counts', async () => {
      const ids = named(110)
      const { replace, rows, counts } = await fallback(ids.map((id) => creative(id)))
      const packages = Array.from({ length: 100 }, (_, index) => `p${index}`)
      const all = (wanted: readonly string[]) =>
        Object.fromEntries(packages.map((id) => [id, wanted]))
      await replace(all(ids.slice(0, 100)))
      expect(new Set(Object.values(await counts()))).toEqual(new Set([100, 0]))
      await replace({ ...all(ids.slice(10)), p0: ids.slice(0, 50) })
      const found = await rows()
      const known = await counts()
      expect(found.every(([id, n]) => known[String(id)] === n)).toBe(true)
      expect(known).toMatchObject({ c000: 1, c010: 100, c099: 99, c109: 99 })
    })

    test('can run unless all of a package are archived or rejected', async () => {
      const { replace, store, owner, transact } = await fallback([
        creative('ok'),
        creative('old', 'archived'),
        creative('no', 'rejected'),
      ])
      await replace({ p1: ['old', 'ok'], p2: ['old', 'no'], p3: [] })
      const supplied = await transact((tx) => store.supplied(tx, owner, ['p1', 'p2', 'p3', 'p4']))
      expect([...supplied]).toEqual(['p1'])
    })

    describe('and what impairs them', () => {
      test('are a few kinds, however many creatives there are', async () => {
        const { replace, owner, transact } = await fallback([
          ...named(60).map((id) => creative(id)),
          creative('bad', 'suspended'),
        ])
        await replace({ p1: named(60), p2: [...named(30), 'bad'] })
        const impairments = createImpairmentStore(database())
        await transact(async (tx) => {
          const kinds = await impairments.kindsOf(tx, owner, ['p1', 'p2'])
          expect(kinds.map(({ status }) => status).sort()).toEqual(['approved', 'suspended'])
          const faulty = kinds.filter(({ status }) => status === 'suspended')
          const packageIds = ['p1', 'p2']
          expect(await impairments.creativesOf(tx, owner, { packageIds, kinds: faulty })).toEqual([
            { creative_id: 'bad', package_id: 'p2', status: 'suspended', format_id },
          ])
          expect(await impairments.creativesOf(tx, owner, { packageIds, kinds: [] })).toEqual([])
        })
      })
    })

    test('that are assigned again are not counted twice, and the last of two counts', async () => {
      const { library, owner, transact, counts } = await fallback([creative('a')])
      const assign = (...weights: number[]) =>
        transact((tx) =>
          library.assign(
            tx,
            owner,
            weights.map((weight) => ({ creative_id: 'a', package_id: 'p1', weight })),
          ),
        )
      await assign(1, 2)
      await assign(3)
      expect(await counts()).toEqual({ a: 1 })
      const own = await library.assignmentsOf(owner, [{ creative_id: 'a', assignment_count: 1 }])
      expect(own.get('a')).toMatchObject([{ weight: 3 }])
      const pairs = [
        { creative_id: 'a', package_id: 'p1' },
        { creative_id: 'a', package_id: 'p2' },
        { creative_id: 'a\u0000', package_id: 'p1' },
      ]
      expect(await transact((tx) => library.assigned(tx, owner, pairs))).toEqual([pairs[0]])
    })
  },
  { clock },
)
