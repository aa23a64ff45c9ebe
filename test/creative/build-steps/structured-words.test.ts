import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import { assetsOf, type BuildHarness, buildHarness, formatId, refusalOf } from './build-harness.ts'

let harness: BuildHarness
beforeAll(async () => {
  harness = await buildHarness()
})
afterAll(() => harness.close())

const BRAND = {
  name: 'Northwind',
  url: 'https://northwind.example',
  colors: { primary: '#0b5d4e' },
}
const PUBLISHER = { publisher_name: { asset_type: 'text', content: 'Northwind' } }
const copy = {
  headline: 'Warm feet, cold nose',
  body: 'Light boots.',
  cta: 'Get yours',
  legal: 'While stocks last.',
}
const native = (more: object) => ({
  target_format_id: formatId('native_standard'),
  brand_manifest: BRAND,
  creative_manifest: { assets: PUBLISHER },
  ...more,
})
const textsIn = (answer: Parameters<typeof assetsOf>[0]) =>
  Object.values(assetsOf(answer)).flatMap(({ content }) => content ?? [])

test('copy is enough to build from, and is printed verbatim', async () => {
  const said = textsIn(await harness.build(native({ copy })))
  expect(said).toEqual(expect.arrayContaining([copy.headline, copy.body, copy.cta]))
})

test('copy replaces what the message dictates, and the message is followed in the rest', async () => {
  const message = 'Headline: "From the message". CTA: Read on'
  const said = textsIn(
    await harness.build(native({ message, copy: { headline: 'From the copy' } })),
  )
  expect(said).toContain('From the copy')
  expect(said).toContain('Read on')
  expect(said.join()).not.toContain('From the message')
})

test('the legal text is in an HTML banner, and beside it nothing of the instructions', async () => {
  const answer = await harness.build({
    target_format_id: formatId('display_300x250_html'),
    brand_manifest: BRAND,
    copy,
    instructions: ['larger headline'],
  })
  const html = textsIn(answer)
    .join('')
    .replace(/<style>.*?<\/style>/s, '')
  for (const words of ['Warm feet,', 'Light boots.', 'Get yours', 'While stocks last.']) {
    expect(html).toContain(words)
  }
  expect(html).not.toContain('larger')
})

test('instructions with a brand are enough to build from, and without one are not', async () => {
  const target_format_id = formatId('display_300x250_html')
  const instructions = ['white background']
  const html = textsIn(
    await harness.build({ target_format_id, brand_manifest: BRAND, instructions }),
  )
  expect(html.join('')).not.toContain('white background')
  expect(await refusalOf(harness.build({ target_format_id, instructions }))).toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})

test('what is to be avoided is in no text that is written', async () => {
  const offering = {
    name: 'Trail boots',
    description: 'Light and cheap. Made for long days. Now € 49.',
  }
  const answer = await harness.build(
    native({
      promoted_offerings: { brand_manifest: BRAND, inline_offerings: [offering] },
      brand_manifest: undefined,
      avoid: ['cheap', 'prices'],
    }),
  )
  const said = textsIn(answer).join(' ')
  expect(said).toContain('Made for long days')
  expect(said).not.toMatch(/cheap|49/)
})

test('copy that contains what is to be avoided is refused, by its place', async () => {
  const refusal = await refusalOf(
    harness.build(native({ copy: { body: 'Cheap boots' }, avoid: ['cheap'] })),
  )
  expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', field: '/copy/body' })
})

test('each of them counts for the recipe', async () => {
  const hashes = new Set<string | undefined>()
  const parts = [{}, { copy }, { instructions: ['larger headline'] }, { avoid: ['cheap'] }]
  for (const part of parts)
    hashes.add((await harness.build(native({ message: 'Boots', ...part }))).recipe_hash)
  expect(hashes.size).toBe(parts.length)
  const again = await harness.build(native({ message: 'Boots', copy }))
  expect(hashes).toContain(again.recipe_hash)
})

describe('the request is refused with', () => {
  test.each<[string, object]>([
    ['an empty copy', { copy: {} }],
    ['an unknown member of copy', { copy: { headline: 'A', title: 'B' } }],
    ['a headline that is too long', { copy: { headline: 'a'.repeat(151) } }],
    ['an empty instruction', { instructions: [''] }],
    ['too many instructions', { instructions: Array(21).fill('larger logo') }],
    ['too many words to avoid', { avoid: Array(21).fill('cheap') }],
    ['a phrase to avoid that is too long', { avoid: ['a'.repeat(81)] }],
    ['a text in place of the list', { instructions: 'larger logo' }],
  ])('%s', (_what, members) => {
    const target_format_id = formatId('display_300x250')
    expect(buildCreativeRequest.safeParse({ target_format_id, ...members }).success).toBe(false)
  })
})
