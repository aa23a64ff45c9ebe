import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brandFontsOf } from '../../../src/creative/brand/brand-fonts.ts'
import { FONT_FILES } from '../../../src/creative/layout-engine/faces.ts'
import { checkFont } from '../../../src/creative/layout-engine/shaping/brand-fonts.ts'
import {
  FONT_PACKAGES,
  openPackage,
} from '../../../src/creative/layout-engine/shaping/font-packages.ts'
import { MAX_BRAND_FONT_BYTES } from '../../../src/creative/limits.ts'
import type { Asset } from '../../../src/protocol/schemas/assets.ts'
import { assetsOf, type BuildHarness, buildHarness, formatId } from './build-harness.ts'

const TTF = readFileSync(FONT_FILES[2] as string)
const fileOf = (name: string, letter: string) => {
  const fonts = FONT_PACKAGES.find((one) => one.name.endsWith(name))
  return readFileSync((fonts && openPackage(fonts)?.fileFor(letter.codePointAt(0) as number)) ?? '')
}
const WOFF2 = fileOf('/noto-sans', 'a')

/** As a tool for fonts writes it. */
function woffOf(ttf: Buffer): Buffer {
  const count = ttf.readUInt16BE(4)
  const head = Buffer.alloc(44 + count * 20)
  head.write('wOFF', 0, 'latin1')
  head.writeUInt32BE(ttf.readUInt32BE(0), 4)
  head.writeUInt16BE(count, 12)
  const tables: Buffer[] = []
  let at = head.length
  for (let index = 0; index < count; index++) {
    const entry = ttf.subarray(12 + index * 16, 28 + index * 16)
    const [from, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)]
    const table = ttf.subarray(from, from + length)
    const packed = deflateSync(table)
    const stored = packed.length < length ? packed : table
    entry.copy(head, 44 + index * 20, 0, 4)
    head.writeUInt32BE(at, 48 + index * 20)
    head.writeUInt32BE(stored.length, 52 + index * 20)
    head.writeUInt32BE(length, 56 + index * 20)
    entry.copy(head, 60 + index * 20, 4, 8)
    tables.push(stored)
    at += stored.length
  }
  return Buffer.concat([head, ...tables])
}

describe('a font of a brand', () => {
  test('that is only named is reported, with what is missing', () => {
    const notes: string[] = []
    const fonts = { primary: 'Acme Sans', secondary: { family: 'Acme Text' } }
    expect(brandFontsOf(fonts, (text) => notes.push(text))).toBeUndefined()
    expect(notes).toEqual([
      'the font Acme Sans, Acme Text was not used: the brand gives no URL of its file (fonts.font_urls)',
    ])
  })

  test('may be TTF, WOFF or WOFF2', () => {
    expect(checkFont(TTF)).toEqual({ ok: true, family: 'Adwire Sans' })
    expect(checkFont(woffOf(TTF))).toEqual({ ok: true, family: 'Adwire Sans' })
    expect(checkFont(WOFF2)).toMatchObject({ ok: true, family: expect.stringContaining('Noto') })
  })

  test('that is none, is cut short, or says that it unfolds into more than a font may is refused with the reason', () => {
    const none = { ok: false, reason: expect.any(String) }
    expect(checkFont(Buffer.from('<html>not found</html>'))).toEqual(none)
    expect(checkFont(Buffer.alloc(0))).toEqual(none)
    expect(checkFont(woffOf(TTF).subarray(0, 400))).toEqual(none)
    expect(checkFont(WOFF2.subarray(0, 2_000))).toEqual(none)
    const huge = Buffer.from(WOFF2)
    huge.writeUInt32BE(2 ** 31, 16)
    expect(checkFont(huge)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^it has more than \d+ bytes unpacked$/),
    })
  })
})

