import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { briefSchema } from '../../../src/protocol/schemas/brief-schema.ts'
import { requestEnvelope, withRequestEnvelope } from '../../../src/protocol/schemas/envelope.ts'
import { type JsonSchema, toJsonSchema } from '../../../src/protocol/schemas/json-schema.ts'
import { EVERY_TASK, key } from './every-task.ts'

const names = identifiersFor('proto')
const bare = Object.keys(requestEnvelope(names))
const REQUESTS = Object.entries(EVERY_TASK).map(
  ([task, { request, calls }]) =>
    [task, toJsonSchema(withRequestEnvelope(request, names)), calls] as const,
)
const envelope = {
  context: { trace: [1, null] },
  push_notification_config: { url: 'https://buyer.example.com/hooks' },
  idempotency_key: key,
  account: { account_id: 'a1' },
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Where the value is refused, by the keywords that a brief schema has; empty if it is accepted. */
function refusals(schema: JsonSchema, value: unknown, root: JsonSchema, at = ''): string[] {
  const { $ref, type, enum: values, items, properties, required } = schema
  if (typeof $ref === 'string') {
    const definitions = root.$defs as Record<string, JsonSchema>
    return refusals(definitions[$ref.slice('#/$defs/'.length)] ?? { type: 'none' }, value, root, at)
  }
  const given = typeOf(value)
  const types = [type ?? given].flat()
  const isOfType = types.includes(given) || (given === 'number' && types.includes('integer'))
  const found = isOfType ? [] : [`${at}: ${given}`]
  if (Array.isArray(values) && !values.includes(value)) found.push(`${at}: enum`)
  if ('const' in schema && schema.const !== value) found.push(`${at}: const`)
  if (given === 'array' && items) {
    const list = value as unknown[]
    found.push(...list.flatMap((one) => refusals(items as JsonSchema, one, root, `${at}/0`)))
  }
  if (given !== 'object') return found
  const members = value as Record<string, unknown>
  const missing = ((required ?? []) as string[]).filter((name) => !(name in members))
  const parts = (properties ?? {}) as Record<string, JsonSchema>
  const inner = Object.entries(parts).filter(([name]) => name in members)
  return [
    ...found,
    ...missing.map((name) => `${at}/${name}: required`),
    ...inner.flatMap(([name, part]) => refusals(part, members[name], root, `${at}/${name}`)),
  ]
}

function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return [...Object.keys(value), ...Object.values(value).flatMap(textsOf)]
}

describe.each(REQUESTS)('the brief request of %s', (_task, whole, calls) => {
  test.each([0, 300, 1_000, 10_000])(
    'with %i characters lists every member, requires the same, and refuses no correct call',
    (maxChars) => {
      const brief = briefSchema(whole, { maxChars, bare })
      expect(Object.keys(brief.properties as object)).toEqual(
        Object.keys(whole.properties as object),
      )
      expect(brief.required).toEqual(whole.required)
      expect(textsOf(brief)).not.toContain('additionalProperties')
      for (const call of calls) {
        const given = { ...envelope, ...call }
        // An entry of a batch may be wrong in a correct call, and the whole schema says so too.
        const known = refusals(whole, given, whole)
        const found = refusals(brief, given, brief)
        expect(found.filter((one) => !known.includes(one))).toEqual([])
      }
    },
  )

  test('has no more details than there is room for', () => {
    const sizeOf = (maxChars: number) => {
      const { $defs: _shared, ...brief } = briefSchema(whole, { maxChars, bare })
      return JSON.stringify(brief).length
    }
    expect(sizeOf(400)).toBeLessThanOrEqual(sizeOf(0) + 400)
    expect(sizeOf(400)).toBeGreaterThan(sizeOf(0))
  })
})

test('the checker of this test refuses what a schema does not accept', () => {
  const schema = { type: 'object', properties: { a: { enum: ['x'] } }, required: ['a'] }
  expect(refusals(schema, {}, schema)).toEqual(['/a: required'])
  expect(refusals(schema, { a: 'y' }, schema)).toEqual(['/a: enum'])
})

const target = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 }, radius: { type: 'integer' } },
  required: ['city'],
  examples: [{ city: 'Oslo' }],
}
const schema = {
  type: 'object',
  properties: {
    rare: { ...target, description: 'Seldom.' },
    main: { ...target, description: 'Often.' },
    needed: { type: 'string', maxLength: 9, description: 'Always.' },
  },
  required: ['needed'],
}

test('required members have details first, then the main ones, and no others', () => {
  const { properties } = briefSchema(schema, { maxChars: 1_000, main: ['main'] })
  expect(properties).toEqual({
    rare: { type: 'object' },
    main: {
      type: 'object',
      properties: { city: { type: 'string' }, radius: { type: 'integer' } },
      required: ['city'],
      examples: [{ city: 'Oslo' }],
      description: 'Often.',
    },
    needed: { type: 'string', description: 'Always.' },
  })
})

test('an object without room for its members has its example', () => {
  const { properties } = briefSchema(schema, { maxChars: 100, main: ['main'] })
  expect(properties).toMatchObject({
    main: { type: 'object', examples: [{ city: 'Oslo' }], description: 'Often.' },
  })
  expect(properties).not.toHaveProperty('main.properties')
})

test('alternatives become one object that requires what all of them require', () => {
  const branch = (type: string, member: string) => ({
    type: 'object',
    properties: { type: { type: 'string', const: type }, [member]: { type: 'string' } },
    required: ['type', member],
  })
  const { properties } = briefSchema(
    { properties: { to: { oneOf: [branch('platform', 'platform'), branch('agent', 'url')] } } },
    { maxChars: 1_000 },
  )
  expect(properties).toEqual({
    to: {
      type: 'object',
      properties: {
        type: { enum: ['platform', 'agent'] },
        platform: { type: 'string' },
        url: { type: 'string' },
      },
      required: ['type'],
    },
  })
})
