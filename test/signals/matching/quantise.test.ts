import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cosine,
  packVector,
  quantise,
  unpackVector,
} from '../../../src/signals/matching/quantise.ts'

const vectors = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 32, maxLength: 32 })
  .filter((numbers) => Math.hypot(...numbers) > 0.5)
  .map((numbers) => Float32Array.from(numbers))

test('a cosine of quantised vectors is that of the vectors, but for the third digit', () => {
  fc.assert(
    fc.property(vectors, vectors, (a, b) => {
      const product = a.reduce((sum, x, at) => sum + x * b[at]!, 0)
      const exact = product / (Math.hypot(...a) * Math.hypot(...b))
      expect(Math.abs(cosine(quantise(a), quantise(b)) - exact)).toBeLessThan(0.02)
    }),
  )
})

test('a vector comes out of its stored form as it went in', () => {
  fc.assert(
    fc.property(vectors, (vector) => {
      const { steps, worth } = quantise(vector)
      const back = unpackVector(packVector({ steps, worth }))
      expect(back.steps).toEqual(steps)
      expect(back.worth).toBeCloseTo(worth, 6)
    }),
  )
})

test('a vector without length is like nothing', () => {
  expect(cosine(quantise(new Float32Array(8)), quantise(new Float32Array(8).fill(1)))).toBe(0)
})
