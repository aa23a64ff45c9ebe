import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  type CheckOptions,
  checkManifest,
} from '../../../src/creative/manifest-check/check-manifest.ts'
import { faultsError } from '../../../src/creative/manifest-check/fault.ts'
import { withAssetTypes } from '../../../src/creative/manifest-check/with-asset-types.ts'
import { assets as assetsSchema } from '../../../src/protocol/schemas/assets.ts'
import type { CreativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'
import { issuesOf } from '../../../src/protocol/schemas/issues.ts'
import { catalogue } from '../../support/creative.ts'
import { AGENT, bannerManifest, formatNamed, formatWith } from './manifests.ts'

const BANNER_FORMAT = formatNamed('display_300x250_image')

/** The faults of any value as a manifest, as `rule pointer`. */
function faultsOf(manifest: unknown, format: Format, options?: CheckOptions): string[] {
  const faults = checkManifest(manifest as CreativeManifest, format, options)
  return faults.map(({ rule, pointer }) => `${rule} ${pointer}`)
}

const banner = (assets: object = {}) => faultsOf(bannerManifest(assets), BANNER_FORMAT)

describe('the slots of a format', () => {
  test('spec 2.4: a manifest with every required asset fits', () => {
    expect(banner()).toEqual([])
  })

  test('spec 7.1: a missing asset is reported with the names that no slot has', () => {
    const { banner_image, ...others } = bannerManifest().assets ?? {}
    const misspelt = { assets: { ...others, baner_image: banner_image } } as CreativeManifest
    const [fault] = checkManifest(misspelt, BANNER_FORMAT)
    expect(fault?.message).toBe(
      'banner_image is required: an asset of type image. None of its slots: baner_image.',
    )
  })

  test('spec 7.1: a string where an asset belongs is reported with the expected shape', () => {
    const assets = { banner_image: 'https://cdn.example/a.png' }
    const [fault] = checkManifest({ assets } as unknown as CreativeManifest, BANNER_FORMAT)
    expect(fault?.message).toMatch(/^This must be an object of type image, such as \{"asset_type"/)
    expect(issuesOf(assetsSchema.safeParse(assets).error as z.ZodError)).toEqual([
      {
        pointer: '/banner_image',
        keyword: 'type',
        message: expect.stringMatching(/^An asset is an object such as .*, and not a text\.$/),
      },
    ])
  })

  test('spec 7.1: all missing assets are reported together, each with the expected content', () => {
    const faults = checkManifest({ assets: {} }, formatNamed('native_content'))
    expect(faults.map(({ pointer }) => pointer)).toEqual([
      '/assets/headline',
      '/assets/body',
      '/assets/thumbnail',
      '/assets/click_url',
      '/assets/disclosure',
    ])
    expect(faults[0]).toMatchObject({ rule: 'required', expected: 'text' })
    expect(faults[0]?.message).toContain('headline')
  })

  test('spec 2.4: an asset without its type has that of its slot, and is checked by it', () => {
    const { asset_type: _type, ...image } = bannerManifest().assets.banner_image
    expect(banner({ banner_image: image })).toEqual([])
    expect(banner({ banner_image: { ...image, width: 299 } })).toEqual([
      'width /assets/banner_image/width',
    ])
    expect(banner({ banner_image: { content: 'x' } })).toEqual([
      'required /assets/banner_image/url',
    ])
  })

  test('spec 2.4: an asset of another type than the slot’s is reported with both', () => {
    const manifest = bannerManifest({ banner_image: { asset_type: 'text', content: 'Hello' } })
    expect(checkManifest(manifest as CreativeManifest, BANNER_FORMAT)).toMatchObject([
      {
        rule: 'asset_type',
        pointer: '/assets/banner_image/asset_type',
        expected: 'image',
        actual: 'text',
      },
    ])
    expect(banner({ banner_image: { asset_type: 'picture', url: 'https://a.example' } })).toEqual([
      'asset_type /assets/banner_image/asset_type',
    ])
  })

  test('spec 2.4: assets that no slot names are tolerated, but not what is dangerous in them', () => {
    expect(banner({ more: { asset_type: 'text', content: 'x' }, untyped: { other: 1 } })).toEqual(
      [],
    )
    expect(banner({ more: { url: 'javascript:alert(1)' } })).toEqual(['url /assets/more/url'])
    expect(banner({ more: [{ asset_type: 'html', content: 'x' }] })).toEqual([
      'content /assets/more/0/content',
    ])
  })

  test('spec 2.4: names of assets are lower-case letters, digits and underscores', () => {
    expect(banner({ 'Bad/Name': { asset_type: 'text', content: 'x' } })).toEqual([
      'pattern /assets/Bad~1Name',
    ])
  })

  test('spec 2.4: one asset in a list of one is taken; a list of several is not', () => {
    const { banner_image } = bannerManifest().assets
    expect(banner({ banner_image: [banner_image] })).toEqual([])
    expect(banner({ banner_image: [banner_image, banner_image] })).toEqual([
      'type /assets/banner_image',
    ])
    expect(banner({ banner_image: [{ ...banner_image, height: 1 }] })).toEqual([
      'height /assets/banner_image/0/height',
    ])
  })
})

describe('the format id of a manifest', () => {
  const withId = (format_id: unknown, options?: CheckOptions) =>
    faultsOf({ ...bannerManifest(), format_id }, BANNER_FORMAT, options)

  test('spec 2.2: the same agent and name is the same format, however the URL is spelled', () => {
    expect(withId({ agent_url: 'HTTPS://ADS.example/', id: 'display_300x250_image' })).toEqual([])
    expect(withId(undefined)).toEqual([])
  })

  test('spec 7.1: another format or agent is a fault', () => {
    expect(withId({ agent_url: AGENT, id: 'display_728x90_image' })).toEqual([
      'format_id /format_id',
    ])
    expect(withId({ agent_url: 'https://b.example', id: 'display_300x250_image' })).toEqual([
      'format_id /format_id',
    ])
    expect(withId('display_300x250_image')).toEqual(['format_id /format_id'])
  })

  test('spec 2.2: parameters belong to the id', () => {
    const sized = formatNamed('display_image', { width: 300, height: 250 })
    const manifest = (parameters: object) => ({
      ...bannerManifest(),
      format_id: { agent_url: AGENT, id: 'display_image', ...parameters },
    })
    expect(faultsOf(manifest({ width: 300, height: 250 }), sized)).toEqual([])
    expect(faultsOf(manifest({}), sized)).toEqual(['format_id /format_id'])
  })

  test('spec 2.2: a caller that knows the catalogue says which ids mean the format', () => {
    const id = { agent_url: AGENT, id: 'display_300x250' }
    expect(withId(id)).toEqual(['format_id /format_id'])
    expect(withId(id, { isSameFormat: (other) => other.id === 'display_300x250' })).toEqual([])
  })
})

describe('a repeatable group', () => {
  const format = formatWith({
    item_type: 'repeatable_group',
    asset_group_id: 'headlines',
    min_count: 2,
    max_count: 3,
    assets: [{ asset_id: 'headline', asset_type: 'text', requirements: { max_length: 5 } }],
  })
  const group = (headlines: unknown) => faultsOf({ assets: { headlines } }, format)
  const text = (content: string) => ({ asset_type: 'text', content })

  test('spec 2.3: has at least min_count and at most max_count entries, each checked', () => {
    expect(group([text('a'), text('b')])).toEqual([])
    expect(group([text('a')])).toEqual(['min_count /assets/headlines'])
    expect(group(text('a'))).toEqual(['min_count /assets/headlines'])
    expect(group(['a', 'b', 'c', 'd'].map(text))).toEqual(['max_count /assets/headlines'])
    expect(group([text('a'), text('too long')])).toEqual(['max_length /assets/headlines/1/content'])
  })

  test('spec 2.3: one that is required and absent is reported with the required number', () => {
    expect(checkManifest({ assets: {} }, format)).toMatchObject([
      { rule: 'required', pointer: '/assets/headlines', expected: 2, actual: 0 },
    ])
  })

  test('spec 2.3: repetitions of several assets are counted by the most frequent', () => {
    const cards = formatWith({
      item_type: 'repeatable_group',
      asset_group_id: 'cards',
      min_count: 2,
      max_count: 2,
      assets: [
        { asset_id: 'image', asset_type: 'image' },
        { asset_id: 'title', asset_type: 'text', requirements: { max_length: 5 } },
      ],
    })
    const image = { asset_type: 'image', url: 'https://a.example/b.png' }
    const two = [image, text('one'), image, text('two')]
    expect(faultsOf({ assets: { cards: two } }, cards)).toEqual([])
    expect(faultsOf({ assets: { cards: [...two, image] } }, cards)).toEqual([
      'max_count /assets/cards',
    ])
    expect(faultsOf({ assets: { cards: [image, text('too long'), image] } }, cards)).toEqual([
      'max_length /assets/cards/1/content',
    ])
  })
})

describe('a generative format', () => {
  const format = formatNamed('display_300x250_generative')
  const brand_manifest = { name: 'Acme', colors: { primary: '#00aa77' } }
  const inputs = (promoted_offerings: object, options?: CheckOptions) =>
    faultsOf({ assets: { promoted_offerings } }, format, { message: 'Sell', ...options })

  test('spec 2.4: takes the brand and its offerings, by both names, as an object or an address', () => {
    expect(inputs({ brand_manifest, inline_offerings: [{ name: 'Shoes' }] })).toEqual([])
    expect(inputs({ brand_manifest: 'https://acme.example', offerings: [{ name: 'a' }] })).toEqual(
      [],
    )
    expect(inputs({ asset_type: 'catalog', offerings: [{ name: 'Shoes' }] })).toEqual([])
  })

  test('spec 2.4: a brand has a url or a name, and a safe address', () => {
    const at = '/assets/promoted_offerings/brand_manifest'
    expect(inputs({ brand_manifest: { colors: {} } })).toEqual([`anyOf ${at}`])
    expect(inputs({ brand_manifest: { url: 'file:///etc/passwd' } })).toEqual([`url ${at}/url`])
    expect(inputs({ inline_offerings: [{ name: 'a' }] })).toEqual([`required ${at}`])
    expect(inputs({ inline_offerings: [{ name: 'a' }] }, { isBrandKnown: true })).toEqual([])
    expect(inputs({ brand_manifest, inline_offerings: [{ description: 'a' }] })).toContain(
      'required /assets/promoted_offerings/inline_offerings/0/name',
    )
  })

  test('spec 4.2: needs a prompt, or the message of the request', () => {
    const manifest = { assets: { promoted_offerings: { brand_manifest } } }
    expect(faultsOf(manifest, format)).toEqual(['required /assets/generation_prompt'])
    expect(faultsOf(manifest, format, { message: ' ' })).toEqual([
      'required /assets/generation_prompt',
    ])
    expect(faultsOf(manifest, format, { message: 'Sell' })).toEqual([])
  })

  test('spec 2.4: needs no offerings where the manifest names the brand', () => {
    const manifest = { brand: { domain: 'acme.example' }, assets: {} }
    expect(faultsOf(manifest, format, { message: 'Sell' })).toEqual([])
  })
})

test('spec 7.1: the refusal is VALIDATION_ERROR with every fault as an issue of the request', () => {
  const faults = checkManifest({ assets: {} }, BANNER_FORMAT)
  const [error] = faultsError(faults).errors
  expect(error).toMatchObject({
    code: 'VALIDATION_ERROR',
    recovery: 'correctable',
    field: '/creative_manifest/assets/banner_image',
    issues: [
      { pointer: '/creative_manifest/assets/banner_image', keyword: 'required' },
      { pointer: '/creative_manifest/assets/click_url', keyword: 'required' },
    ],
  })
})

test('spec 2.4: assets are sent with their types, those of their slots where they state none', () => {
  const format = formatNamed('display_300x250_generative')
  const typed = withAssetTypes(
    {
      generation_prompt: { content: 'Sell' },
      promoted_offerings: { brand_manifest: { name: 'Acme' } },
      click_tracker: { asset_type: 'pixel_tracker', url: 'https://t.example' },
      unknown_link: { url: 'https://t.example' },
      unknown_text: [{ content: 'a' }],
    },
    format,
  )
  expect(typed).toMatchObject({
    generation_prompt: { asset_type: 'text', content: 'Sell' },
    promoted_offerings: { asset_type: 'promoted_offerings' },
    click_tracker: { asset_type: 'pixel_tracker' },
    unknown_link: { asset_type: 'url' },
    unknown_text: [{ asset_type: 'text' }],
  })
})

describe('whatever it is given', () => {
  const anyFormat = fc.constantFrom(...catalogue().formats)

  test('it answers with faults whose pointers lead into the manifest, and never throws', () => {
    fc.assert(
      fc.property(fc.anything(), anyFormat, (manifest, format) => {
        for (const fault of checkManifest(manifest as CreativeManifest, format)) {
          expect(fault.pointer).toMatch(/^(\/|$)/)
          expect(fault.message).not.toBe('')
        }
      }),
      { numRuns: 200 },
    )
  })

  test('assets of any JSON in the slots are checked without throwing, and reported once each', () => {
    const asset = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          asset_type: fc.oneof(
            fc.constantFrom('image', 'video', 'vast', 'text', 'html'),
            fc.string(),
          ),
          url: fc.oneof(
            fc.webUrl(),
            fc.string(),
            fc.constant('data:image/png;base64,'),
            fc.jsonValue(),
          ),
          content: fc.oneof(fc.string(), fc.constant('<VAST version="4.0">'), fc.jsonValue()),
          width: fc.oneof(fc.double(), fc.jsonValue()),
          height: fc.oneof(fc.integer(), fc.jsonValue()),
          duration_ms: fc.oneof(fc.integer(), fc.jsonValue()),
          format: fc.jsonValue(),
          brand_manifest: fc.jsonValue(),
          inline_offerings: fc.jsonValue(),
          delivery_type: fc.constantFrom('url', 'inline', 'other'),
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(anyFormat, fc.infiniteStream(asset), (format, values) => {
        const names = format.assets.map((slot) =>
          slot.item_type === 'individual' ? slot.asset_id : slot.asset_group_id,
        )
        const assets = Object.fromEntries(names.map((name) => [name, values.next().value]))
        const faults = faultsOf({ assets }, format)
        expect(new Set(faults).size).toBe(faults.length)
      }),
      { numRuns: 150 },
    )
  })
})
