import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { misspeltMembers } from '../../../src/protocol/schemas/misspelt.ts'

const place = z.looseObject({ country: z.string().optional(), city: z.string().optional() })
const schema = z.looseObject({
  name_search: z.string().optional(),
  max_width: z.number().optional(),
  type: z.string().optional(),
  filters: z.looseObject({ places: z.array(place).optional() }).optional(),
  target: z.union([z.string(), place, z.looseObject({ platform: z.string() })]).optional(),
  assets: z.record(z.string(), z.looseObject({ width: z.number().optional() })).optional(),
  context: z.looseObject({}).optional(),
})
const notes = (request: unknown) => misspeltMembers(schema, request)

describe('a member that is not read is reported when it is', () => {
  test.each([
    ['a letter short', { name_serch: 'x' }, '/name_serch', 'name_search'],
    ['two letters swapped', { naem_search: 'x' }, '/naem_search', 'name_search'],
    ['two letters off', { max_widht: 1, x: 1 }, '/max_widht', 'max_width'],
    [
      'deep in lists',
      { filters: { places: [{}, { contry: 'US' }] } },
      '/filters/places/1/contry',
      'country',
    ],
    ['of one branch', { target: { plattform: 'x' } }, '/target/plattform', 'platform'],
    ['under a free name', { assets: { a: { widht: 1 } } }, '/assets/a/widht', 'width'],
    ['oddly named', { 'max/widht': 1 }, '/max~1widht', 'max_width'],
  ])('%s', (_what, request, pointer, meant) => {
    expect(notes(request)).toEqual([`${pointer} is not read: did you mean ${meant}?`])
  })
})

test.each([
  ['known', { name_search: 'x', type: 'x' }],
  ['short', { typ: 'x', cty: 1 }],
  ['far from every known one', { something_else: 1, trace_id: 2 }],
  ['the caller’s own', { context: { name_serch: 1 }, assets: { widht: {} } }],
  ['in no object', 'name_serch'],
])('a member that is %s is not', (_what, request) => {
  expect(notes(request)).toEqual([])
})

test('ten are reported whatever the number, and no more than two hundred are compared', () => {
  const many = (count: number, name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 1]))
  expect(notes(many(9, 'max_width'))).toHaveLength(9)
  expect(notes(many(10_000, 'max_width'))).toHaveLength(10)
  expect(notes({ ...many(199, 'unlike_'), max_widht: 1 })).toHaveLength(1)
  expect(notes({ ...many(200, 'unlike_'), max_widht: 1 })).toEqual([])
})
