import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { addressedTo, loadCatalogue } from '../../src/creative/format-catalogue.ts'
import { format as formatSchema, type IndividualSlot } from '../../src/protocol/schemas/format.ts'
import { catalogue } from '../support/creative.ts'

const OWN = ['https://ads.example']
const formats = catalogue()
const byId = new Map(formats.formats.map((format) => [format.format_id.id, format]))
const find = (id: string, parameters: object = {}, own = OWN) =>
  formats.find({ agent_url: 'https://ads.example/', id, ...parameters }, own)
const slotOf = (id: string, parameters: object = {}) => {
  const found = find(id, parameters)
  if (!found.ok) throw new Error(found.message)
  return found.format.assets_required[0] as IndividualSlot
}

const folder = mkdtempSync(join(tmpdir(), 'adwire-formats-'))
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0
const folderWith = (files: Record<string, unknown>): string => {
  const dir = join(folder, String(++made))
  mkdirSync(dir)
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return dir
}
const faultsWith = (files: Record<string, unknown>): string[] => {
  const loaded = loadCatalogue({ extraDirs: [folderWith(files)] })
  return loaded.ok ? [] : loaded.faults
}
const takeover = (own: object = {}) => ({
  id: 'homepage_takeover',
  name: 'Homepage takeover',
  type: 'display',
  renders: [{ role: 'primary', dimensions: { width: 1600, height: 400 } }],
  assets: [{ asset_id: 'hero', asset_type: 'image', required: true }],
  ...own,
})

describe('the project’s own formats', () => {
  test.each([
    ['display', 47],
    ['video', 16],
    ['native', 6],
    ['audio', 4],
    ['dooh', 4],
  ])('are complete: %s has %i', (type, count) => {
    expect(formats.formats.filter((format) => format.type === type)).toHaveLength(count)
  })

  const SIZES = ['300x250', '728x90', '320x50', '160x600', '336x280', '300x600', '970x250']
  const KINDS = ['image', 'image_2x', 'image_1x_2x', 'html', 'generative']
  test.each(SIZES)('have every kind of banner at %s, drawn at exactly that size', (size) => {
    const [width, height] = size.split('x').map(Number)
    for (const kind of KINDS) {
      const format = byId.get(`display_${size}_${kind}`)
      expect(format?.renders, kind).toEqual([{ role: 'primary', dimensions: { width, height } }])
    }
    expect(byId.get(`display_${size}_generative`)?.output_format_ids).toEqual([
      expect.objectContaining({ id: `display_${size}_image` }),
    ])
  })

  test('require pictures of twice the size where the screen is twice as sharp', () => {
    const size = { min_width: 600, max_width: 600, min_height: 500, max_height: 500 }
    expect(slotOf('display_300x250_image_2x').requirements).toMatchObject(size)
  })

  test.each(formats.formats.map((format) => [format.format_id.id, format] as const))(
    'spec 2.3: %s has a name, a description, slots and renders, without a size if it is audio',
    (_, format) => {
      const sent = addressedTo('https://ads.example', format)
      expect(formatSchema.safeParse(sent).success).toBe(true)
      expect(sent.format_id.agent_url).toBe('https://ads.example')
      expect(sent.description).toMatch(/^[A-Z].*\.$/)
      expect(sent.assets_required).toEqual(sent.assets.filter(({ required }) => required))
      expect(sent.assets_required.length).toBeGreaterThan(0)
      expect(sent.renders?.length).toBeGreaterThan(0)
      const isSized = sent.renders?.some(
        (render) => JSON.stringify(render.dimensions ?? 1) !== '{}',
      )
      expect(isSized).toBe(sent.type !== 'audio')
      expect(JSON.stringify(sent)).not.toContain('.invalid')
    },
  )

  test('have names that differ', () => {
    expect(new Set(formats.formats.map(({ name }) => name)).size).toBe(77)
  })
})

