import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { FEED_LIMITS, FEED_TOPIC, type NewFeedEvent } from '../../src/registry/feed.ts'
import type { FeedPage, FeedStore } from '../../src/registry/store.ts'
import { createFeedStore } from '../../src/storage/stores/references/feed.ts'
import { onBothStores } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'the feed store',
  (database, _store, another) => {
    const store = (): FeedStore => createFeedStore(database())
    const append = (...events: NewFeedEvent[]) =>
      database().transact((tx) => store().append(tx, events))
    const read = async (query: Partial<Parameters<FeedStore['page']>[0]> = {}) => {
      const page = await store().page({
        cursor: null,
        types: [],
        limit: 100,
        organizationId: 'org_reader',
        ...query,
      })
      if (page === 'expired') throw new Error('the cursor is expired')
      return page
    }
    const names = ({ events }: FeedPage) => events.map(({ entity_id }) => entity_id)

    beforeEach(async () => {
      clock.advance(1_000)
      await database().transact((tx) => tx.run('DELETE FROM feed_events'))
    })

    test('an empty feed is an empty page', async () => {
      expect(await read()).toEqual({ events: [], hasMore: false, latestEventCreatedAt: null })
    })

    test('an event is read as it was appended, with an id and the time', async () => {
      await append(event('one', { payload: { a: [1, { b: null }] }, actor: 'org:org_a' }))
      const now = new Date(clock.now()).toISOString()
      expect(await read()).toEqual({
        events: [
          {
            event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            event_type: 'manifest_ref.created',
            entity_type: 'manifest_ref',
            entity_id: 'one',
            payload: { a: [1, { b: null }] },
            actor: 'org:org_a',
            created_at: now,
          },
        ],
        hasMore: false,
        latestEventCreatedAt: now,
      })
    })

    test('events come in the order they were appended, over pages that share none', async () => {
      await append(event('a'), event('b'))
      await append(event('c'))
      await append(event('d'), event('e'))
      const first = await read({ limit: 2 })
      expect(names(first)).toEqual(['a', 'b'])
      expect(first.hasMore).toBe(true)
      const second = await read({ limit: 2, cursor: last(first) })
      expect(names(second)).toEqual(['c', 'd'])
      const third = await read({ limit: 2, cursor: last(second) })
      expect(names(third)).toEqual(['e'])
      expect(third.hasMore).toBe(false)
      expect(names(await read({ cursor: last(third) }))).toEqual([])
    })

    test('a page that is exactly full has no more', async () => {
      await append(event('a'), event('b'))
      expect((await read({ limit: 2 })).hasMore).toBe(false)
    })

    test('a type filter takes whole types and prefixes, joined by OR', async () => {
      await append(
        event('a', { event_type: 'manifest_ref.created' }),
        event('b', { event_type: 'manifest_ref.removed' }),
        event('c', { event_type: 'agent.discovered' }),
        event('d', { event_type: 'organization.created' }),
      )
      expect(names(await read({ types: ['agent.discovered'] }))).toEqual(['c'])
      expect(names(await read({ types: ['manifest_ref.*'] }))).toEqual(['a', 'b'])
      expect(names(await read({ types: ['manifest_ref.removed', 'org*'] }))).toEqual(['b', 'd'])
      expect(names(await read({ types: ['*'] }))).toEqual(['a', 'b', 'c', 'd'])
      expect(names(await read({ types: ['manifest_ref'] }))).toEqual([])
    })

    test('a cursor works with a filter, also when it is an event the filter leaves out', async () => {
      await append(
        event('a', { event_type: 'agent.discovered' }),
        event('b'),
        event('c', { event_type: 'agent.removed' }),
      )
      const cursor = last(await read({ limit: 2 }))
      expect(names(await read({ cursor, types: ['agent.*'] }))).toEqual(['c'])
    })

    test('a page scans a limited number of events for those that match its filter, and continues after them', async () => {
      const most = FEED_LIMITS.feedLookedAt.value
      for (let n = 0; n < most; n += 5_000) {
        await append(...Array.from({ length: 5_000 }, (_, i) => event(`other-${n + i}`)))
      }
      await append(event('wanted', { event_type: 'agent.discovered' }), event('last'))
      const first = await read({ types: ['agent.*'] })
      expect([names(first), first.hasMore]).toEqual([[], true])
      const second = await read({ types: ['agent.*'], cursor: first.lookedTo ?? '' })
      expect([names(second), second.hasMore, second.lookedTo]).toEqual([
        ['wanted'],
        false,
        undefined,
      ])
    })

    test('a page of more events than are read in one step has each of them once, in order', async () => {
      const all = Array.from({ length: 1_234 }, (_, n) => `e${n}`)
      await append(...all.map((name) => event(name)))
      const page = await read({ limit: 1_200 })
      expect([names(page), page.hasMore]).toEqual([all.slice(0, 1_200), true])
      expect(names(await read({ limit: 1_200, cursor: last(page) }))).toEqual(all.slice(1_200))
    })

    test('an event for one organisation is read by that one alone', async () => {
      await append(event('all'), event('mine', { visibleTo: 'org_reader' }), event('all-too'))
      expect(names(await read())).toEqual(['all', 'mine', 'all-too'])
      expect(names(await read({ organizationId: 'org_other' }))).toEqual(['all', 'all-too'])
      expect(names(await read({ organizationId: '' }))).toEqual(['all', 'all-too'])
    })

    test('an unknown cursor is expired', async () => {
      const page = { types: [], limit: 10, organizationId: 'org_reader' }
      expect(await store().page({ ...page, cursor: randomUUID() })).toBe('expired')
    })

    test('trimming forgets what is older, and its cursors are expired then', async () => {
      await append(event('old'), event('old-too'))
      const oldCursor = last(await read())
      clock.advance(10_000)
      await append(event('kept'))
      const forgotten = await database().transact((tx) => store().trim(tx, clock.now()))
      expect(forgotten).toBe(2)
      expect(names(await read())).toEqual(['kept'])
      const page = { types: [], limit: 10, organizationId: 'org_reader' }
      expect(await store().page({ ...page, cursor: oldCursor })).toBe('expired')
      expect(await database().transact((tx) => store().trim(tx, clock.now()))).toBe(0)
    })

    test('events after a trim of everything still come after what was read before', async () => {
      await append(event('a'))
      await database().transact((tx) => store().trim(tx, clock.now() + 1))
      await append(event('b'), event('c'))
      expect(names(await read())).toEqual(['b', 'c'])
    })

    test('an event of a failed transaction is never read', async () => {
      const failing = database().transact(async (tx) => {
        await store().append(tx, [event('ghost')])
        throw new Error('stop')
      })
      await expect(failing).rejects.toThrow('stop')
      await append(event('real'))
      expect(names(await read())).toEqual(['real'])
    })

    test('appending wakes the readers once it has committed', async () => {
      let woken = 0
      const stop = database().onWake(FEED_TOPIC, () => {
        woken++
      })
      await eventually(async () => {
        await append(event('a'))
        expect(woken).toBeGreaterThan(0)
      })
      stop()
    })

    test('a reader who polls while two hundred writers commit skips no event', async () => {
      // With a connection of its own: among the writers it would wait for them.
      const other = another()
      onTestFinished(() => other.close())
      const reader = createFeedStore(other)
      const seen: string[] = []
      let cursor: string | null = null
      const query = { types: [], limit: 7, organizationId: 'org_reader' }
      const reading = (async () => {
        for (let empty = 0; seen.length < 200 && empty < 500; empty++) {
          const page = await reader.page({ ...query, cursor })
          if (page === 'expired') throw new Error('nothing is trimmed meanwhile')
          if (page.events.length > 0) empty = 0
          seen.push(...names(page))
          cursor = page.events.at(-1)?.event_id ?? cursor
          await pause(1)
        }
      })()
      await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          database().transact(async (tx) => {
            await tx.now()
            if (n % 3 === 0) await pause(n % 5)
            await store().append(tx, [event(`event-${n}`)])
            if (n % 2 === 0) await pause(n % 7)
          }),
        ),
      )
      await reading
      expect(new Set(seen).size).toBe(200)
      expect(seen).toEqual(names(await read({ limit: 1_000 })))
    })
  },
  { clock },
)

function event(entity_id: string, overrides: Partial<NewFeedEvent> = {}): NewFeedEvent {
  return {
    event_type: 'manifest_ref.created',
    entity_type: 'manifest_ref',
    entity_id,
    payload: {},
    actor: 'system',
    visibleTo: null,
    ...overrides,
  }
}

function last({ events }: FeedPage): string {
  const cursor = events.at(-1)?.event_id
  if (!cursor) throw new Error('the page is empty')
  return cursor
}
