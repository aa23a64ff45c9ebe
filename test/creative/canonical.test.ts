import { expect, test } from 'vitest'
import { capabilitiesOf } from '../../src/creative/canonical/capabilities.ts'
import { declarationOf } from '../../src/creative/canonical/declaration.ts'
import { fittingCapability } from '../../src/creative/canonical/fitting.ts'
import { belowFloors } from '../../src/creative/canonical/floors.ts'
import { inCanonicalWords, inSlotWords } from '../../src/creative/canonical/words.ts'
import { loadCatalogue } from '../../src/creative/format-catalogue.ts'
import type { SentCreativeManifest } from '../../src/protocol/schemas/creative-manifest.ts'

const loaded = loadCatalogue()
if (!loaded.ok) throw new Error(loaded.faults.join())
const { catalogue } = loaded
const { supported_formats, preview } = capabilitiesOf(catalogue).declared('https://ads.example')

test('spec 4.5: the first capability is an image with its slots, and routes name what can be previewed', () => {
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
  const returned = supported_formats.filter(({ operations }) => operations.includes('preview'))
  expect(preview.routes.map(({ capability_id }) => capability_id)).toEqual(
    returned.map(({ capability_id }) => capability_id),
  )
})

test('spec 2.3: capabilities have names of their own, and what they represent', () => {
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

test('spec 2.3: every format of the catalogue has a canonical kind, and what is of any size is only checked', () => {
  expect(catalogue.formats.filter((format) => !declarationOf(format))).toEqual([])
  const byId = new Map(supported_formats.map((one) => [one.capability_id, one]))
  const kind = (id: string) => byId.get(id)?.format.format_kind
  expect(kind('display_300x250_html5') ?? kind('display_300x250_html')).toBe('html5')
  expect(kind('product_card_standard')).toBe('native_in_feed')
  expect(kind('display_js')).toBe('display_tag')
  expect(byId.get('display_static')?.operations).toEqual(['validate'])
  expect(byId.get('display_300x250_image_2x')?.format.params).toMatchObject({
    width: 300,
    height: 250,
    pixel_ratios: [2],
  })
  expect(byId.get('display_300x250_image_1x_2x')?.format.params).toMatchObject({
    pixel_ratios: [1, 2],
    slots: [
      {
        asset_group_id: 'image_main',
        min: 2,
        max: 2,
        pixel_ratios: [1, 2],
        required_pixel_ratios: [1, 2],
      },
      { asset_group_id: 'landing_page_url' },
    ],
  })
  for (const { format } of supported_formats) {
    const names = format.params.slots.map(({ asset_group_id }) => asset_group_id)
    expect(new Set(names).size).toBe(names.length)
    expect(belowFloors(format.format_kind, format.params)).toEqual([])
  }
})

test('spec 2.4: renditions are one list in canonical words, and come back into their slots', () => {
  const { format } = capabilitiesOf(catalogue).find('display_300x250_image_1x_2x', '/x')
  const image_main = [
    { url: 'https://a.example/2.png', width: 600, height: 500 },
    { url: 'https://a.example/1.png', width: 300, height: 250 },
  ]
  const { assets } = inSlotWords({ image_main } as Record<string, unknown>, format)
  expect(assets).toEqual({ banner_image: image_main[1], banner_image_2x: image_main[0] })
  const manifest = { format_id: format.format_id, assets } as unknown as SentCreativeManifest
  expect(inCanonicalWords(manifest, format).assets).toEqual({
    image_main: [
      { ...image_main[1], pixel_ratio: 1 },
      { ...image_main[0], pixel_ratio: 2 },
    ],
  })
})

test('spec 4.2: a manifest of a kind is for the capability of its size, and for none when it says too little', () => {
  const fitting = (assets: object, format_kind = 'image') =>
    fittingCapability(capabilitiesOf(catalogue), { format_kind, assets }, 'preview')?.capability_id
  const url = 'https://a.example/1.png'
  expect(fitting({ image_main: { url, width: 728, height: 90 } })).toBe('display_728x90')
  expect(fitting({ image_main: { url, width: 1456, height: 180 } })).toBe('display_728x90_image_2x')
  expect(fitting({ image_main: { url } })).toBeUndefined()
  expect(fitting({ video_main: { url, duration_ms: 15_000 } }, 'video_hosted')).toBe('video_15s')
})

test('spec 2.3: the minimum values of a declaration are reported by rule', () => {
  const rules = (kind: string, params: object) =>
    belowFloors(kind, params as Record<string, unknown>).map(({ rule }) => rule)
  const overlay = { ctv_ad_experience: 'overlay', creative_type: 'nonlinear' }
  expect(rules('video_vast', { ...overlay, duration_ms_exact: 9_000 })).toEqual([
    'ctv_duration_floor',
  ])
  expect(rules('video_vast', { ...overlay, duration_ms_range: [10_000, null] })).toEqual([])
  expect(rules('image', { ctv_ad_experience: 'overlay' })).toEqual(['ctv_ad_experience'])
  expect(rules('image', { width: 1, height: 1, sizes: [] })).toEqual(['size_mode'])
  const slot = { pixel_ratios: [2], required_pixel_ratios: [3] }
  expect(rules('image', { pixel_ratios: [1], slots: [slot] })).toEqual([
    'pixel_ratio_intersection_empty',
  ])
  expect(rules('image', { slots: [slot] })).toEqual(['required_pixel_ratio_not_accepted'])
  expect(rules('image', { slots: Array(101).fill({}) })).toEqual(['maxItems'])
  const timer = { trigger: 'timer', delay_ms: 999 }
  const states = [{ state_id: 'a', anchoring: 'overlay', close_affordance: false }]
  const transitions = [
    { ...timer, from_state_id: 'a', to_state_id: 'b' },
    { from_state_id: 'b', to_state_id: 'a', trigger: 'user_action' },
    { ...timer, from_state_id: 'b', to_state_id: 'c' },
  ]
  expect(rules('seller_rendered_stateful_display', { states, transitions })).toEqual([
    'dismissibility_floor',
    'timer_cycle_floor',
  ])
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
