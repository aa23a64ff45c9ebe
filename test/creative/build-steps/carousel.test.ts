import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCatalogue } from '../../../src/creative/format-catalogue.ts'
import type { Asset } from '../../../src/protocol/schemas/assets.ts'
import { buildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import { checkShape } from '../../../src/protocol/schemas/issues.ts'
import { assetsOf, type BuildHarness, buildHarness, formatId, refusalOf } from './build-harness.ts'

const file = {
  type: 'display',
  formats: [
    {
      id: 'carousel',
      name: 'Carousel',
      description: 'Cards beside each other.',
      renders: [{ role: 'primary', dimensions: { width: 200, height: 200 } }],
      assets: [
        {
          item_type: 'repeatable_group',
          asset_group_id: 'product',
          required: true,
          min_count: 2,
          max_count: 3,
          assets: [
            { asset_id: 'card_image', asset_type: 'image', required: true },
            { asset_id: 'card_title', asset_type: 'text', required: true },
            { asset_id: 'card_price', asset_type: 'text', required: false },
            { asset_id: 'card_link', asset_type: 'url', required: true },
          ],
        },
      ],
    },
    {
      id: 'directory',
      name: 'Directory',
      description: 'Products by their sponsor, beside words of a publisher.',
      renders: [{ role: 'primary', dimensions: { width: 200, height: 200 } }],
      assets: [
        { asset_id: 'headline', asset_type: 'text', required: true },
        { asset_id: 'publisher_name', asset_type: 'text', required: false },
        { asset_id: 'audience_summary', asset_type: 'text', required: false },
        { asset_id: 'advertiser_name', asset_type: 'text', required: false },
        {
          item_type: 'repeatable_group',
          asset_group_id: 'cards',
          required: true,
          min_count: 2,
          max_count: 3,
          assets: [
            { asset_id: 'title', asset_type: 'text', required: true },
            { asset_id: 'sponsored_by', asset_type: 'text', required: false },
          ],
        },
      ],
    },
    ...['publisher_name', 'audience_summary', 'sponsored_by'].map((asset_id) => ({
      id: `needs_${asset_id}`,
      name: 'Needs a text',
      description: 'Needs a text that no brand and no offering has.',
      renders: [{ role: 'primary', dimensions: { width: 200, height: 200 } }],
      assets: [{ asset_id, asset_type: 'text', required: true }],
    })),
    {
      id: 'gallery',
      name: 'Gallery',
      description: 'A headline, and pictures where there are several.',
      renders: [{ role: 'primary', dimensions: { width: 200, height: 200 } }],
      assets: [
        { asset_id: 'headline', asset_type: 'text', required: true },
        {
          item_type: 'repeatable_group',
          asset_group_id: 'pictures',
          required: false,
          min_count: 2,
          max_count: 3,
          assets: [
            { asset_id: 'picture', asset_type: 'image' },
            { asset_id: 'title', asset_type: 'text' },
          ],
        },
      ],
    },
  ],
}

let harness: BuildHarness
const dir = mkdtempSync(join(tmpdir(), 'adwire-formats-'))
beforeAll(async () => {
  writeFileSync(join(dir, 'own.json'), JSON.stringify(file))
  const loaded = loadCatalogue({ extraDirs: [dir] })
  if (!loaded.ok) throw new Error(loaded.faults.join())
  harness = await buildHarness({ catalogue: loaded.catalogue })
  const picture = async (name: string, background: string) => {
    const canvas = { width: 400, height: 400, channels: 3 as const, background }
    const body = await sharp({ create: canvas }).png().toBuffer()
    harness.files.files.set(name, { body, type: 'image/png' })
  }
  await picture('/boots.png', '#aa0000')
  await picture('/socks.png', '#00aa00')
})
afterAll(async () => {
  await harness.close()
  rmSync(dir, { recursive: true })
})

const brand_manifest = { name: 'Northwind', url: 'https://northwind.example' }
const build = (more: object) => harness.build({ target_format_id: formatId('carousel'), ...more })
const cardsOf = (answer: Awaited<ReturnType<BuildHarness['build']>>) =>
  (assetsOf(answer) as unknown as { product: Asset[] }).product
const partsOf = (assets: readonly Asset[]) => assets.map(({ asset_id }) => asset_id)
const saidOf = (assets: readonly Asset[], part: string) =>
  assets.filter(({ asset_id }) => asset_id === part).map(({ content, url }) => content ?? url)
const notesOf = (answer: object) =>
  (answer as { ext?: { build_notes?: string[] } }).ext?.build_notes ?? []

test('spec 4.2: each of several offerings has a card with its own picture, name, price and address', async () => {
  const answer = await build({
    message: 'Headline: "Warm feet"',
    promoted_offerings: {
      brand_manifest,
      inline_offerings: [
        {
          name: 'Boots',
          price: '€ 99',
          image_url: `${harness.files.url}/boots.png`,
          landing_url: 'https://northwind.example/boots',
        },
        { name: 'Socks', image_url: `${harness.files.url}/socks.png` },
        { name: 'Laces', image_url: `${harness.files.url}/missing.png` },
      ],
    },
  })
  const cards = cardsOf(answer)
  expect(partsOf(cards)).toEqual([
    'card_image',
    'card_title',
    'card_price',
    'card_link',
    'card_image',
    'card_title',
    'card_link',
    'card_image',
    'card_title',
    'card_link',
  ])
  expect(saidOf(cards, 'card_title')).toEqual(['Boots', 'Socks', 'Laces'])
  expect(saidOf(cards, 'card_price')).toEqual(['€ 99'])
  expect(saidOf(cards, 'card_link')).toEqual([
    'https://northwind.example/boots',
    'https://northwind.example',
    'https://northwind.example',
  ])
  expect(new Set(saidOf(cards, 'card_image')).size).toBe(3)
  expect(notesOf(answer)).toEqual(
    expect.arrayContaining([
      'the picture of offering 3 was left out: its server answered 404',
      'omitted: “Warm feet”: each of product has its own headline',
    ]),
  )
})

test('spec 4.2: a card says what its own offering says: a price with its currency, and no description of another', async () => {
  const answer = await harness.build({
    target_format_id: formatId('product_carousel_3_to_10'),
    message: 'Autumn sale',
    promoted_offerings: {
      brand_manifest,
      inline_offerings: [
        { name: 'Boots', description: 'Warm and dry.', price: { amount: 99, currency: 'EUR' } },
        { name: 'Socks', price: 9, currency: 'EUR' },
        { name: 'Laces' },
      ],
    },
  })
  const { cards } = assetsOf(answer) as unknown as { cards: Asset[] }
  expect(saidOf(cards, 'headline')).toEqual(['Boots', 'Socks', 'Laces'])
  expect(saidOf(cards, 'description')).toEqual(['Warm and dry.'])
  expect(saidOf(cards, 'price')).toEqual(['99 EUR', '9 EUR'])
})

test.each([
  [{ price: '€ 99' }, '€ 99'],
  [{ price: '€ 99', currency: 'EUR' }, '€ 99'],
  [{ price: '99', currency: 'EUR' }, '99 EUR'],
  [{ price: { amount: 99, currency: 'EUR' } }, '99 EUR'],
])(
  'spec 4.2: the price slot of a product card says the price of the offering, given as %j',
  async (priced, said) => {
    const card = await harness.build({
      target_format_id: formatId('native_product_card'),
      promoted_offerings: { brand_manifest, inline_offerings: [{ name: 'Boots', ...priced }] },
    })
    expect(assetsOf(card).price).toEqual({ asset_type: 'text', content: said })
    const carousel = await harness.build({
      target_format_id: formatId('product_carousel_3_to_10'),
      promoted_offerings: {
        brand_manifest,
        inline_offerings: [
          { name: 'Boots', ...priced },
          { name: 'Socks' },
          { name: 'Laces', ...priced },
        ],
      },
    })
    const { cards } = assetsOf(carousel) as unknown as { cards: Asset[] }
    expect(saidOf(cards, 'price')).toEqual([said, said])
  },
)

test('spec 4.2: a price that is too long for its slot is left out whole, with a note', async () => {
  const price = 'from 1,299.00 EUR a month for the first two years'
  const answer = await harness.build({
    target_format_id: formatId('native_product_card'),
    promoted_offerings: { brand_manifest, inline_offerings: [{ name: 'Boots', price }] },
  })
  expect(assetsOf(answer)).not.toHaveProperty('price')
  expect(notesOf(answer)).toContain(`price: the price “${price}” was omitted: it does not fit`)
})

test('spec 2.3: the brand is named wherever there is a place for it, and no other name is made up', async () => {
  const answer = await harness.build({
    target_format_id: formatId('directory'),
    message: 'Headline: "Warm feet"',
    promoted_offerings: {
      brand_manifest,
      inline_offerings: [{ name: 'Boots' }, { name: 'Socks' }],
    },
  })
  const { cards, ...others } = assetsOf(answer) as unknown as { cards: Asset[] }
  expect(others).toEqual({
    headline: { asset_type: 'text', content: 'Warm feet' },
    advertiser_name: { asset_type: 'text', content: 'Northwind' },
  })
  expect(saidOf(cards, 'sponsored_by')).toEqual(['Northwind', 'Northwind'])
})

test.each([
  ['publisher_name', ''],
  ['audience_summary', ''],
  ['sponsored_by', ', or give the brand in brand_manifest'],
])(
  'spec 2.3: a format that requires %s is refused where the request has none',
  async (name, more) => {
    const refused = await refusalOf(
      harness.build({
        target_format_id: formatId(`needs_${name}`),
        message: 'Headline: "Warm feet"',
        promoted_offerings: { inline_offerings: [{ name: 'Boots', description: 'Warm.' }] },
      }),
    )
    expect(refused).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: `/creative_manifest/assets/${name}: The format requires a text that the request does not have: give it as {"asset_type": "text", "content": "…"}${more}.`,
    })
  },
)

