import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseHostMap, withHosts } from '../../src/lib/host-map.ts'
import { createEgress, type Egress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { readManifest } from '../../src/protocol/read-manifest.ts'
import type { VerifiedBrand } from '../../src/registry/brands/store.ts'
import { findBrand } from '../../src/registry/find-brand.ts'
import { brandJson } from '../support/manifest-server.ts'
import { startWeb, type Web } from '../support/web.ts'

let web: Web
let egress: Egress
beforeAll(async () => {
  web = await startWeb()
  const guard = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  egress = withHosts(guard, parseHostMap(web.egressHosts))
  web.publish('https://acme.com/.well-known/brand.json', brandJson('acme.com', 'Own'))
  web.publish('https://cdn.net/acme.json', brandJson('acme.com', 'Elsewhere'))
})
afterAll(async () => {
  await egress.close()
  await web.stop()
})

const brandOf = async (verification_status: string | undefined, kept?: string) => {
  const reference = { manifest_url: 'https://cdn.net/acme.json', verification_status }
  const bestJson = () => (verification_status === undefined ? undefined : JSON.stringify(reference))
  const ports = { fetch: egress.fetch, allowHttp: false, maxManifestBytes: 10_000, readManifest }
  const brand = await findBrand(
    'acme.com',
    { ...ports, references: { bestJson }, brands: { get: async () => recordOf(kept) } },
    new AbortController().signal,
  )
  const document =
    brand && (JSON.parse(Buffer.from(brand).toString()) as { names: { en: string }[] })
  return document?.names[0]?.en
}

function recordOf(document: string | undefined) {
  if (document === undefined) return undefined
  const identity = { name: 'Kept' } as unknown as VerifiedBrand['identity']
  const manifest = { url: 'https://cdn.net/acme.json', variant: 'brand', identity, document }
  return {
    domain: 'acme.com',
    title: null,
    agent_url: null,
    verified_at: 0,
    source: 'brand_json' as const,
    manifest,
  }
}

test('spec 4.1: what the registry verified is used as it is, without a fetch', async () => {
  const before = web.requested().length
  expect(await brandOf('valid', '{"names":[{"en":"Kept"}]}')).toBe('Kept')
  expect(web.requested()).toHaveLength(before)
})

test('a brand is described where its domain vouches for it', async () => {
  expect(await brandOf('valid')).toBe('Elsewhere')
})

test('a file that is no brand.json describes no one', async () => {
  web.publish('https://cdn.net/acme.json', { body: '[]' })
  expect(await brandOf('valid')).toBeUndefined()
  web.publish('https://cdn.net/acme.json', brandJson('acme.com', 'Elsewhere'))
})

test.each(['pending', 'invalid', 'unreachable', undefined])(
  'a reference that is %s says nothing in its name: the well-known file does',
  async (status) => {
    expect(await brandOf(status)).toBe('Own')
  },
)