describe('find', () => {
  test.each([...formats.aliases.keys()])('spec 2.2: the alias %s means a format', (alias) => {
    const found = find(alias)
    if (!found.ok) throw new Error(found.message)
    expect(byId.has(found.format.format_id.id)).toBe(true)
    expect(found.format.format_id.agent_url).toBe('https://ads.example/')
  })

  test('an alias brings its size or length along', () => {
    expect(find('mobile_interstitial_320x480')).toMatchObject({
      format: {
        format_id: { id: 'display_image', width: 320, height: 480 },
        renders: [{ role: 'primary', dimensions: { width: 320, height: 480 } }],
      },
    })
    expect(slotOf('video_6s').requirements).toMatchObject({
      min_duration_ms: 6_000,
      max_duration_ms: 6_000,
    })
  })

  test('spec 2.2: a size in the id makes a template concrete', () => {
    const found = find('display_image', { width: 120, height: 600 })
    if (!found.ok) throw new Error(found.message)
    expect(found.format.format_id).toEqual({
      agent_url: 'https://ads.example/',
      id: 'display_image',
      width: 120,
      height: 600,
    })
    expect(found.format.renders).toEqual([
      { role: 'primary', dimensions: { width: 120, height: 600 } },
    ])
    expect(found.format).not.toHaveProperty('accepts_parameters')
    const slot = slotOf('display_image', { width: 120, height: 600 })
    expect(slot.requirements).toEqual({
      formats: ['jpg', 'png', 'gif', 'webp'],
      min_width: 120,
      max_width: 120,
      min_height: 600,
      max_height: 600,
    })
    expect(formatSchema.safeParse(found.format).success).toBe(true)
  })

  test('spec 2.2: a length in the id makes a template concrete, scaled to its place', () => {
    expect(find('video_standard', { duration_ms: 20_000 })).toMatchObject({
      ok: true,
      format: {
        format_id: { duration_ms: 20_000 },
        renders: [{ role: 'primary', dimensions: { responsive: { width: true, height: true } } }],
      },
    })
    const { requirements } = slotOf('video_standard', { duration_ms: 20_000 })
    expect(requirements).toMatchObject({ min_duration_ms: 20_000, max_duration_ms: 20_000 })
    expect(requirements).not.toHaveProperty('parameters_from_format_id')
  })

  test('a template without parameters stays one, and the catalogue is never changed', () => {
    const before = JSON.stringify(formats.formats)
    find('display_image', { width: 120, height: 600 })
    const found = find('display_image')
    expect(found).toMatchObject({ format: { accepts_parameters: ['dimensions'] } })
    expect(JSON.stringify(formats.formats)).toBe(before)
  })

  test.each([
    ['display_300x250_image', { width: 300, height: 250 }],
    ['video_standard_30s', { duration_ms: 30_000 }],
    ['mobile_interstitial_320x480', { width: 320, height: 480 }],
  ])('%s takes its own parameters %j', (id, parameters) => {
    expect(find(id, parameters).ok).toBe(true)
  })

  test.each([
    ['display_300x250_image', { width: 728, height: 90 }],
    ['display_300x250_image', { duration_ms: 1_000 }],
    ['display_image', { width: 300 }],
    ['display_image', { width: 300, height: 16_385 }],
    ['video_standard_30s', { duration_ms: 15_000 }],
    ['mobile_interstitial_320x480', { width: 300, height: 250 }],
    ['audio_standard_30s', { width: 300, height: 250 }],
  ])('%s does not take %j', (id, parameters) => {
    expect(find(id, parameters)).toMatchObject({ ok: false, reason: 'bad_parameters' })
  })

  test('a format of another agent is distinguished from an unknown one', () => {
    expect(find('display_image', {}, ['https://else.example'])).toMatchObject({
      reason: 'foreign_agent',
    })
    expect(find('display_1x1')).toMatchObject({ reason: 'unknown_id' })
    expect(find('constructor')).toMatchObject({ reason: 'unknown_id' })
    expect(find('display_image', {}, ['*']).ok).toBe(true)
  })

  test('spec 7.1: an unknown format is reported with those of nearly its name, and the one of any size', () => {
    const reported = (id: string) => {
      const found = find(id)
      return found.ok ? '' : found.message.split(`unknown format ${id}`)[1]
    }
    expect(reported('display_300x250_imag')).toMatch(
      /^; near it: display_300x250_image; of this size: /,
    )
    expect(reported('display_468x60_html')).toBe(
      '; of this size: display_html with "width": 468, "height": 60 beside its id',
    )
    expect(reported('something_else')).toBe('')
  })
})

