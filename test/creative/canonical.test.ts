import { expect, test } from 'vitest'
import { capabilitiesOf, inCanonicalWords } from '../../src/creative/canonical/capabilities.ts'
import { declarationOf } from '../../src/creative/canonical/declaration.ts'
import { loadCatalogue } from '../../src/creative/format-catalogue.ts'
import type { SentCreativeManifest } from '../../src/protocol/schemas/creative-manifest.ts'

const loaded = loadCatalogue()
if (!loaded.ok) throw new Error(loaded.faults.join())
const { catalogue } = loaded
const { supported_formats, preview } = capabilitiesOf(catalogue).declared('https://ads.example')

test('spec 4.5: the first capability is an image with its slots, and every one can be previewed', () => {
  expect(supported_formats[0]).toMatchObject({
    capability_id: 'display_300x250',
    operations: ['build', 'validate', 'preview'],
    format: {
      format_kind: 'image',
      params: {
        width: 300,
        height: 250,
        slots: [
          { asset_group_id: 'image_main', asset_type: 'image', required: true },
          { asset_group_id: 'landing_page_url', asset_type: 'url', required: false },
        ],
      },
      v1_format_ref: [{ agent_url: 'https://ads.example', id: 'display_300x250_image' }],
    },
  })
  expect(preview.routes.map(({ capability_id }) => capability_id)).toEqual(
    supported_formats.map(({ capability_id }) => capability_id),
  )
})

test('spec 2.3: capabilities have names of their own, and what they stand for', () => {
  const ids = supported_formats.map(({ capability_id }) => capability_id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  for (const size of ['300x250', '728x90', '320x50']) {
    expect(ids).toContain(`display_${size}`)
    expect(ids).toContain(`display_${size}_generative`)
  }
  const kinds = new Map(
    supported_formats.map(({ capability_id, format }) => [capability_id, format.format_kind]),
  )
  expect(kinds.get('audio_30s')).toBe('audio_hosted')
  expect(kinds.get('video_30s')).toBe('video_hosted')
  expect(kinds.get('native_standard')).toBe('native_in_feed')
})

test('what has no canonical kind is not declared: templates, renditions, cards', () => {
  const undeclared = catalogue.formats.filter((format) => !declarationOf(format))
  const ids = undeclared.map(({ format_id }) => format_id.id)
  expect(ids).toEqual(
    expect.arrayContaining(['display_image', 'display_300x250_image_2x', 'product_card_standard']),
  )
  for (const { capability_id } of supported_formats) expect(ids).not.toContain(capability_id)
})

test('spec 4.2: a manifest by its kind has canonical names and no format_id', () => {
  const { format } = capabilitiesOf(catalogue).find('display_300x250', '/target_capability_id')
  const manifest = {
    format_id: format.format_id,
    assets: { banner_image: { asset_type: 'image' }, click_url: { asset_type: 'url' } },
    brand: { domain: 'a.example' },
  } as unknown as SentCreativeManifest
  expect(inCanonicalWords(manifest, format)).toEqual({
    format_kind: 'image',
    assets: { image_main: { asset_type: 'image' }, landing_page_url: { asset_type: 'url' } },
    brand: { domain: 'a.example' },
  })
})

test('a capability that is not there is refused by the field that names it', () => {
  expect(() => capabilitiesOf(catalogue).find('nothing', '/target_capability_ids/2')).toThrow(
    expect.objectContaining({
      errors: [
        expect.objectContaining({
          code: 'FORMAT_NOT_SUPPORTED',
          field: '/target_capability_ids/2',
        }),
      ],
    }),
  )
})
