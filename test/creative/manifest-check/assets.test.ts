import { describe, expect, test } from 'vitest'
import { checkManifest } from '../../../src/creative/manifest-check/check-manifest.ts'
import type { CreativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'
import type { Format } from '../../../src/protocol/schemas/format.ts'
import { formatNamed, formatWith } from './manifests.ts'

/** The rules that one asset breaks in a slot of this type, with the member each is about. */
function rulesOf(
  asset_type: string,
  requirements: object,
  asset: object,
  format?: Partial<Format>,
) {
  const slots = formatWith({ asset_id: 'it', asset_type, requirements })
  const manifest = { assets: { it: { asset_type, ...asset } } } as unknown as CreativeManifest
  const faults = checkManifest(manifest, { ...slots, ...format })
  return faults.map(({ rule, pointer }) => `${rule} ${pointer.replace('/assets/it/', '')}`)
}

const url = 'https://cdn.example/a'

describe('sizes', () => {
  const fixed = { min_width: 300, max_width: 300, min_height: 250, max_height: 250 }
  const image = (requirements: object, asset: object, format?: Partial<Format>) =>
    rulesOf('image', requirements, { url, ...asset }, format)

  test('spec 2.3: a fixed size is met exactly, and each side is reported', () => {
    expect(image(fixed, { width: 300, height: 250 })).toEqual([])
    expect(image(fixed, { width: 301, height: 249 })).toEqual(['width width', 'height height'])
  })

  test('spec 2.3: bounds include their ends', () => {
    const bounds = { min_width: 100, max_width: 200, min_height: 10 }
    expect(image(bounds, { width: 100, height: 10 })).toEqual([])
    expect(image(bounds, { width: 200, height: 9999 })).toEqual([])
    expect(image(bounds, { width: 99, height: 9 })).toEqual([
      'min_width width',
      'min_height height',
    ])
    expect(image(bounds, { width: 201, height: 10 })).toEqual(['max_width width'])
  })

  test('spec 2.4: what the manifest does not say is not checked', () => {
    expect(image(fixed, {})).toEqual([])
    expect(image(fixed, { width: 20 })).toEqual(['width width'])
  })

  test('spec 2.3: a ratio is met within a hundredth, or a pixel', () => {
    const ratio = { aspect_ratio: '16:9' }
    expect(image(ratio, { width: 1920, height: 1080 })).toEqual([])
    expect(image(ratio, { width: 854, height: 480 })).toEqual([])
    expect(image(ratio, { width: 17, height: 10 })).toEqual([])
    expect(image(ratio, { width: 1920, height: 1200 })).toEqual(['aspect_ratio width'])
    expect(image({ aspect_ratio: '1.91:1' }, { width: 1200, height: 628 })).toEqual([])
  })

  test('spec 2.3: the ratio of the format’s one render counts for slots without a size', () => {
    const wide = { renders: [{ role: 'primary', dimensions: { aspect_ratio: '16:9' } }] }
    expect(image({}, { width: 1080, height: 1920 }, wide)).toEqual(['aspect_ratio width'])
    expect(image(fixed, { width: 300, height: 250 }, wide)).toEqual([])
    const two = { renders: [...wide.renders, { role: 'companion', dimensions: { width: 1 } }] }
    expect(image({}, { width: 1080, height: 1920 }, two)).toEqual([])
  })

  test('spec 2.2: a template requires the size that its id states', () => {
    const format = formatNamed('display_image', { width: 320, height: 50 })
    const banner_image = { url, width: 320, height: 51 }
    const faults = checkManifest({ assets: { banner_image, click_url: { url } } }, format)
    expect(faults).toMatchObject([{ pointer: '/assets/banner_image/height', expected: 50 }])
  })
})

describe('files', () => {
  test('spec 2.3: the format is what the asset says, or how its address ends', () => {
    const image = (asset: object) =>
      rulesOf('image', { formats: ['jpg', 'png'] }, { url, ...asset })
    expect(image({ format: 'jpeg' })).toEqual([])
    expect(image({ format: 'image/JPEG' })).toEqual([])
    expect(image({ format: 'gif' })).toEqual(['formats format'])
    expect(image({ url: 'https://a.example/b.JPEG?x=1' })).toEqual([])
    expect(image({ url: 'https://a.example/b.gif' })).toEqual(['formats url'])
    expect(image({ url: 'https://a.example/image.php' })).toEqual([])
    expect(image({ url: 'https://a.example/b.gif', format: 'png' })).toEqual([])
  })

  test('spec 2.3: m4a is aac, by either name', () => {
    const audio = (formats: string[], container_format: string) =>
      rulesOf('audio', { formats }, { url, container_format })
    expect(audio(['mp3', 'aac'], 'm4a')).toEqual([])
    expect(audio(['m4a'], 'aac')).toEqual([])
    expect(audio(['mp3'], 'wav')).toEqual(['formats container_format'])
  })

  test('spec 2.3: a weight that is known stays below the limit, also in data', () => {
    const image = (asset: object) => rulesOf('image', { max_file_size_kb: 1 }, { url, ...asset })
    expect(image({ file_size_bytes: 1_024 })).toEqual([])
    expect(image({ file_size_bytes: 1_025 })).toEqual(['max_file_size_kb file_size_bytes'])
    const png = Buffer.alloc(2_000)
    png.write('\x89PNG', 'latin1')
    const data = `data:image/png;base64,${png.toString('base64')}`
    expect(image({ url: data })).toEqual(['max_file_size_kb url'])
    expect(
      rulesOf('html', { max_file_size_kb: 1 }, { content: `<b>${'é'.repeat(600)}</b>` }),
    ).toEqual(['max_file_size_kb content'])
  })

  test('spec 2.3: an exact length is met exactly, a range includes its ends', () => {
    const exact = { min_duration_ms: 15_000, max_duration_ms: 15_000 }
    expect(rulesOf('audio', exact, { url, duration_ms: 15_000 })).toEqual([])
    expect(rulesOf('audio', exact, { url, duration_ms: 14_999 })).toEqual([
      'duration_ms duration_ms',
    ])
    const range = { min_duration_ms: 6_000, max_duration_ms: 15_000 }
    expect(rulesOf('video', range, { url, duration_ms: 6_000 })).toEqual([])
    expect(rulesOf('video', range, { url, duration_ms: 15_001 })).toEqual([
      'max_duration_ms duration_ms',
    ])
    expect(rulesOf('video', range, { url, duration_ms: 5_999 })).toEqual([
      'min_duration_ms duration_ms',
    ])
  })

  test('spec 2.3: the technical data of a broadcast spot is checked where it is known', () => {
    const format = formatNamed('broadcast_spot_15s')
    const spot = (over: object) => ({
      assets: {
        video_file: {
          url: 'https://a.example/b.mp4',
          width: 1920,
          height: 1080,
          duration_ms: 15_000,
          video_codec: 'H264',
          video_bitrate_kbps: 20_000,
          frame_rate: '29.97',
          has_audio: true,
          audio_codec: 'aac',
          audio_sampling_rate_hz: 48_000,
          audio_loudness_lufs: -23,
          audio_true_peak_dbfs: -3,
          ...over,
        },
      },
    })
    expect(checkManifest(spot({}), format)).toEqual([])
    const bad = {
      video_codec: 'vp9',
      video_bitrate_kbps: 100,
      frame_rate: '25',
      scan_type: 'interlaced',
      has_audio: false,
      audio_codec: 'mp3',
      audio_sampling_rate_hz: 44_100,
      audio_loudness_lufs: -10,
      audio_true_peak_dbfs: 0,
    }
    expect(
      checkManifest(spot(bad), format)
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual([
      'audio_codecs',
      'audio_required',
      'audio_sample_rates',
      'codecs',
      'frame_rates',
      'loudness_lufs',
      'min_bitrate_kbps',
      'scan_type',
      'true_peak_dbfs',
    ])
  })
})

describe('texts', () => {
  const text = (requirements: object, content: string) => rulesOf('text', requirements, { content })

  test('spec 2.3: lengths count characters as people do', () => {
    expect(text({ max_length: 3 }, '👍👍👍')).toEqual([])
    expect(text({ max_length: 3 }, 'four')).toEqual(['max_length content'])
    expect(text({ min_length: 3 }, 'ab')).toEqual(['min_length content'])
  })

  test('spec 2.4: a text is not empty, unless its slot says so', () => {
    expect(text({}, '')).toEqual(['min_length content'])
    expect(text({}, ' \n ')).toEqual(['min_length content'])
    expect(text({ min_length: 0 }, '')).toEqual([])
  })

  test('spec 2.3: lines are counted whatever ends them', () => {
    expect(text({ min_lines: 2, max_lines: 3 }, 'a\r\nb\rc')).toEqual([])
    expect(text({ max_lines: 2 }, 'a\nb\nc')).toEqual(['max_lines content'])
    expect(text({ min_lines: 2 }, 'a')).toEqual(['min_lines content'])
  })

  test('spec 2.3: prohibited terms are found as words, in any case and spelling', () => {
    const prohibited_terms = ['free', 'C++', 'best price']
    expect(text({ prohibited_terms }, 'Freedom for gluten-freeness')).toEqual([])
    expect(text({ prohibited_terms }, 'It is FREE!')).toEqual(['prohibited_terms content'])
    expect(text({ prohibited_terms }, 'learn c++ now')).toEqual(['prohibited_terms content'])
    expect(text({ prohibited_terms }, 'ｆｒｅｅ')).toEqual(['prohibited_terms content'])
    expect(text({ prohibited_terms }, 'the best\n price')).toEqual(['prohibited_terms content'])
  })

  test('spec 2.3: a text matches the pattern, and is one of the allowed values', () => {
    expect(text({ character_pattern: '^[A-Z]+$' }, 'ABC')).toEqual([])
    expect(text({ character_pattern: '^[A-Z]+$' }, 'abc')).toEqual(['character_pattern content'])
    expect(text({ character_pattern: '(' }, 'abc')).toEqual([])
    expect(text({ allowed_values: ['Buy', 'Sell'] }, 'Buy')).toEqual([])
    expect(text({ allowed_values: ['Buy', 'Sell'] }, 'buy')).toEqual(['allowed_values content'])
  })
})

describe('markup and scripts', () => {
  test('spec 2.4: html holds markup, css a rule, javascript something', () => {
    expect(rulesOf('html', {}, { content: '<a href="#">x</a>' })).toEqual([])
    expect(rulesOf('html', {}, { content: 'only 1 < 2 words' })).toEqual(['content content'])
    expect(rulesOf('css', {}, { content: 'a { color: red }' })).toEqual([])
    expect(rulesOf('css', {}, { content: 'color: red' })).toEqual(['content content'])
    expect(rulesOf('javascript', {}, { content: 'x()' })).toEqual([])
    expect(rulesOf('javascript', {}, { content: ' \n' })).toEqual(['content content'])
  })

  test('spec 2.3: html loads only from where its slot allows', () => {
    const content =
      '<a href="https://brand.example"><img src="https://cdn.example/a.png"></a><style>b{background:url(//evil.example/x)}</style>'
    const html = (requirements: object) => rulesOf('html', requirements, { content })
    expect(html({})).toEqual([])
    expect(html({ external_resources_allowed: false })).toEqual([
      'external_resources_allowed content',
    ])
    const allowed = ['cdn.example', 'evil.example']
    expect(html({ allowed_external_domains: allowed })).toEqual([])
    expect(html({ allowed_external_domains: ['cdn.example'] })).toEqual([
      'allowed_external_domains content',
    ])
  })

  test('spec 2.3: a script is strict and of the kind its slot requires', () => {
    const script = (requirements: object, asset: object) =>
      rulesOf('javascript', requirements, asset)
    expect(script({ strict_mode_required: true }, { content: "'use strict'\nx()" })).toEqual([])
    expect(script({ strict_mode_required: true }, { content: 'x()' })).toEqual([
      'strict_mode_required content',
    ])
    expect(script({ module_type: 'script' }, { content: 'x()', module_type: 'esm' })).toEqual([
      'module_type module_type',
    ])
  })
})

test('spec 2.4: a catalogue has entries with the fields its slot requires, or says where it is', () => {
  const requirements = { required_fields: ['name'] }
  const catalog = (asset: object) => rulesOf('catalog', requirements, asset)
  expect(catalog({ items: [{ name: 'a' }] })).toEqual([])
  expect(catalog({ catalog_id: 'c-1' })).toEqual([])
  expect(catalog({ items: [{ name: 'a' }, { name: '' }] })).toEqual([
    'required_fields items/1/name',
  ])
  expect(catalog({ items: ['a'] })).toEqual(['type items/0'])
  expect(catalog({})).toEqual(['anyOf /assets/it'])
})
