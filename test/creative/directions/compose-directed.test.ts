import { beforeAll, describe, expect, test } from 'vitest'
import { settingOf } from '../../../src/creative/build-steps/setting.ts'
import { pictureSize, renderSize, slotsOf } from '../../../src/creative/build-steps/slots.ts'
import { composeDirected } from '../../../src/creative/directions/compose-directed.ts'
import type { Direction } from '../../../src/creative/directions/direction.ts'
import type { AdInput, AdSetting, Photo } from '../../../src/creative/layout-engine/ad-input.ts'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { cropPhoto } from '../../../src/creative/pictures/crop-photo.ts'
import { catalogue } from '../../support/creative.ts'
import { runs } from '../../support/runs.ts'
import { photoOf, SCENERIES } from '../pictures/photos.ts'
import { branded, check, type Look, lookAt } from './look.ts'

/** What a person would look for, now and in the same without the direction. */
type Confirm = (now: Look, before: Look) => boolean

const grown =
  (role: string): Confirm =>
  (now, before) =>
    now.size(role) > before.size(role)
const shrunk =
  (role: string): Confirm =>
  (now, before) =>
    now.size(role) < before.size(role)
/** A strip has no room for a description. */
const second = (look: Look) => (look.has('description') ? 'description' : 'headline')
/** On a screen an address is in place of the button. */
const said = (look: Look) =>
  ['headline', 'offer', 'description', 'call_to_action']
    .map(look.text)
    .filter((text) => !text.includes('northwind'))
    .join(' ')

const CASES: readonly (readonly [Direction, Confirm])[] = [
  [{ kind: 'greyscale' }, (now) => now.isGrey],
  [{ kind: 'background', colour: '#ffffff' }, (now) => now.share('#ffffff') > 0.3],
  [{ kind: 'background', colour: '#000000' }, (now) => now.share('#000000') > 0.3],
  [{ kind: 'background', colour: '#808080' }, (now) => now.share('#808080') > 0.2],
  [{ kind: 'background', colour: 'brand' }, (now) => now.share('#0b5d4e') > 0.2],
  [{ kind: 'background', colour: 'darker' }, (now, before) => now.lightness < before.lightness],
  [{ kind: 'background', colour: 'lighter' }, (now, before) => now.lightness > before.lightness],
  [{ kind: 'main_colour', colour: '#d32f2f' }, (now) => now.share('#d32f2f') > 0.02],
  [{ kind: 'text_colour', colour: '#ffffff' }, (now) => now.fill('headline') === '#ffffff'],
  [{ kind: 'button_colour', colour: '#fdd835' }, (now) => now.share('#fdd835') > 0.005],
  [{ kind: 'logo_size', change: 'larger' }, (now, before) => area(now) > area(before) * 1.1],
  [{ kind: 'logo_size', change: 'smaller' }, (now, before) => area(now) < area(before) * 0.9],
  [{ kind: 'logo_place', place: 'left' }, (now) => (now.logo?.x ?? 1) < 0.5],
  [{ kind: 'logo_place', place: 'right' }, (now) => (now.logo?.x ?? 0) > 0.5],
  [{ kind: 'logo_place', place: 'top' }, (now) => (now.logo?.y ?? 1) < 0.5],
  [{ kind: 'logo_place', place: 'bottom' }, (now) => (now.logo?.y ?? 0) > 0.5],
  [{ kind: 'logo_place', place: 'centre' }, (now) => Math.abs((now.logo?.x ?? 0) - 0.5) < 0.08],
  [{ kind: 'logo', isWanted: true }, (now) => now.logo !== undefined],
  [{ kind: 'logo', isWanted: false }, (now) => now.logo === undefined],
  [{ kind: 'headline_size', change: 'larger' }, grown('headline')],
  [{ kind: 'headline_size', change: 'smaller' }, shrunk('headline')],
  [{ kind: 'text_size', change: 'larger' }, (now, before) => grown(second(now))(now, before)],
  [{ kind: 'text_size', change: 'smaller' }, (now, before) => shrunk(second(now))(now, before)],
  [{ kind: 'text_place', place: 'right' }, (now) => (now.at('headline')?.x ?? 0) > 0.5],
  [{ kind: 'text_place', place: 'top' }, (now) => (now.at('headline')?.y ?? 1) < 0.5],
  [
    { kind: 'text_place', place: 'bottom' },
    (now) => (now.at('description')?.y ?? now.at('headline')?.y ?? 0) > 0.5,
  ],
  [
    { kind: 'text_place', place: 'centre' },
    (now) => Math.abs((now.at('headline')?.x ?? 0) - 0.5) < 0.1,
  ],
  [{ kind: 'letter_case', letters: 'capitals' }, (now) => said(now) === said(now).toUpperCase()],
  [{ kind: 'letter_case', letters: 'lowercase' }, (now) => said(now) === said(now).toLowerCase()],
  [{ kind: 'price', isWanted: true }, (now) => said(now).includes('€ 89')],
  [{ kind: 'price', isWanted: false }, (now) => !said(now).includes('€')],
  [{ kind: 'avoid', text: 'do not use the word "packs"' }, (now) => !/packs/i.test(said(now))],
  [{ kind: 'text_length', length: 'headline_only' }, (now) => !now.has('description')],
  [
    { kind: 'text_length', length: 'shorter' },
    (now, before) => said(now).length < said(before).length,
  ],
  [{ kind: 'button', isWanted: false }, (now) => !now.has('call_to_action')],
  [{ kind: 'button', isWanted: true }, (now) => now.has('call_to_action')],
  [{ kind: 'button_words', words: 'Book it' }, (now) => now.text('call_to_action') === 'Book it'],
  [
    { kind: 'button_language', language: 'fr' },
    (now) => /[a-zé] /i.test(now.text('call_to_action')),
  ],
  [
    { kind: 'tone', tone: 'urgent' },
    (now, before) => said(now) !== said(before) || now.lightness !== before.lightness,
  ],
  [
    { kind: 'not', of: { kind: 'background', colour: '#000000' } },
    (now) => now.share('#000000') < 0.2,
  ],
  [
    { kind: 'not', of: { kind: 'main_colour', colour: '#2e7d32' } },
    (now) => now.share('#0b5d4e') === 0,
  ],
  [
    { kind: 'not', of: { kind: 'logo_size', change: 'larger' } },
    (now, before) => area(now) <= area(before) * 1.02,
  ],
]

