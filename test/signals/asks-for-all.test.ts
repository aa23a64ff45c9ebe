import { expect, test } from 'vitest'
import { asksForAll } from '../../src/signals/asks-for-all.ts'

test.each([
  'show all available signals',
  'Show all available signals.',
  'list everything in your catalogue',
  'What audiences are available?',
  'Please give me the whole list of segments',
  'Zeig mir alle verfügbaren Signale',
  'montre tous les signaux disponibles',
  'muestra todas las señales disponibles',
  'signals',
  'audience segments',
])('spec 4.3: %j requests the whole list', (spec) => {
  expect(asksForAll(spec)).toBe(true)
})

test.each([
  'show all available luxury car signals',
  'all parents',
  'everything for runners',
  'show me',
  'all',
  'anything',
  'people who like data',
  '50',
  '',
  'all 18 to 24 year olds in the catalogue',
])('spec 4.3: %j describes somebody, or nothing', (spec) => {
  expect(asksForAll(spec)).toBe(false)
})
