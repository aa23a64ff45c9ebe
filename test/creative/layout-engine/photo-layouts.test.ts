import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AdInput, Photo } from '../../../src/creative/layout-engine/ad-input.ts'
import { contrast, TEXT_CONTRAST } from '../../../src/creative/layout-engine/colours.ts'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { composeHtml } from '../../../src/creative/layout-engine/compose-html.ts'
import {
  cropOf,
  photoArea,
  photoLayoutsOf,
} from '../../../src/creative/layout-engine/layouts/photo-area.ts'
import { touch } from '../../../src/creative/layout-engine/shapes.ts'
import { cropPhoto } from '../../../src/creative/pictures/crop-photo.ts'
import { drawImage } from '../../../src/creative/pictures/draw-image.ts'
import { photoOf, SCENERIES } from '../pictures/photos.ts'
import { adInput } from './composing.ts'

const FAMILIES = [
  ['strip', 320, 50],
  ['strip', 728, 90],
  ['wide', 970, 250],
  ['box', 300, 250],
  ['tall', 300, 600],
  ['column', 160, 600],
] as const
const ARABIC = { name: 'مجموعة الصيف', description: 'أحذية خفيفة لأيام طويلة.' }

const photos = new Map<string, Buffer>()
beforeAll(async () => {
  for (const [name, scenery] of Object.entries(SCENERIES)) photos.set(name, await photoOf(scenery))
})

const cropped = async (name: string, width: number, height: number): Promise<Photo> => {
  const bytes = photos.get(name) as Buffer
  const answer = await cropPhoto({ bytes, width, height, maxBytes: 250_000 })
  if (!answer.ok) throw new Error(answer.reason)
  return answer.photo
}

const composed = (photo: Photo, width: number, height: number, more: Partial<AdInput> = {}) =>
  composeAd(adInput({ width, height, photo, ...more }))

