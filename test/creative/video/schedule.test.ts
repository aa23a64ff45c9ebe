import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Shot, seenAt, shotTimes } from '../../../src/creative/video/schedule.ts'

/** Layer 0 is in all shots, each other one in its own. */
function shotsOf(texts: readonly string[], durationMs: number): Shot[] {
  const starts = shotTimes(texts, durationMs)
  return starts.map((startMs, index) => ({
    startMs,
    endMs: starts[index + 1] ?? durationMs,
    ground: index % 2,
    layers: [0, index + 1],
  }))
}

const TEXTS = ['Summer trail collection', 'Light boots for long days outside.', 'Free shipping.']

describe('spec 4.2: the shots of a video', () => {
  test('begin one after the other, the first at once, and the last stays longest', () => {
    const starts = shotTimes(TEXTS, 15_000)
    expect(starts).toHaveLength(4)
    expect(starts[0]).toBe(0)
    const lengths = starts.map((start, index) => (starts[index + 1] ?? 15_000) - start)
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1_800)
    expect(Math.max(...lengths)).toBe(lengths.at(-1))
  })

  test('are as many as there is time for', () => {
    expect(shotTimes(TEXTS, 1_000)).toEqual([0])
    expect(shotTimes(TEXTS, 6_000)).toHaveLength(2)
    expect(shotTimes([], 15_000)).toEqual([0])
  })

  test('of any length fill it without a gap', () => {
    const texts = fc.array(fc.string({ maxLength: 200 }), { maxLength: 12 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 1_000, max: 60_000 }), (reported, durationMs) => {
        const starts = shotTimes(reported, durationMs)
        expect(starts[0]).toBe(0)
        for (const [index, start] of starts.entries()) {
          expect(start).toBeLessThan(starts[index + 1] ?? durationMs)
        }
      }),
    )
  })
})

describe('spec 4.2: what is seen of a video', () => {
  const shots = shotsOf(TEXTS, 15_000)

  test('at the first moment is what stands through all of it', () => {
    expect(seenAt(0, shots)).toEqual({
      grounds: [{ ground: 0, opacity: 1 }],
      layers: [{ layer: 0, opacity: 1, rise: 0 }],
    })
  })

  test('at the end is everything of the last shot, in its place', () => {
    expect(seenAt(14_999, shots).layers).toEqual([
      { layer: 0, opacity: 1, rise: 0 },
      { layer: 4, opacity: 1, rise: 0 },
    ])
  })

  test('is never two texts in one place, and the ground is never see-through', () => {
    for (let time = 0; time < 15_000; time += 40) {
      const { layers, grounds } = seenAt(time, shots)
      expect(layers.filter(({ layer }) => layer > 0).length).toBeLessThanOrEqual(1)
      expect(layers.find(({ layer }) => layer === 0)?.opacity).toBe(1)
      expect(grounds[0]?.opacity).toBe(1)
    }
  })

  test('changes gently: in a twenty-fifth of a second no layer comes or goes at once', () => {
    const opacityAt = (time: number, layer: number) =>
      seenAt(time, shots).layers.find((one) => one.layer === layer)?.opacity ?? 0
    for (const layer of [1, 2, 3, 4]) {
      for (let time = 0; time < 14_900; time += 40) {
        const change = Math.abs(opacityAt(time + 40, layer) - opacityAt(time, layer))
        expect(change).toBeLessThan(0.25)
      }
    }
  })
})
