// What describes no audience (spec 4.3): a question that means something else finds nothing.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nearOutOfDomain } from '../../../src/signals/matching/out-of-domain.ts'
import { unpackVector } from '../../../src/signals/matching/quantise.ts'
import { isOutOfDomain, type Look, rankCandidates } from '../../../src/signals/matching/rank.ts'

const FOLDER = new URL('../../../src/signals/matching/elsewhere/', import.meta.url)

const look = (model: number, more: Partial<Look> = {}): Look => ({
  model,
  table: 0.5,
  lexical: 0,
  name: 0,
  ...more,
})
const hitsOf = (one: Look) =>
  rankCandidates([{}], [{ id: 'a', looks: [[one]], avoided: [] }]).map(({ id }) => id)

test('its texts stand once each, and each is nearest to itself', () => {
  const texts = readFileSync(new URL('texts.txt', FOLDER), 'utf8').trimEnd().split('\n')
  expect(new Set(texts).size).toBe(texts.length)
  const bytes = new Uint8Array(readFileSync(new URL('vectors.bin', FOLDER)))
  const size = bytes.length / texts.length
  for (let at = 0; at < texts.length; at++) {
    const own = unpackVector(bytes.subarray(at * size, (at + 1) * size))
    expect(nearOutOfDomain(own)).toBeCloseTo(1, 2)
  }
})

test('a wording that is nearer to them than to any signal is elsewhere', () => {
  expect(isOutOfDomain([look(0.4), look(0.35)], 0.5)).toBe(true)
  expect(isOutOfDomain([look(0.4), look(0.52)], 0.5)).toBe(false)
  // Words in common speak for a signal.
  expect(isOutOfDomain([look(0.44), look(0.44, { lexical: 1 })], 0.5)).toBe(false)
})

test('without the model, or a vector, nothing can be said of a wording', () => {
  expect(isOutOfDomain([], 0.9)).toBe(false)
  expect(isOutOfDomain([{ table: 0.6, lexical: 0, name: 0 }], 0.9)).toBe(false)
})

test('such a wording finds nothing but what is called by it', () => {
  expect(hitsOf(look(0.6))).toEqual(['a'])
  expect(hitsOf(look(0.6, { isOutOfDomain: true }))).toEqual([])
  expect(hitsOf(look(0.6, { isOutOfDomain: true, name: 1 }))).toEqual(['a'])
})
