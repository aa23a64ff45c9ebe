import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { cursorOf } from '../../src/protocol/cursor.ts'
import type { ReferenceRecord } from '../../src/protocol/manifest-reference.ts'
import type { ReferenceFilter } from '../../src/registry/list-references.ts'
import type { NewReference } from '../../src/registry/store.ts'
import { listReferences } from '../../src/storage/stores/references/list.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { referenceStats } from '../../src/storage/stores/references/stats.ts'
import { onBothStores } from '../support/databases.ts'

const reference = (over: Partial<NewReference> = {}): NewReference => ({
  domain: 'acme.example',
  manifest_type: 'brand.json',
  reference_type: 'url',
  manifest_url: 'https://acme.example/brand.json',
  agent_url: null,
  agent_id: null,
  contributed_by_org_id: 'org_a',
  ...over,
})

onBothStores('the list of references', (database) => {
  const store = () => createReferenceStore(database())
  const add = (references: readonly NewReference[]) =>
    database().transact((tx) => store().add(tx, references, { verifyAt: 0 }))

  /** Every page from the first to the last, by the cursor. */
  async function walk(filter: Omit<ReferenceFilter, 'offset'>) {
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = await store().list({ ...filter, ...(cursor ? { cursor } : {}) })
      pages.push(page.references.map(({ id }) => id))
      expect(page.references.length).toBeLessThanOrEqual(filter.limit)
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    return pages
  }

  beforeEach(async () => {
    await database().transact((tx) => tx.run('DELETE FROM manifest_references'))
  })

  test('pages by cursor hold every reference once and in the order of the whole, whatever their ranks', async () => {
    const row = fc.record({
      domain: fc.constantFrom('a.example', 'b.example', 'b.example.org'),
      manifest_type: fc.constantFrom('brand.json' as const, 'adagents.json' as const),
      contributed_by_org_id: fc.constantFrom('org_a', 'org_b'),
      // Few different ones, so that there are ties in every place.
      score: fc.nat(2),
      verified: fc.nat(1),
      created: fc.nat(1),
    })
    const filters = fc.record(
      {
        domain: fc.constant('b.example'),
        manifest_type: fc.constant('brand.json' as const),
        contributed_by_org_id: fc.constant('org_a'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 14 }),
        filters,
        fc.integer({ min: 1, max: 5 }),
        async (rows, filter, limit) => {
          await database().transact((tx) => tx.run('DELETE FROM manifest_references'))
          const added = await add(
            rows.map(({ domain, manifest_type, contributed_by_org_id }, n) =>
              reference({
                domain,
                manifest_type,
                contributed_by_org_id,
                manifest_url: `https://x.example/${n}`,
              }),
            ),
          )
          await database().transact(async (tx) => {
            for (const [n, { score, verified, created }] of rows.entries()) {
              await tx.run(
                `UPDATE manifest_references SET completeness_score = $2, last_verified_at = $3,
                   created_at = $4 WHERE id = $1`,
                [added[n]?.reference.id as string, score, verified, created],
              )
            }
          })
          const whole = await store().list({ ...filter, limit: 200 })
          const pages = await walk({ ...filter, limit })
          expect(pages.flat()).toEqual(whole.references.map(({ id }) => id))
          expect(whole.total).toBe(pages.flat().length)
          expect([whole.total_is_exact, whole.cursor]).toEqual([true, null])
        },
      ),
      { numRuns: 40 },
    )
  })

  test('what is added or removed meanwhile moves no other reference to another page', async () => {
    const domains = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => reference({ domain: `d${from + n}.example` }))
    await add(domains(100, 106))
    const first = await store().list({ limit: 3 })
    await add(domains(0, 5))
    await database().transact((tx) => store().remove(tx, first.references[0]?.id as string))
    const second = await store().list({ limit: 3, cursor: first.cursor as string })
    expect([...first.references, ...second.references].map(({ domain }) => domain)).toEqual(
      domains(100, 106).map(({ domain }) => domain),
    )
  })

  test('a cursor is one of this list or is refused', async () => {
    await add([reference({ domain: 'a.example' }), reference({ domain: 'b.example' })])
    const { cursor } = await store().list({ limit: 1 })
    expect(store().isCursor(cursor as string)).toBe(true)
    for (const other of ['', 'x', 'bm90IGpzb24', cursorOf('manifest-refs', ['a', 1])]) {
      expect(store().isCursor(other)).toBe(false)
    }
    await expect(store().list({ limit: 1, cursor: 'x' })).rejects.toThrow(TypeError)
  })

  test('a filter finds what is far, in pages that may be empty, and the total says that it is not all', async () => {
    const domain = (n: number) => `d${String(n).padStart(3, '0')}.example`
    await add(
      Array.from({ length: 45 }, (_, n) =>
        reference({ domain: domain(n), contributed_by_org_id: n < 43 ? 'org_a' : 'org_b' }),
      ),
    )
    const shape = {
      columns: 'id, domain',
      recordOf: (row: { domain: string }) => row as ReferenceRecord,
      lookedAt: 10,
      counted: 20,
    }
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const filter = { contributed_by_org_id: 'org_b', limit: 5, ...(cursor ? { cursor } : {}) }
      const page = await listReferences(database(), filter, shape)
      pages.push(page.references.map((one) => one.domain))
      expect([page.total, page.total_is_exact]).toEqual([0, false])
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    expect(pages).toEqual([[], [], [], [], [domain(43), domain(44)]])
    expect(await listReferences(database(), { limit: 1 }, shape)).toMatchObject({
      total: 21,
      total_is_exact: false,
    })
  })

  test('the statistics are those of all, in however many slices they are counted', async () => {
    await add(
      Array.from({ length: 25 }, (_, n) =>
        reference({
          domain: `d${n % 9}.example`,
          manifest_url: `https://x.example/${n}`,
          contributed_by_org_id: `org_${n % 4}`,
        }),
      ),
    )
    for (const slice of [1, 4, 25, 1_000]) {
      expect(await referenceStats(database(), slice)).toEqual({
        total_references: 25,
        brand_json_count: 25,
        adagents_json_count: 0,
        verified_count: 0,
        pending_count: 25,
        invalid_count: 0,
        unreachable_count: 0,
        url_refs_count: 25,
        agent_refs_count: 0,
        unique_domains: 9,
        unique_orgs: 4,
      })
    }
  })
})
