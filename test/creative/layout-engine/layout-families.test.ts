import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AdInput,
  LAYOUTS,
  type LayoutName,
  type Photo,
} from '../../../src/creative/layout-engine/ad-input.ts'
import { type ComposedAd, composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { familyOf } from '../../../src/creative/layout-engine/layouts/family.ts'
import { photoLayoutsOf } from '../../../src/creative/layout-engine/layouts/photo-area.ts'
import { cropPhoto } from '../../../src/creative/pictures/crop-photo.ts'
import { photoOf, SCENERIES } from '../pictures/photos.ts'
import { adInput } from './composing.ts'

const FAMILIES = [
  ['wide strips', 728, 90],
  ['wide strips', 970, 250],
  ['rectangles', 300, 250],
  ['rectangles', 336, 280],
  ['skyscrapers', 160, 600],
  ['skyscrapers', 300, 600],
  ['mobile strips', 320, 50],
  ['mobile strips', 320, 100],
  ['native', 1200, 628],
  ['square', 1080, 1080],
  ['portrait', 1080, 1920],
  ['screens', 1920, 1080],
] as const
const SEEDS = Array.from({ length: 40 }, (_, seed) => String(seed))

let bytes: Buffer
beforeAll(async () => {
  bytes = await photoOf(SCENERIES.beach, 1600, 1200)
})

/** What makes one arrangement look different from another: the ground, and where the words and the photo are. */
function looksOf({ scene, parts }: ComposedAd): string {
  const headline = parts.find(({ role }) => role === 'headline')
  const text = headline?.texts[0]
  const at = headline && [headline.box.x, headline.box.y].map(Math.round)
  const photo = scene.photo && { ...scene.photo, dataUri: '' }
  const ground = [...(scene.under ?? []), ...scene.shapes].join('')
  return JSON.stringify({ at, align: text?.align, fill: text?.fill, photo, ground })
}

describe('spec 4.2: each family of sizes has at least four layouts that differ', () => {
  test.each(FAMILIES)('%s: %ix%i without a photo', (_, width, height) => {
    const seen = new Map<LayoutName, ComposedAd>()
    for (const seed of SEEDS) {
      const ad = composeAd(adInput({ width, height, seed }))
      expect(ad.shortened.filter((role) => role !== 'description')).toEqual([])
      seen.set(ad.layout, ad)
    }
    expect(seen.size).toBeGreaterThanOrEqual(4)
    expect(new Set([...seen.values()].map(looksOf)).size).toBe(seen.size)
    expect(groundsOf(seen.values())).toBeGreaterThanOrEqual(4)
  })

  test.each(FAMILIES)('%s: %ix%i with one', async (_, width, height) => {
    const cropped = await cropPhoto({ bytes, width, height, maxBytes: 250_000 })
    if (!cropped.ok) throw new Error(cropped.reason)
    const layouts = photoLayoutsOf(familyOf(width, height))
    expect(layouts.length).toBeGreaterThanOrEqual(4)
    const ads = layouts.map((layout) =>
      composeAd(adInput({ width, height, layout, photo: cropped.photo })),
    )
    expect(ads.map(({ layout }) => layout)).toEqual(layouts)
    expect(new Set(ads.map(looksOf)).size).toBe(layouts.length)
    expect(new Set(ads.map(({ scene }) => JSON.stringify(scene.photo?.box))).size).toBeGreaterThan(
      2,
    )
  })

  test('words are at the left, at the right and in the middle', () => {
    const ads = LAYOUTS.flatMap((layout) =>
      SEEDS.slice(0, 8).map((seed) =>
        composeAd(adInput({ layout, seed, width: 970, height: 250 })),
      ),
    )
    const places = ads.map(({ parts, width }) => {
      const { box, texts } = parts.find(({ role }) => role === 'headline') as (typeof parts)[number]
      if (texts[0]?.align === 'middle') return 'middle'
      return box.x > width * 0.3 ? 'right' : 'left'
    })
    expect(new Set(places)).toEqual(new Set(['left', 'right', 'middle']))
  })
})

function groundsOf(ads: Iterable<ComposedAd>): number {
  return new Set([...ads].map(({ scene }) => scene.shapes.join(''))).size
}

describe('a layout is chosen by what it has to hold', () => {
  test('a long text takes one in which all of it is read', () => {
    const long = {
      name: 'Everything for your first autumn on the trail',
      description:
        'Boots, packs, shells, stoves and tents, tried for a year by people who walk every week. Free shipping, free returns for sixty days.',
    }
    const lost = SEEDS.filter((seed) => {
      const ad = composeAd(adInput({ offering: long, seed, width: 300, height: 600 }))
      return ad.shortened.length > 0
    })
    expect(lost).toEqual([])
  })

  test.each([
    [300, 250],
    [300, 600],
    [1080, 1080],
  ])('a card of %ix%i is no taller than its words need', (width, height) => {
    const plateOf = (name: string) => {
      const ad = composeAd(adInput({ offering: { name }, layout: 'card', width, height }))
      const heights = /<rect[^>]* height="([\d.]+)"[^>]*fill="#ffffff"/.exec(
        ad.scene.shapes.at(-1) ?? '',
      )
      const said = ad.parts.filter(({ role }) => role !== 'brand')
      const top = Math.min(...said.map(({ box }) => box.y))
      const bottom = Math.max(...said.map(({ box }) => box.y + box.height))
      return { plate: Number(heights?.[1]), filled: (bottom - top) / Number(heights?.[1]) }
    }
    const [short, long] = [plateOf('Sale'), plateOf('Everything for your first autumn trail')]
    expect(short.plate).toBeLessThan(long.plate)
    expect(Math.min(short.filled, long.filled)).toBeGreaterThan(0.5)
  })

  test('where the words would cover what the photo shows, another arrangement is taken', () => {
    const cells = Array.from({ length: 24 * 24 }, () => '#808080')
    const crop = { dataUri: 'data:image/jpeg;base64,AAAA', lightest: cells }
    const busy = Array.from({ length: 24 * 24 }, () => 1)
    const photo: Photo = { bleed: { ...crop, detail: busy }, split: crop, square: crop }
    const calm: Photo = { ...photo, bleed: { ...crop, detail: busy.map(() => 0) } }
    const layoutsOf = (given: Photo) =>
      SEEDS.map((seed) => composeAd(adInput({ seed, photo: given })).layout)
    expect(layoutsOf(calm)).toContain('bleed')
    expect(layoutsOf(photo)).not.toContain('bleed')
    // Some of it, such as a face behind the button, is enough where another layout shows all.
    const right = busy.map((_, cell) => (cell % 24 >= 11 ? 1 : 0))
    expect(layoutsOf({ ...photo, bleed: { ...crop, detail: right } })).not.toContain('bleed')
  })

  test('and so it is where a crop would leave too little of it', () => {
    const crop = {
      dataUri: 'data:image/jpeg;base64,AAAA',
      lightest: Array.from({ length: 24 * 24 }, () => '#808080'),
    }
    const photo: Photo = { bleed: { ...crop, kept: 0.3 }, split: crop, square: crop }
    const layouts = SEEDS.map((seed) => composeAd(adInput({ seed, photo })).layout)
    expect(layouts).not.toContain('bleed')
    expect(new Set(layouts).size).toBeGreaterThan(2)
  })
})

describe('words on a photo stand where there is least to see', () => {
  const crop = {
    dataUri: 'data:image/jpeg;base64,AAAA',
    lightest: Array.from({ length: 24 * 24 }, () => '#404040'),
  }
  /** All there is to see is in the columns, or rows, for which `isBusy`. */
  const detail = (isBusy: (column: number, row: number) => boolean) =>
    Array.from({ length: 24 * 24 }, (_, cell) => (isBusy(cell % 24, Math.floor(cell / 24)) ? 1 : 0))
  const headlineOf = (photo: Photo, more: Partial<AdInput>) => {
    const ad = composeAd(adInput({ photo, layout: 'bleed', ...more }))
    const part = ad.parts.find(({ role }) => role === 'headline')
    const { x, y, width, height } = part?.box ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: (x + width / 2) / ad.width, y: (y + height / 2) / ad.height }
  }

  test.each([
    ['left', 'right', (column: number) => column < 12],
    ['right', 'left', (column: number) => column >= 12],
  ])('a thing at the %s leaves the %s to them', (_, side, isBusy) => {
    const photo = { bleed: { ...crop, detail: detail(isBusy) } }
    const size = { width: 970, height: 250 }
    const arabic = { offering: { name: 'مجموعة الصيف', description: 'أحذية خفيفة لأيام طويلة.' } }
    for (const more of [size, { ...size, ...arabic }]) {
      const { x } = headlineOf(photo, more)
      expect(x > 0.5 ? 'right' : 'left').toBe(side)
    }
  })

  test.each([
    ['top', 'below', (_: number, row: number) => row < 11],
    ['bottom', 'above', (_: number, row: number) => row >= 13],
  ])('a thing at the %s has them %s it', (_, side, isBusy) => {
    const photo = { bleed: { ...crop, detail: detail(isBusy) } }
    const { y } = headlineOf(photo, { width: 1080, height: 1920 })
    expect(y > 0.5 ? 'below' : 'above').toBe(side)
  })
})