describe('spec 2.4: the fonts of a brand are read from', () => {
  const url = (name: string) => `https://fonts.example/${name}`
  const read = (given: unknown, note: (text: string) => void = () => {}) =>
    brandFontsOf(given, note)

  test('font_urls of a brand manifest', () => {
    const given = { primary: 'Acme', secondary: 'Acme Text', font_urls: [url('a'), url('b')] }
    expect(read(given)).toEqual([
      { url: url('a'), secondary: 'Acme Text' },
      { url: url('b'), secondary: 'Acme Text' },
    ])
  })

  test('families with files of a brand.json', () => {
    const given = {
      primary: { family: 'Acme', files: [{ url: url('a') }] },
      secondary: { family: 'Acme Text', url: url('b') },
    }
    expect(read(given)).toEqual([
      { url: url('a'), role: 'primary' },
      { url: url('b'), role: 'secondary' },
    ])
  })

  test('a list with roles', () => {
    const given = [
      { role: 'heading', family: 'Acme', files: [{ url: url('a') }] },
      { role: 'body', family: 'Acme Text', files: [url('b')] },
    ]
    expect(read(given)).toEqual([
      { url: url('a'), role: 'primary' },
      { url: url('b'), role: 'secondary' },
    ])
  })

  test('and from nothing else; more than four are reported', () => {
    for (const given of [undefined, 'Acme', { primary: 'Acme' }, [7], { font_urls: ['ftp://a'] }])
      expect(read(given)).toBeUndefined()
    const notes: string[] = []
    const many = { font_urls: ['a', 'b', 'c', 'd', 'e', 'a'].map(url) }
    expect(read(many, (text) => notes.push(text))).toHaveLength(4)
    expect(notes).toEqual(['the brand has 5 fonts: the first 4 were used'])
  })
})

describe('spec 2.4: a build for a brand with fonts', () => {
  let harness: BuildHarness
  beforeAll(async () => {
    harness = await buildHarness()
  })
  afterAll(() => harness.close())

  const request = (fonts: object, name = 'Warm feet') => ({
    target_format_id: formatId('display_300x250_html'),
    creative_manifest: {
      assets: {
        promoted_offerings: {
          brand_manifest: { name: 'Acme', url: 'https://brand.example', fonts },
          inline_offerings: [{ name, description: 'New boots in stores now.' }],
        },
      },
    },
  })
  const htmlOf = async (requested: object) => {
    const answer = await harness.build(requested)
    const html = Object.values(assetsOf(answer)).find((one) => (one as Asset).content !== undefined)
    return { html: (html as Asset).content ?? '', notes: answer.ext?.build_notes }
  }

  test('has its words in them, and brings their letters along', async () => {
    harness.files.files.set('/acme.woff2', { body: WOFF2, type: 'font/woff2' })
    const font_urls = [`${harness.files.url}/acme.woff2`]
    const { html, notes } = await htmlOf(request({ primary: 'Acme', font_urls }))
    expect(notes).toBeUndefined()
    expect(html).toMatch(/<text [^>]*font-family="f\d"[^>]*>Warm feet/)
    expect(html).toMatch(/@font-face\{font-family:f1;/)
    expect(html).not.toContain("font-family:'Adwire Sans'")
  })

  test('has letters that they lack in others, of the next build nothing is set in them', async () => {
    harness.files.files.set('/acme.woff2', { body: WOFF2, type: 'font/woff2' })
    const font_urls = [`${harness.files.url}/acme.woff2`]
    const { html } = await htmlOf(request({ font_urls }, 'Warm 足'))
    expect(html).toMatch(/<text [^>]*font-family="f\d,f\d"[^>]*>Warm 足/)
    const next = await htmlOf(request({}))
    expect(next.html).not.toContain('font-family:f1')
  })

  test('is made without what cannot be had or used, and says so', async () => {
    harness.files.files.set('/broken.ttf', { body: 'this is no font' })
    harness.files.files.set('/large.ttf', { body: Buffer.alloc(MAX_BRAND_FONT_BYTES + 1) })
    const names = ['broken.ttf', 'large.ttf', 'absent.ttf']
    const font_urls = [
      ...names.map((name) => `${harness.files.url}/${name}`),
      `${harness.canary.url}/inner.ttf`,
    ]
    const { html, notes } = await htmlOf(request({ font_urls }))
    expect(html).toContain("font-family:'Adwire Sans'")
    expect(notes).toEqual([
      'the font broken.ttf was left out: it is no font with letters',
      `the font large.ttf was left out: it has more than ${MAX_BRAND_FONT_BYTES} bytes`,
      'the font absent.ttf was left out: its server answered 404',
      expect.stringMatching(/^the font inner\.ttf was left out: /),
    ])
    expect(harness.canary.requested).toEqual([])
  })
})