const blank = { name: 'Boots', description: ' ', price: '' }
test.each([
  'display_300x250_image',
  'display_300x250_html',
  'native_standard',
  'native_product_card',
  'product_carousel_3_to_10',
  'carousel',
])('spec 4.2: %s is built without a blank price and description', async (id) => {
  const inline_offerings = [
    blank,
    { name: 'Socks', description: '', price: { amount: ' ', currency: 'EUR' } },
    { name: 'Laces', price: null },
  ]
  const { assets } = (
    await harness.build({
      target_format_id: formatId(id),
      promoted_offerings: { brand_manifest, inline_offerings },
    })
  ).creative_manifest as { assets: Record<string, Asset | Asset[]> }
  const all = Object.values(assets).flat()
  expect(all.filter(({ content }) => content?.trim() === '')).toEqual([])
  expect(all.filter(({ asset_id = '' }) => /price|description/.test(String(asset_id)))).toEqual([])
})

test.each(['', '  \n'])(
  'spec 2.4: an offering with the blank name %j is refused with what to give',
  (name) => {
    const promoted_offerings = { brand_manifest, inline_offerings: [{ name }] }
    const request = { target_format_id: formatId('carousel'), promoted_offerings }
    const issue = {
      message: 'name is blank: give the name of what is offered, such as "Trail boots".',
      keyword: 'pattern',
    }
    expect(checkShape(buildCreativeRequest, request)).toEqual({
      ok: false,
      issues: [{ ...issue, pointer: '/promoted_offerings/inline_offerings/0/name' }],
    })
    const creative_manifest = { assets: { promoted_offerings } }
    expect(checkShape(buildCreativeRequest, { ...request, creative_manifest })).toMatchObject({
      ok: false,
      issues: expect.arrayContaining([
        {
          ...issue,
          pointer: '/creative_manifest/assets/promoted_offerings/inline_offerings/0/name',
        },
      ]),
    })
  },
)