describe('a strip', () => {
  const returned = (
    offering: { name: string; description: string },
    more: Partial<AdInput> = {},
  ) => {
    const ad = composeAd(adInput({ offering, width: 728, height: 90, ...more }))
    const textOf = (role: string) =>
      ad.parts.find((part) => part.role === role)?.texts.at(-1)?.set.text
    return { ad, textOf }
  }

  test('sets a description in two small lines before it cuts a sentence', () => {
    const name = 'Kreuzfahrtschiffsbesichtigung'
    const description = 'Hochgeschwindigkeitsfahrten ab 19,90 € pro Person und ohne Voranmeldung.'
    const message = 'cta: "Jetzt Platz reservieren"'
    const { textOf } = returned({ name, description }, { message })
    expect(textOf('headline')).toBe(name)
    expect(textOf('description')).toBe(description)
  })

  test('sets a long button smaller before it cuts it', () => {
    const offering = { name: 'Cover from £8 a month', description: '' }
    const message = 'cta: "Get your free quote today"'
    const { textOf } = returned(offering, { message, width: 320, height: 50 })
    expect(textOf('call_to_action')).toBe('Get your free quote today')
  })
})

test('a word alone is set larger than a sentence, and stays on one line', () => {
  const sizeOf = (name: string, width: number, height: number) => {
    const layout = 'card'
    const ad = composeAd(adInput({ offering: { name }, layout, width, height }))
    return ad.parts.find(({ role }) => role === 'headline')?.texts[0]?.set
  }
  for (const [w, h] of [
    [300, 250],
    [1080, 1080],
    [300, 600],
  ] as const) {
    const [word, some] = [sizeOf('Snacks', w, h), sizeOf('Snacks for you', w, h)]
    expect(word?.lines).toHaveLength(1)
    expect(word?.size).toBeGreaterThan((some?.size ?? 0) * 1.15)
  }
})
