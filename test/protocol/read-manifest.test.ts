import { describe, expect, test } from 'vitest'
import type { ManifestType } from '../../src/protocol/manifest-reference.ts'
import { readManifest } from '../../src/protocol/read-manifest.ts'

const read = (document: unknown, type: ManifestType = 'brand.json') => {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return readManifest(Buffer.from(text), { type, domain: 'acme.com', allowHttp: false })
}
const refusal = (document: unknown, type?: ManifestType) => {
  const reading = read(document, type)
  if (reading.ok) throw new Error('it was read')
  return reading
}
const many = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n))

test('a manifest is returned as data: what it is, how complete, whom it names', () => {
  const document = { id: 'acme', names: [{ en: 'Acme' }], house_domain: 'acme.com' }
  expect(read(document)).toMatchObject({
    ok: true,
    variant: 'brand_document',
    namesDomain: true,
    namesAgent: 'not_named',
    summary: { name: 'Acme' },
  })
  const elsewhere = { authoritative_location: 'https://cdn.net/brand.json' }
  expect(read(elsewhere)).toMatchObject({ ok: true, redirectTo: 'https://cdn.net/brand.json' })
})

test('what is read can be sent to another thread', () => {
  const reading = read({ id: 'acme', names: [{ en: 'Acme' }] })
  expect(structuredClone(reading)).toEqual(reading)
})

test.each([
  ['no JSON', '<html>', 'the file is not JSON'],
  ['too many levels', `{"id":${'['.repeat(70)}${']'.repeat(70)}}`, 'nested deeper than 64 levels'],
  ['too many values', `{"x":[${many(50_001, () => '0').join()}]}`, 'more than 50000 values'],
  ['too many members', Object.fromEntries(many(10_001, (n) => [`k${n}`, 0])), 'more than 10000'],
  ['no manifest', { hello: 'world' }, 'not a valid brand.json'],
])('%s is refused with its reason', (_what, document, reason) => {
  expect(refusal(document).reason).toContain(reason)
})

describe('of a hostile file only the first faults are reported', () => {
  const HOUSE = { domain: 'acme.com', name: 'Acme' }
  test.each<[string, unknown, ManifestType]>([
    ['agents', { agents: many(20_000, () => 0) }, 'brand.json'],
    ['empty agents', { agents: many(10_000, () => ({})) }, 'brand.json'],
    ['repeated agents', { agents: many(5_000, () => agentAt('https://a.com')) }, 'brand.json'],
    ['names', { id: 'a', names: many(20_000, () => ({ en: 0 })) }, 'brand.json'],
    ['names of one', { id: 'a', names: [wide(9_000, 0)] }, 'brand.json'],
    [
      'colours',
      { id: 'a', names: [{ en: 'x' }], colors: { text: many(20_000, () => 0) } },
      'brand.json',
    ],
    [
      'brands',
      { house: HOUSE, brands: many(2_000, () => ({ id: 0, names: 0, logos: [0, 0] })) },
      'brand.json',
    ],
    ['too many brands', { house: HOUSE, brands: many(2_001, () => ({})) }, 'brand.json'],
    [
      'brand_refs',
      { house: HOUSE, brand_refs: many(10_000, () => ({ domain: '-' })) },
      'brand.json',
    ],
    ['sellers', { authorized_agents: many(20_000, () => ({})) }, 'adagents.json'],
    ['properties', { authorized_agents: [], properties: many(20_000, () => 7) }, 'adagents.json'],
    ['tags', { authorized_agents: [], tags: wide(9_000, {}) }, 'adagents.json'],
  ])('%s', (_what, document, type) => {
    const { issues, reason } = refusal(document, type)
    expect(reason).toBe(`the file is not a valid ${type}`)
    expect(issues.length).toBeGreaterThan(0)
    expect(issues.length).toBeLessThanOrEqual(20)
  })
})

function agentAt(url: string) {
  return { type: 'brand', url, id: 'a' }
}

function wide(members: number, value: unknown) {
  return Object.fromEntries(many(members, (n) => [`k${n}`, value]))
}
