import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AGENT,
  assetsOf,
  type BuildHarness,
  buildHarness,
  countColour,
  formatId,
  refusalOf,
} from './build-harness.ts'

let harness: BuildHarness
beforeAll(async () => {
  harness = await buildHarness()
})
afterAll(() => harness.close())

const RED = '#e02020'
const GREEN = '#20a040'
const BLUE = '#2040e0'

const svg = (width: number, height: number, inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    ${inside}</svg>`)
const png = (width: number, height: number, inside: string) =>
  sharp(svg(width, height, inside))
    .png()
    .toBuffer()

/** A leaderboard: a white strip with a red circle in its middle. */
const leaderboard = () =>
  png(
    728,
    90,
    `<rect width="728" height="90" fill="#ffffff"/><circle cx="364" cy="45" r="40" fill="${RED}"/>`,
  )
/** A wide picture: green on the left, white, blue on the right. */
const stripes = () =>
  png(
    900,
    500,
    `<rect width="900" height="500" fill="#ffffff"/>
     <rect width="200" height="500" fill="${GREEN}"/>
     <rect x="700" width="200" height="500" fill="${BLUE}"/>`,
  )

async function serve(path: string, body: Buffer): Promise<string> {
  harness.files.files.set(path, { body, type: 'image/png' })
  return harness.files.url + path
}

const CLICK = { asset_type: 'url', url: 'https://acme.example/p?c={MEDIA_BUY_ID}&u={CLICK_URL}' }
const TRACKER = { asset_type: 'url', url: 'https://t.example/i?cb={CACHEBUSTER}' }

const request = (url: string, more: object = {}, assets: object = {}) => ({
  creative_manifest: {
    format_id: formatId('display_728x90_image'),
    assets: {
      banner_image: { asset_type: 'image', url, width: 728, height: 90 },
      click_url: CLICK,
      impression_tracker: TRACKER,
      ...assets,
    },
  },
  target_format_id: formatId('display_300x250_image'),
  ...more,
})

const notesOf = (answer: { ext?: unknown }) =>
  (answer.ext as { build_notes?: string[] } | undefined)?.build_notes ?? []

/** The box around all pixels of about this colour. */
async function boxOf(image: Buffer, hex: string) {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const { data, info } = await sharp(image)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const box = { left: info.width, top: info.height, right: -1, bottom: -1 }
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      const at = (y * info.width + x) * info.channels
      if (!wanted.every((value, c) => Math.abs((data[at + c] ?? 0) - value) <= 24)) continue
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
    }
  }
  return { width: box.right - box.left + 1, height: box.bottom - box.top + 1 }
}

test('spec 4.2: a leaderboard becomes a rectangle, undistorted, with what it must keep', async () => {
  const answer = await harness.build(request(await serve('/l.png', await leaderboard())))
  const assets = assetsOf(answer)
  expect(assets.click_url).toEqual(CLICK)
  expect(assets.impression_tracker).toEqual(TRACKER)
  expect(answer.creative_manifest?.format_id).toEqual(formatId('display_300x250_image'))
  const bytes = await harness.bytesOf(assets.banner_image)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 300, height: 250 })
  const circle = await boxOf(bytes, RED)
  expect(circle.width).toBeGreaterThan(20)
  expect(Math.abs(circle.width - circle.height)).toBeLessThanOrEqual(1)
  expect(notesOf(answer)).toContain('banner_image: padded to 300x250')
})

test.each([
  ['Keep the left side.', GREEN, BLUE],
  ['Please focus on the right.', BLUE, GREEN],
])('the crop follows “%s”', async (message, kept, lost) => {
  const url = await serve('/s.png', await stripes())
  const answer = await harness.build(request(url, { message }))
  const bytes = await harness.bytesOf(assetsOf(answer).banner_image)
  expect(await countColour(bytes, kept)).toBeGreaterThan(300 * 250 * 0.2)
  // A crop of 900x500 to 6:5 keeps 600 pixels: what is left of the other side is none.
  expect(await countColour(bytes, lost)).toBe(0)
  expect(notesOf(answer).join()).toContain('cropped (')
})

test('a background that the message names fills what the picture does not', async () => {
  const url = await serve('/l.png', await leaderboard())
  const message = 'Show the whole image. Use a navy background. Make the logo dance.'
  const answer = await harness.build(request(url, { message }))
  const bytes = await harness.bytesOf(assetsOf(answer).banner_image)
  expect(await countColour(bytes, '#0b1f4b')).toBeGreaterThan(300 * 250 * 0.7)
  expect(notesOf(answer).join()).toContain('“Make the logo dance”')
})

test('a picture that fits already is handed on as it is', async () => {
  const url = await serve('/fits.png', await png(300, 250, '<rect width="300" height="250"/>'))
  const answer = await harness.build(request(url, {}, { banner_image: { url } }))
  expect(assetsOf(answer).banner_image).toEqual({
    asset_type: 'image',
    url,
    width: 300,
    height: 250,
  })
})

test('a large photograph is brought under the size that the format allows', async () => {
  const noise = Buffer.from(Array.from({ length: 1600 * 1000 * 3 }, (_, i) => (i * i * 7919) % 251))
  const photo = await sharp(noise, { raw: { width: 1600, height: 1000, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
  const answer = await harness.build(
    request(await serve('/noise.jpg', photo), {
      target_format_id: formatId('display_320x50_image'),
    }),
  )
  const bytes = await harness.bytesOf(assetsOf(answer).banner_image)
  expect(bytes.byteLength).toBeLessThanOrEqual(50_000)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 320, height: 50 })
})

test('texts are refitted by whole words, changed as the message says, and disclosures kept', async () => {
  const url = await serve('/s.png', await stripes())
  const disclosure = { asset_type: 'text', content: 'Capital at risk. Terms apply.' }
  const long = 'Comfortable boots for every winter day, made by hand in our own workshop since 1921'
  const answer = await harness.build({
    message: 'Change the headline to "Boots from 49". CTA: Buy now',
    target_format_id: formatId('native_standard'),
    creative_manifest: {
      format_id: formatId('native_content'),
      assets: {
        headline: { asset_type: 'text', content: 'Old headline' },
        body: { asset_type: 'text', content: `${long} and ${long} and ${long}`, language: 'en' },
        thumbnail: { asset_type: 'image', url },
        click_url: CLICK,
        disclosure,
        sponsored_by: { asset_type: 'text', content: 'Acme' },
        impression_tracker: [TRACKER, { ...TRACKER, url: 'https://t2.example/' }],
      },
    },
  })
  const assets = assetsOf(answer)
  expect(assets.title?.content).toBe('Boots from 49')
  expect(assets.cta_text?.content).toBe('Buy now')
  expect(assets.sponsored_by?.content).toBe('Acme')
  const text = assets.description?.content ?? ''
  expect(text.length).toBeLessThanOrEqual(200)
  expect(long.split(' ').concat('and')).toContain(text.replace(/…$/, '').split(' ').at(-1))
  expect(assets.description).toMatchObject({ language: 'en' })
  // The native format has no slot for these: they are kept under their own names.
  expect(assets.disclosure).toEqual(disclosure)
  expect(assets.click_url).toEqual(CLICK)
  expect(assets.impression_tracker).toEqual(TRACKER)
  expect(assets.impression_tracker_2?.url).toBe('https://t2.example/')
})

test('a creative that was built here is built on without a request to oneself', async () => {
  const first = await harness.build(request(await serve('/l.png', await leaderboard())))
  const requested = harness.files.requested.length
  const second = await harness.build({
    creative_manifest: first.creative_manifest,
    target_format_id: formatId('display_336x280_image'),
  })
  expect(assetsOf(second).banner_image?.url).toMatch(`${AGENT}/assets/`)
  expect(harness.files.requested).toHaveLength(requested)
})

test('a picture in the request itself needs no server', async () => {
  const url = `data:image/png;base64,${(await leaderboard()).toString('base64')}`
  const answer = await harness.build(request(url))
  expect((await sharp(await harness.bytesOf(assetsOf(answer).banner_image)).metadata()).width).toBe(
    300,
  )
})

test('markup of another size is refused, and carried over at its own', async () => {
  const html = {
    creative_manifest: {
      format_id: formatId('display_728x90_html'),
      assets: { html_creative: { asset_type: 'html', content: '<b>hi</b>' } },
    },
  }
  const other = { ...html, target_format_id: formatId('display_300x250_html') }
  expect(await refusalOf(harness.build(other))).toMatchObject({ code: 'UNSUPPORTED_FEATURE' })
  const same = await harness.build({ ...html, target_format_id: formatId('display_728x90_html') })
  expect(assetsOf(same).html_creative?.content).toBe('<b>hi</b>')
})

test('markup of another size is not rebuilt from the name of an offering alone, and otherwise reported once', async () => {
  const creative_manifest = {
    format_id: formatId('display_728x90_html'),
    assets: { html_creative: { asset_type: 'html', content: '<b>Warm feet</b>' } },
    promoted_offering: 'Trail boots',
  }
  const other = { creative_manifest, target_format_id: formatId('display_300x250_html') }
  expect(await refusalOf(harness.build(other))).toMatchObject({
    code: 'UNSUPPORTED_FEATURE',
    message: expect.stringContaining('target_format_ids'),
  })
  const answer = await harness.build({ ...other, message: 'Warm feet' })
  expect(answer.ext?.build_notes).toEqual([
    'html_creative: composed again, because markup of another size cannot be adapted',
    'html_creative: without a brand, its colours differ: give brand_manifest or brand',
  ])
})

describe('spec 7.1: what cannot be used is refused by name, and nothing is stored:', () => {
  /** A PNG that says it is of this size and holds no pixels. */
  const hollowPng = (width: number, height: number) => {
    const chunk = (name: string, data: Buffer) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(data.length)
      head.write(name, 4)
      const crc = Buffer.alloc(4)
      crc.writeUInt32BE(crcOf(Buffer.concat([Buffer.from(name), data])))
      return Buffer.concat([head, data, crc])
    }
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width)
    header.writeUInt32BE(height, 4)
    header.set([8, 2, 0, 0, 0], 8)
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(10))),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  test.each([
    ['a missing file', '/none.png', undefined, '404'],
    ['a page', '/page.png', Buffer.from('<!doctype html><title>x</title>'), 'not a PNG'],
    ['a bomb', '/bomb.png', hollowPng(60_000, 60_000), 'megapixels'],
    ['a picture without pixels', '/hollow.png', hollowPng(600, 500), 'damaged'],
    ['an SVG with a script', '/s.svg', svg(9, 9, '<script>alert(1)</script>'), 'SVG'],
    [
      'an SVG with an entity',
      '/e.svg',
      Buffer.from(
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><!ENTITY x "y"></svg>',
      ),
      'SVG',
    ],
    ['an SVG that loads', '/i.svg', svg(9, 9, '<image href="file:///etc/passwd"/>'), 'SVG'],
  ])('%s', async (_what, path, body, said) => {
    if (body) await serve(path, body)
    const before = await harness.storedAssets()
    const refusal = await refusalOf(harness.build(request(harness.files.url + path)))
    expect(refusal).toMatchObject({
      code: 'CREATIVE_INACCESSIBLE',
      field: '/creative_manifest/assets/banner_image/url',
    })
    expect(refusal.message).toContain(said)
    expect(await harness.storedAssets()).toBe(before)
  })

  test.each([
    ['a private address', () => `${harness.canary.url}/secret.png`],
    ['a metadata service', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a file', () => 'file:///etc/passwd'],
    ['this machine by name', () => 'http://localhost:1/'],
  ])('%s is never requested', async (_what, url) => {
    const refusal = await refusalOf(harness.build(request(url())))
    expect(refusal.code).toBe('CREATIVE_INACCESSIBLE')
    expect(refusal.message).toContain('banner_image')
    expect(harness.canary.requested).toEqual([])
  })

  test('an address that redirects to a private one is not followed', async () => {
    const location = `${harness.canary.url}/secret.png`
    harness.files.files.set('/turn.png', { body: '', status: 302, location })
    const refusal = await refusalOf(harness.build(request(`${harness.files.url}/turn.png`)))
    expect(refusal.code).toBe('CREATIVE_INACCESSIBLE')
    expect(harness.canary.requested).toEqual([])
  })
})

test('of an animation the first frame is used, and the answer says so', async () => {
  const frame = (colour: string) =>
    png(300, 250, `<rect width="300" height="250" fill="${colour}"/>`)
  const gif = await sharp([await frame(RED), await frame(BLUE)], { join: { animated: true } })
    .gif()
    .toBuffer()
  const answer = await harness.build(
    request(await serve('/a.gif', gif), { target_format_id: formatId('display_336x280_image') }),
  )
  const bytes = await harness.bytesOf(assetsOf(answer).banner_image)
  expect(await countColour(bytes, RED)).toBeGreaterThan(336 * 280 * 0.8)
  expect(notesOf(answer).join()).toContain('first frame')
})

function crcOf(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}
