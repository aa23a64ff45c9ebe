import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { abridgeSchema } from '../../../src/protocol/schemas/abridge-schema.ts'
import {
  withRequestEnvelope,
  withResponseEnvelope,
} from '../../../src/protocol/schemas/envelope.ts'
import { type JsonSchema, toJsonSchema } from '../../../src/protocol/schemas/json-schema.ts'
import { shareSchemas, shareSchemasSlowly } from '../../../src/protocol/schemas/share-schemas.ts'
import { EVERY_TASK } from './every-task.ts'

const PREFIX = '#/$defs/'
const names = identifiersFor('proto')
const REQUESTS = Object.entries(EVERY_TASK).map(
  ([task, { request }]) => [task, toJsonSchema(withRequestEnvelope(request, names))] as const,
)
const RESPONSES = Object.values(EVERY_TASK).map(({ response }) =>
  toJsonSchema(withResponseEnvelope(response, names), { io: 'output' }),
)
const ALL = [...REQUESTS.map(([, schema]) => schema), ...RESPONSES]

/** The schema with what its references mean in their places. */
function expanded(value: unknown, definitions: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((one) => expanded(one, definitions))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...others } = value as JsonSchema
  const meant = typeof $ref === 'string' ? definitions[$ref.slice(PREFIX.length)] : undefined
  if (meant) return { ...(expanded(meant, definitions) as object), ...others }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, expanded(member, definitions)]),
  )
}

test('spec 9: shared schemas mean what they meant, and each part is said once', () => {
  const { schemas, definitions } = shareSchemas(ALL, { prefix: PREFIX })
  expect(Object.keys(definitions).length).toBeGreaterThan(20)
  expect(expanded(schemas, definitions)).toEqual(ALL)
  expect(JSON.stringify({ schemas, definitions }).length * 2).toBeLessThan(
    JSON.stringify(ALL).length,
  )
})

test('in steps it comes to the same, with a pause between them', async () => {
  let pauses = 0
  const pause = async () => {
    pauses++
  }
  const slowly = await shareSchemasSlowly(ALL, { prefix: PREFIX, pause })
  expect(slowly).toEqual(shareSchemas(ALL, { prefix: PREFIX }))
  expect(pauses).toBe(ALL.length * 2)
})

test('a description stays at its place, and parts of one name are distinguished', () => {
  const part = (maximum: number, description: string) => ({
    type: 'number',
    enum: Array.from({ length: 60 }, (_, index) => index + maximum),
    description,
  })
  const properties = {
    a: { properties: { n: part(1, 'first') } },
    b: { properties: { n: part(2, 'second') } },
    c: { properties: { n: part(1, 'third') } },
    d: { properties: { n: part(2, 'fourth') } },
  }
  const { schemas, definitions } = shareSchemas([{ properties }], { prefix: PREFIX })
  expect(Object.keys(definitions)).toEqual(['n', 'n-2'])
  expect(schemas).toMatchObject([
    { properties: { c: { properties: { n: { $ref: '#/$defs/n', description: 'third' } } } } },
  ])
  expect(expanded(schemas, definitions)).toEqual([{ properties }])
})

/** Where the first schema refuses something that the second accepts; empty when it nowhere can. */
function stricter(short: JsonSchema, whole: JsonSchema, at = ''): string[] {
  return Object.entries(short).flatMap(([keyword, value]) => {
    const place = `${at}/${keyword}`
    if (keyword === 'description') return []
    if (keyword === 'properties') {
      const members = (whole.properties ?? {}) as Record<string, JsonSchema>
      return Object.entries(value as Record<string, JsonSchema>).flatMap(([name, member]) =>
        members[name] ? stricter(member, members[name], `${place}/${name}`) : [`${place}/${name}`],
      )
    }
    if (keyword === 'items') return stricter(value as JsonSchema, whole.items as JsonSchema, place)
    if (keyword === 'type' && whole.type === undefined) {
      const branches = (whole.anyOf ?? whole.oneOf) as JsonSchema[]
      return branches.every(({ type }) => [value].flat().includes(type)) ? [] : [place]
    }
    if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) {
      const branches = whole[keyword] as JsonSchema[]
      return (value as JsonSchema[]).flatMap((one, index) =>
        stricter(one, branches[index] as JsonSchema, `${place}/${index}`),
      )
    }
    return JSON.stringify(value) === JSON.stringify(whole[keyword]) ? [] : [place]
  })
}

describe.each(REQUESTS)('the abridged request of %s', (_task, whole) => {
  test.each([200, 2_000, 6_000])(
    'in %i characters refuses nothing that the whole accepts',
    async (chars) => {
      const { $defs = {}, ...short } = await abridgeSchema(whole, chars, atOnce)
      const returned = expanded(short, $defs as Record<string, JsonSchema>) as JsonSchema
      expect(stricter(returned, whole)).toEqual([])
      expect(Object.keys(returned.properties as object)).toEqual(
        Object.keys(whole.properties as object),
      )
    },
  )
})

const atOnce = async () => {}

test('what fits is not abridged, and what does not names its members', async () => {
  const place = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const whole = { type: 'object', properties: { place: { ...place, description: 'Where.' } } }
  expect(await abridgeSchema(whole, 1_000, atOnce)).toEqual(whole)
  expect(await abridgeSchema(whole, 10, atOnce)).toEqual({
    type: 'object',
    properties: { place: { type: 'object', description: 'Where. Members: city.' } },
  })
})
