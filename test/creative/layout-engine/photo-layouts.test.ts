import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AdInput, Photo, PhotoLayout } from '../../../src/creative/layout-engine/ad-input.ts'
import { contrast, TEXT_CONTRAST } from '../../../src/creative/layout-engine/colours.ts'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { composeHtml } from '../../../src/creative/layout-engine/compose-html.ts'
import { photoArea } from '../../../src/creative/layout-engine/layouts/photo-area.ts'
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
    expect(Object.keys(photo)).toEqual(family === 'strip' ? ['split'] : ['bleed', 'split'])
    for (const layout of Object.keys(photo) as PhotoLayout[]) {
      const ad = composed({ [layout]: photo[layout] }, w, h)
      expect(ad.layout).toBe(layout)
      expect(ad.svg.match(/<image class="photo"/g)).toHaveLength(1)
      const roles = ad.parts.map(({ role }) => role)
      expect(roles).toEqual(expect.arrayContaining(['brand', 'headline', 'call_to_action']))
      expect(ad.shortened.filter((role) => role !== 'description')).toEqual([])
      const box = ad.scene.photo?.box
      expect({ width: box?.width, height: box?.height }).toEqual({
        width: photoArea(layout, ad).width,
        height: photoArea(layout, ad).height,
      })
    }
  })

  test('and the dice choose between the layouts', async () => {
    const photo = await cropped('beach', 300, 250)
    const seeds = Array.from({ length: 12 }, (_, seed) => String(seed))
    const layouts = seeds.map((seed) => composed(photo, 300, 250, { seed }).layout)
    expect(new Set(layouts)).toEqual(new Set(['bleed', 'split']))
  })

  test('beside them, none of the words stands on a split photo', async () => {
    for (const [, w, h] of FAMILIES) {
      const { split } = await cropped('beach', w, h)
      const ad = composed({ split } as Photo, w, h)
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
    expect(await opacityOf('night')).toBeLessThan(await opacityOf('studio'))
  })
})

test('from right to left the photo changes sides, and is not mirrored itself', async () => {
  const { split } = await cropped('beach', 728, 90)
  const left = composed({ split } as Photo, 728, 90)
  const right = composed({ split } as Photo, 728, 90, { offering: ARABIC })
  const width = left.scene.photo?.box.width ?? 0
  expect(left.scene.photo?.box.x).toBe(0)
  expect(right.scene.photo?.box.x).toBe(728 - width)
  expect(right.svg.indexOf('<image class="photo"')).toBeLessThan(right.svg.indexOf('scale(-1 1)'))
})

test('a photo is cropped around what draws the eye', async () => {
  const { split } = await cropped('beach', 320, 50)
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
