import { describe, expect, test } from 'vitest'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { composeFilm, safeMarginOf } from '../../../src/creative/video/compose-film.ts'
import { readMp4 } from '../../../src/creative/video/read-mp4.ts'
import type { VideoSpec } from '../../../src/creative/video/video-spec.ts'
import { adInput } from '../layout-engine/composing.ts'
import { FTYP, MDAT, moov, mp4 } from './mp4.ts'

const SPEC = { durationMs: 15_000 } as VideoSpec

function filmOf(width: number, height: number, over: Partial<VideoSpec> = {}) {
  const size = { width, height }
  const ad = composeAd({ ...adInput(size), safeMargin: safeMarginOf(size) })
  const last = { callToAction: 'Shop now', url: 'https://www.northwind.example/sale?a=b' }
  return composeFilm(ad, { ...SPEC, ...size, ...over }, last)
}

describe('spec 4.2: the scenes of a video', () => {
  test.each([
    [1_920, 1_080],
    [1_080, 1_920],
    [1_080, 1_080],
    [640, 360],
  ])('of %dx%d have all words within the safe area, and no button', (width, height) => {
    const { scenes } = filmOf(width, height)
    expect(scenes.length).toBeGreaterThanOrEqual(3)
    for (const part of scenes.flatMap(({ parts }) => parts)) {
      const { x, y, width: w, height: h } = part.box
      expect(part.role).not.toBe('call_to_action')
      expect(x).toBeGreaterThanOrEqual(width * 0.05 - 1)
      expect(y).toBeGreaterThanOrEqual(height * 0.05 - 1)
      expect(x + w).toBeLessThanOrEqual(width * 0.95 + 1)
      expect(y + h).toBeLessThanOrEqual(height * 0.95 + 1)
    }
  })

  test('end with what to do and where', () => {
    const last = filmOf(1_280, 720).scenes.at(-1)
    const words = last?.parts.flatMap(({ texts }) => texts.map(({ set }) => set.text))
    expect(words).toContain('Summer trail collection')
    expect(words).toContain('Shop now · northwind.example')
  })

  test('have what stands through all of them drawn once', () => {
    const { film } = filmOf(1_280, 720)
    const [first] = film.shots
    expect(film.shots.every(({ layers }) => layers[0] === first?.layers[0])).toBe(true)
    expect(film.layers.length).toBeLessThan(film.shots.flatMap(({ layers }) => layers).length)
  })

  test('are fewer in a short video, and what is omitted is reported', () => {
    const { film, notes } = filmOf(1_280, 720, { durationMs: 5_000 })
    expect(film.shots).toHaveLength(2)
    expect(notes).toContain('the video is too short for “Free shipping.”')
  })
})

describe('an MP4 file', () => {
  test('is read for its length, and whether it plays at once', () => {
    expect(readMp4(mp4(15_000))).toEqual({ durationMs: 15_000, isFastStart: true })
    const late = Buffer.concat([FTYP, MDAT, moov(2_000)])
    expect(readMp4(late)).toEqual({ durationMs: 2_000, isFastStart: false })
  })

  test('that is cut off or not an MP4 file at all is detected at every length', () => {
    const whole = mp4(1_000)
    for (let length = 0; length < whole.byteLength; length++) {
      expect(readMp4(whole.subarray(0, length))).toBeUndefined()
    }
    expect(readMp4(Buffer.alloc(64))).toBeUndefined()
  })
})
