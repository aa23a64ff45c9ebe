import { beforeEach, expect, test } from 'vitest'
import { makeStale, syncMarked } from '../../src/registry/catalog/catalog-worker.ts'
import type { CatalogProperty } from '../../src/registry/catalog/property.ts'
import { createCatalogStore } from '../../src/storage/stores/catalog/catalog.ts'
import { createFeedStore } from '../../src/storage/stores/references/feed.ts'
import { onBothStores } from '../support/databases.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const rid = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const propertyOf = (n: number, more: Partial<CatalogProperty> = {}): CatalogProperty => ({
  property_rid: rid(n),
  publisher_domain: null,
  property_id: null,
  property_type: null,
  name: null,
  source: 'contributed',
  status: 'active',
  adagents_url: null,
  created_by: 'org_a',
  resolved_at: 1_000,
  created_at: 1_000,
  updated_at: 1_000 + n,
  source_updated_at: 1_000,
  ...more,
})

onBothStores('the catalogue store', (database) => {
  const store = () => createCatalogStore(database())
  const change = <T>(run: Parameters<ReturnType<typeof database>['transact']>[0]) =>
    database().transact(run) as Promise<T>
  const site = (n: number) => ({ type: 'domain', value: `${n}.example` })

  beforeEach(async () => {
    await database().transact(async (tx) => {
      await tx.run('DELETE FROM catalog_properties')
      await tx.run('DELETE FROM catalog_aliases')
      await tx.run('DELETE FROM catalog_marks')
    })
  })

  const add = (...numbers: number[]) =>
    change(async (tx) => {
      await store().put(
        tx,
        numbers.map((n) => propertyOf(n)),
      )
      await store().link(
        tx,
        numbers.map((n) => ({ ...site(n), property_rid: rid(n), confidence: 1 })),
      )
    })

  test('an identifier belongs to one property, and moves with all that is written', async () => {
    await add(1, 2)
    await change((tx) => store().link(tx, [{ ...site(1), property_rid: rid(2), confidence: 4 }]))
    expect((await store().get(rid(1)))?.identifiers).toEqual([])
    expect((await store().get(rid(2)))?.identifiers).toEqual([
      { ...site(1), confidence: 4 },
      { ...site(2), confidence: 1 },
    ])
    await change((tx) => store().unlink(tx, [site(1), { type: 'domain', value: 'x\0' }]))
    expect(await store().byIdentifiers([site(1), { type: 'a\0', value: 'b' }])).toEqual([])
    expect(await store().byIdentifiers([site(2), site(2)])).toEqual([
      { ...site(2), confidence: 1, property: propertyOf(2) },
    ])
    expect(await store().get('\0')).toBeUndefined()
  })

  test('an alias names what is left, after any number of merges', async () => {
    const hops = 60
    const all = Array.from({ length: hops + 1 }, (_, n) => n)
    await add(...all)
    await change(async (tx) => {
      for (const n of all.slice(1)) {
        const merged = { alias_rid: rid(n - 1), canonical_rid: rid(n), evidence: 'test' }
        await store().merge(tx, merged)
      }
    })
    const last = await store().get(rid(0))
    expect(last?.property_rid).toBe(rid(hops))
    expect(last?.identifiers).toHaveLength(hops + 1)
    // No alias names another alias, so that there are no chains to follow and no cycles.
    expect(
      await database().read.all(
        `SELECT a.alias_rid FROM catalog_aliases a JOIN catalog_aliases b ON b.alias_rid = a.canonical_rid`,
        [],
      ),
    ).toEqual([])
  })

  test('marks are taken once, those of one publisher together', async () => {
    await change((tx) => store().mark(tx, ['a.example', 'b.example', 'a.example']))
    const take = () => change((tx) => store().takeMarked(tx, 10))
    expect(((await take()) as string[]).sort()).toEqual(['a.example', 'b.example'])
    expect(await take()).toEqual([])
  })

  test('a mark that was taken in a transaction that failed is still there', async () => {
    await change((tx) => store().mark(tx, ['a.example']))
    const feed = createFeedStore(database())
    const broken = {
      catalog: store(),
      feed,
      transact: database().transact,
      crawl: { speakers: () => Promise.reject(new Error('killed')) },
      files: { propertiesOf: async () => [], get: async () => undefined },
    }
    await expect(syncMarked(broken)).rejects.toThrow('killed')
    expect(await change((tx) => store().takeMarked(tx, 10))).toEqual(['a.example'])
  })

  test('what nobody resolves for 90 days becomes stale', async () => {
    await add(1, 2)
    const now = await change<number>((tx) => tx.now())
    await change((tx) =>
      store().put(tx, [
        propertyOf(2, { resolved_at: now - 89 * DAY_MS }),
        propertyOf(3, { resolved_at: 0, source: 'authoritative' }),
      ]),
    )
    const feed = createFeedStore(database())
    const ports = { catalog: store(), feed, transact: database().transact }
    expect([await makeStale(ports), await makeStale(ports)]).toEqual([1, 0])
    const statuses = [1, 2, 3].map(async (n) => (await store().get(rid(n)))?.status)
    expect(await Promise.all(statuses)).toEqual(['stale', 'active', 'active'])
  })

  test('contributions are counted, and pages follow each other', async () => {
    await add(1, 2, 3)
    expect(await change((tx) => store().contributed(tx, 'org_a'))).toBe(3)
    expect(await change((tx) => store().contributed(tx, 'org_b'))).toBe(0)
    const ridsOf = (rows: { property_rid: string }[]) => rows.map((one) => one.property_rid)
    const page = await store().list({ filter: {}, after: rid(1), limit: 1 })
    expect(ridsOf(page)).toEqual([rid(2)])
    const found = { filter: { identifier_type: 'domain', search: '3.' }, after: '', limit: 9 }
    expect(ridsOf(await store().list(found))).toEqual([rid(3)])
    expect(await store().count({ status: 'active', search: '1' }, 10)).toBe(1)
    expect(await store().count({}, 2)).toBe(2)
    const since = { since: 1_001, after: undefined, limit: 9 }
    expect(ridsOf(await store().changed(since))).toEqual([rid(1), rid(2), rid(3)].slice(0))
    const after = { updated_at: 1_002, property_rid: rid(2) }
    expect(ridsOf(await store().changed({ since: 0, after, limit: 9 }))).toEqual([rid(3)])
  })
})
