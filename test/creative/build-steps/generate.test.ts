import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCatalogue } from '../../../src/creative/format-catalogue.ts'
import type { Asset } from '../../../src/protocol/schemas/assets.ts'
import {
  assetsOf,
  type BuildHarness,
  buildHarness,
  countColour,
  formatId,
  imageOf,
  seedRequest,
} from './build-harness.ts'

let harness: BuildHarness
beforeAll(async () => {
  harness = await buildHarness()
})
afterAll(() => harness.close())

test('a repeatable group of an operator’s format has an item for each offering', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'adwire-formats-'))
  const part = (asset_id: string, asset_type: string, requirements: object) => ({
    asset_id,
    asset_type,
    requirements,
  })
  const size = { min_width: 200, max_width: 200, min_height: 200, max_height: 200 }
  const file = {
    type: 'display',
    formats: [
      {
        id: 'carousel',
        name: 'Carousel',
        description: 'Cards beside each other.',
        renders: [{ role: 'primary', dimensions: { width: 600, height: 200 } }],
        assets: [
          {
            item_type: 'repeatable_group',
            asset_group_id: 'cards',
            required: true,
            min_count: 3,
            max_count: 5,
            assets: [
              part('card_image', 'image', { ...size, formats: ['jpg'], max_file_size_kb: 20 }),
              part('card_title', 'text', { max_length: 12 }),
            ],
          },
        ],
      },
    ],
  }
  writeFileSync(join(dir, 'own.json'), JSON.stringify(file))
  const loaded = loadCatalogue({ extraDirs: [dir] })
  if (!loaded.ok) throw new Error(loaded.faults.join())
  const own = await buildHarness({ catalogue: loaded.catalogue })
  try {
    const request = seedRequest('carousel')
    request.creative_manifest.assets.promoted_offerings.inline_offerings = [
      { name: 'Winter Sale', description: 'Up to 50% off all boots' },
      { name: 'Warm socks', description: 'Two for one' },
      { name: 'Laces', description: 'In six colours' },
    ]
    const answer = await own.build(request)
    const cards = (assetsOf(answer) as unknown as Record<string, Asset[]>).cards ?? []
    expect(cards.filter(({ asset_id }) => asset_id === 'card_image')).toHaveLength(3)
    expect(cards.filter(({ asset_id }) => asset_id === 'card_title')).toHaveLength(3)
    const bytes = await own.bytesOf(cards[0])
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 200 })
    expect(bytes.byteLength).toBeLessThanOrEqual(20_000)
  } finally {
    await own.close()
    rmSync(dir, { recursive: true })
  }
})

test.each([
  ['PNG', async (svg: Buffer) => sharp(svg).png().toBuffer()],
  ['SVG', async (svg: Buffer) => svg],
])('spec 2.4: a logo in %s is fetched and included in the picture', async (kind, encode) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120">
    <rect width="120" height="120" fill="#00c2a8"/></svg>`
  harness.files.files.set('/logo', { body: await encode(Buffer.from(svg)) })
  const request = seedRequest('display_300x250', { message: `with a logo in ${kind}` })
  const { brand_manifest } = request.creative_manifest.assets.promoted_offerings
  Object.assign(brand_manifest, { logos: [{ url: `${harness.files.url}/logo` }] })
  const answer = await harness.build(request)
  expect(await countColour(await harness.bytesOf(imageOf(answer)), '#00c2a8')).toBeGreaterThan(50)
  expect(answer.ext?.build_notes).toBeUndefined()
})

test('a logo that cannot be fetched is omitted and reported, and one of a private address is not requested', async () => {
  const request = seedRequest('display_300x250')
  const { brand_manifest } = request.creative_manifest.assets.promoted_offerings
  Object.assign(brand_manifest, { logos: [{ url: `${harness.canary.url}/logo.png` }] })
  const answer = await harness.build(request)
  expect((answer.ext as { build_notes: string[] }).build_notes[0]).toContain(
    'the logo was left out',
  )
  expect(harness.canary.requested).toEqual([])
})

test('a brand is found by its domain', async () => {
  const lookupBrand = async (domain: string) =>
    Buffer.from(
      JSON.stringify({
        id: 'acme',
        names: [{ en: 'Acme by domain' }],
        url: `https://${domain}/`,
        colors: { primary: '#00897b' },
      }),
    )
  const own = await buildHarness({ lookupBrand })
  try {
    const answer = await own.build({
      brand: { domain: 'acme.example' },
      target_format_id: formatId('native_mention'),
    })
    expect(assetsOf(answer)).toMatchObject({
      sponsored_by: { content: 'Acme by domain' },
      cta_url: { url: 'https://acme.example/' },
    })
    expect(answer.creative_manifest?.brand).toEqual({ domain: 'acme.example' })
  } finally {
    await own.close()
  }
})

test('spec 4.2: the message is the copy, and what is not followed or does not fit is reported', async () => {
  const more = 'free returns until 15 January, open daily from 9:00 to 21:30 at 14 Harbour Street'
  const early = 'with 200 pairs for 1 € each on the first of December for early birds in Rotterdam'
  const late =
    'parking for 2 € an hour in the garage at 3 Old Mill Lane behind the fish market hall'
  const message = `Black Friday: 50% off all sneakers. Put the logo top left. ${more}, ${early}, ${late}.`
  const answer = await harness.build({
    ...seedRequest('native_standard', { message }),
    promoted_offerings: { brand_manifest: { name: 'Acme', url: 'https://acme.example' } },
    creative_manifest: undefined,
  })
  expect(assetsOf(answer).title?.content).toContain('50% off')
  const notes = (answer.ext as { build_notes: string[] }).build_notes
  expect(notes.join()).toContain('“Put the logo top left”')
  const returned = Object.values(assetsOf(answer)).map(({ content = '' }) => content)
  for (const fact of ['200', '1 €', '21:30', '2 €']) {
    const isReturned = returned.some((text) => text.includes(fact))
    expect(isReturned || notes.some((note) => note.includes(fact)), fact).toBe(true)
  }
})

test('spec 4.2: a headline keeps its quotation marks in the text and in the picture', async () => {
  const headline = 'Say "yes" to 5.5" screens'
  const answer = await harness.build({
    target_format_id: formatId('display_300x250_html'),
    creative_manifest: {
      format_id: formatId('native_content'),
      assets: { headline: { asset_type: 'text', content: headline } },
    },
    promoted_offerings: { brand_manifest: { name: 'Acme', url: 'https://acme.example' } },
  })
  expect(assetsOf(answer).html_creative?.content).toContain('&#34;yes&#34;')
})