test('spec 2.3: cards of the request stay together, as many as there are, whatever each of them lacks', async () => {
  const image = (name: string) => `${harness.files.url}/${name}.png`
  const cards = [
    { image: image('boots'), title: 'Boots', link: 'https://northwind.example/b' },
    { image: image('socks'), title: 'Socks', price: '€ 9', link: 'https://northwind.example/s' },
  ]
  const answer = await build({ creative_manifest: { assets: { cards } } })
  const built = cardsOf(answer)
  expect(partsOf(built)).toEqual([
    'card_image',
    'card_title',
    'card_link',
    'card_image',
    'card_title',
    'card_price',
    'card_link',
  ])
  expect(saidOf(built, 'card_title')).toEqual(['Boots', 'Socks'])
  const again = await build({
    creative_manifest: {
      assets: {
        product: [...built].sort((a, b) => (String(a.asset_id) < String(b.asset_id) ? -1 : 1)),
      },
    },
  })
  expect(saidOf(cardsOf(again), 'card_title')).toEqual(['Boots', 'Socks'])
  expect(saidOf(cardsOf(again), 'card_link')).toEqual(saidOf(built, 'card_link'))
})

const boots = { name: 'Boots' }
test.each([
  ['none', [], '0 different offerings'],
  ['one', [boots], '1 different offering'],
  ['two', [boots, { name: 'Socks' }], '2 different offerings'],
  ['two, one of them twice', [boots, { name: 'Socks' }, boots], '2 different offerings'],
])(
  'spec 2.3: a carousel of at least three cards is refused for %s',
  async (_, inline_offerings, given) => {
    const promoted_offerings = { brand_manifest, inline_offerings }
    const target_format_id = formatId('product_carousel_3_to_10')
    const pointer = '/creative_manifest/assets/promoted_offerings/inline_offerings'
    const creative_manifest = { assets: { promoted_offerings } }
    const message = `product_carousel_3_to_10 needs at least 3 items in cards, and the request has ${given}: give 3 to 10 offerings, one for each, or 3 to 10 items in creative_manifest.assets.cards`
    const request = { message: 'Autumn sale', target_format_id }
    expect(await refusalOf(harness.build({ ...request, creative_manifest }))).toEqual({
      code: 'VALIDATION_ERROR',
      field: pointer,
      message,
    })
    expect(await refusalOf(harness.build({ ...request, promoted_offerings }))).toMatchObject({
      field: '/promoted_offerings/inline_offerings',
    })
  },
)

