import sharp from 'sharp'
import { expect, test } from 'vitest'
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