describe('formats of an operator', () => {
  test('are added with their defaults, common slots and aliases', () => {
    const dir = folderWith({
      'site.json': {
        type: 'display',
        defaults: { supported_macros: ['CLICK_URL'] },
        common_assets: { click_url: { asset_type: 'url', required: true } },
        formats: [
          takeover({
            assets: [{ asset_id: 'hero', asset_type: 'image', required: false }, 'click_url'],
          }),
          takeover({ id: 'plain', supported_macros: [], input_format_ids: ['homepage_takeover'] }),
        ],
        aliases: { takeover: { id: 'homepage_takeover' } },
      },
      'notes.txt': 'not read',
    })
    const loaded = loadCatalogue({ extraDirs: [dir] })
    if (!loaded.ok) throw new Error(loaded.faults.join())
    expect(loaded.catalogue.formats).toHaveLength(79)
    const found = loaded.catalogue.find({ agent_url: 'https://ads.example', id: 'takeover' }, OWN)
    expect(found).toMatchObject({
      format: {
        supported_macros: ['CLICK_URL'],
        assets_required: [{ item_type: 'individual', asset_id: 'click_url' }],
      },
    })
    expect(loaded.catalogue.formats.at(-1)).not.toHaveProperty('supported_macros')
  })

  test('replace built-in formats and aliases of the same id, or are the only ones', () => {
    const dir = folderWith({
      'x.json': { formats: [takeover({ id: 'audio_30s' }), takeover({ id: 'video_6s' })] },
    })
    const both = loadCatalogue({ extraDirs: [dir] })
    if (!both.ok) throw new Error(both.faults.join())
    for (const id of ['audio_30s', 'video_6s']) {
      const found = both.catalogue.find({ agent_url: 'https://ads.example', id }, OWN)
      expect(found).toMatchObject({ format: { format_id: { id }, name: takeover().name } })
    }
    const alone = loadCatalogue({ extraDirs: [dir], hasBuiltIn: false })
    expect(alone).toMatchObject({ ok: true })
    if (alone.ok) expect(alone.catalogue.formats).toHaveLength(2)
  })

  test.each([
    ['text that is no JSON', '{', /x\.json: is not plain JSON/],
    ['a member given twice', '{"type":"display","type":"video"}', /duplicate_keys/],
    ['an unknown part', { format: [] }, /x\.json: \/format: /],
    ['a type that is none', { type: 'print' }, /x\.json: \/type: /],
    [
      'a misspelt member',
      { formats: [takeover({ nmae: 'a' })] },
      /format homepage_takeover: nmae /,
    ],
    ['no name', { formats: [takeover({ name: undefined })] }, /format homepage_takeover: \/name: /],
    ['no id', { formats: [takeover({ id: undefined })] }, /formats\/0: \/format_id\/id: /],
    ['an id with a blank', { formats: [takeover({ id: 'a b' })] }, /format a b: \/format_id\/id: /],
    ['no slots', { formats: [takeover({ assets: undefined })] }, /assets must be a list/],
    ['an unknown common slot', { formats: [takeover({ assets: ['hero'] })] }, /: \/assets\/0: /],
    [
      'an unknown asset type',
      { formats: [takeover({ assets: [{ asset_id: 'a', asset_type: 'smell', required: true }] })] },
      /: \/assets\/0\/asset_type: /,
    ],
    [
      'two slots of one name',
      { formats: [takeover({ assets: [...takeover().assets, ...takeover().assets] })] },
      /two slots are called hero/,
    ],
    [
      'a template without a place for its size',
      { formats: [takeover({ accepts_parameters: ['dimensions'] })] },
      /parameters_from_format_id/,
    ],
    [
      'an id twice',
      { formats: [takeover(), takeover()] },
      /format homepage_takeover: .*x\.json has/,
    ],
    [
      'an output that does not exist',
      { formats: [takeover({ output_format_ids: ['nothing'] })] },
      /output_format_ids names no format: nothing/,
    ],
    [
      'an alias of nothing',
      { aliases: { a: { id: 'nothing' } } },
      /alias a: there is no format nothing/,
    ],
    [
      'an alias with a size that its format does not take',
      { aliases: { a: { id: 'display_300x250_html', width: 1, height: 1 } } },
      /alias a: display_300x250_html has a fixed width/,
    ],
  ])('are refused by file and format for %s', (_, content, fault) => {
    expect(faultsWith({ 'x.json': content })).toEqual([expect.stringMatching(fault)])
  })

  test('are refused with all their faults together', () => {
    const bad = takeover({ id: 'other', renders: [{ role: 'primary' }], type: 'smell' })
    const faults = faultsWith({ 'a.json': '[]', 'b.json': { formats: [takeover(), bad] } })
    expect(faults).toHaveLength(3)
    expect(faults.filter((fault) => fault.includes('b.json: format other: '))).toHaveLength(2)
  })

  test('are refused when their folder is missing', () => {
    const loaded = loadCatalogue({ extraDirs: [join(folder, 'missing')] })
    expect(loaded).toMatchObject({ ok: false, faults: [expect.stringContaining('ENOENT')] })
  })
})
