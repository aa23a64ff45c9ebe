import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Faults, faultsOf } from '../../../console/src/schema/faults-of.ts'
import { type JsonSchema, Unparsed } from '../../../console/src/schema/json-schema.ts'
import { toJsonSchema } from '../../../src/protocol/schemas/json-schema.ts'
import { EVERY_TASK } from '../../protocol/schemas/every-task.ts'
import { valuesOf } from '../../support/json-schema-arbitrary.ts'

const found = (faults: Faults) => Object.fromEntries(faults)

test.each<[what: string, schema: JsonSchema, value: unknown, faults: Record<string, string>]>([
  ['a type', { type: 'string' }, 7, { '': 'Must be a text.' }],
  [
    'one of two types',
    { type: ['integer', 'null'] },
    1.5,
    { '': 'Must be a whole number or null.' },
  ],
  ['a value that is fixed', { const: { a: 1 } }, { a: 2 }, { '': 'Must be {"a":1}.' }],
  ['a value of few', { enum: ['a', null] }, 'b', { '': 'Must be one of "a", null.' }],
  ['the least', { type: 'number', minimum: 2 }, 1, { '': 'At least 2.' }],
  ['the most', { type: 'number', maximum: 2 }, 3, { '': 'At most 2.' }],
  ['less than', { exclusiveMaximum: 2 }, 2, { '': 'Less than 2.' }],
  ['more than', { exclusiveMinimum: 2 }, 2, { '': 'More than 2.' }],
  ['multiples', { multipleOf: 5 }, 12, { '': 'A multiple of 5.' }],
  ['the length of a text', { maxLength: 1 }, 'ab', { '': 'At most 1 characters.' }],
  ['an empty text', { minLength: 1 }, '', { '': 'Must not be empty.' }],
  ['the length of a list', { minItems: 2 }, [1], { '': 'At least 2 items.' }],
  ['items that stand twice', { uniqueItems: true }, [{}, {}], { '': 'Values must be unique.' }],
  ['a URL', { format: 'uri' }, 'example', { '': 'Must be a URL such as https://example.com.' }],
  [
    'a time',
    { format: 'date-time' },
    '2026-13-01T00:00:00Z',
    { '': 'Must be a time such as 2026-01-31T12:00:00Z.' },
  ],
  ['a date', { format: 'date' }, '31.1.2026', { '': 'Must be a date such as 2026-01-31.' }],
  [
    'an address',
    { format: 'email' },
    'nobody',
    { '': 'Must be an address such as name@example.com.' },
  ],
  ['what is needed', { required: ['a/b'] }, {}, { '/a~1b': 'Needed.' }],
  [
    'members that there are not',
    { properties: { a: {} }, additionalProperties: false },
    { a: 1, b: 2 },
    { '/b': 'Unknown field.' },
  ],
  [
    'members by their schema, others by theirs',
    { properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    { a: 1, b: 'x' },
    { '/a': 'Must be a text.', '/b': 'Must be a number.' },
  ],
  ['items', { items: { type: 'string' } }, ['a', 1], { '/1': 'Must be a text.' }],
  [
    'places of a list',
    { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    [1, 'a'],
    { '/0': 'Must be a text.', '/1': 'Must be a number.' },
  ],
  [
    'all of several',
    { allOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    { '/a': 'Needed.', '/b': 'Needed.' },
  ],
  [
    'the variant that comes closest',
    { oneOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] },
    {},
    { '/a': 'Needed.' },
  ],
  [
    'more than one variant',
    { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
    3,
    { '': 'Matches more than one variant: fill in more fields.' },
  ],
  [
    'references, also into themselves',
    {
      $ref: '#/$defs/tree',
      $defs: {
        tree: { properties: { kids: { items: { $ref: '#/$defs/tree' } } }, required: ['name'] },
      },
    },
    { name: 'a', kids: [{ name: 'b' }, { kids: [] }] },
    { '/kids/1/name': 'Needed.' },
  ],
  ['nothing at all', false, 1, { '': 'No value is allowed here.' }],
  [
    'text that should be JSON',
    { properties: { a: {} } },
    { a: new Unparsed('{', 'This is not JSON: end') },
    { '/a': 'This is not JSON: end' },
  ],
])('a value is checked against %s', (_what, schema, value, faults) => {
  expect(found(faultsOf(schema, value))).toEqual(faults)
})

test.each<[what: string, schema: JsonSchema, value: unknown]>([
  ['a pattern, which is never run', { pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`],
  ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 1],
  ['a reference to another document', { $ref: 'https://evil.example/schema' }, 1],
  ['a type that there is not', { type: 'date' }, 1],
  [
    'keywords of the wrong type',
    { type: 7, required: 'a', properties: 3, enum: {}, anyOf: 1, items: 'x' },
    { a: [1] },
  ],
  ['characters that are two units', { maxLength: 1 }, '😀'],
  ['a reference to itself', { $ref: '#' }, { a: 1 }],
  [
    'names of Object.prototype',
    { properties: {}, additionalProperties: true },
    JSON.parse('{"__proto__":1,"constructor":2}'),
  ],
])('nothing is found by %s', (_what, schema, value) => {
  expect(found(faultsOf(schema, value))).toEqual({})
})

test('required members are found by their own name, whatever every object inherits', () => {
  expect(found(faultsOf({ required: ['constructor', 'toString'] }, {}))).toEqual({
    '/constructor': 'Needed.',
    '/toString': 'Needed.',
  })
})

describe('of the protocol’s own requests', () => {
  test.each(Object.entries(EVERY_TASK))('what %s accepts has no faults', (_name, { request }) => {
    const schema = toJsonSchema(request)
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value))
        if (request.safeParse(json).success) expect(found(faultsOf(schema, json))).toEqual({})
      }),
      { numRuns: 60 },
    )
  })

  test.each(Object.entries(EVERY_TASK))(
    'what lacks a member that %s needs has a fault there',
    (_name, { request }) => {
      const schema = toJsonSchema(request)
      const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
      for (const name of required) expect(faultsOf(schema, {}).get(`/${name}`)).toBe('Needed.')
      expect(faultsOf(schema, []).get('')).toBe('Must be an object.')
    },
  )
})

test('a schema that branches into itself at every place is checked in bounded work', () => {
  const self = { $ref: '#' }
  const hostile = {
    anyOf: [self, self, self],
    allOf: [self, self],
    oneOf: [self, self, self, self],
  }
  expect(faultsOf(hostile, { a: 1 }).size).toBeLessThanOrEqual(200)
})

test('any schema and any value are checked without a throw', () => {
  const names = fc.constantFrom(
    'type',
    'enum',
    'const',
    'properties',
    'required',
    'items',
    'anyOf',
    'oneOf',
    'allOf',
    '$ref',
    'minLength',
    'maximum',
    'additionalProperties',
    'prefixItems',
    'format',
    'uniqueItems',
  )
  const { schema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.constant({ $ref: '#' }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 1 }),
      tie('schema'),
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 3 }), tie('schema'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(schema, fc.jsonValue(), (given, value) => {
      for (const [pointer, message] of faultsOf(given as JsonSchema, value)) {
        expect(pointer === '' || pointer.startsWith('/')).toBe(true)
        expect(message).not.toBe('')
      }
    }),
    { numRuns: 500 },
  )
})