describe('spec 4.2: a photo stands with the words', () => {
  test.each(FAMILIES)('on a %s of %ix%i, in every layout there is for it', async (family, w, h) => {
    const photo = await cropped('beach', w, h)
    const crops = family === 'strip' ? ['split', 'square'] : ['bleed', 'split', 'square']
    expect(Object.keys(photo)).toEqual(crops)
    for (const layout of photoLayoutsOf(family)) {
      const ad = composed(photo, w, h, { layout })
      expect(ad.layout).toBe(layout)
      expect(ad.svg.match(/<image class="photo"/g)).toHaveLength(1)
      const roles = ad.parts.map(({ role }) => role)
      expect(roles).toEqual(expect.arrayContaining(['brand', 'headline', 'call_to_action']))
      expect(ad.shortened.filter((role) => role !== 'description')).toEqual([])
      const box = ad.scene.photo?.box
      const area = photoArea(cropOf(layout), ad)
      // The words take some of it where they need to, and a slanted edge lies over a little more.
      expect(box?.width).toBeLessThanOrEqual(area.width * 1.4)
      expect((box?.width ?? 0) * (box?.height ?? 0)).toBeGreaterThan(area.width * area.height * 0.4)
    }
  })

  test('and the dice choose between the layouts that suit it', async () => {
    const photo = await cropped('night', 300, 250)
    const seeds = Array.from({ length: 12 }, (_, seed) => String(seed))
    const layouts = seeds.map((seed) => composed(photo, 300, 250, { seed }).layout)
    expect(new Set(layouts).size).toBeGreaterThanOrEqual(3)
  })

  test('each variant in a layout of its own', async () => {
    for (const [, w, h] of FAMILIES) {
      const photo = await cropped('beach', w, h)
      const layouts = [0, 1, 2, 3].map((variant) => composed(photo, w, h, { variant }).layout)
      expect(new Set(layouts).size).toBe(4)
    }
  })

  test('beside them, none of the words stands on a split photo', async () => {
    for (const [, w, h] of FAMILIES) {
      const { split } = await cropped('beach', w, h)
      const ad = composed({ split } as Photo, w, h, { layout: 'split' })
      const box = ad.scene.photo?.box ?? { x: 0, y: 0, width: w, height: h }
      for (const part of ad.parts) {
        const isBeside = part.box.x >= box.x + box.width || part.box.x + part.box.width <= box.x
        expect(isBeside || part.box.y >= box.y + box.height, part.role).toBe(true)
      }
    }
  })

  test('in a banner too, which still asks the network for nothing', async () => {
    const html = composeHtml(composed(await cropped('beach', 300, 250), 300, 250))
    expect(html).toContain('href="data:image/jpeg;base64,')
    expect(html).not.toMatch(/href="https?:/)
  })

  test('unless it costs a word that must be read', async () => {
    const text = 'Terms apply to each of these offers. '.repeat(9).slice(0, 240).trim()
    const brand = { ...adInput().brand, disclaimers: [{ text }] }
    const ad = composed(await cropped('beach', 728, 90), 728, 90, { brand })
    expect(ad.scene.photo).toBeUndefined()
    expect(ad.shortened).toEqual([])
  })
})

/** Of the picture without its words, the lightest colour behind each text, as it comes out. */
async function behind(ad: ReturnType<typeof composeAd>) {
  const bare = ad.svg.replace(/<g class="(?!ground)[\s\S]*<\/svg>$/, '</svg>')
  const png = await drawImage(bare, { width: ad.width, height: ad.height, type: 'png' })
  return async (box: { x: number; y: number; width: number; height: number }) => {
    const area = {
      left: Math.max(0, Math.floor(box.x)),
      top: Math.max(0, Math.floor(box.y)),
      width: Math.max(1, Math.floor(box.width)),
      height: Math.max(1, Math.floor(box.height)),
    }
    const { channels } = await sharp(await sharp(png).extract(area).png().toBuffer()).stats()
    return `#${channels
      .slice(0, 3)
      .map(({ max }) => max.toString(16).padStart(2, '0'))
      .join('')}`
  }
}

describe('what is written on a photo can be read', () => {
  const cases = [
    ['beach', 'ltr'],
    ['beach', 'rtl'],
    ['night', 'ltr'],
    ['studio', 'ltr'],
  ] as const
  test.each(cases)('%s, %s', async (name, direction) => {
    for (const [family, w, h] of FAMILIES) {
      if (family === 'strip') continue
      const { bleed } = await cropped(name, w, h)
      const more = direction === 'rtl' ? { offering: ARABIC } : {}
      const ad = composed({ bleed } as Photo, w, h, more)
      const lightest = await behind(ad)
      for (const { role, texts } of ad.parts) {
        if (role === 'call_to_action' || role === 'brand') continue
        for (const { box, fill } of texts) {
          expect(contrast(fill, await lightest(box)), `${family} ${role}`).toBeGreaterThanOrEqual(
            TEXT_CONTRAST,
          )
        }
      }
    }
  })

  test('a dark photo keeps more of its light than a white one', async () => {
    const opacityOf = async (name: string) => {
      const { bleed } = await cropped(name, 970, 250)
      const [, opacity] =
        /stop-opacity="([\d.]+)"/.exec(composed({ bleed } as Photo, 970, 250).svg) ?? []
      return Number(opacity)
    }
    expect(await opacityOf('night')).toBeLessThan(await opacityOf('beach'))
  })
})

test('from right to left the photo changes sides, and is not mirrored itself', async () => {
  const { split } = await cropped('beach', 728, 90)
  const left = composed({ split } as Photo, 728, 90, { layout: 'split' })
  const right = composed({ split } as Photo, 728, 90, { layout: 'split', offering: ARABIC })
  const width = left.scene.photo?.box.width ?? 0
  expect(left.scene.photo?.box.x).toBe(0)
  expect(right.scene.photo?.box.x).toBe(728 - width)
  expect(right.svg.indexOf('<image class="photo"')).toBeLessThan(right.svg.indexOf('scale(-1 1)'))
})

test('a photo is cropped around what draws the eye', async () => {
  const { split } = await cropped('beach', 320, 50)
  expect(split?.kept).toBeGreaterThan(0.6)
  const [, data = ''] = split?.dataUri.split(',') ?? []
  const { channels } = await sharp(Buffer.from(data, 'base64')).stats()
  // The red thing, which stands far from the middle, is in the square.
  expect(channels[1]?.min).toBeLessThan(110)
})

test('a photo that would have to be enlarged too far is refused, with its size', async () => {
  const bytes = await photoOf(SCENERIES.beach, 40, 30)
  expect(await cropPhoto({ bytes, width: 970, height: 250, maxBytes: 250_000 })).toEqual({
    ok: false,
    reason: 'it is too small with 40x30 pixels: it may be enlarged 3 times at most',
  })
})

describe('a product on one plain colour', () => {
  const onWhite = async (name: 'studio' | 'beach') => {
    const thing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><rect width="900" height="900" fill="${name === 'studio' ? '#f4f4f4' : '#fff'}"/><rect x="420" y="80" width="60" height="740" fill="#b00020"/></svg>`
    return sharp(Buffer.from(thing)).jpeg({ quality: 95 }).toBuffer()
  }

  test('is displayed whole on it in every layout and size, and nothing of it is cropped', async () => {
    const bytes = await onWhite('studio')
    for (const [family, width, height] of FAMILIES) {
      const answer = await cropPhoto({ bytes, width, height, maxBytes: 250_000 })
      if (!answer.ok) throw new Error(answer.reason)
      expect(answer.photo.split?.backdrop).toBe('#f4f4f4')
      for (const layout of photoLayoutsOf(family)) {
        const ad = composed(answer.photo, width, height, { layout })
        const bare = ad.svg.replace(/<g class="(?!ground)[\s\S]*<\/svg>$/, '</svg>')
        const png = await drawImage(bare, { width: width * 2, height: height * 2, type: 'png' })
        const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
        expect(ratioOfRed(data, info), `${layout} on a ${family}`).toBeGreaterThan(8)
      }
    }
  })

  test('and its words share the ground, dark on light, without a scrim', async () => {
    const answer = await cropPhoto({
      bytes: await onWhite('beach'),
      width: 300,
      height: 250,
      maxBytes: 250_000,
    })
    const ad = composed(answer.ok ? answer.photo : {}, 300, 250, { layout: 'bleed' })
    const headline = ad.parts.find(({ role }) => role === 'headline')?.texts[0]
    expect(headline?.ground).toBe('#ffffff')
    expect(ad.svg).not.toContain('scrim')
  })
})

/** How many times taller than wide the red thing is: it stands 12 to 1 where all of it is there. */
function ratioOfRed(
  data: Buffer,
  { width, channels }: { width: number; channels: number },
): number {
  let [left, right, top, bottom] = [width, 0, Number.POSITIVE_INFINITY, 0]
  for (let at = 0; at < data.length; at += channels) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (red < 140 || green > 70 || blue > 80) continue
    const [x, y] = [(at / channels) % width, Math.floor(at / channels / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return (bottom - top + 1) / (right - left + 1)
}

test('several products are in a grid, each in a cell of its own', async () => {
  for (const [family, w, h] of FAMILIES) {
    // There the words need all the room that there is.
    if (h < 90) continue
    const photo = await cropped('beach', w, h)
    const { square } = photo
    const products = [square, square, square].filter((one) => one !== undefined)
    const ad = composed({ ...photo, products }, w, h)
    expect(ad.layout, family).toBe('grid')
    const boxes = [ad.scene.photo, ...(ad.scene.products ?? [])].map((one) => one?.box)
    expect(boxes).toHaveLength(3)
    for (const [index, a] of boxes.entries())
      for (const b of [...boxes.slice(index + 1), ...ad.parts.map(({ box }) => box)])
        expect(a && b && touch(a, b), `${family} ${index}`).toBe(false)
  }
})

test('a dark logo has a plate on a photo that is dark in places', async () => {
  const { bleed } = await cropped('night', 970, 250)
  const logo = {
    dataUri: 'data:image/png;base64,AAAA',
    width: 40,
    height: 20,
    tones: [0, 0] as const,
  }
  const brand = { ...adInput().brand, logos: [logo] }
  const light = bleed && { ...bleed, lightest: bleed.lightest.map(() => '#ffffff') }
  const ad = composed({ bleed: light } as Photo, 970, 250, { brand })
  expect(ad.layout).toBe('bleed')
  expect(ad.parts.find(({ role }) => role === 'brand')?.shapes).toHaveLength(2)
})

describe('what a photo shows is in the picture', () => {
  const drawnBy = async (body: string, width: number, height: number) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`,
      ),
    )
      .jpeg({ quality: 92 })
      .toBuffer()
  const layoutsOf = async (bytes: Buffer, width: number, height: number) => {
    const answer = await cropPhoto({ bytes, width, height, maxBytes: 250_000 })
    if (!answer.ok) throw new Error(answer.reason)
    return Array.from({ length: 12 }, (_, seed) =>
      composed(answer.photo, width, height, { seed: String(seed) }),
    )
  }
  const face =
    '<rect width="1000" height="1400" fill="#64748b"/><ellipse cx="500" cy="1300" rx="420" ry="420" fill="#7c2d12"/><ellipse cx="500" cy="500" rx="210" ry="290" fill="#e0ac8b"/><path d="M290 460 Q300 180 500 180 Q700 180 710 460 Q640 320 500 320 Q360 320 290 460" fill="#2b1a12"/>'

  test('a portrait is not cut through the face while another layout shows all of it', async () => {
    for (const [w, h] of [
      [300, 250],
      [1080, 1080],
    ] as const)
      for (const { layout } of await layoutsOf(await drawnBy(face, 1000, 1400), w, h))
        expect(['round', 'bleed'], `${w}x${h}`).toContain(layout)
  })

  test('a tall product does not stand small in a flat box', async () => {
    const bottle =
      '<rect width="1200" height="1200" fill="#fff"/><rect x="430" y="150" width="340" height="860" rx="60" fill="#0f766e"/>'
    for (const [w, h] of [
      [300, 250],
      [1080, 1080],
    ] as const)
      for (const { layout } of await layoutsOf(await drawnBy(bottle, 1200, 1200), w, h))
        expect(layout).toBe('round')
  })

  test('a figure at the edge stays whole where the box is of another shape, and out of a disc', async () => {
    const figure =
      '<linearGradient id="sky"><stop offset="0" stop-color="#e2e8f0"/><stop offset="1" stop-color="#7fb4d8"/></linearGradient><rect width="1600" height="1000" fill="url(#sky)"/><circle cx="1470" cy="560" r="110" fill="#c2410c"/><rect x="1400" y="650" width="140" height="330" rx="50" fill="#1e293b"/>'
    const bytes = await drawnBy(figure, 1600, 1000)
    const answer = await cropPhoto({ bytes, width: 300, height: 600, maxBytes: 250_000 })
    const photo = answer.ok ? answer.photo : {}
    const ad = composed(photo, 300, 600, { layout: 'wedge' })
    expect(ad.svg).toMatch(/class="photo"[^>]* preserveAspectRatio="xMaxY\w+ slice"/)
    expect(photo.square?.kept).toBeLessThan(0.74)
    expect(photo.split?.kept).toBeGreaterThan(0.74)
  })
})
