import { expect, test } from 'vitest'
import type {
  CreativeFilter,
  CreativeQuery,
  SavedCreative,
} from '../../src/creative/library-store.ts'
import { createCreativeStore } from '../../src/storage/stores/creatives/creatives.ts'
import { createMediaBuyStore } from '../../src/storage/stores/media-buys/media-buys.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { buyRecord, packageRecord } from '../support/media-buys.ts'

const clock = fakeClock()
let owners = 0

const creative = (creative_id: string, over: Partial<SavedCreative> = {}): SavedCreative => ({
  creative_id,
  name: `Creative ${creative_id}`,
  format_id: { agent_url: 'https://ads.example', id: 'display_300x250_image' },
  formatKey: 'display_300x250_image',
  assets: { banner_image: { asset_type: 'image', url: 'https://a.example/a.png' } },
  status: 'approved',
  tags: [],
  others: {},
  bytes: 100,
  ...over,
})

onBothStores(
  'the store of creatives',
  (database) => {
    const store = () => createCreativeStore(database())
    /** A library of its own, for one test. */
    const library = () => {
      const owner = `prn_${++owners}`
      const list = (filter: CreativeFilter = {}, query: Partial<CreativeQuery> = {}) =>
        store().list(owner, {
          filter,
          sort: { field: 'created_date', direction: 'asc' },
          limit: 100,
          ...query,
        })
      return {
        owner,
        list,
        save: (...creatives: SavedCreative[]) =>
          database().transact((tx) => store().save(tx, owner, creatives)),
        assign: (...assignments: { creative_id: string; package_id: string; weight?: number }[]) =>
          database().transact((tx) => store().assign(tx, owner, assignments)),
        ids: async (filter?: CreativeFilter, query?: Partial<CreativeQuery>) =>
          (await list(filter, query)).creatives.map(({ creative_id }) => creative_id),
        get: async (id: string) =>
          (await database().transact((tx) => store().lock(tx, owner, [id]))).get(id),
      }
    }

    test('H1: what a library holds is counted for the cost of a call, assignments up to a limit', async () => {
      const { owner, save, assign } = library()
      expect(await store().size(owner)).toEqual({ creatives: 0, bytes: 0 })
      expect(await store().bytesOf(owner, ['a'])).toBe(0)
      await save(creative('a', { bytes: 300 }), creative('b', { bytes: 50 }))
      const packages = ['p1', 'p2', 'p3']
      await assign(...packages.map((package_id) => ({ creative_id: 'a', package_id })))
      await assign({ creative_id: 'b', package_id: 'p1' })

      expect(await store().size(owner)).toEqual({ creatives: 2, bytes: 350 })
      expect(await store().bytesOf(owner, ['a', 'unknown'])).toBe(300)
      expect(await store().countAssignments(owner, 100)).toBe(4)
      expect(await store().countAssignments(owner, 2)).toBe(2)
      expect(await store().countAssignments('prn_nobody', 100)).toBe(0)
    })

    test('spec 4.5: creatives are found by the media buys of their owner that they are assigned to', async () => {
      const [mine, other] = [library(), library()]
      const buys = createMediaBuyStore(database())
      const bought = async (owner: string, count: number) => {
        const packages = Array.from({ length: count }, () => packageRecord())
        const buy = buyRecord({ owner, packages })
        await database().transact((tx) => buys.add(tx, buy))
        return { id: buy.media_buy_id, packages: packages.map(({ package_id }) => package_id) }
      }
      await mine.save(...['a', 'b', 'c'].map((id) => creative(id)))
      await other.save(creative('a'))
      const first = await bought(mine.owner, 2)
      const second = await bought(mine.owner, 1)
      const foreign = await bought(other.owner, 1)
      const assign = (creative_id: string, package_id: string | undefined) =>
        mine.assign({ creative_id, package_id: package_id as string })
      for (const id of first.packages) await assign('a', id)
      await assign('b', second.packages[0])
      await assign('c', foreign.packages[0])
      await assign('c', 'bought_elsewhere')

      const inBuys = async (...ids: string[]) => {
        const { media_buy_ids, creative_ids } = await store().inBuys(mine.owner, ids)
        return { media_buy_ids: media_buy_ids.sort(), creative_ids: creative_ids.sort() }
      }
      expect(await inBuys(first.id)).toEqual({ media_buy_ids: [first.id], creative_ids: ['a'] })
      expect(await inBuys(first.id, second.id, 'unknown', '\u0000')).toEqual({
        media_buy_ids: [first.id, second.id].sort(),
        creative_ids: ['a', 'b'],
      })
      expect(await inBuys(foreign.id)).toEqual({ media_buy_ids: [], creative_ids: [] })
      expect(await store().countInBuys(mine.owner, [first.id, second.id], 100)).toBe(3)
      expect(await store().countInBuys(mine.owner, [first.id, second.id], 2)).toBe(2)
      expect(await store().countInBuys(mine.owner, [foreign.id], 100)).toBe(0)
    })

    test('a creative comes back as it was saved, with its times', async () => {
      const { save, get } = library()
      const saved = creative('a', {
        name: 'Žluťoučký 👍',
        tags: ['b', 'a'],
        concept_id: 'c-1',
        concept_name: 'Spring',
        others: { weight: 50, inputs: [{ name: 'x\u0000' }] },
      })
      await save(saved)
      const first = clock.now()
      expect(await get('a')).toEqual({
        ...saved,
        assignment_count: 0,
        created_at: first,
        updated_at: first,
      })
      clock.advance(1_000)
      await save(creative('a', { name: 'Other' }))
      expect(await get('a')).toEqual({
        ...creative('a', { name: 'Other' }),
        assignment_count: 0,
        created_at: first,
        updated_at: first + 1_000,
      })
    })

    test('one owner finds nothing of another, whatever the id', async () => {
      const one = library()
      const other = library()
      await one.save(creative('same'), creative('mine'))
      await other.save(creative('same', { name: 'Theirs' }))
      expect((await one.get('same'))?.name).toBe('Creative same')
      expect(await other.get('mine')).toBeUndefined()
      expect(await other.ids()).toEqual(['same'])
      await database().transact(async (tx) => {
        await store().archive(tx, other.owner, ['same', 'mine'])
        await store().assign(tx, other.owner, [{ creative_id: 'same', package_id: 'p' }])
      })
      expect((await one.get('same'))?.status).toBe('approved')
      const { creatives } = await one.list()
      expect(creatives).toHaveLength(2)
      expect(await store().assignmentsOf(one.owner, creatives)).toEqual(new Map())
    })

    test('a page ends early when its creatives have too many bytes or assignments, with one at least', async () => {
      const { save, assign, list } = library()
      await save(...['a', 'b', 'c', 'd'].map((id) => creative(id, { bytes: 400 })))
      await assign(...['p1', 'p2', 'p3'].map((package_id) => ({ creative_id: 'c', package_id })))
      const sort = { field: 'name', direction: 'asc' } as const
      const page = async (most: { bytes: number; assignments: number }, after?: string) => {
        const place = after && { after: { value: `creative ${after}`, creative_id: after } }
        const { creatives, hasMore, total } = await list({}, { sort, most, ...(place || {}) })
        return { ids: creatives.map(({ creative_id }) => creative_id).join(''), hasMore, total }
      }
      const many = Number.POSITIVE_INFINITY
      expect(await page({ bytes: 1_000, assignments: many })).toEqual({
        ids: 'ab',
        hasMore: true,
        total: 4,
      })
      expect(await page({ bytes: 1, assignments: many }, 'c')).toEqual({
        ids: 'd',
        hasMore: false,
        total: 4,
      })
      expect(await page({ bytes: many, assignments: 2 })).toEqual({
        ids: 'ab',
        hasMore: true,
        total: 4,
      })
      expect(await page({ bytes: many, assignments: 2 }, 'b')).toEqual({
        ids: 'c',
        hasMore: true,
        total: 4,
      })
    })

    test('a library of thousands is listed alike in every order, filtered, and counted', async () => {
      const { save, ids, list } = library()
      const names = Array.from(
        { length: 6_200 },
        (_, n) => `c${String((n * 37) % 6_200).padStart(4, '0')}`,
      )
      await save(
        ...names.map((id, n) =>
          creative(id, { name: n % 3 === 0 ? `Ünï ${id}` : id, tags: n % 2 === 0 ? ['even'] : [] }),
        ),
      )
      const sorted = [...names].sort()
      const asc = { field: 'name', direction: 'asc' } as const
      const returned = await ids({ nameContains: 'ünï' }, { sort: asc, limit: 3 })
      const wanted = names.filter((_, n) => n % 3 === 0).sort()
      expect(returned).toEqual(wanted.slice(0, 3))
      const even = await list(
        { tagsAll: ['even'] },
        { sort: { ...asc, direction: 'desc' }, limit: 2 },
      )
      expect(even).toMatchObject({ total: 3_100, hasMore: true, byStatus: { approved: 3_100 } })
      const created = { field: 'created_date', direction: 'asc' } as const
      const last = sorted.at(-2) as string
      const place = { value: (await list({}, { limit: 1 })).creatives[0]?.created_at ?? 0 }
      expect(await ids({}, { sort: created, after: { ...place, creative_id: last } })).toEqual([
        sorted.at(-1),
      ])
    })

    test('what is active is found but for exceptions and outside a scope, and archived', async () => {
      const { owner, save, ids } = library()
      await save(creative('a'), creative('b'), creative('c'), creative('d', { status: 'archived' }))
      const active = (except: string[], within?: string[]) =>
        database().transact((tx) => store().activeIds(tx, owner, { except, within }))
      expect(await active([])).toEqual(['a', 'b', 'c'])
      expect(await active(['b', 'x'])).toEqual(['a', 'c'])
      expect(await active(['b'], ['b', 'c', 'd'])).toEqual(['c'])
      clock.advance(1_000)
      await database().transact((tx) => store().archive(tx, owner, ['a', 'c']))
      expect(await ids({ statuses: ['archived'] })).toEqual(['a', 'c', 'd'])
      expect(await ids({ updatedAfter: clock.now() - 1 })).toEqual(['a', 'c'])
    })

    test('an assignment is kept once for each package, with its newest weight', async () => {
      const { owner, save, assign, get, ids, list } = library()
      await save(creative('a'), creative('b'))
      const assignedAt = clock.now()
      await assign({ creative_id: 'a', package_id: 'p2' }, { creative_id: 'a', package_id: 'p1' })
      clock.advance(1_000)
      await assign({ creative_id: 'a', package_id: 'p1', weight: 12.5 })
      expect(await store().assignmentsOf(owner, (await list()).creatives)).toEqual(
        new Map([
          [
            'a',
            [
              { creative_id: 'a', package_id: 'p1', weight: 12.5, assigned_at: assignedAt },
              { creative_id: 'a', package_id: 'p2', assigned_at: assignedAt },
            ],
          ],
        ]),
      )
      expect((await get('a'))?.assignment_count).toBe(2)
      expect(await ids({ isAssigned: true })).toEqual(['a'])
      expect(await ids({ isAssigned: false })).toEqual(['b'])
      await save(creative('a', { name: 'Again' }))
      expect((await get('a'))?.assignment_count).toBe(2)
    })

    test('filters combine, and an empty list lets nothing pass', async () => {
      const { save, ids } = library()
      const start = clock.now()
      await save(creative('a', { name: 'ÄPFEL und 100%', tags: ['x', 'y'], concept_id: 'c1' }))
      clock.advance(1_000)
      await save(creative('b', { name: 'Birnen', tags: ['y'], formatKey: 'video_15s' }))
      clock.advance(1_000)
      await save(creative('c', { tags: [], status: 'rejected' }))
      expect(await ids({ creative_ids: ['a', 'c', 'none'] })).toEqual(['a', 'c'])
      expect(await ids({ creative_ids: [] })).toEqual([])
      expect(await ids({ statuses: ['approved'] })).toEqual(['a', 'b'])
      expect(await ids({ formatKeys: ['video_15s'] })).toEqual(['b'])
      expect(await ids({ nameContains: 'äpfel' })).toEqual(['a'])
      expect(await ids({ nameContains: '0%' })).toEqual(['a'])
      expect(await ids({ nameContains: '_' })).toEqual([])
      expect(await ids({ nameContains: '\0' })).toEqual([])
      expect(await ids({ nameContains: '\ud800' })).toEqual([])
      expect(await ids({ creative_ids: ['\ud800', '\0', 'a'] })).toEqual(['a'])
      expect(await ids({ tagsAll: ['x', 'y'] })).toEqual(['a'])
      expect(await ids({ tagsAny: ['x', 'y', '\0'] })).toEqual(['a', 'b'])
      expect(await ids({ tagsAny: [] })).toEqual([])
      expect(await ids({ concept_ids: ['c1'] })).toEqual(['a'])
      expect(await ids({ createdAfter: start })).toEqual(['b', 'c'])
      expect(await ids({ createdBefore: start + 1_000 })).toEqual(['a'])
      expect(await ids({ tagsAny: ['y'], createdAfter: start })).toEqual(['b'])
    })

    test('in every order the pages hold each creative once, with totals of all pages', async () => {
      const { save, assign, list } = library()
      for (const [index, id] of ['c', 'a', 'B', 'e', 'd'].entries()) {
        await save(creative(id, { name: index % 2 ? 'same' : `Name ${id}` }))
        clock.advance(index % 2 ? 1_000 : 0)
      }
      await save(creative('a', { name: 'same', status: 'rejected' }))
      await assign({ creative_id: 'd', package_id: 'p' })
      const fields = ['created_date', 'updated_date', 'name', 'status', 'assignment_count'] as const
      for (const field of fields) {
        for (const direction of ['asc', 'desc'] as const) {
          const sort = { field, direction }
          const all = (await list({}, { sort })).creatives
          const paged: string[] = []
          let after: CreativeQuery['after']
          for (;;) {
            const page = await list({}, { sort, limit: 2, ...(after ? { after } : {}) })
            expect(page.total).toBe(5)
            expect(page.byStatus).toEqual({ approved: 4, rejected: 1 })
            expect(page.byFormat).toEqual({ display_300x250_image: 5 })
            paged.push(...page.creatives.map(({ creative_id }) => creative_id))
            const last = page.creatives.at(-1)
            if (!page.hasMore || !last) break
            const values = {
              created_date: last.created_at,
              updated_date: last.updated_at,
              name: last.name.toLowerCase(),
              status: last.status,
              assignment_count: last.assignment_count,
            }
            after = { value: values[field], creative_id: last.creative_id }
          }
          expect(paged).toEqual(all.map(({ creative_id }) => creative_id))
          expect(new Set(paged).size).toBe(5)
        }
      }
      const names = (await list({}, { sort: { field: 'name', direction: 'asc' } })).creatives
      expect(names.map(({ creative_id }) => creative_id)).toEqual(['B', 'c', 'd', 'a', 'e'])
    })

    test('what is removed is forgotten with its assignments, and leaves room; no one else loses anything', async () => {
      const [mine, theirs] = [library(), library()]
      const of = { limits: { creatives: 10, bytes: 1_000 }, toAdd: { creatives: 0, bytes: 0 } }
      const used = ({ owner }: typeof mine) =>
        database().transact((tx) => store().useOf(tx, owner, of))
      const packages = ({ owner }: typeof mine, ...ids: string[]) =>
        database().transact((tx) => store().packagesOf(tx, owner, ids))
      const remove = (...ids: string[]) =>
        database().transact((tx) => store().remove(tx, mine.owner, ids))
      for (const one of [mine, theirs]) {
        await one.save(creative('a', { bytes: 100 }), creative('b', { bytes: 30 }), creative('c'))
        await one.assign(
          { creative_id: 'a', package_id: 'p1' },
          { creative_id: 'b', package_id: 'p1' },
        )
      }
      const before = await used(mine)
      await remove('a', 'c', 'nothing', '\0')
      expect(await mine.ids()).toEqual(['b'])
      expect(await packages(mine, 'a', 'b')).toEqual(
        new Map([
          ['a', new Set()],
          ['b', new Set(['p1'])],
        ]),
      )
      expect(await used(mine)).toEqual({ creatives: 1, bytes: 30 })
      expect(before).toEqual({ creatives: 3, bytes: 230 })
      // Again, and nothing at all: both change nothing.
      await remove('a')
      await remove()
      expect(await used(mine)).toEqual({ creatives: 1, bytes: 30 })
      expect(await theirs.ids()).toEqual(['a', 'b', 'c'])
      expect(await used(theirs)).toEqual(before)
      // One that comes back has none of its old assignments.
      await mine.save(creative('a'))
      expect(await packages(mine, 'a')).toEqual(new Map([['a', new Set()]]))
    })

    test('two that save the same creative at once end with one', async () => {
      const { save, ids } = library()
      await Promise.all([1, 2, 3, 4].map((n) => save(creative('a', { name: `Name ${n}` }))))
      expect(await ids()).toEqual(['a'])
    })

    test('what is undone with its transaction was never saved', async () => {
      const { owner, ids } = library()
      const undone = database().transact(async (tx) => {
        await store().save(tx, owner, [creative('a')])
        throw new Error('undo')
      })
      await expect(undone).rejects.toThrow('undo')
      expect(await ids()).toEqual([])
    })
  },
  { clock },
)
