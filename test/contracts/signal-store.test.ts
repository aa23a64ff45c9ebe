import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Transaction } from '../../src/lib/transaction.ts'
import type { CatalogueSignal, StoredSignal } from '../../src/signals/catalogue.ts'
import { embeddedText } from '../../src/signals/embedded-text.ts'
import { REMOVAL_RETENTION_MS, SIGNALS_TOPIC, type SignalStore } from '../../src/signals/store.ts'
import { createSignalStore } from '../../src/storage/stores/signals/signals.ts'
import { catalogueSignal, manySignals } from '../support/catalogue.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'the catalogue of signals',
  (database, _store, another) => {
    const store = () => createSignalStore(database(), { embeddedText })
    const put = (...signals: CatalogueSignal[]) =>
      database().transact((tx) => store().put(tx, signals))
    const remove = (...ids: string[]) => database().transact((tx) => store().remove(tx, ids))
    const withId = (id: string, overrides: Partial<CatalogueSignal> = {}) =>
      catalogueSignal({ signal_agent_segment_id: id, ...overrides })

    beforeEach(async () => {
      clock.advance(60_000)
      await remove(...(await allIds(store())))
    })

    describe('putting', () => {
      test('spec 2.6: a signal comes back as it went in, with its version, digest and time', async () => {
        const signal = catalogueSignal({
          description: 'Fährt “grün” – \u{1f697} und mehr',
          visibility: { principals: ['Demo buyer'] },
          custom_pricing: { 'Demo buyer': { cpm: 1.25, currency: 'EUR' } },
          updated_at: '2026-01-31T00:00:00.000Z',
        })
        expect(await put(signal)).toEqual(['added'])
        const stored = await store().get([signal.signal_agent_segment_id, 'nobody'])
        expect([...stored]).toEqual([
          [
            signal.signal_agent_segment_id,
            {
              signal,
              version: 1,
              text_digest: createHash('sha256')
                .update(`${signal.name}. ${signal.description}`)
                .digest('base64url'),
              changed_at: clock.now(),
            },
          ],
        ])
      })

      test('equal content changes nothing, in whatever order its members come', async () => {
        await put(withId('a'))
        const before = await store().get(['a'])
        const latest = await store().latest()
        clock.advance(1_000)
        const reversed = Object.fromEntries(Object.entries(withId('a')).reverse())
        expect(await put(reversed as unknown as CatalogueSignal)).toEqual(['unchanged'])
        expect(await store().get(['a'])).toEqual(before)
        expect(await store().latest()).toBe(latest)
      })

      test('other content is the next version, and moves to the end of the order of changes', async () => {
        await put(withId('a'), withId('b'))
        const start = await store().latest()
        clock.advance(1_000)
        expect(await put(withId('a', { coverage_percentage: 50 }))).toEqual(['changed'])
        const { changes } = await store().changes(start, 10)
        expect(changes.map(({ id, stored }) => [id, stored?.version, stored?.changed_at])).toEqual([
          ['a', 2, clock.now()],
        ])
        expect(await store().count()).toBe(2)
      })

      test('answers in order, also when one batch holds a signal several times', async () => {
        await put(withId('known'))
        expect(
          await put(
            withId('new'),
            withId('known'),
            withId('new'),
            withId('new', { name: 'Other' }),
            withId('known', { name: 'Other' }),
          ),
        ).toEqual(['added', 'unchanged', 'unchanged', 'changed', 'changed'])
        const stored = await store().get(['new', 'known'])
        expect(stored.get('new')).toMatchObject({ version: 2, signal: { name: 'Other' } })
        expect(await store().count()).toBe(2)
      })

      test('what a transaction undoes was never there', async () => {
        const latest = await store().latest()
        const undone = database().transact(async (tx) => {
          await store().put(tx, [withId('a')])
          throw new Error('no')
        })
        await expect(undone).rejects.toThrow('no')
        expect(await store().count()).toBe(0)
        expect(await store().latest()).toBe(latest)
      })

      test('every change wakes who follows the catalogue, and what changes nothing does not', async () => {
        const woken = (work: (tx: Transaction) => Promise<unknown>) =>
          database().transact(async (tx) => {
            const topics: string[] = []
            const wake = async (topic: string) => void topics.push(topic)
            await work({ ...tx, wake })
            return topics
          })
        expect(await woken((tx) => store().put(tx, [withId('a')]))).toEqual([SIGNALS_TOPIC])
        expect(await woken((tx) => store().put(tx, [withId('a')]))).toEqual([])
        expect(await woken((tx) => store().remove(tx, ['nobody']))).toEqual([])
        expect(await woken((tx) => store().remove(tx, ['a']))).toEqual([SIGNALS_TOPIC])
      })
    })

    describe('removing', () => {
      test('takes what there is and says how many there were', async () => {
        await put(withId('a'), withId('b'), withId('c'))
        expect(await remove('a', 'c', 'nobody')).toBe(2)
        expect(await allIds(store())).toEqual(['b'])
        expect(await store().count()).toBe(1)
        expect(await remove('a')).toBe(0)
      })

      test('one that comes back begins at version 1', async () => {
        await put(withId('a'))
        await put(withId('a', { name: 'Other' }))
        await remove('a')
        expect(await put(withId('a'))).toEqual(['added'])
        expect((await store().get(['a'])).get('a')?.version).toBe(1)
      })
    })

    describe('the order of changes', () => {
      test('returns what was put and what was removed, each at its own place', async () => {
        const start = await store().latest()
        await put(withId('a'), withId('b'))
        await remove('a')
        await put(withId('c'))
        const page = await store().changes(start, 10)
        expect(page.changes.map(({ id, stored }) => [id, stored?.signal.name])).toEqual([
          ['b', withId('b').name],
          ['a', undefined],
          ['c', withId('c').name],
        ])
        expect(page).toMatchObject({ more: false, last: await store().latest() })
        const places = page.changes.map(({ seq }) => seq)
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
      })

      test('comes in pages that hold everything once', async () => {
        const start = await store().latest()
        await put(...manySignals(25))
        await remove('s-000003', 's-000004')
        const ids: string[] = []
        let place = start
        for (let pages = 0; ; pages++) {
          const page = await store().changes(place, 7)
          ids.push(...page.changes.map(({ id }) => id))
          place = page.last
          if (page.more) continue
          expect(pages).toBe(3)
          break
        }
        expect(ids).toHaveLength(25)
        expect(new Set(ids).size).toBe(25)
        expect(await store().changes(place, 7)).toEqual({ changes: [], last: place, more: false })
      })

      test('of removals that were forgotten says so to a reader that may have missed one', async () => {
        await put(withId('a'), withId('b'))
        const old = await store().latest()
        await remove('a')
        const recent = await store().latest()
        const forget = () =>
          database().transact(async (tx) =>
            store().forgetRemovals(tx, (await tx.now()) - REMOVAL_RETENTION_MS),
          )
        while ((await forget()) > 0);
        expect((await store().changes(old, 10)).changes.map(({ id }) => id)).toEqual(['a'])
        clock.advance(REMOVAL_RETENTION_MS + 1)
        expect(await forget()).toBeGreaterThan(0)
        expect(await forget()).toBe(0)
        expect(await store().changes(old, 10)).toEqual({
          changes: [],
          last: old,
          more: false,
          isExpired: true,
        })
        expect(await store().changes(recent, 10)).toEqual({
          changes: [],
          last: recent,
          more: false,
        })
        const anew = await store().changes(0, 10)
        expect(anew.changes.map(({ id }) => id)).toEqual(['b'])
        expect(anew.last).toBe(recent)
      })

      test('has no place after its end: such a reader begins again', async () => {
        const latest = await store().latest()
        expect(await store().changes(latest + 1, 10)).toMatchObject({ isExpired: true })
      })

      test('followed beside several who change the catalogue at once, leaves nothing out', async () => {
        const writers = [database(), another(), another(), another()]
        onTestFinished(async () => {
          await Promise.all(writers.slice(1).map((one) => one.close()))
        })
        const reader = follower(createSignalStore(database(), { embeddedText }))
        let isDone = false
        const writing = Promise.all(
          writers.map(async (one, writer) => {
            const own = createSignalStore(one, { embeddedText })
            for (let round = 0; round < 12; round++) {
              const signals = manySignals(9, (round % 3) * 6).map((signal) => ({
                ...signal,
                coverage_percentage: (round * 7 + writer) % 100,
              }))
              await one.transact((tx) => own.put(tx, signals))
              const gone = `s-${String((round * 5 + writer) % 20).padStart(6, '0')}`
              await one.transact((tx) => own.remove(tx, [gone]))
            }
          }),
        ).finally(() => {
          isDone = true
        })
        while (!isDone) {
          await reader.follow(3)
          await nextTurn()
        }
        await writing
        await reader.follow(3)
        const kept = await store().page(undefined, 1_000)
        expect(sorted(reader.held)).toEqual(
          kept.map((stored) => [stored.signal.signal_agent_segment_id, stored]),
        )
        expect(await store().count()).toBe(kept.length)
      })

      test('is seen at once when another process has made it', async () => {
        const other = another()
        onTestFinished(() => other.close())
        const start = await store().latest()
        await other.transact((tx) =>
          createSignalStore(other, { embeddedText }).put(tx, [withId('a')]),
        )
        await nextTurn()
        expect(await store().latest()).toBe(start + 1)
        expect((await store().changes(start, 10)).changes).toHaveLength(1)
      })
    })

    test('pages by id go through the whole catalogue', async () => {
      const ids = ['A', 'a', 'a-1', 'a_1', 'b', 'z', 'ä', '日本', '\u{1f697}']
      await put(...ids.map((id) => withId(id)))
      const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(await allIds(store(), 2)).toEqual(byBytes)
      const page = await store().page('a-1', 2)
      expect(page.map(({ signal }) => signal.signal_agent_segment_id)).toEqual(['a_1', 'b'])
      expect(await store().page('\u{1f697}', 5)).toEqual([])
      expect(await store().page('a\0', 5)).toEqual([])
    })

    test('what no id can be is found nowhere', async () => {
      await put(withId('a'))
      expect(await store().get(['\0', '\ud800', ''])).toEqual(new Map())
      expect(await remove('\0', '\ud800')).toBe(0)
    })

    test('the summary counts by type and provider', async () => {
      expect(await store().stats()).toMatchObject({ signals: 0, by_type: {}, data_providers: 0 })
      await put(
        withId('a'),
        withId('b', { signal_type: 'owned', data_provider: 'Us' }),
        withId('c', { description: 'a NUL \0 in it' }),
      )
      expect(await store().stats()).toEqual({
        signals: 3,
        by_type: { marketplace: 2, owned: 1 },
        data_providers: 2,
        latest: await store().latest(),
        changed_at: clock.now(),
      })
    })

    test('spec 4.5: the domains of providers are those of what everyone may see, in parts', async () => {
      const domain = (name: string) => ({ data_provider_domain: `${name}.example` })
      await put(
        withId('a', domain('one')),
        withId('b', {
          ...domain('one'),
          description: 'a NUL \0, \\u0000, \ud800 and \\ud',
          tags: ['\u{1f697}'],
        }),
        withId('c', domain('two')),
        withId('d', { ...domain('owner'), signal_type: 'owned' }),
        withId('e', { ...domain('private'), visibility: { principals: ['Alice'] } }),
        withId('f'),
      )
      const all = await store().providerDomains(undefined, 10)
      expect([...all.domains].sort()).toEqual(['one.example', 'two.example'])
      expect(all.next).toBeUndefined()
      expect(await store().providerDomains(undefined, 2)).toEqual({
        domains: ['one.example'],
        next: 'b',
      })
      expect(await store().providerDomains('e', 2)).toEqual({ domains: [], next: undefined })
      expect(await store().providerDomains('a\0', 2)).toEqual({ domains: [], next: undefined })
    })

    test('after any changes the store holds what a map would, and a follower the same', async () => {
      const change = fc.record({
        isPut: fc.boolean(),
        ids: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 5 }),
        coverage: fc.integer({ min: 0, max: 3 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (all) => {
          await remove(...(await allIds(store())))
          const reader = follower(store())
          const model = new Map<string, number>()
          for (const [index, { isPut, ids, coverage }] of all.entries()) {
            const names = ids.map((n) => `m-${n}`)
            if (isPut) {
              const outcomes = await put(
                ...names.map((id) => withId(id, { coverage_percentage: coverage })),
              )
              for (const [at, id] of names.entries()) {
                const expected = !model.has(id)
                  ? 'added'
                  : model.get(id) === coverage
                    ? 'unchanged'
                    : 'changed'
                expect(outcomes[at]).toBe(expected)
                model.set(id, coverage)
              }
            } else {
              const present = new Set(names.filter((id) => model.has(id)))
              expect(await remove(...names)).toBe(present.size)
              for (const id of names) model.delete(id)
            }
            if (index % 3 === 0) await reader.follow(2)
          }
          await reader.follow(2)
          const held = sorted(reader.held).map(([id, { signal }]) => [
            id,
            signal.coverage_percentage,
          ])
          expect(held).toEqual(sorted(model))
          expect(await allIds(store())).toEqual(sorted(model).map(([id]) => id))
          expect(await store().count()).toBe(model.size)
        }),
        { numRuns: 25 },
      )
    })
  },
  { clock },
)

/** Holds what the order of changes returned. */
function follower(store: SignalStore) {
  let held = new Map<string, StoredSignal>()
  let place = 0
  return {
    get held() {
      return held
    },
    follow: async (limit: number) => {
      for (;;) {
        const page = await store.changes(place, limit)
        if (page.isExpired) {
          held = new Map()
          place = 0
          continue
        }
        for (const { id, stored } of page.changes) {
          if (stored) held.set(id, stored)
          else held.delete(id)
        }
        place = page.last
        if (!page.more) return
      }
    },
  }
}

async function allIds(store: SignalStore, size = 500): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const page = await store.ids(ids.at(-1), size)
    if (page.length === 0) return ids
    ids.push(...page)
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}
