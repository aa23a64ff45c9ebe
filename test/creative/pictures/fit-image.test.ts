import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type FitOptions, fitImage } from '../../../src/creative/pictures/fit-image.ts'

/** Bars as close and as dark as those of letters. */
const letters = (left: number, top: number) =>
  Array.from(
    { length: 24 },
    (_, index) => `<rect x="${left + index * 7}" y="${top}" width="4" height="30" fill="#111111"/>`,
  ).join('')

/** A plain ground with a disc in its middle. */
const picture = (inside: string) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500">
      <rect width="900" height="500" fill="#f4f4f4"/><circle cx="450" cy="250" r="120" fill="#c02020"/>${inside}</svg>`),
  )
    .png()
    .toBuffer()

async function cropped(inside: string, preferences: Partial<FitOptions> = {}) {
  const target = { width: 300, height: 250, types: ['image/png'] as const, maxBytes: 1_000_000 }
  const fitted = await fitImage(await picture(inside), target, {
    keepsWhole: false,
    ...preferences,
  })
  if (!fitted.ok) throw new Error(fitted.reason)
  expect(fitted.way).toBe('cropped')
  return fitted.mayCutWords
}

describe('spec 4.2: whether a crop may have cut words is determined by what it omitted:', () => {
  test('nothing but ground', async () => {
    expect(await cropped('')).toBe(false)
    expect(await cropped('', { focus: 'left' })).toBe(false)
  })

  test('words at the edge that is left out', async () => {
    expect(await cropped(letters(5, 60), { focus: 'right' })).toBe(true)
    expect(await cropped(letters(725, 400), { focus: 'left' })).toBe(true)
    expect(await cropped(letters(5, 60), { focus: 'centre' })).toBe(true)
  })

  test('words that are kept', async () => {
    expect(await cropped(letters(5, 60), { focus: 'left' })).toBe(false)
    expect(await cropped(letters(725, 400), { focus: 'right' })).toBe(false)
    expect(await cropped(letters(370, 235), { focus: 'centre' })).toBe(false)
  })
})