const area = ({ logo }: Look) => logo?.area ?? 0

/** Every size that is drawn in a format of the catalogue, and where it is seen. */
function canvases(): { width: number; height: number; setting: AdSetting }[] {
  const seen = new Map<string, { width: number; height: number; setting: AdSetting }>()
  for (const format of catalogue().formats) {
    for (const slot of slotsOf(format)) {
      const isDrawn = slot.type === 'html' || slot.type === 'video'
      const isPicture = slot.type === 'image' && slot.role === 'picture'
      if (!slot.isRequired || !(isDrawn || isPicture)) continue
      const { width, height } = isDrawn ? renderSize(format) : pictureSize(slot, format)
      const setting = settingOf(format)
      seen.set(`${setting} ${width}x${height}`, { width, height, setting })
    }
  }
  return [...seen.values()]
}

const CANVASES = canvases()
const LEAST_CONTRAST = 4.4

async function confirm(input: AdInput, direction: Direction, confirmed: Confirm): Promise<boolean> {
  const before = composeAd(input)
  const { ad, results } = composeDirected(input, [direction], { price: '€ 89' })
  const [result] = results
  expect(result?.detail).toMatch(/\.$/)
  const checked = await check(ad)
  expect(checked).toMatchObject({ overlaps: 0, clipped: 0, unaligned: 0 })
  expect(checked.contrast).toBeGreaterThan(LEAST_CONTRAST)
  const lost = ad.shortened.filter((role) => !before.shortened.includes(role))
  expect(lost).toEqual([])
  if (result?.outcome !== 'followed') return false
  const [now, then] = await Promise.all([lookAt(ad), lookAt(before)])
  expect(confirmed(now, then), `${input.width}x${input.height}: ${result.detail}`).toBe(true)
  return true
}

describe('what is said to be followed can be seen, and everything can still be read', () => {
  test('the catalogue has sizes of every kind', () => {
    expect(CANVASES.length).toBeGreaterThan(20)
    expect(new Set(CANVASES.map(({ setting }) => setting)).size).toBe(3)
  })

  test.each(
    CASES.map(([direction, confirmed], index) => ({
      name: JSON.stringify(direction),
      direction,
      confirmed,
      index,
    })),
  )('$name', async ({ direction, confirmed, index }) => {
    const step = runs({ usual: 9, all: 1 })
    const own = CANVASES.filter((_, at) => (at + index) % step === 0)
    const followed: boolean[] = []
    for (const canvas of own)
      followed.push(await confirm(await branded(canvas), direction, confirmed))
    expect(followed).toContain(true)
  })
})

