// Values that a JSON Schema describes, roughly: what it says of types, members, choices and lengths is
// kept, so that many of them are accepted and the rest fail deep inside.

import fc from 'fast-check'
import type { JsonSchema } from '../../src/protocol/schemas/json-schema.ts'

/** Below this depth only what is required is made. */
const MAX_DEPTH = 4
const MAX_ITEMS = 3
const MAX_CHARS = 40
const URLS = ['https://example.com', 'http://127.0.0.1:8080/mcp', 'https://a.example.com/ü?q=%20#f']

export function valuesOf(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, depth)))
  if (Array.isArray(schema.allOf)) return allOf(schema.allOf as JsonSchema[], depth)
  switch (schema.type) {
    case 'object':
      return objectOf(schema, depth)
    case 'array':
      return arrayOf(schema, depth)
    case 'string':
      return stringOf(schema)
    case 'integer':
      return fc.integer(rangeOf(schema, -1_000_000, 1_000_000))
    case 'number':
      return fc.double({ ...rangeOf(schema, -1e6, 1e6), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function allOf(schemas: readonly JsonSchema[], depth: number): fc.Arbitrary<unknown> {
  const parts = schemas.map((schema) => valuesOf(schema, depth) as fc.Arbitrary<object>)
  return fc.tuple(...parts).map((values) => Object.assign({}, ...values))
}

function objectOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const required = (schema.required ?? []) as string[]
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    .filter(([name]) => depth < MAX_DEPTH || required.includes(name))
    .map(([name, member]) => [name, valuesOf(member, depth + 1)] as const)
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(members)
  const declared: fc.Arbitrary<object> = fc.record(model, {
    requiredKeys: required,
    noNullPrototype: true,
  })
  const rest = schema.additionalProperties
  if (typeof rest !== 'object' || rest === null || depth >= MAX_DEPTH) return declared
  const names = fc.string({ minLength: 1, maxLength: 8 })
  const others = fc.dictionary(names, valuesOf(rest as JsonSchema, depth + 1), {
    maxKeys: MAX_ITEMS,
    noNullPrototype: true,
  })
  return fc.tuple(others, declared).map(([other, own]) => ({ ...other, ...own }))
}

function arrayOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const minLength = Number(schema.minItems ?? 0)
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxItems ?? MAX_ITEMS), MAX_ITEMS))
  return fc.array(valuesOf((schema.items ?? {}) as JsonSchema, depth + 1), { minLength, maxLength })
}

function stringOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.format === 'uri') return fc.constantFrom(...URLS)
  if (schema.format === 'date-time') return times()
  if (schema.format === 'date') return times().map((time) => time.slice(0, 10))
  if (schema.format === 'uuid') return fc.uuid()
  const minLength = Number(schema.minLength ?? 0)
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxLength ?? MAX_CHARS), MAX_CHARS))
  // A pattern is mostly about characters: of those that every pattern takes, some are made.
  const unit = typeof schema.pattern === 'string' ? plain() : 'grapheme-ascii'
  return fc.string({ minLength, maxLength, unit })
}

function plain(): fc.Arbitrary<string> {
  return fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789')
}

function times(): fc.Arbitrary<string> {
  return fc
    .integer({ min: 0, max: 4_000_000_000 })
    .map((seconds) => new Date(seconds * 1_000).toISOString())
}

function rangeOf(schema: JsonSchema, lowest: number, highest: number) {
  const min = Number(schema.minimum ?? lowest)
  return { min, max: Math.max(min, Number(schema.maximum ?? highest)) }
}
