import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ASSET_SHAPES } from '../../../src/protocol/schemas/asset-shapes.ts'
import { isSoundItem, previewCreativeItem } from '../../../src/protocol/schemas/preview-creative.ts'

const FORMAT = { agent_url: 'https://a.example', id: 'display_300x250' }

const NAMES = [
  ...new Set(Object.values(ASSET_SHAPES).flatMap((shape) => Object.keys(shape))),
  'asset_type',
  'asset_id',
  'provenance',
  'elsewhere',
  'constructor',
  'toString',
]
/** What is right in some member, and wrong in most. */
const value = fc.oneof(
  fc.constantFrom('https://a.example/b.png', 'image', 'text', 'html', 'vast', 'inline', 'x', ''),
  fc.constantFrom(300, 1, 0, -1, 1.5, true, null, undefined),
  fc.constantFrom([], ['a'], [{ name: 'x' }], {}, { name: 'x' }, { url: 'https://a.example' }),
  fc.string({ maxLength: 5 }),
)
const SOUND_ASSET = fc.constantFrom<object>(
  { asset_type: 'image', url: 'https://a.example/b.png', width: 300, height: 250 },
  { asset_type: 'text', content: 'Shoes' },
  { asset_type: 'url', url: 'https://a.example/?c={CITY}' },
  { asset_type: 'html', content: '<p>' },
  { url: 'https://a.example/b.png' },
)
const asset = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3 }),
  fc
    .tuple(SOUND_ASSET, fc.constantFrom(...NAMES), value)
    .map(([right, name, other]) => ({ ...right, [name]: other })),
  SOUND_ASSET,
  value,
)
const some = fc.oneof(asset, fc.array(asset, { maxLength: 3 }))
const slot = fc.oneof(fc.constantFrom('banner_image', 'headline', 'x'.repeat(201)), fc.string())
const formatId = fc.constantFrom(
  FORMAT,
  { ...FORMAT, width: 300, height: 250 },
  { ...FORMAT, width: 300 },
  { ...FORMAT, more: 1 },
  'display',
  undefined,
)
const manifest = fc.record(
  {
    format_id: formatId,
    assets: fc.oneof(fc.dictionary(slot, some, { maxKeys: 4 }), value),
    format_kind: value,
    promoted_offering: value,
    brand: value,
    rights: value,
    ext: value,
    elsewhere: value,
  },
  { requiredKeys: [] },
)
const members = {
  format_id: formatId,
  creative_manifest: fc.oneof(manifest, value),
  inputs: fc.oneof(fc.constant([{ name: 'One', macros: { CITY: 'Bern' } }]), value),
  quality: fc.oneof(fc.constantFrom('draft', 'production'), value),
  output_format: fc.oneof(fc.constantFrom('url', 'html'), value),
  item_limit: value,
  creative_id: value,
  target_capability_id: value,
  elsewhere: value,
}
const sound = fc.record({
  creative_manifest: fc.record({
    format_id: fc.constant(FORMAT),
    assets: fc.dictionary(fc.constantFrom('a', 'b', 'c'), SOUND_ASSET, { maxKeys: 3 }),
  }),
})
/** One that is right, with one member as anything; so too its manifest, and an asset of it. */
const nearlySound = fc
  .tuple(sound, fc.record(members, { requiredKeys: [] }), fc.nat(), some, manifest, fc.nat())
  .map(([right, others, which, oneAsset, otherManifest, how]) => {
    const one = <T extends object>(from: T) =>
      Object.fromEntries(
        Object.entries(from).filter((_, index, all) => index === which % all.length),
      )
    const { creative_manifest } = right
    const { assets } = creative_manifest
    if (how % 3 === 0) return { ...right, ...one(others) }
    if (how % 3 === 1) {
      return { creative_manifest: { ...creative_manifest, ...one(otherManifest) } }
    }
    return { creative_manifest: { ...creative_manifest, assets: { ...assets, d: oneAsset } } }
  })
const item = fc.oneof(sound, nearlySound, fc.record(members, { requiredKeys: [] }))

test('spec 4.2: what is found sound at a glance is what the schema lets through, unchanged, and nothing else', () => {
  const seen = { sound: 0, faulty: 0 }
  fc.assert(
    fc.property(fc.oneof(item, value), (given) => {
      const checked = previewCreativeItem.safeParse(given)
      expect(isSoundItem(given)).toBe(checked.success)
      if (checked.success) expect(checked.data).toEqual(given)
      seen[checked.success ? 'sound' : 'faulty'] += 1
    }),
    { numRuns: 2_000 },
  )
  expect(seen.sound).toBeGreaterThan(300)
  expect(seen.faulty).toBeGreaterThan(300)
})

test('spec 2.4: more assets than a manifest may have are not sound', () => {
  const text = { asset_type: 'text', content: 'x' }
  const assets = Object.fromEntries(
    Array.from({ length: 3 }, (_, index) => [`list_${index}`, Array(200).fill(text)]),
  )
  const given = { creative_manifest: { format_id: FORMAT, assets } }
  expect(isSoundItem(given)).toBe(false)
  expect(previewCreativeItem.safeParse(given).success).toBe(false)
})
