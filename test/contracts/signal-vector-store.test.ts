import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import { embeddedText } from '../../src/signals/embedded-text.ts'
import { createSignalStore } from '../../src/storage/stores/signals/signals.ts'
import { createSignalVectorStore } from '../../src/storage/stores/signals/vectors.ts'
import { catalogueSignal, manySignals } from '../support/catalogue.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const LEASE_MS = 60_000
const MODEL = 'mini'

onBothStores(
  'the vectors of signals',
  (database, _store, another) => {
    const vectors = () => createSignalVectorStore(database(), { embeddedText })
    const signals = () => createSignalStore(database(), { embeddedText })
    const transact = database
    const putSignals = (...all: CatalogueSignal[]) =>
      transact().transact((tx) => signals().put(tx, all))
    const removeSignals = (...ids: string[]) =>
      transact().transact((tx) => signals().remove(tx, ids))
    const claim = (limit = 100, model = MODEL) =>
      transact().transact((tx) => vectors().claimMissing(tx, model, { limit, leaseMs: LEASE_MS }))
    const put = (digests: readonly string[], model = MODEL) =>
      transact().transact((tx) =>
        vectors().put(
          tx,
          model,
          digests.map((digest) => ({ digest, vector: vectorOf(digest) })),
        ),
      )
    const sweep = () => transact().transact((tx) => vectors().sweep(tx))
    const sweepAll = async () => {
      let swept = 0
      for (;;) {
        const some = await sweep()
        if (some === 0) return swept
        swept += some
      }
    }
    const digestOf = async (id: string) =>
      (await signals().get([id])).get(id)?.text_digest as string

    beforeEach(async () => {
      clock.advance(LEASE_MS * 2)
      await removeSignals(...(await signals().ids(undefined, 10_000)))
      await sweepAll()
      expect(await claim()).toEqual([])
    })

    test('a vector comes back as it went in, for its model and text alone', async () => {
      await putSignals(...manySignals(2))
      const [first = '', second = ''] = [await digestOf('s-000000'), await digestOf('s-000001')]
      await put([first])
      expect(await vectors().get(MODEL, [first, second, 'none'])).toEqual(
        new Map([[first, expect.objectContaining(vectorOf(first))]]),
      )
      expect(await vectors().get('other', [first])).toEqual(new Map())
    })

    test('texts without a vector are claimed once, and again when the lease has ended', async () => {
      await putSignals(...manySignals(5))
      const first = await claim(3)
      const second = await claim(3)
      expect([first.length, second.length]).toEqual([3, 2])
      expect(new Set([...first, ...second].map(({ text }) => text))).toEqual(
        new Set(manySignals(5).map(embeddedText)),
      )
      expect(await claim()).toEqual([])
      await put(first.map(({ digest }) => digest))
      clock.advance(LEASE_MS)
      // What was lost comes alone, so that it takes nothing with it.
      const again = [...(await claim()), ...(await claim())]
      expect(again.map(({ lost }) => lost)).toEqual([2, 2])
      expect(again.map(({ digest }) => digest).sort()).toEqual(
        second.map(({ digest }) => digest).sort(),
      )
      await put(again.map(({ digest }) => digest))
      clock.advance(LEASE_MS)
      expect(await claim()).toEqual([])
      expect(await vectors().counts(MODEL)).toEqual({ signals: 5, vectors: 5, isWhole: true })
    })

    test('each model has vectors of its own', async () => {
      await putSignals(...manySignals(2))
      await put((await claim()).map(({ digest }) => digest))
      expect(await vectors().counts(MODEL)).toMatchObject({ vectors: 2, isWhole: true })
      expect(await vectors().counts('other')).toEqual({ signals: 2, vectors: 0, isWhole: false })
      const other = await claim(10, 'other')
      expect(other).toHaveLength(2)
      await put(
        other.map(({ digest }) => digest),
        'other',
      )
      expect(await vectors().models()).toEqual([MODEL, 'other'])
    })

    test('signals with the same words share a vector, and other content needs no new one', async () => {
      const twin = (id: string, cpm: number) =>
        catalogueSignal({
          signal_agent_segment_id: id,
          pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm, currency: 'USD' }],
        })
      await putSignals(twin('a', 1), twin('b', 1))
      const claimed = await claim()
      expect(claimed).toHaveLength(1)
      await put(claimed.map(({ digest }) => digest))
      await putSignals(twin('a', 2), twin('c', 2))
      expect(await claim()).toEqual([])
      expect(await vectors().counts(MODEL)).toEqual({ signals: 3, vectors: 1, isWhole: true })
    })

    test('a vector that is put without a claim is not requested', async () => {
      await putSignals(...manySignals(3))
      await put([await digestOf('s-000001')])
      expect((await claim()).map(({ text }) => text)).toEqual(
        [manySignals(1), manySignals(1, 2)].flat().map(embeddedText),
      )
    })

    test('other words are claimed, and a text whose claim is open only once', async () => {
      await putSignals(catalogueSignal())
      const [old] = await claim()
      await putSignals(catalogueSignal({ name: 'Other' }))
      const [changed] = await claim()
      expect(changed?.text).toMatch(/^Other\. /)
      await putSignals(catalogueSignal({ signal_agent_segment_id: 'b' }))
      expect(await claim()).toEqual([])
      clock.advance(LEASE_MS)
      const again = [...(await claim()), ...(await claim())]
      expect(new Set(again.map(({ digest }) => digest))).toEqual(
        new Set([old?.digest, changed?.digest]),
      )
    })

    test('a claim counts how often it was lost, and one that is given back counts for nothing', async () => {
      await putSignals(...manySignals(3))
      const texts = await claim()
      expect(texts.map(({ lost }) => lost)).toEqual([1, 1, 1])
      const digests = texts.map(({ digest }) => digest)
      await transact().transact((tx) => vectors().release(tx, MODEL, digests))
      expect((await claim()).map(({ lost }) => lost)).toEqual([1, 1, 1])
      for (const lost of [2, 3, 4]) {
        clock.advance(LEASE_MS)
        expect((await claim()).map((text) => text.lost)).toEqual([lost])
        if (lost === 2) await put(digests.slice(1))
      }
    })

    test('a sweep deletes the vectors that no signal has, and only those', async () => {
      await putSignals(
        ...manySignals(3),
        catalogueSignal({ signal_agent_segment_id: 'twin', name: 'Audience 000002' }),
      )
      const all = (await claim()).map(({ digest }) => digest)
      await put(all)
      await put(all, 'other')
      const [changed = '', removed = '', shared = ''] = await Promise.all(
        ['s-000000', 's-000001', 's-000002'].map(digestOf),
      )
      await putSignals({ ...(manySignals(1)[0] as CatalogueSignal), name: 'Other' })
      await removeSignals('s-000001', 's-000002')
      expect(await sweepAll()).toBe(4)
      expect([...(await vectors().get(MODEL, [changed, removed, shared])).keys()]).toEqual([shared])
      expect(await vectors().counts(MODEL)).toEqual({ signals: 2, vectors: 1, isWhole: false })
      expect(await sweepAll()).toBe(0)
    })

    test('words that come back after a sweep get their vector again', async () => {
      await putSignals(catalogueSignal())
      const [first] = await claim()
      await put([first?.digest as string])
      await removeSignals(catalogueSignal().signal_agent_segment_id)
      expect(await sweepAll()).toBe(1)
      await putSignals(catalogueSignal())
      expect(await claim()).toEqual([first])
    })

    test('a vector made while its signal went is swept, and so is an open claim', async () => {
      await putSignals(...manySignals(2))
      const [late, open] = await claim()
      await removeSignals('s-000000', 's-000001')
      expect(await sweepAll()).toBe(0)
      await put([late?.digest as string])
      expect(await sweepAll()).toBe(1)
      clock.advance(LEASE_MS)
      expect(open).toBeDefined()
      expect(await claim()).toEqual([])
    })

    test('several who claim at once share the work and leave none out', async () => {
      await putSignals(...manySignals(120))
      const instances = [database(), another(), another()]
      onTestFinished(async () => {
        await Promise.all(instances.slice(1).map((one) => one.close()))
      })
      const made: string[] = []
      await Promise.all(
        instances.map(async (one) => {
          const store = createSignalVectorStore(one, { embeddedText })
          for (;;) {
            const claimed = await one.transact((tx) =>
              store.claimMissing(tx, MODEL, { limit: 7, leaseMs: LEASE_MS }),
            )
            if (claimed.length === 0) return
            made.push(...claimed.map(({ digest }) => digest))
            const done = claimed.map(({ digest }) => ({ digest, vector: vectorOf(digest) }))
            await one.transact((tx) => store.put(tx, MODEL, done))
          }
        }),
      )
      expect(made).toHaveLength(120)
      expect(new Set(made).size).toBe(120)
      expect(await vectors().counts(MODEL)).toEqual({ signals: 120, vectors: 120, isWhole: true })
    })

    test('thousands of texts are claimed in parts, past those that are known', async () => {
      await putSignals(...manySignals(2_500))
      const first = await claim(2_000)
      await put(first.map(({ digest }) => digest))
      await putSignals(...manySignals(2_000).map((one) => ({ ...one, coverage_percentage: 1 })))
      const rest = await claim(2_000)
      expect([first.length, rest.length]).toEqual([2_000, 500])
    })
  },
  { clock },
)

function vectorOf(digest: string): Buffer {
  return Buffer.from(digest.repeat(3))
}
