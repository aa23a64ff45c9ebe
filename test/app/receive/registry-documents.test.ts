import { expect, test } from 'vitest'
import { throughRegistry } from '../../../src/app/receive/registry-documents.ts'
import type { EgressRequest, EgressResult } from '../../../src/lib/safe-fetch/safe-fetch.ts'

const REGISTRY = 'https://registry.example'

/** A network in which these URLs answer, and a registry before it. */
function network(pages: Record<string, unknown>) {
  const requested: EgressRequest[] = []
  const direct = {
    close: async () => {},
    fetch: async (request: EgressRequest): Promise<EgressResult> => {
      requested.push(request)
      const page = pages[request.url]
      const status = page === undefined ? 404 : 200
      const body = Buffer.from(JSON.stringify(page ?? {}))
      return {
        ok: true,
        status,
        headers: {},
        body,
        durationMs: 1,
        url: request.url,
      } as EgressResult
    },
  }
  const egress = throughRegistry(direct, { url: REGISTRY, key: 'sk_x' })
  const get = async (url: string) => {
    const result = await egress.fetch({ url })
    return result.ok && result.status === 200 ? JSON.parse(String(result.body)) : undefined
  }
  return { get, requested }
}
const brandAt = (domain: string) => `${REGISTRY}/api/brands/brand-json?domain=${domain}`
const pinsAt = (domain: string) =>
  `${REGISTRY}/api/registry/authorizations?publisher_domain=${domain}`

test('spec 5: the brand.json of a seller is the one that the registry verified', async () => {
  const { get, requested } = network({
    [brandAt('sell.example')]: { data: { agents: [{ id: 'a' }] } },
  })
  expect(await get('https://sell.example/.well-known/brand.json')).toEqual({
    agents: [{ id: 'a' }],
  })
  expect(requested.map(({ url }) => url)).toEqual([brandAt('sell.example')])
})

test('spec 5: pins are those of the authorizations on record, managers’ files included', async () => {
  const keys = [{ kid: 'k', kty: 'OKP' }]
  const rows = [
    { agent_url: 'https://sell.example/mcp', signing_keys: keys },
    { agent_url: 'https://free.example', signing_keys: null },
  ]
  const { get, requested } = network({ [pinsAt('pub.example')]: { rows, has_more: false } })
  expect(await get('https://pub.example/.well-known/adagents.json')).toEqual({
    authorized_agents: [
      { url: 'https://sell.example/mcp', signing_keys: keys },
      { url: 'https://free.example' },
    ],
  })
  expect(requested[0]?.headers?.authorization).toBe('Bearer sk_x')
})

test.each([
  ['knows nothing of the publisher', {}],
  ['has no row of it', { [pinsAt('pub.example')]: { rows: [], has_more: false } }],
  ['has more rows than it sends', { [pinsAt('pub.example')]: { rows: [{}], has_more: true } }],
])('a registry that %s lifts no pin: the site is queried', async (_, registry) => {
  const own = { authorized_agents: [] }
  const url = 'https://pub.example/.well-known/adagents.json'
  const { get } = network({ ...registry, [url]: own })
  expect(await get(url)).toEqual(own)
})

test('only well-known files of public names go through it', async () => {
  const { get, requested } = network({})
  for (const url of [
    'https://sell.example/jwks.json',
    'http://sell.example/.well-known/brand.json',
    'https://sell.example:8443/.well-known/brand.json',
    'https://127.0.0.1/.well-known/brand.json',
  ]) {
    await get(url)
    expect(requested.at(-1)?.url).toBe(url)
    expect(requested.at(-1)?.headers).toBeUndefined()
  }
  expect(requested).toHaveLength(4)
})
