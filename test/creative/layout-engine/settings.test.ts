import { describe, expect, test } from 'vitest'
import type { Photo } from '../../../src/creative/layout-engine/ad-input.ts'
import { addressToRead } from '../../../src/creative/layout-engine/address-to-read.ts'
import { contrast } from '../../../src/creative/layout-engine/colours.ts'
import { type ComposedAd, composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { shortNames } from '../../../src/creative/layout-engine/short-names.ts'
import { adInput } from './composing.ts'

const returned = ({ parts }: ComposedAd, role: string) =>
  parts.find((part) => part.role === role)?.texts.at(-1)?.set.text
const CROP = {
  dataUri: 'data:image/jpeg;base64,AAAA',
  lightest: Array.from({ length: 24 * 24 }, () => '#808080'),
}

describe('on a screen in the street', () => {
  test('an address is displayed instead of the button', () => {
    const landingPage = 'https://www.northwind.example/summer?utm_source=x#top'
    for (const [width, height] of [
      [1920, 1080],
      [1080, 1920],
    ] as const) {
      const ad = composeAd(adInput({ width, height, setting: 'screen', landingPage }))
      expect(returned(ad, 'call_to_action')).toBe('northwind.example/summer')
      expect(ad.shortened).toEqual([])
      const part = ad.parts.find(({ role }) => role === 'call_to_action')
      // No plate behind it that could be taken for something to press.
      expect(part?.shapes.join('')).not.toMatch(new RegExp(`height="${part?.box.height}"`))
    }
  })

  test('without one there is neither', () => {
    const { url: _, ...brand } = adInput().brand
    const ad = composeAd(adInput({ brand, setting: 'screen', width: 1920, height: 1080 }))
    expect(ad.parts.map(({ role }) => role)).not.toContain('call_to_action')
  })

  test.each([
    ['https://www.acme.example/', 'acme.example'],
    ['https://acme.example/a%20b', 'acme.example'],
    [`https://acme.example/${'long/'.repeat(9)}`, 'acme.example'],
    ['no address', ''],
  ])('%s is read as %j', (url, read) => expect(addressToRead(url)).toBe(read))
})

describe('in a native unit, which shows the words itself', () => {
  test('the picture has none of them: the sign of the brand on its colours', () => {
    const ad = composeAd(adInput({ setting: 'native', width: 1200, height: 628 }))
    expect(ad.parts.map(({ role }) => role)).toEqual(['brand'])
    expect(returned(ad, 'brand')).toBe('N')
    expect(ad.texts.headline).toContain('trail')
  })

  test('or the photo alone, without a scrim', () => {
    const photo: Photo = { bleed: CROP, split: CROP, square: CROP }
    const ad = composeAd(adInput({ setting: 'native', photo, width: 1200, height: 628 }))
    expect(ad.parts).toEqual([])
    expect(ad.scene.shapes).toEqual([])
    expect(ad.scene.photo?.box).toEqual({ x: 0, y: 0, width: 1200, height: 628 })
  })

  test('and what the unit has no place for', () => {
    const brand = { ...adInput().brand, disclaimers: [{ text: 'Terms apply.' }] }
    const photo: Photo = { bleed: { ...CROP, backdrop: '#ffffff' } }
    const ad = composeAd(adInput({ brand, setting: 'native', photo, width: 1200, height: 628 }))
    expect(returned(ad, 'disclaimer')).toBe('Terms apply.')
  })
})

describe('the name of a brand', () => {
  test.each([
    ['Northwind Outfitters GmbH', ['Northwind Outfitters', 'Northwind']],
    ['Acme', []],
    ['The Body Works', []],
    ['江南茶庄', []],
  ])('%s is shortened to %j', (name, forms) => expect(shortNames(name)).toEqual(forms))

  test('of one letter is read once, on its tile', () => {
    const ad = composeAd(adInput({ brand: { name: 'X' } }))
    const said = ad.parts.find(({ role }) => role === 'brand')?.texts.map(({ set }) => set.text)
    expect(said).toEqual(['X'])
    expect(ad.shortened).toEqual([])
  })

  test('is shortened to its first word, and not dropped, where a strip has no room for more', () => {
    const brand = { ...adInput().brand, name: 'Northwind Mountain Outfitters International GmbH' }
    const ads = Array.from({ length: 12 }, (_, seed) =>
      composeAd(adInput({ brand, width: 468, height: 60, seed: String(seed) })),
    )
    for (const ad of ads) expect(returned(ad, 'brand')).toMatch(/^Northwind/)
  })
})

describe('the colours of a brand', () => {
  test.each(['#E4002B', '#111111', '#FFD400', '#ffffff'])(
    'of one colour, %s, get no hue that is not its own',
    (primary) => {
      const { colours } = composeAd(adInput({ brand: { name: 'One', colors: { primary } } }))
      expect(contrast(colours.primary, colours.secondary)).toBeGreaterThan(1.3)
      expect(Math.abs(hueOf(colours.secondary) - hueOf(colours.primary))).toBeLessThan(4)
    },
  )

  test('that are dark throughout keep their dark ground', () => {
    const colors = { primary: '#3A86FF', background: '#0A0A12' }
    const ad = composeAd(adInput({ brand: { name: 'Dark', colors }, layout: 'frame' }))
    expect(ad.colours.paper).toBe('#0a0a12')
    for (const { fill, ground } of ad.parts.flatMap(({ texts }) => texts))
      expect(contrast(fill, ground)).toBeGreaterThanOrEqual(4.5)
  })
})

/** 0 for greys. */
function hueOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(colour.slice(at, at + 2), 16),
  )
  return (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI
}
