import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addedOf, blankOf } from '../../../console/src/schema/blank-of.ts'
import { faultsOf } from '../../../console/src/schema/faults-of.ts'
import type { JsonSchema } from '../../../console/src/schema/json-schema.ts'
import { shapesOf } from '../../../console/src/schema/shape-of.ts'
import { toJsonSchema } from '../../../src/protocol/schemas/json-schema.ts'
import { EVERY_TASK } from '../../protocol/schemas/every-task.ts'

const shape = (schema: JsonSchema) => shapesOf(schema)(schema)

test.each<[schema: JsonSchema, kind: string]>([
  [{ type: 'object', properties: {} }, 'object'],
  [{ properties: { a: {} } }, 'object'],
  [{ items: {} }, 'array'],
  [{ type: 'string', enum: ['a', 'b'] }, 'enum'],
  [{ enum: ['a'] }, 'const'],
  [{ enum: [{}, []] }, 'any'],
  [{ oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] }, 'enum'],
  [{ oneOf: [{ type: 'string' }, { type: 'object' }] }, 'choice'],
  [{ type: ['string', 'number'] }, 'choice'],
  [{ type: 'integer' }, 'number'],
  [{ prefixItems: [{}] }, 'any'],
  [{}, 'any'],
  [true, 'any'],
  [false, 'never'],
  [{ oneOf: [{ $ref: '#' }] }, 'any'],
  [{ allOf: [{ $ref: '#' }, { $ref: '#' }] }, 'any'],
])('%j is drawn as %s', (schema, kind) => {
  expect(shape(schema).kind).toBe(kind)
})

test.each<JsonSchema>([
  { type: ['string', 'null'] },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { oneOf: [{ type: 'null' }, { $ref: '#/$defs/text' }], $defs: { text: { type: 'string' } } },
])('null beside a type is a mark on its field: %j', (schema) => {
  expect(shape(schema)).toMatchObject({ kind: 'string', isNullable: true })
})

test('references and allOf are put together', () => {
  const schema = {
    allOf: [{ $ref: '#/$defs/base' }, { properties: { b: { type: 'number' } }, required: ['b'] }],
    $defs: { base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
  }
  const read = shape(schema)
  expect(read).toMatchObject({ kind: 'object', required: new Set(['a', 'b']) })
  expect(read.kind === 'object' && [...read.members.keys()]).toEqual(['a', 'b'])
})

test('variants are distinguished by title, by what they fix, by what they need, by type', () => {
  const read = shape({
    oneOf: [
      { title: 'By name', type: 'object' },
      { type: 'object', properties: { kind: { const: 'id' } } },
      { type: 'object', required: ['a', 'b'] },
      { type: 'string', format: 'uri' },
    ],
  })
  expect(read.kind === 'choice' && read.options.map(({ title }) => title)).toEqual([
    'By name',
    'kind: id',
    'with a, b',
    'string (uri)',
  ])
})

test('the hint says what its author says, the bounds, the pattern, the default and an example', () => {
  const read = shape({
    type: 'string',
    description: 'What  to\nsay',
    minLength: 2,
    maxLength: 80,
    pattern: '^a',
    default: 'ab',
    examples: ['abc'],
  })
  expect(read.hint).toBe('What to say · 2 to 80 characters · pattern ^a · default ab · example abc')
})

test('long titles and descriptions are cut', () => {
  const { title, hint } = shape({ title: 't'.repeat(10_000), description: 'd'.repeat(10_000) })
  expect(title).toHaveLength(80)
  expect(hint).toHaveLength(320)
})

test('a form begins with what is fixed, by default, and needed inside of what is needed', () => {
  const schema = {
    type: 'object',
    properties: {
      kind: { const: 'x' },
      size: { type: 'integer', default: 3 },
      name: { type: 'string' },
      inner: {
        type: 'object',
        properties: { on: { const: true }, off: { const: false } },
        required: ['on'],
      },
      list: { type: 'array' },
    },
    required: ['kind', 'size', 'name', 'inner', 'list'],
  }
  expect(blankOf(schema)).toEqual({ kind: 'x', size: 3, inner: { on: true }, list: [] })
})

test('a schema that needs itself begins somewhere, and not without end', () => {
  const tree = {
    type: 'object',
    properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { $ref: '#' } },
    required: ['a', 'b', 'c'],
  }
  expect(JSON.stringify(blankOf(tree)).length).toBeLessThan(10_000)
})

test.each(Object.entries(EVERY_TASK))(
  'what is wrong with the beginning of %s is what a person has to say',
  (_name, { request }) => {
    const schema = toJsonSchema(request)
    const faults = faultsOf(schema, blankOf(schema))
    expect(
      [...faults.values()].filter((fault) => fault !== 'Needed.' && !fault.startsWith('At least')),
    ).toEqual([])
  },
)

test('whatever a schema is, it is read and begun without a throw, and a field that is added is there', () => {
  const keyword = fc.constantFrom(
    'type',
    'enum',
    'properties',
    'anyOf',
    'allOf',
    '$ref',
    'title',
    'default',
  )
  const schema = fc.dictionary(keyword, fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant('#')))
  fc.assert(
    fc.property(schema, (given) => {
      expect(shape(given).title?.length ?? 0).toBeLessThanOrEqual(80)
      expect(addedOf(given, shapesOf(given))).not.toBeUndefined()
    }),
    { numRuns: 500 },
  )
})
