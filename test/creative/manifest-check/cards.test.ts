import { describe, expect, test } from 'vitest'
import { planBuild } from '../../../src/creative/build-steps/plan-build.ts'
import { loadCatalogue } from '../../../src/creative/format-catalogue.ts'
import { cardIssues, withCards } from '../../../src/creative/manifest-check/cards.ts'
import { checkManifest } from '../../../src/creative/manifest-check/check-manifest.ts'
import { withAssetTypes } from '../../../src/creative/manifest-check/with-asset-types.ts'
import { drawItems } from '../../../src/creative/rendering/draw-items.ts'
import type { CreativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'
import { formatWith } from './manifests.ts'

const slides = {
  item_type: 'repeatable_group',
  asset_group_id: 'slides',
  min_count: 2,
  max_count: 3,
  assets: [
    { asset_id: 'slide_image', asset_type: 'image' },
    { asset_id: 'headline', asset_type: 'text', requirements: { max_length: 10 } },
    { asset_id: 'landing_url', asset_type: 'url' },
  ],
}
const format = formatWith(slides)
const image = { url: 'https://cdn.example/a.png', width: 300, height: 250 }
const card = (over: object = {}) => ({
  image,
  title: 'Shoes',
  link: 'https://shop.example/shoes',
  ...over,
})
const manifest = (...cards: unknown[]) => ({ assets: { cards } }) as unknown as CreativeManifest
const two = manifest(card(), card({ title: { content: 'Boots' } }))

/** Two cards as the protocol has them. */
const LAID_OUT = ['Shoes', 'Boots'].flatMap((content) => [
  { asset_type: 'image', ...image, asset_id: 'slide_image' },
  { asset_type: 'text', content, asset_id: 'headline' },
  { asset_type: 'url', url: 'https://shop.example/shoes', asset_id: 'landing_url' },
])

describe('spec 2.3: cards of a repeatable group', () => {
  test('become its assets, under the asset ids of the group', () => {
    expect(withCards(two, format).assets).toEqual({ slides: LAID_OUT })
    const named = { assets: { slides: two.assets?.cards } } as CreativeManifest
    expect(withCards(named, format).assets).toEqual({ slides: LAID_OUT })
  })

  test('that do not fit are reported up to a number, and how many more there are', () => {
    const bad = manifest(...Array.from({ length: 150 }, () => card({ colour: 'red' })))
    const issues = cardIssues(bad, format)
    expect(issues).toHaveLength(100)
    expect(issues.at(-1)?.message).toBe('51 more errors not shown.')
  })

  test('lack what every repetition needs, by its place', () => {
    const needy = formatWith({
      ...slides,
      assets: slides.assets.map((part) => ({ ...part, required: true })),
    })
    const { link: _, ...linkless } = card()
    const faults = checkManifest(manifest(linkless, card()), needy)
    expect(faults).toMatchObject([{ pointer: '/assets/slides/0/landing_url', rule: 'required' }])
    const flat = { assets: { slides: LAID_OUT.slice(0, 5) } } as unknown as CreativeManifest
    expect(checkManifest(flat, needy)).toMatchObject([
      {
        pointer: '/assets/slides',
        message: 'Each item of slides needs all its parts; some lack landing_url (url, 1 of 2).',
      },
    ])
  })

  test('are given in an accepted form where the group is missing', () => {
    const [fault] = checkManifest({ assets: {} } as CreativeManifest, format)
    expect(fault?.message).toContain('{"assets":{"slides":[{"slide_image":')
  })

  test('fit, and are kept as the assets they are', () => {
    expect(checkManifest(two, format)).toEqual([])
    expect(withAssetTypes(two.assets ?? {}, format)).toEqual({ slides: LAID_OUT })
  })

  test('are displayed in a preview', () => {
    const request = { creative_manifest: two, output_format: 'html' }
    const drawn = drawItems(
      {
        allowHosts: [],
        formats: [JSON.stringify(format)],
        items: [
          {
            json: JSON.stringify(request),
            isShaped: true,
            format: 0,
            isSameFormat: true,
            documents: new Map(),
            output: 'html',
          },
        ],
      } as unknown as Parameters<typeof drawItems>[0],
      () => {},
    )
    expect(JSON.stringify(drawn)).toContain('Boots')
    expect(JSON.stringify(drawn)).toContain(image.url)
  })

  test('are what a build begins with', () => {
    const plan = (creative_manifest: CreativeManifest) =>
      planBuild({
        json: JSON.stringify({ creative_manifest }),
        formats: [format],
        sourceFormat: undefined,
        variants: 1,
        isFromLibrary: false,
      })
    const { assets } = plan(two).material
    expect(assets.map(({ name, type }) => [name, type])).toEqual(
      LAID_OUT.map(({ asset_type }) => ['slides', asset_type]),
    )
    expect(() => plan(manifest(card({ price: '9' }), card()))).toThrow(
      '/creative_manifest/assets/slides/0/price: A card of slides has slide_image, headline, landing_url: this is none of them. Write, for example: {"assets":{"slides":[{"slide_image":',
    )
  })

  test.each([
    [
      'a part that the group has not',
      [card({ price: '9' }), card()],
      'card /assets/slides/0/price',
    ],
    ['a part that is no asset', [card(), card({ title: 7 })], 'card /assets/slides/1/title'],
    [
      'a text that is too long',
      [card({ title: 'x'.repeat(11) }), card()],
      'max_length /assets/slides/0/title/content',
    ],
    ['too few', [card()], 'min_count /assets/slides'],
    ['too many', [card(), card(), card(), card()], 'max_count /assets/slides'],
  ])('%s is reported at its place', (_what, cards, fault) => {
    const faults = checkManifest(manifest(...cards), format)
    expect(faults.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([fault])
  })

  test('a refusal shows cards of that very group, which would be accepted', () => {
    const faults = checkManifest(manifest(card({ price: '9' }), card({ title: 7 })), format)
    expect(faults.filter(({ rule }) => rule === 'card')).toHaveLength(2)
    for (const { message } of faults.filter(({ rule }) => rule === 'card')) {
      const example = JSON.parse(message.slice(message.indexOf('{'))) as {
        assets: { slides: object[] }
      }
      const [one] = example.assets.slides
      expect(Object.keys(one ?? {})).toEqual(['slide_image', 'headline', 'landing_url'])
      const twice = { assets: { slides: [one, one] } } as unknown as CreativeManifest
      expect(checkManifest(twice, format)).toEqual([])
    }
  })

  test('a list of cards that has no one place is refused, with the places that there are', () => {
    const free = { ...slides, required: false }
    const other = { ...free, asset_group_id: 'logos' }
    expect(checkManifest(two, formatWith(free, other))).toMatchObject([
      {
        rule: 'card',
        pointer: '/assets/cards',
        message: expect.stringMatching(/slides, logos.*\{"assets":\{"slides":\[\{"slide_image"/),
      },
    ])
    const none = formatWith({ asset_id: 'banner', asset_type: 'image', required: false })
    expect(checkManifest(two, none)).toMatchObject([
      { pointer: '/assets/cards', message: 'This format has no cards: its slots are banner.' },
    ])
  })

  test('a name that could mean two parts of the group means neither', () => {
    const texts = formatWith({
      ...slides,
      assets: [
        { asset_id: 'claim', asset_type: 'text' },
        { asset_id: 'note', asset_type: 'text' },
      ],
    })
    const given = manifest({ title: 'a' }, { claim: 'b' })
    expect(checkManifest(given, texts)).toMatchObject([
      { rule: 'card', pointer: '/assets/slides/0/title' },
      { rule: 'min_count' },
    ])
  })

  test('spec 2.3: the parts of a product carousel are known by what people call them', () => {
    const loaded = loadCatalogue()
    const id = { agent_url: 'https://ads.example', id: 'product_carousel_3_to_10' }
    const found = loaded.ok ? loaded.catalogue.find(id, ['https://ads.example']) : undefined
    if (!found?.ok) throw new Error('the format is there')
    const natural = {
      picture: image,
      title: 'Boots',
      text: 'Warm.',
      price: '€ 99',
      link: 'https://a.example/',
    }
    const given = manifest(natural, natural, natural)
    expect(checkManifest(given, found.format)).toEqual([])
    expect(withCards(given, found.format).assets).toMatchObject({
      cards: [
        { asset_id: 'image', ...image },
        { asset_id: 'headline', content: 'Boots' },
        { asset_id: 'description', content: 'Warm.' },
        { asset_id: 'price', content: '€ 99' },
        { asset_id: 'landing_url', url: 'https://a.example/' },
        ...Array(10).fill({}),
      ],
    })
  })

  test('a list of plain assets stays one, and a slot called cards is left alone', () => {
    const plain = { assets: { slides: LAID_OUT } } as CreativeManifest
    expect(withCards(plain, format)).toEqual(plain)
    const own = formatWith(slides, { asset_id: 'cards', asset_type: 'text' })
    expect(withCards(two, own)).toEqual(two)
  })
})
