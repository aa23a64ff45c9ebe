import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBrand } from '../../../src/creative/brand/brand-context.ts'
import { resolveBrand } from '../../../src/creative/brand/resolve-brand.ts'
import { createEgress, type Egress } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import type { BrandRef } from '../../../src/protocol/schemas/common.ts'
import { inProcessWorkerPool } from '../../support/creative.ts'
import { type FileServer, refusalOf, startFiles } from '../build-steps/build-harness.ts'

let files: FileServer
let canary: FileServer
let egress: Egress
beforeAll(async () => {
  files = await startFiles('127.0.0.1')
  canary = await startFiles('127.0.0.2')
  egress = createEgress({ allow: ['127.0.0.1/32'], allowHttp: true })
})
afterAll(async () => {
  await egress.close()
  await files.stop()
  await canary.stop()
})

const signal = new AbortController().signal
const PORTFOLIO = {
  house: { domain: 'house.example', name: 'House' },
  brands: [
    {
      id: 'one',
      names: [{ de: 'Eins' }, { en: 'One' }],
      colors: { primary: ['#111111', '#222222'] },
    },
    {
      id: 'two',
      names: [{ fr: 'Deux' }],
      tone: { voice: 'calm' },
      logos: [{ url: 'https://x/d.png', background: 'dark-bg' }, { url: 'https://x/l.png' }],
      disclaimers: [{ text: 'Terms apply.' }],
    },
  ],
}
const workerPool = inProcessWorkerPool()
const ports = (document?: unknown) => {
  const bytes = document === undefined ? undefined : Buffer.from(JSON.stringify(document))
  return { egress, lookupBrand: async () => bytes, workerPool }
}
/** As a request that promotes this would be planned. */
const resolve = async (
  promoted: { brand_manifest?: object | string; brand?: BrandRef },
  document?: unknown,
  options: { isBrandRequired?: boolean } = {},
) => {
  const { brand_manifest: given, brand } = promoted
  const named = {
    described: typeof given === 'object' ? readBrand(given) : undefined,
    manifestUrl: typeof given === 'string' ? given : undefined,
    brand,
  }
  const givenPorts = { ...ports(document), ...options }
  return (await resolveBrand(named, givenPorts, { owner: 'a', signal })).brand
}

test('spec 2.4: a brand manifest and a brand.json are read into the same', () => {
  expect(readBrand(PORTFOLIO)).toMatchObject({ name: 'One', colors: { primary: '#111111' } })
  expect(readBrand(PORTFOLIO, { brandId: 'two' })).toEqual({
    name: 'Deux',
    tone: 'calm',
    colors: {},
    disclaimers: [{ text: 'Terms apply.' }],
    logos: ['https://x/l.png', 'https://x/d.png'],
  })
  expect(readBrand(PORTFOLIO, { brandId: 'three' })).toBeUndefined()
  expect(readBrand({ agents: [] })).toBeUndefined()
  expect(readBrand({ name: 'A', url: 'javascript:x', colors: { primary: 'red' } })).toEqual({
    name: 'A',
    colors: {},
    disclaimers: [],
    logos: [],
  })
})

test('what is in the request takes precedence over what the brand publishes', async () => {
  const brand = await resolve(
    {
      brand_manifest: { name: 'Mine', colors: { primary: '#aaaaaa' } },
      brand: { domain: 'house.example', brand_id: 'one' },
    },
    PORTFOLIO,
  )
  expect(brand).toMatchObject({
    name: 'Mine',
    colors: { primary: '#aaaaaa' },
    url: 'https://house.example',
  })
})

test('a brand manifest is fetched from its address', async () => {
  files.files.set('/b.json', { body: '{"name":"Fetched"}', type: 'application/json' })
  expect(await resolve({ brand_manifest: `${files.url}/b.json` })).toMatchObject({
    name: 'Fetched',
  })
})

test.each([
  ['a missing file', () => `${files.url}/none.json`, 'CREATIVE_INACCESSIBLE'],
  ['what is no brand', () => `${files.url}/list.json`, 'CREATIVE_INACCESSIBLE'],
  ['what is too large', () => `${files.url}/large.json`, 'CREATIVE_INACCESSIBLE'],
  ['a private address', () => `${canary.url}/b.json`, 'CREATIVE_INACCESSIBLE'],
])('%s is refused', async (_what, url, code) => {
  files.files.set('/list.json', { body: '[1]' })
  files.files.set('/large.json', { body: JSON.stringify({ name: 'x'.repeat(300_000) }) })
  expect(await refusalOf(resolve({ brand_manifest: url() }))).toMatchObject({ code })
  expect(canary.requested).toEqual([])
})

test('a brand that is required is refused without a brand.json, unless the request describes it', async () => {
  const brand = { domain: 'none.example' }
  expect(await refusalOf(resolve({ brand }, undefined, { isBrandRequired: true }))).toMatchObject({
    code: 'REFERENCE_NOT_FOUND',
    field: '/brand',
  })
  expect(await resolve({ brand, brand_manifest: { name: 'A' } })).toMatchObject({ name: 'A' })
})

test('a brand without a brand.json is known by its domain, and that is reported', async () => {
  const named = {
    described: undefined,
    manifestUrl: undefined,
    brand: { domain: 'acme-outdoor.example' },
  }
  const { brand, notes } = await resolveBrand(named, ports(undefined), { owner: 'a', signal })
  expect(brand).toMatchObject({
    name: 'Acme Outdoor',
    url: 'https://acme-outdoor.example',
    colors: {},
  })
  expect(notes).toEqual([
    expect.stringMatching(/no brand\.json was found for acme-outdoor\.example/),
  ])
})
