import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalDigest } from '../../src/lib/canonical-json.ts'
import { parseVerbatim, verbatimOf } from '../../src/lib/verbatim-json.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createTaskStore } from '../../src/storage/stores/tasks/tasks.ts'
import { createOwnerShare } from '../../src/tasks/owner-share.ts'
import {
  type NewTask,
  REPEATABLE_MS,
  type TaskQuery,
  type TaskRecord,
} from '../../src/tasks/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const LEASE_MS = 30_000
const HOUR_MS = 3_600_000

const newTask = (over: Partial<NewTask> = {}): NewTask => ({
  task_id: randomUUID(),
  owner: 'prn_a',
  task_type: 'build_creative',
  domain: 'creative',
  status: 'submitted',
  context: undefined,
  context_id: undefined,
  is_told: true,
  has_webhook: false,
  state: { step: 0 },
  request: { message: 'a banner' },
  idempotency_key: undefined,
  deadlineMs: HOUR_MS,
  ...over,
})

const query = (over: Partial<TaskQuery> = {}): TaskQuery => ({
  filter: {},
  sort: { field: 'created_at', direction: 'desc' },
  limit: 10,
  ...over,
})

onBothStores(
  'the store of tasks',
  (database, _store, another) => {
    const store = (on = database()) => createTaskStore(on)
    const add = (over: Partial<NewTask> = {}) =>
      database().transact((tx) => store().add(tx, newTask(over)))
    // Each test claims tasks of a type of its own.
    const claim = (type: string, on: Database = database(), limit = 10) =>
      on.transact((tx) =>
        createTaskStore(on).claimDue(tx, { limit, leaseMs: LEASE_MS, types: [type] }),
      )
    const save = (task: TaskRecord) => database().transact((tx) => store().save(tx, task))
    const end = async (task: TaskRecord) => {
      const completed_at = clock.now()
      expect(await save({ ...task, status: 'completed', due_at: undefined, completed_at })).toBe(
        true,
      )
    }
    const later = () => clock.advance(1)

    test('spec 6.1: a context is kept as it was written, and sought by what it says', async () => {
      const owner = 'prn_verbatim'
      const text =
        '{ "id":12345678901234567890,"one":1.0,"__proto__":{"a":1},"s":"\\u00e9\\u0000" }'
      const added = await add({ owner, context: parseVerbatim(text) as object })
      expect(verbatimOf(added.context)).toBe(text)
      expect(verbatimOf((await store().get(added))?.context)).toBe(text)
      const found = await store().list(owner, query({ filter: { contextContains: 'é' } }))
      expect(found.tasks.map(({ task_id }) => task_id)).toEqual([added.task_id])

      const plain = await add({ owner, context: { order: 7 } })
      expect(verbatimOf((await store().get(plain))?.context)).toBe('{"order":7}')
    })

    test('spec 3.2: a task is found by its owner alone, with all that was kept of it', async () => {
      const context = { order: 'é "7"' }
      const added = await add({ context, context_id: 'c-1', generation: '3.x', has_webhook: true })
      expect(await store().get(added)).toEqual(added)
      expect(added).toMatchObject({
        status: 'submitted',
        context,
        context_id: 'c-1',
        generation: '3.x',
        has_webhook: true,
        state: { step: 0 },
        created_at: clock.now(),
        deadline_at: clock.now() + HOUR_MS,
        due_at: clock.now(),
        completed_at: undefined,
      })
      expect(await store().get({ ...added, owner: 'prn_b' })).toBeUndefined()
      expect(await store().get({ owner: 'prn_a', task_id: 'none' })).toBeUndefined()
      expect(await store().get({ owner: 'prn_a', task_id: 'n\0ne' })).toBeUndefined()
      const lock = (owner: string) =>
        database().transact((tx) => store().lock(tx, { ...added, owner }))
      expect(await lock('prn_a')).toEqual(added)
      expect(await lock('prn_b')).toBeUndefined()
    })

    test('spec 3.2: a task that was added as ended is found by its owner, and never open or due', async () => {
      const owner = 'prn_ended'
      const about = { task_id: 'notified-1', owner, task_type: 'ended_type', domain: 'media-buy' }
      const said = { message: 'active now', result: { n: 1 }, context: { order: 7 } }
      await database().transact((tx) =>
        store().addEnded(tx, { ...about, ...said, context_id: undefined }),
      )
      expect(await store().get(about)).toMatchObject({
        ...about,
        ...said,
        status: 'completed',
        is_told: true,
        due_at: undefined,
        completed_at: clock.now(),
      })
      expect(await store().get({ ...about, owner: 'prn_other' })).toBeUndefined()
      expect(await claim('ended_type')).toEqual([])
    })

    test('spec 3.2: a task whose id was never returned is found and listed only on request', async () => {
      const owner = 'prn_untold'
      const task = await add({ owner, is_told: false })
      expect(await store().get(task)).toBeUndefined()
      expect(await store().get(task, { evenUntold: true })).toMatchObject({ is_told: false })
      expect((await store().list(owner, query())).total).toBe(0)
      const report = (by: string) =>
        database().transact((tx) => store().report(tx, { ...task, owner: by }))
      expect(await report('prn_b')).toBeUndefined()
      expect(await report(owner)).toMatchObject({ is_told: true })
      expect(await store().get(task)).toMatchObject({ is_told: true })
      await end(task)
      expect(await report(owner)).toBeUndefined()
    })

    test('what was saved is read again, and a text with NUL is kept without it', async () => {
      const task = await add()
      const errors = [
        { code: 'SERVICE_UNAVAILABLE', message: 'away', recovery: 'transient' },
      ] as const
      const changed: TaskRecord = {
        ...task,
        status: 'failed',
        message: 'it\0s over',
        progress: { percentage: 50.5 },
        input_required: { reason: 'APPROVAL_REQUIRED' },
        result: { a: [1, null] },
        errors,
        state: null,
        input: { approved: true },
        tries: 3,
        due_at: undefined,
        updated_at: task.updated_at + 5,
        completed_at: task.updated_at + 5,
      }
      expect(await save(changed)).toBe(true)
      expect(await store().get(task)).toEqual({
        ...changed,
        message: 'its over',
        run: task.run + 1,
      })
    })

    test('a save with an old fencing token changes nothing', async () => {
      const task = await add({ task_type: 'fenced' })
      const [first] = await claim('fenced')
      clock.advance(LEASE_MS)
      const [second] = await claim('fenced')
      expect(await save({ ...(first as TaskRecord), status: 'failed' })).toBe(false)
      expect(await save({ ...(second as TaskRecord), status: 'working' })).toBe(true)
      expect(await save({ ...(second as TaskRecord), status: 'failed' })).toBe(false)
      expect((await store().get(task))?.status).toBe('working')
    })

    test('a claim lasts for its lease, and longer when it is renewed', async () => {
      await add({ task_type: 'leased' })
      const [first] = await claim('leased')
      expect(first).toMatchObject({ request: { message: 'a banner' }, claimed_at: clock.now() })
      expect(await claim('leased')).toEqual([])
      clock.advance(LEASE_MS - 1)
      const renew = () =>
        database().transact((tx) => store().renew(tx, first as TaskRecord, LEASE_MS))
      expect(await renew()).toBe(true)
      clock.advance(LEASE_MS - 1)
      expect(await claim('leased')).toEqual([])
      clock.advance(1)
      expect(await claim('leased')).toHaveLength(1)
      expect(await renew()).toBe(false)
    })

    test('a claim that is given back can be taken at once, and has ended', async () => {
      const task = await add({ task_type: 'released' })
      const [first] = await claim('released')
      const release = () => database().transact((tx) => store().release(tx, first as TaskRecord))
      expect(await release()).toBe(true)
      expect(await release()).toBe(false)
      expect(await save({ ...(first as TaskRecord), status: 'failed' })).toBe(false)
      expect(await claim('released')).toMatchObject([{ task_id: task.task_id, tries: 0 }])
    })

    describe('a claim that no one ended', () => {
      const release = (claim: TaskRecord | undefined) =>
        database().transact((tx) => store().release(tx, claim as TaskRecord))

      test('is counted by the claim itself, and forgotten by whatever ends one with a word', async () => {
        await add({ task_type: 'lost' })
        expect(await claim('lost')).toMatchObject([{ lost: 1 }])
        clock.advance(LEASE_MS)
        expect(await claim('lost')).toMatchObject([{ lost: 2 }])
        clock.advance(LEASE_MS)
        const [third] = await claim('lost')
        expect(third?.lost).toBe(3)
        const word = { status: 'working', tries: 1, due_at: clock.now() } as const
        expect(await save({ ...(third as TaskRecord), ...word })).toBe(true)
        expect(await claim('lost')).toMatchObject([{ lost: 1, tries: 1 }])
      })

      test('is not one that was given back', async () => {
        await add({ task_type: 'lent' })
        expect(await release((await claim('lent'))[0])).toBe(true)
        const [again] = await claim('lent')
        expect(again?.lost).toBe(1)
        clock.advance(LEASE_MS)
        const [second] = await claim('lent')
        expect(second?.lost).toBe(2)
        expect(await release(second)).toBe(true)
        expect(await claim('lent')).toMatchObject([{ lost: 2 }])
      })

      test('is taken only where it is chosen, and the others beside it', async () => {
        const poisoned = await add({ task_type: 'chosen' })
        await claim('chosen')
        clock.advance(LEASE_MS)
        const fresh = await add({ task_type: 'chosen' })
        clock.advance(1)
        const young = await add({ task_type: 'chosen' })
        const seen: unknown[] = []
        const choosing = (lost: readonly string[], others: number) =>
          database().transact((tx) =>
            store().claimDue(tx, {
              limit: 10,
              leaseMs: LEASE_MS,
              types: ['chosen'],
              chooseLost: (due) => {
                seen.push(due)
                return { lost, others }
              },
            }),
          )
        expect(await choosing([], 0)).toEqual([])
        expect((await choosing([], 1)).map(({ task_id }) => task_id)).toEqual([fresh.task_id])
        const taken = await choosing([poisoned.task_id], 5)
        expect(taken.map(({ task_id, lost }) => [task_id, lost])).toEqual([
          [poisoned.task_id, 2],
          [young.task_id, 1],
        ])
        expect(seen).toEqual(Array(3).fill([{ id: poisoned.task_id, lost: 1 }]))
      })

      test('is ended with all the others, and counted, when no one can hold one', async () => {
        const held = await add({ task_type: 'orphan' })
        const waiting = await add({ task_type: 'orphan-2' })
        await save({ ...waiting, due_at: clock.now() + HOUR_MS })
        const [claimed] = await claim('orphan')
        const takeBack = () => database().transact((tx) => store().takeBackAll(tx))
        expect(await takeBack()).toBeGreaterThan(0)
        expect(await takeBack()).toBe(0)
        expect(await save({ ...(claimed as TaskRecord), status: 'failed' })).toBe(false)
        expect(await claim('orphan')).toMatchObject([{ task_id: held.task_id, lost: 2 }])
        expect(await claim('orphan-2')).toEqual([])
      })
    })

    test('only what is due and of a known type is claimed, the longest due first', async () => {
      const old = await add({ task_type: 'typed' })
      later()
      const young = await add({ task_type: 'typed' })
      await add({ task_type: 'other' })
      const waiting = await add({ task_type: 'typed' })
      await save({ ...waiting, due_at: clock.now() + 1 })
      expect((await claim('typed', database(), 1)).map(({ task_id }) => task_id)).toEqual([
        old.task_id,
      ])
      expect((await claim('typed')).map(({ task_id }) => task_id)).toEqual([young.task_id])
      later()
      expect((await claim('typed')).map(({ task_id }) => task_id)).toEqual([waiting.task_id])
    })

    describe('owners share what is claimed', () => {
      const claimShared = (types: string[], limit: number, running: string[], slots = 16) =>
        database().transact((tx) =>
          shared().claimDue(tx, {
            limit,
            leaseMs: LEASE_MS,
            types,
            share: createOwnerShare(slots, running),
          }),
        )
      let kept: ReturnType<typeof store> | undefined
      const shared = () => {
        kept ??= store()
        return kept
      }
      const owners = (claimed: readonly { owner: string }[]) => claimed.map(({ owner }) => owner)

      test('one with a crowd has its share, and those due after it are claimed beside it', async () => {
        const task_type = 'crowd'
        for (let n = 0; n < 60; n++) await add({ task_type, owner: 'prn_crowd' })
        later()
        await add({ task_type, owner: 'prn_late' })
        later()
        const claimed = owners(await claimShared([task_type], 16, []))
        expect(claimed.filter((owner) => owner === 'prn_crowd')).toHaveLength(8)
        expect(claimed).toContain('prn_late')
        const running = claimed.filter((owner) => owner === 'prn_crowd')
        // It holds its share: others are still found, and it is not given more.
        await add({ task_type, owner: 'prn_later' })
        later()
        expect(owners(await claimShared([task_type], 8, running))).toEqual(['prn_later'])
        clock.advance(1_000)
        expect(await claimShared([task_type], 8, running)).toEqual([])
      })

      test('also behind more of them than one look takes, by going from owner to owner', async () => {
        const task_type = 'thousands'
        await database().transact(async (tx) => {
          for (let n = 0; n < 1_200; n++) {
            await store().add(tx, newTask({ task_type, owner: 'prn_a_flood' }))
          }
        })
        later()
        const late = Array.from({ length: 40 }, (_, n) => `prn_w${String(n).padStart(2, '0')}`)
        for (const owner of late) await add({ task_type, owner })
        later()
        const found = new Set<string>()
        for (let looks = 0; looks < 20 && found.size < late.length; looks++) {
          for (const owner of owners(
            await claimShared([task_type], 8, Array(8).fill('prn_a_flood')),
          )) {
            found.add(owner)
          }
          clock.advance(1_000)
        }
        expect([...found].sort()).toEqual(late)
      })

      test('and none is claimed twice by two that look at the same time', async () => {
        const task_type = 'both_look'
        for (let n = 0; n < 12; n++) await add({ task_type, owner: `prn_both_${n % 3}` })
        later()
        const both = [database(), another()]
        const claimed = await Promise.all(
          both.map((on) =>
            on.transact((tx) =>
              createTaskStore(on).claimDue(tx, {
                limit: 8,
                leaseMs: LEASE_MS,
                types: [task_type],
                share: createOwnerShare(16, []),
              }),
            ),
          ),
        )
        const ids = claimed.flat().map(({ task_id }) => task_id)
        expect(new Set(ids).size).toBe(ids.length)
        await both[1]?.close()
      })
    })

    test('two processes never claim the same task', async () => {
      for (let count = 0; count < 30; count++) await add({ task_type: 'shared' })
      const other = another()
      try {
        const rounds = Array.from({ length: 8 }, (_, index) =>
          claim('shared', index % 2 ? other : database(), 4),
        )
        const ids = (await Promise.all(rounds)).flat().map(({ task_id }) => task_id)
        const rest = (await claim('shared', other, 30)).map(({ task_id }) => task_id)
        expect(new Set([...ids, ...rest]).size).toBe(30)
        expect(ids.length + rest.length).toBe(30)
      } finally {
        await other.close()
      }
    })

    test('a repeated request finds the newest task of its owner, type and key for a day', async () => {
      const key = { owner: 'prn_a', task_type: 'keyed', idempotency_key: 'key-0123456789abcdef' }
      const find = (over = {}) =>
        database().transact((tx) => store().findByKey(tx, { ...key, ...over }))
      await add(key)
      later()
      const newest = await add(key)
      const requestDigest = canonicalDigest({ message: 'a banner' })
      expect(await find()).toEqual({ ...newest, requestDigest })
      expect(await find({ owner: 'prn_b' })).toBeUndefined()
      expect(await find({ task_type: 'other' })).toBeUndefined()
      expect(await find({ idempotency_key: 'another-0123456789' })).toBeUndefined()
      clock.advance(REPEATABLE_MS - 1)
      expect(await find()).toBeDefined()
      later()
      expect(await find()).toBeUndefined()
    })

    test('of many that look for a key and add a task, one adds it', async () => {
      const key = { owner: 'prn_a', task_type: 'raced', idempotency_key: 'key-0123456789abcdef' }
      const added = await Promise.all(
        Array.from({ length: 8 }, () =>
          database().transact(async (tx) => {
            if (await store().findByKey(tx, key)) return false
            await store().add(tx, newTask(key))
            return true
          }),
        ),
      )
      expect(added.filter(Boolean)).toHaveLength(1)
    })

    test('what has ended or waits for its owner is settled', async () => {
      const running = await add()
      const ended = await add()
      const waiting = await add()
      await end(ended)
      await save({ ...waiting, status: 'input-required' })
      const ids = [running, ended, waiting].map(({ task_id }) => task_id)
      expect((await store().settled(ids)).sort()).toEqual([ended.task_id, waiting.task_id].sort())
      expect(await store().settled([])).toEqual([])
    })

    test('a request is forgotten when its task ends, and known by its digest all the same', async () => {
      const key = { owner: 'prn_done', task_type: 'done', idempotency_key: 'k-0123456789abcdef' }
      const request = { message: 'x'.repeat(1_000) }
      const task = await add({ ...key, request })
      await end(task)
      const rows = await database().read.all('SELECT request FROM tasks WHERE task_id = $1', [
        task.task_id,
      ])
      expect(rows).toEqual([{ request: '{}' }])
      expect(await database().transact((tx) => store().findByKey(tx, key))).toMatchObject({
        task_id: task.task_id,
        requestDigest: canonicalDigest(request),
      })
    })

    test('what was said is kept in order, the request and the newest of it', async () => {
      const { task_id } = await add()
      const say = (type: 'request' | 'response', data: unknown) =>
        database().transact((tx) => store().append(tx, task_id, { type, at: clock.now(), data }))
      await say('request', { first: true })
      for (let count = 2; count <= 60; count++) await say('response', { count })
      const said = (await store().history([task_id, 'none'])).get(task_id) ?? []
      expect(said).toHaveLength(50)
      expect(said[0]).toEqual({ type: 'request', at: clock.now(), data: { first: true } })
      expect(said[1]?.data).toEqual({ count: 12 })
      expect(said.at(-1)?.data).toEqual({ count: 60 })
    })

    test('what ended long ago is swept with its history, and earlier if its id was never returned', async () => {
      const running = await add()
      const reported = await add()
      const untold = await add({ is_told: false })
      await database().transact((tx) =>
        store().append(tx, reported.task_id, { type: 'request', at: 0, data: {} }),
      )
      await end(reported)
      await end(untold)
      const ended = clock.now()
      const sweep = (before: { reported: number; untold: number }) =>
        database().transact((tx) => store().sweep(tx, before))
      const kept = async () => [
        await store().get(running),
        await store().get(reported),
        await store().get(untold, { evenUntold: true }),
      ]
      await sweep({ reported: ended, untold: ended })
      expect((await kept()).every(Boolean)).toBe(true)
      await sweep({ reported: ended, untold: ended + 1 })
      expect((await kept()).map(Boolean)).toEqual([true, true, false])
      expect(await sweep({ reported: ended + 1, untold: ended + 1 })).toBeGreaterThan(0)
      expect((await kept()).map(Boolean)).toEqual([true, false, false])
      expect((await store().history([reported.task_id])).get(reported.task_id)).toEqual([])
      expect(await sweep({ reported: ended + 1, untold: ended + 1 })).toBe(0)
    })

    test('spec 3.2: the list combines every filter and counts what it finds', async () => {
      const owner = 'prn_lister'
      const start = clock.now()
      const one = await add({ owner, context: { campaign: 'Spring "sale"' } })
      clock.advance(1_000)
      const two = await add({ owner, task_type: 'activate_signal', domain: 'signals' })
      clock.advance(1_000)
      const three = await add({ owner, has_webhook: true })
      await save({ ...three, status: 'working', updated_at: clock.now() + 5 })
      await add({ owner: 'prn_other' })
      const found = async (filter: TaskQuery['filter']) =>
        (await store().list(owner, query({ filter }))).tasks.map(({ task_id }) => task_id)
      const [a, b, c] = [one.task_id, two.task_id, three.task_id]

      expect(await found({})).toEqual([c, b, a])
      expect(await found({ domains: ['signals'] })).toEqual([b])
      expect(await found({ domains: [] })).toEqual([])
      expect(await found({ statuses: ['working', 'unknown'] })).toEqual([c])
      expect(await found({ task_types: ['build_creative'] })).toEqual([c, a])
      expect(await found({ task_ids: [a, c, 'no\0ne'] })).toEqual([c, a])
      expect(await found({ createdAfter: start })).toEqual([c, b])
      expect(await found({ createdBefore: start + 2_000 })).toEqual([b, a])
      expect(await found({ updatedAfter: start + 2_000 })).toEqual([c])
      expect(await found({ updatedBefore: start + 1_000 })).toEqual([a])
      expect(await found({ contextContains: 'Spring "s' })).toEqual([a])
      expect(await found({ contextContains: 'spring' })).toEqual([])
      expect(await found({ contextContains: '%' })).toEqual([])
      expect(await found({ has_webhook: true })).toEqual([c])
      expect(await found({ has_webhook: false })).toEqual([b, a])
      expect(await found({ domains: ['creative'], has_webhook: false })).toEqual([a])

      expect(await store().list(owner, query({ limit: 1 }))).toMatchObject({
        tasks: [{ task_id: c, status: 'working', has_webhook: true }],
        hasMore: true,
        total: 3,
        byDomain: { creative: 2, signals: 1 },
        byStatus: { submitted: 2, working: 1 },
      })
    })

    test('pages of every order hold each task once, in that order', async () => {
      const owner = 'prn_pages'
      const made = new Set<string>()
      for (let count = 0; count < 7; count++) {
        // Some share their time, and all their status.
        if (count % 3 === 0) later()
        made.add((await add({ owner })).task_id)
      }
      for (const field of ['created_at', 'updated_at', 'status', 'task_type', 'domain'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const seen: TaskRecord['task_id'][] = []
          const values: (string | number)[] = []
          let after: TaskQuery['after']
          for (let pages = 0; pages < 10; pages++) {
            const sort = { field, direction }
            const page = await store().list(
              owner,
              query({ sort, limit: 3, ...(after && { after }) }),
            )
            expect(page.total).toBe(made.size)
            seen.push(...page.tasks.map(({ task_id }) => task_id))
            values.push(...page.tasks.map((task) => task[field]))
            const last = page.tasks.at(-1)
            if (!page.hasMore || !last) break
            after = { value: last[field], task_id: last.task_id }
          }
          expect(seen).toHaveLength(made.size)
          expect(new Set(seen)).toEqual(made)
          const sorted = [...values].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0))
          expect(values).toEqual(direction === 'asc' ? sorted : sorted.reverse())
        }
      }
    })
  },
  { clock },
)
