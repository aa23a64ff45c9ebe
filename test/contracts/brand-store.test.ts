import { beforeEach, expect, test } from 'vitest'
import { createBrandStore } from '../../src/storage/stores/brands/brands.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { onBothStores } from '../support/databases.ts'
import { verifyDocuments } from '../support/verify-documents.ts'

const brandOf = (id: string, more: object = {}) => ({ id, names: [{ en: `Brand ${id}` }], ...more })
const house = {
  house: { domain: 'house.example', name: 'The House' },
  brands: [
    brandOf('main', { keller_type: 'master' }),
    brandOf('sub', { keller_type: 'sub_brand', parent_brand: 'main' }),
  ],
}

onBothStores('the brand store', (database) => {
  const store = () => createBrandStore(database())
  const verify = (documents: Record<string, object | undefined>, organizationId = 'org_a') =>
    verifyDocuments(database(), documents, { organizationId })

  beforeEach(async () => {
    await database().transact((tx) => tx.run('DELETE FROM manifest_references'))
  })

  test('a verified brand is read with its document, or without', async () => {
    await verify({ 'acme.example': brandOf('acme', { tagline: 'a\0b' }) })
    const manifest = {
      url: 'https://acme.example/.well-known/brand.json',
      variant: 'brand_document',
      identity: {
        canonical_id: 'acme',
        canonical_domain: 'acme.example',
        brand_name: 'Brand acme',
        names: [{ en: 'Brand acme' }],
      },
    }
    const source = 'brand_json'
    const record = {
      domain: 'acme.example',
      title: 'Brand acme',
      agent_url: null,
      source,
      verified_at: expect.any(Number),
    }
    const document = JSON.stringify(brandOf('acme', { tagline: 'a\0b' }))
    expect(await store().get('acme.example')).toEqual({
      ...record,
      manifest: { ...manifest, document },
    })
    const requested = ['acme.example', 'other.example', 'a\0b']
    expect(await store().identities(requested)).toEqual(
      new Map([['acme.example', { ...record, manifest: { ...manifest, document: null } }]]),
    )
    expect(await store().get('a\0b')).toBeUndefined()
  })

  test('houses that name a domain are found, each since it was first seen to do so', async () => {
    const naming = (...domains: string[]) => ({
      house: { domain: 'house.example', name: 'The House' },
      brand_refs: domains.map((domain, n) => ({ domain, brand_id: `brand_${n}` })),
    })
    const houses = async () =>
      (await store().housesNaming(['a.example', 'b.example', 'c.example', 'x\0'])).map(
        ({ domain, house_domain }) => `${domain} ${house_domain}`,
      )
    expect(await store().housesNaming([])).toEqual([])
    await verify({ 'house.example': naming('a.example', 'b.example') })
    const [first] = await store().housesNaming(['a.example'])
    expect(first).toMatchObject({ domain: 'a.example', house_domain: 'house.example' })
    expect(first?.first_seen_at).toBeGreaterThan(Date.now() - 600_000)
    await verify({ 'house.example': naming('a.example', 'c.example') })
    expect(await houses()).toEqual(['a.example house.example', 'c.example house.example'])
    expect((await store().housesNaming(['a.example']))[0]?.first_seen_at).toBe(first?.first_seen_at)
    await verify({ 'house.example': undefined })
    expect(await houses()).toEqual([])
    // Not every one of the many that could be made up.
    const many = Array.from({ length: 25 }, (_, n) => `house-${String(n).padStart(2, '0')}.example`)
    await verify(
      Object.fromEntries(
        many.map((domain) => [
          domain,
          { ...naming('a.example'), house: { domain, name: 'One of many' } },
        ]),
      ),
    )
    const found = (await store().housesNaming(['a.example'])).map((one) => one.house_domain)
    expect(found).toEqual(many.slice(0, 20))
  })

  test('a document that is gone, or valid no more, is not read', async () => {
    await verify({ 'acme.example': brandOf('acme'), 'other.example': brandOf('other') })
    await verify({ 'acme.example': undefined, 'other.example': { id: 'no names' } })
    expect(await store().get('acme.example')).toBeUndefined()
    expect((await store().identities(['acme.example', 'other.example'])).size).toBe(0)
    expect(await store().domains({ limit: 10, offset: 0 })).toEqual([])
    await verify({ 'acme.example': brandOf('again') })
    expect((await store().get('acme.example'))?.manifest?.identity.canonical_id).toBe('again')
  })

  test('what was kept goes with its reference', async () => {
    await verify({ 'acme.example': brandOf('acme') })
    const { references } = await createReferenceStore(database()).list({ limit: 10 })
    await database().transact((tx) =>
      createReferenceStore(database()).remove(tx, references[0]?.id as string),
    )
    expect(await store().get('acme.example')).toBeUndefined()
    const rows = await database().read.all('SELECT * FROM verified_brands', [])
    expect(rows).toEqual([])
  })

  test('each domain is listed and counted once, regardless of contributor', async () => {
    const documents = {
      'b.example': brandOf('b', { keller_type: 'sub_brand' }),
      'house.example': house,
      'a.example': brandOf('a'),
    }
    await verify(documents)
    await verify(documents, 'org_b')
    await verifyDocuments(
      database(),
      { 'c.example': { authorized_agents: [] } },
      { type: 'adagents.json' },
    )
    await database().transact((tx) =>
      tx.run(
        `DELETE FROM verified_brands WHERE reference_id IN (SELECT id FROM manifest_references WHERE domain = 'a.example')`,
      ),
    )
    expect(await store().domains({ limit: 2, offset: 0 })).toEqual(['a.example', 'b.example'])
    expect(await store().domains({ limit: 2, offset: 2 })).toEqual(['house.example'])
    expect(await store().stats()).toEqual({ total: 3, houses: 1, sub_brands: 1, with_manifest: 2 })
    expect(await store().get('a.example')).toEqual({
      domain: 'a.example',
      source: 'brand_json',
      verified_at: expect.any(Number),
      title: 'Brand a',
      agent_url: null,
    })
  })
})