test('spec 2.3: fewer cards than the format takes are refused where they are', async () => {
  const cards = [
    { image: `${harness.files.url}/boots.png`, title: 'Boots', link: 'https://a.example' },
  ]
  expect(await refusalOf(build({ creative_manifest: { assets: { cards } } }))).toEqual({
    code: 'VALIDATION_ERROR',
    field: '/creative_manifest/assets/product',
    message:
      'carousel needs at least 2 items in product, and the request has 1 item: give 2 to 3 offerings, one for each, or 2 to 3 items in creative_manifest.assets.product',
  })
})

test('spec 2.3: an offering that is sent twice has one card', async () => {
  const inline_offerings = [boots, { name: 'Socks' }, boots]
  const answer = await build({ promoted_offerings: { brand_manifest, inline_offerings } })
  expect(saidOf(cardsOf(answer), 'card_title')).toEqual(['Boots', 'Socks'])
})

test('spec 2.3: an optional group with too few items is left out with a note', async () => {
  const answer = await harness.build({
    target_format_id: formatId('gallery'),
    message: 'Warm feet',
    promoted_offerings: { brand_manifest, inline_offerings: [boots] },
  })
  expect(Object.keys(assetsOf(answer))).toEqual(['headline'])
  expect(notesOf(answer)).toContain('pictures: omitted, the format requires at least 2 or none')
})

test('the address of an offering is where a click leads, before the home of its brand', async () => {
  const offering = { name: 'Boots', landing_url: 'https://northwind.example/boots' }
  const answer = await harness.build({
    target_format_id: formatId('display_300x250_image'),
    promoted_offerings: { brand_manifest, inline_offerings: [offering] },
  })
  expect(assetsOf(answer).click_url).toMatchObject({ url: 'https://northwind.example/boots' })
})
