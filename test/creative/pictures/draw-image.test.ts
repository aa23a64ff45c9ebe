import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { LAYOUTS, type LayoutName } from '../../../src/creative/layout-engine/ad-input.ts'
import { contrast, TEXT_CONTRAST } from '../../../src/creative/layout-engine/colours.ts'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { drawImage } from '../../../src/creative/pictures/draw-image.ts'
import { adInput, SIZES } from '../layout-engine/composing.ts'

describe('spec 2.4: a generated image', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'is a real %s of exactly the requested size',
    async (type) => {
      const { svg } = composeAd(adInput({ width: 333, height: 97 }))
      const bytes = await drawImage(svg, { width: 333, height: 97, type })
      expect(await sharp(bytes).metadata()).toMatchObject({ format: type, width: 333, height: 97 })
    },
  )

  test('is drawn sharp at twice its size', async () => {
    const { svg } = composeAd(adInput())
    const bytes = await drawImage(svg, { width: 600, height: 500, type: 'png' })
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 600, height: 500 })
  })

  test('has the same bytes every time, however many are drawn at once', async () => {
    const { svg } = composeAd(adInput())
    const drawn = await Promise.all(
      Array.from({ length: 5 }, () => drawImage(svg, { width: 300, height: 250, type: 'png' })),
    )
    for (const bytes of drawn) expect(bytes.equals(drawn[0] as Buffer)).toBe(true)
  })

  test.each(['png', 'jpeg', 'webp'] as const)(
    'as %s keeps within the bytes it may take',
    async (type) => {
      const { svg } = composeAd(adInput({ layout: 'mosaic' }))
      const size = { width: 300, height: 250, type }
      const free = await drawImage(svg, size)
      const maxBytes = Math.floor(free.byteLength * 0.6)
      const bounded = await drawImage(svg, { ...size, maxBytes })
      expect(bounded.byteLength).toBeLessThanOrEqual(maxBytes)
      expect(await sharp(bounded).metadata()).toMatchObject({ width: 300, height: 250 })
    },
  )

  test('is the smallest there is when no quality is small enough', async () => {
    const { svg } = composeAd(adInput())
    const size = { width: 300, height: 250, type: 'jpeg' as const }
    const least = await drawImage(svg, { ...size, maxBytes: 1 })
    expect(least.byteLength).toBeLessThan((await drawImage(svg, size)).byteLength / 2)
  })

  test('waits for no one who failed', async () => {
    const options = { width: 10, height: 10, type: 'png' as const }
    for (let i = 0; i < 4; i++) await expect(drawImage('no svg', options)).rejects.toThrow()
    const { svg } = composeAd(adInput())
    expect((await drawImage(svg, options)).byteLength).toBeGreaterThan(0)
  })
})

describe('the brand is seen', () => {
  test.each(SIZES)(
    '%ix%i: its colour takes a good share of every layout',
    async (width, height) => {
      for (const layout of LAYOUTS) {
        for (const primary of ['#0b5d4e', '#ff5733']) {
          const { svg } = composeAd(
            adInput({ brand: { name: 'Acme', colors: { primary } }, width, height, layout }),
          )
          expect(await shareOf(svg, primary), `${layout} in ${primary}`).toBeGreaterThan(0.18)
        }
      }
    },
  )
})

describe('WCAG 1.4.3: what lies under a text lets it be read, to the pixel', () => {
  test.each(LAYOUTS)('in layout %s', async (layout) => {
    for (const [width, height] of SIZES.filter(([w, h]) => w * h < 250_000)) {
      for (const primary of ['#0b5d4e', '#ffd400'])
        expect(await worstContrast(layout, primary, width, height)).toBeGreaterThan(
          TEXT_CONTRAST - 0.1,
        )
    }
  })
})

async function worstContrast(
  layout: LayoutName,
  primary: string,
  width: number,
  height: number,
): Promise<number> {
  const brand = {
    name: 'Northwind Outfitters',
    colors: { primary, secondary: '#33c1ff', accent: '#e5007d' },
    disclaimers: [{ text: 'Offer ends in August. Terms and conditions apply.' }],
  }
  const ad = composeAd(adInput({ brand, width, height, layout }))
  const pixels = await pixelsOf(ad.svg.replace(/<text.*?<\/text>/g, ''))
  let worst = 21
  for (const { box, fill } of ad.parts.flatMap(({ texts }) => texts)) {
    const seen = new Set<string>()
    for (let y = Math.floor(box.y); y < Math.min(height, box.y + box.height); y++)
      for (let x = Math.floor(box.x); x < Math.min(width, box.x + box.width); x++)
        seen.add(colourAt(pixels, y * width + x))
    for (const colour of seen) worst = Math.min(worst, contrast(colour, fill))
  }
  return worst
}

/** The share of the pixels that a person would call this colour. */
async function shareOf(svg: string, colour: string): Promise<number> {
  const pixels = await pixelsOf(svg, 320)
  const parts = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const wanted = parts(colour)
  const count = pixels.length / 3
  let alike = 0
  for (let i = 0; i < count; i++) {
    const distance = wanted.map((value, k) => Math.abs(value - (pixels[i * 3 + k] as number)))
    if (Math.max(...distance) <= 24) alike += 1
  }
  return alike / count
}

async function pixelsOf(svg: string, longest = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const [width, height] = (svg.match(/width="(\d+)" height="(\d+)"/) ?? [])
    .slice(1)
    .map(Number) as [number, number]
  const scale = Math.min(1, longest / Math.max(width, height))
  const png = await drawImage(svg, {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    type: 'png',
  })
  return sharp(png).removeAlpha().raw().toBuffer()
}

function colourAt(pixels: Buffer, index: number): string {
  return `#${pixels.toString('hex', index * 3, index * 3 + 3)}`
}
