import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { readLogo } from '../../../src/creative/pictures/logo.ts'
import { adInput } from '../layout-engine/composing.ts'

const logo = (colour: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><circle cx="200" cy="100" r="50" fill="${colour}"/></svg>`,
  )

test('a logo loses its empty border and becomes a PNG', async () => {
  const read = await readLogo(logo('#102030'))
  expect(read?.dataUri).toMatch(/^data:image\/png;base64,/)
  expect((read?.width ?? 0) / (read?.height ?? 1)).toBeCloseTo(1, 1)
  expect(read?.isLight).toBe(false)
})

test('a white logo says that it needs a dark ground, a picture with its own does not', async () => {
  expect(await readLogo(logo('#ffffff'))).toMatchObject({ isLight: true })
  const photo = { create: { width: 20, height: 20, channels: 3 as const, background: '#f8f8f8' } }
  const jpeg = await sharp(photo)
    .composite([
      { input: Buffer.from('<svg width="9" height="9"><rect width="9" height="9"/></svg>') },
    ])
    .jpeg()
    .toBuffer()
  expect(await readLogo(jpeg)).toMatchObject({ isLight: false })
})

test('what is no picture is no logo', async () => {
  expect(await readLogo(Buffer.from('<html>404</html>'))).toBeUndefined()
  expect(await readLogo(Buffer.alloc(0))).toBeUndefined()
})

test('a logo that would be lost on its ground stands on a plate', async () => {
  const [dark, light] = [await readLogo(logo('#102030')), await readLogo(logo('#ffffff'))]
  const shapes = (of: typeof dark) =>
    composeAd(
      adInput({ brand: { ...adInput().brand, logos: of ? [of] : [] }, layout: 'rings' }),
    ).parts.find(({ role }) => role === 'brand')?.shapes
  expect(shapes(dark)).toHaveLength(2)
  expect(shapes(light)).toHaveLength(1)
})

describe('spec 4.2: a logo on any ground', () => {
  const jpegOn = (ground: string) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="${ground}"/><circle cx="200" cy="100" r="60" fill="#0ea5e9"/></svg>`,
      ),
    )
      .jpeg({ quality: 95 })
      .toBuffer()
  const brandOn = async (bytes: Buffer, primary: string) => {
    const read = await readLogo(bytes)
    const brand = { ...adInput().brand, colors: { primary }, logos: read ? [read] : [] }
    return composeAd(adInput({ brand, layout: 'rings' })).parts.find(({ role }) => role === 'brand')
  }

  test('that brings its own colour along keeps some of it around, on every side', async () => {
    for (const primary of ['#e6ff00', '#0b5d4e', '#fdf2f8']) {
      const mark = await brandOn(await jpegOn('#ffffff'), primary)
      expect(mark?.shapes).toHaveLength(2)
      expect(mark?.shapes[0]).toContain('fill="#ffffff"')
      const [, x = '', , width = ''] =
        /<image x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/.exec(mark?.shapes[1] ?? '') ?? []
      const box = mark?.box ?? { x: 0, width: 0 }
      expect(Number(x) - box.x).toBeGreaterThan(2)
      expect(box.x + box.width - Number(x) - Number(width)).toBeGreaterThan(2)
    }
    expect(await brandOn(await jpegOn('#e6ff00'), '#0b5d4e')).toMatchObject({
      shapes: [expect.stringContaining('fill="#e'), expect.anything()],
    })
  })

  test('has a plate only where its outline would be lost, and one that it stands out from', async () => {
    const shapesOn = async (colour: string, primary: string) =>
      (await brandOn(logo(colour), primary))?.shapes
    expect(await shapesOn('#000000', '#d4af37')).toHaveLength(1)
    expect(await shapesOn('#ffffff', '#e6ff00')).toEqual([
      expect.stringContaining('fill="#14161a"'),
      expect.anything(),
    ])
    expect(await shapesOn('#facc15', '#fef9c3')).toEqual([
      expect.stringContaining('fill="#14161a"'),
      expect.anything(),
    ])
  })
})

test('nothing that decorates a native picture touches its logo', async () => {
  const wide =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><circle cx="100" cy="100" r="80" fill="none" stroke="#fff" stroke-width="30"/><rect x="220" y="60" width="360" height="80" fill="#fff"/></svg>'
  const read = await readLogo(Buffer.from(wide))
  for (const name of ['Noir', 'Volt', 'Harbour', 'Lumen', 'Olivar', 'Nordhem']) {
    const brand = { ...adInput().brand, name, logos: read ? [read] : [] }
    const ad = composeAd(adInput({ brand, setting: 'native', width: 1200, height: 628 }))
    const box = ad.parts.find(({ role }) => role === 'brand')?.box ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    for (const { 1: cx, 2: cy, 3: r } of ad.scene.shapes
      .join('')
      .matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)" fill="#/g)) {
      const [x, y, radius] = [Number(cx), Number(cy), Number(r)]
      const isApart =
        x + radius < box.x ||
        x - radius > box.x + box.width ||
        y + radius < box.y ||
        y - radius > box.y + box.height
      expect(isApart, `${name} ${x} ${y}`).toBe(true)
    }
  }
})
