import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { textsOf } from '../../../src/creative/layout-engine/texts.ts'
import { buildCreativeResponse } from '../../../src/protocol/schemas/build-creative.ts'
import { type BuildHarness, buildHarness, formatId, seedRequest } from './build-harness.ts'

const AD = {
  brand: { name: 'Acme', colors: { primary: '#0a5cff', secondary: '#ffb300' } },
  offering: {
    name: 'Trail shoes',
    description: 'Grip on every path. Dry feet in any weather. Two years of guarantee.',
  },
  width: 300,
  height: 250,
}
const VARIANTS = [0, 1, 2, 3]
const ads = VARIANTS.map((variant) => composeAd({ ...AD, variant }))

/** The picture in 16 × 16 grey values. */
const lookOf = (svg: string) =>
  sharp(Buffer.from(svg)).resize(16, 16, { fit: 'fill' }).removeAlpha().raw().toBuffer()

describe('variants of an advertisement', () => {
  test('have each a layout and a scene of its own', () => {
    expect(new Set(ads.map(({ layout }) => layout)).size).toBe(VARIANTS.length)
    const places = ads.map(({ parts }) => JSON.stringify(parts))
    expect(new Set(places).size).toBe(VARIANTS.length)
  })

  test('look different: their pictures are far apart', async () => {
    const looks = await Promise.all(ads.map(({ svg }) => lookOf(svg)))
    for (const [at, look] of looks.entries()) {
      for (const other of looks.slice(at + 1)) {
        const apart = look.reduce((sum, value, i) => sum + Math.abs(value - (other[i] ?? 0)), 0)
        expect(apart / look.length).toBeGreaterThan(12)
      }
    }
  })

  test('lead with different colours and sentences, and say the same', () => {
    expect(new Set(ads.map(({ colours }) => colours.primary)).size).toBe(3)
    expect(new Set(ads.map(({ texts }) => texts.headline)).size).toBeGreaterThan(2)
    const wordsOf = ({ headline, description }: (typeof ads)[number]['texts']) =>
      `${headline} ${description}`.replaceAll('.', '').split(' ').sort()
    for (const { texts } of ads) {
      expect(wordsOf(texts)).toEqual(wordsOf((ads[0] as (typeof ads)[number]).texts))
    }
  })

  test('are the same again for the same input, and the first is what there is without variants', () => {
    expect(VARIANTS.map((variant) => composeAd({ ...AD, variant }).svg)).toEqual(
      ads.map(({ svg }) => svg),
    )
    expect(composeAd(AD).svg).toBe(ads[0]?.svg)
  })

  test('leave words alone that were dictated', () => {
    const texts = { headline: 'Exactly this' }
    expect(VARIANTS.map((variant) => textsOf({ ...AD, texts, variant }).headline)).toEqual(
      VARIANTS.map(() => 'Exactly this'),
    )
  })
})

describe('spec 4.2: max_variants', () => {
  let harness: BuildHarness
  beforeAll(async () => {
    harness = await buildHarness({})
  })
  afterAll(() => harness.close())

  test('builds the requested number of each target, ranked, and all of them fit their format', async () => {
    const { target_format_id: _, ...others } = seedRequest('display_300x250', { max_variants: 3 })
    const targets = ['display_300x250_image', 'display_728x90_image']
    const request = { ...others, target_format_ids: targets.map((id) => formatId(id)) }
    const answer = await harness.build(request)
    expect(buildCreativeResponse.safeParse(answer).error?.issues).toBeUndefined()
    expect(answer).not.toHaveProperty('creative_manifests')
    expect(answer).toMatchObject({ items_total: 2, leaves_total: 6, keep_mode_applied: 'keep_all' })
    const ids = new Set<string>()
    for (const [target, { variants }] of (answer.creatives ?? []).entries()) {
      expect(variants.map(({ rank }) => rank)).toEqual([1, 2, 3])
      expect(new Set(variants.map((one) => JSON.stringify(one.creative_manifest))).size).toBe(3)
      for (const { creative_manifest, build_variant_id } of variants) {
        expect(creative_manifest.format_id?.id).toBe(targets[target])
        ids.add(build_variant_id)
      }
    }
    expect(ids.size).toBe(6)
    const { creatives } = await harness.build(request)
    expect(creatives).toEqual(answer.creatives)
  })

  test('of more creatives than a call may build is refused before anything is built', async () => {
    const { target_format_id, ...others } = seedRequest('display_300x250', { max_variants: 10 })
    const target_format_ids = Array.from({ length: 6 }, () => target_format_id)
    const error = await harness
      .build({ ...others, target_format_ids } as never)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ errors: [{ code: 'INVALID_REQUEST', field: '/max_variants' }] })
  })
})
