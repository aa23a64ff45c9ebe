// Brands: those of the demo, which it verifies itself.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { RegistryClient } from '../sdk.mjs'

const ACME = 'northwind-outdoor.example'
const DEMO = ['demo-brand.example', ACME, 'solara-coffee.example']
const VERIFIED_MS = 20_000

export async function brandChecks({ url, key, step, client: make }) {
  const client = make(new RegistryClient({ baseUrl: url, apiKey: key }))
  for (const until = Date.now() + VERIFIED_MS; Date.now() < until; await wait(200)) {
    const found = await client.lookupBrands(DEMO)
    if (Object.values(found).every((brand) => brand?.brand_manifest)) break
  }

  await step('lookupBrand', async () => {
    const brand = await client.lookupBrand(ACME)
    const { canonical_id, canonical_domain, brand_name, names, source, brand_manifest } = brand
    deepEqual(
      { canonical_id, canonical_domain, brand_name, names, source },
      {
        canonical_id: 'northwind_outdoor',
        canonical_domain: ACME,
        brand_name: 'Northwind Outdoor',
        names: [{ en: 'Northwind Outdoor' }],
        source: 'brand_json',
      },
    )
    equal(brand_manifest.tagline, 'Gear for the long way round')
    deepEqual(await client.lookupBrand('WWW.Northwind-Outdoor.example'), brand)
    equal(await client.lookupBrand('nobody.example'), null)
  })
  await step('lookupBrands', async () => {
    const found = await client.lookupBrands([...DEMO, 'nobody.example', 'no domain'])
    deepEqual(Object.keys(found).sort(), [...DEMO, 'nobody.example', 'no domain'].sort())
    equal(found['nobody.example'], null)
    equal(found['no domain'], null)
    deepEqual(found[ACME], await client.lookupBrand(ACME))
  })
  await step('findCompany', async () => {
    const { results } = await client.findCompany('solara', { limit: 5 })
    deepEqual(
      results.map(({ domain, brand_name }) => [domain, brand_name]),
      [['solara-coffee.example', 'Solara Coffee']],
    )
    ok(results.every(({ keller_type }) => typeof keller_type === 'string'))
    deepEqual((await client.findCompany('nobody')).results, [])
  })
  await step('listBrands', async () => {
    const { brands, stats } = await client.listBrands({ limit: 100 })
    deepEqual(
      brands.map(({ domain }) => domain),
      DEMO,
    )
    ok(brands.every(({ has_manifest, verified }) => has_manifest && verified))
    equal(stats.total, DEMO.length)
    equal((await client.listBrands({ limit: 1, offset: 1 })).brands[0].domain, ACME)
    equal((await client.listBrands({ search: 'northwind' })).brands.length, 1)
  })
  await step('getBrandJson', async () => {
    const { domain, data, variant } = await client.getBrandJson(ACME)
    equal(domain, ACME)
    equal(variant, 'brand_canonical')
    const served = await fetch(`${url}/brands/${ACME}/brand.json`)
    deepEqual(await served.json(), data)
    equal(await client.getBrandJson('nobody.example'), null)
  })
}
