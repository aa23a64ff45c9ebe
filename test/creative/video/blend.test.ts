import { expect, test } from 'vitest'
import { cropped, crossFade, lay, opaque } from '../../../src/creative/video/blend.ts'

const GREY = 100

function canvas(width: number, height: number) {
  return { width, height, pixels: new Uint8Array(width * height * 3).fill(GREY) }
}

/** White, half transparent, of one pixel at 1, 1. */
function drawing(width: number, height: number) {
  const pixels = new Uint8Array(width * height * 4)
  pixels.set([128, 128, 128, 128], (1 * width + 1) * 4)
  return { width, height, pixels }
}

test('of a drawing only what is not empty is kept', () => {
  expect(cropped(drawing(4, 3))).toMatchObject({ x: 1, y: 1, width: 1, height: 1 })
  expect(cropped({ width: 2, height: 2, pixels: new Uint8Array(16) })).toBeUndefined()
})

test('a layer is laid over a frame with its own opacity, times the requested one', () => {
  const layer = cropped(drawing(4, 3))
  if (!layer) throw new Error('it is not empty')
  const whole = canvas(4, 3)
  lay(whole, layer, { opacity: 1, down: 0 })
  expect(whole.pixels[(1 * 4 + 1) * 3]).toBe(128 + Math.floor((GREY * 127 + 127) / 255))
  expect(whole.pixels.filter((value) => value !== GREY)).toHaveLength(3)
  const none = canvas(4, 3)
  lay(none, layer, { opacity: 0, down: 0 })
  expect(none.pixels.every((value) => value === GREY)).toBe(true)
})

test('a layer that is moved beyond the edge is left out there', () => {
  const layer = cropped(drawing(4, 3))
  if (!layer) throw new Error('it is not empty')
  for (const down of [2, 100, -2, -100]) {
    const frame = canvas(4, 3)
    lay(frame, layer, { opacity: 1, down })
    expect(frame.pixels.every((value) => value === GREY)).toBe(true)
  }
})

test('a frame fades into another from all of the one to all of the other', () => {
  const over = opaque({ width: 1, height: 1, pixels: Uint8Array.of(200, 0, 50, 255) })
  expect([...over]).toEqual([200, 0, 50])
  const fade = (opacity: number) => {
    const { pixels } = canvas(1, 1)
    crossFade(pixels, over, opacity)
    return [...pixels]
  }
  expect(fade(0)).toEqual([100, 100, 100])
  expect(fade(0.5)).toEqual([150, 50, 75])
  expect(fade(1)).toEqual([200, 0, 50])
})
