import { expect, test } from 'vitest'
import { understandSpec } from '../../../src/signals/matching/language/understand-spec.ts'
import { ALL_LAYERS, LAYERS, type Layer } from '../../../src/signals/matching/layers.ts'
import { smallVocabulary } from './language/words.ts'

const VOCABULARY = smallVocabulary()

const without = (layer: Layer, spec: string) =>
  understandSpec(spec, VOCABULARY, new Set(LAYERS.filter((one) => one !== layer)))

test.each<[Layer, string]>([
  ['spelling', 'eletric vehicle intenders'],
  ['slang', 'petrolheads'],
  ['glosses', 'padres primerizos que buscan un coche familiar'],
  ['negation', 'dog owners but not cat people'],
  ['stages', 'people looking for a new car'],
])('without %s, %j is understood otherwise', (layer, spec) => {
  expect(without(layer, spec)).not.toEqual(understandSpec(spec, VOCABULARY))
})

test('a layer changes nothing of what it is not about', () => {
  const plain = understandSpec('dog owners', VOCABULARY)
  for (const layer of ['spelling', 'glosses', 'negation'] as const) {
    expect(without(layer, 'dog owners')).toEqual(plain)
  }
  expect(understandSpec('dog owners', VOCABULARY, ALL_LAYERS)).toEqual(plain)
})
