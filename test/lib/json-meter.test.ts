import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonMeter, type Excess, type JsonMeterLimits } from '../../src/lib/json-meter.ts'

const NO_LIMITS: JsonMeterLimits = { maxDepth: 1_000_000, maxValues: 1_000_000 }

/** What a walk over the parsed value finds, names of members counted beside values. */
function measured(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 }
  const names = Array.isArray(value) ? 0 : Object.keys(value).length
  const inner = Object.values(value).map(measured)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + names + inner.reduce((sum, { values }) => sum + values, 0),
  }
}

function fed(text: string, cuts: readonly number[], limits = NO_LIMITS) {
  const bytes = Buffer.from(text)
  const meter = createJsonMeter(limits)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  )
  let excess: Excess | undefined
  for (const [index, place] of places.entries()) {
    excess ??= meter.feed(bytes.subarray(place, places[index + 1] ?? bytes.length))
  }
  return { excess, depth: meter.depth(), values: meter.values() }
}

/** Names and texts full of what the meter must not take for structure. */
const awkward = fc.stringMatching(/^[[\]{}:,"\\ a-c0-9\u00e9]{0,70}$/)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    awkward,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, 0, -1.5e-9),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 5 }),
  ),
})).value
const cuts = fc.array(fc.nat(), { maxLength: 12 })
const indent = fc.constantFrom(undefined, 1, '\t', '\n \r')

test('finds what a walk over the parsed value finds, wherever the text is cut', () => {
  fc.assert(
    fc.property(json, cuts, indent, (value, places, space) => {
      const text = JSON.stringify(value, null, space)
      expect(fed(text, places)).toEqual({ excess: undefined, ...measured(JSON.parse(text)) })
    }),
    { numRuns: 1_000 },
  )
})

test('refuses exactly what is beyond its limits', () => {
  const limits = fc.record({ maxDepth: fc.nat(5), maxValues: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(json, cuts, limits, (value, places, given) => {
      const { depth, values } = measured(value)
      const { excess } = fed(JSON.stringify(value), places, given)
      const isBeyond = depth > given.maxDepth || values > given.maxValues
      expect(excess !== undefined).toBe(isBeyond)
      if (excess === 'too_deep') expect(depth).toBeGreaterThan(given.maxDepth)
      if (excess === 'too_many_values') expect(values).toBeGreaterThan(given.maxValues)
    }),
    { numRuns: 500 },
  )
})

test('a name that is there twice counts twice, whatever a parser makes of it', () => {
  expect(fed('{"a":1,"a":2}', [])).toMatchObject({ values: 5, depth: 1 })
})

describe('text that is not JSON', () => {
  test('ends somehow, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), cuts, (text, places) => {
        expect(fed(text, places).values).toBeLessThanOrEqual(text.length)
        expect(fed(text, places)).toEqual(fed(text, []))
      }),
    )
  })

  test.each([
    ['open lists', '['.repeat(1_000_000), 'too_deep'],
    ['open objects', '{"a":'.repeat(200_000), 'too_deep'],
    ['numbers', `[${'1,'.repeat(500_000)}`, 'too_many_values'],
    ['texts', `[${'"",'.repeat(300_000)}`, 'too_many_values'],
    ['empty objects', `[${'{},'.repeat(300_000)}`, 'too_many_values'],
  ])('of a million %s is refused in the first chunk', (_what, text, why) => {
    const meter = createJsonMeter({ maxDepth: 100, maxValues: 20_000 })
    expect(meter.feed(Buffer.from(text).subarray(0, 131_072))).toBe(why)
    expect(meter.feed(Buffer.from('1'))).toBe(why)
  })
})

test('a megabyte of backslashes, in one chunk or in small ones, is walked once', () => {
  const text = `["${'\\\\'.repeat(500_000)}",1]`
  const small = Array.from({ length: 1_000 }, (_, index) => index * 997)
  for (const places of [[], small]) {
    expect(fed(text, places)).toEqual({ excess: undefined, depth: 1, values: 3 })
  }
})