describe('with a photo', () => {
  const SIZES = [
    [300, 250],
    [728, 90],
    [300, 600],
    [970, 250],
  ] as const
  const photos = new Map<string, Photo>()
  beforeAll(async () => {
    const bytes = await photoOf(SCENERIES.beach, 1600, 1200)
    for (const [width, height] of SIZES) {
      const cropped = await cropPhoto({ bytes, width, height, maxBytes: 250_000 })
      if (!cropped.ok) throw new Error(cropped.reason)
      photos.set(`${width}x${height}`, cropped.photo)
    }
  })
  const withPhoto = async ([width, height]: readonly [number, number]) => {
    const photo = photos.get(`${width}x${height}`)
    if (!photo) throw new Error('no photo was cropped')
    return branded({ width, height, photo })
  }

  test.each(['left', 'right', 'top', 'bottom'] as const)('it is at the %s', async (place) => {
    let followed = 0
    for (const size of SIZES) {
      const input = await withPhoto(size)
      const { ad, results } = composeDirected(input, [{ kind: 'photo_place', place }])
      if (results[0]?.outcome !== 'followed') continue
      followed++
      const { box } = ad.scene.photo as NonNullable<typeof ad.scene.photo>
      const x = (box.x + box.width / 2) / ad.width
      const y = (box.y + box.height / 2) / ad.height
      expect({ left: x < 0.5, right: x > 0.5, top: y < 0.5, bottom: y > 0.5 }[place]).toBe(true)
      expect((await check(ad)).contrast).toBeGreaterThan(LEAST_CONTRAST)
    }
    expect(followed).toBeGreaterThan(1)
  })

  test('it is left out, and then the words have the canvas', async () => {
    for (const size of SIZES) {
      const { ad, results } = composeDirected(await withPhoto(size), [
        { kind: 'photo', isWanted: false },
      ])
      expect(results[0]?.outcome).toBe('followed')
      expect(ad.svg).not.toContain('class="photo"')
    }
  })

  test('photo and logo lose their colours', async () => {
    for (const size of SIZES) {
      const { ad, results } = composeDirected(await withPhoto(size), [{ kind: 'greyscale' }])
      expect(results[0]?.outcome).toBe('followed')
      expect((await lookAt(ad)).isGrey).toBe(true)
      expect((await check(ad)).contrast).toBeGreaterThan(LEAST_CONTRAST)
    }
  })

  test('no direction about something else takes it away', async () => {
    for (const colour of ['#ffffff', '#000000', 'darker'] as const) {
      for (const size of SIZES) {
        const input = await withPhoto(size)
        const { ad } = composeDirected(input, [{ kind: 'background', colour }])
        expect(ad.scene.photo !== undefined).toBe(composeAd(input).scene.photo !== undefined)
        expect((await check(ad)).contrast).toBeGreaterThan(LEAST_CONTRAST)
      }
    }
  })
})

describe('several directions', () => {
  test('are all followed where they go together', async () => {
    const input = await branded({ width: 300, height: 250 })
    const { ad, results } = composeDirected(input, [
      { kind: 'logo_size', change: 'larger' },
      { kind: 'background', colour: '#ffffff' },
      { kind: 'button', isWanted: false },
      { kind: 'letter_case', letters: 'capitals' },
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(4).fill('followed'))
    const now = await lookAt(ad)
    expect(now.share('#ffffff')).toBeGreaterThan(0.3)
    expect(now.has('call_to_action')).toBe(false)
  })

  test('of two that contradict each other one is followed, and the other is said not to be', async () => {
    const input = await branded({ width: 300, height: 250 })
    const { results } = composeDirected(input, [
      { kind: 'background', colour: '#ffffff' },
      { kind: 'background', colour: '#000000' },
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual(['followed', 'not_possible'])
    expect(results[1]?.detail).toMatch(/contradicts/)
  })
})

test('without a logo nothing is followed that is about it, and the detail says what to give', async () => {
  const { brand, ...others } = await branded({ width: 300, height: 250 })
  const { logos: _, ...bare } = brand
  const { results } = composeDirected({ ...others, brand: bare }, [
    { kind: 'logo_size', change: 'larger' },
  ])
  expect(results).toMatchObject([
    { outcome: 'not_possible', detail: expect.stringMatching(/logos/) },
  ])
})

test('a direction that would cost words is dropped, and says so', async () => {
  const offering = {
    name: 'One two three four five six seven eight nine ten eleven twelve thirteen',
  }
  const input = await branded({ width: 320, height: 50, offering })
  const plain = composeAd(input)
  const { ad, results } = composeDirected(input, [{ kind: 'headline_size', change: 'larger' }])
  expect(ad.shortened).toEqual(plain.shortened)
  expect(results[0]?.outcome).toBe('not_possible')
})

test('text that is read from right to left is placed where the direction says', async () => {
  const offering = { name: 'أحذية المشي الجديدة', description: 'خفيفة وقوية لكل الطرق.' }
  for (const place of ['left', 'right'] as const) {
    const input = await branded({ width: 300, height: 250, offering })
    const { ad, results } = composeDirected(input, [{ kind: 'logo_place', place }])
    expect(results[0]?.outcome).toBe('followed')
    const { x = 0.5 } = (await lookAt(ad)).logo ?? {}
    expect(place === 'left' ? x < 0.5 : x > 0.5).toBe(true)
  }
})
