import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { requirementsOfType } from '../../../src/protocol/schemas/asset-requirements.ts'
import { assetOfType } from '../../../src/protocol/schemas/assets.ts'
import { accountRef, brandRef, money } from '../../../src/protocol/schemas/common.ts'
import { creativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'
import { deploymentTarget } from '../../../src/protocol/schemas/deployment.ts'
import {
  requestEnvelope,
  withRequestEnvelope,
  withResponseEnvelope,
} from '../../../src/protocol/schemas/envelope.ts'
import { formatId } from '../../../src/protocol/schemas/format-id.ts'
import { protocolBlock } from '../../../src/protocol/schemas/get-agent-capabilities.ts'
import { checkShape } from '../../../src/protocol/schemas/issues.ts'
import {
  briefly,
  type JsonSchema,
  toJsonSchema,
} from '../../../src/protocol/schemas/json-schema.ts'
import { pushNotificationConfig } from '../../../src/protocol/schemas/push-notification-config.ts'
import { RESOURCES } from '../../../src/protocol/schemas/resources.ts'
import { syncedCreative } from '../../../src/protocol/schemas/sync-creatives.ts'
import {
  receivedA2aWebhook,
  receivedWebhookEnvelope,
} from '../../../src/protocol/schemas/webhook-envelope.ts'
import { EVERY_TASK } from './every-task.ts'

const names = identifiersFor('proto')

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
const SIZES = ['minLength', 'maxLength', 'minItems', 'maxItems']
const TEXTS = ['description', 'title', 'format', 'pattern']

/** What a draft 2020-12 validator would refuse, and what a reader could not follow. */
function faults(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return [`${at} is no schema`]
  }
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const place = `${at}/${keyword}`
    if (keyword === 'properties') {
      return Object.entries(value as object).flatMap(([member, inner]) =>
        faults(inner, `${place}/${member}`),
      )
    }
    if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword)) {
      const branches = value as unknown[]
      return branches.length === 0
        ? [`${place} is empty`]
        : branches.flatMap((inner, index) => faults(inner, `${place}/${index}`))
    }
    if (['items', 'additionalProperties', 'propertyNames', 'not'].includes(keyword)) {
      return typeof value === 'boolean' ? [] : faults(value, place)
    }
    return isPlain(keyword, value) ? [] : [`${place} has ${JSON.stringify(value)}`]
  })
}

function isPlain(keyword: string, value: unknown): boolean {
  if (keyword === 'type') return [value].flat().every((type) => TYPES.includes(String(type)))
  if (keyword === 'required' || keyword === 'enum') {
    return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length
  }
  if (keyword === 'examples') return Array.isArray(value) && value.length > 0
  if (NUMBERS.includes(keyword)) return typeof value === 'number' && Number.isFinite(value)
  if (SIZES.includes(keyword)) return Number.isInteger(value) && Number(value) >= 0
  if (keyword === 'pattern') return new RegExp(String(value), 'u') instanceof RegExp
  if (TEXTS.includes(keyword)) return typeof value === 'string'
  return keyword === 'const' || keyword === 'readOnly'
}

test('the example of a shared schema is accepted by it', () => {
  const shared = {
    formatId,
    deploymentTarget,
    money,
    brandRef,
    accountRef,
    pushNotificationConfig,
    creativeManifest,
    syncedCreative,
  }
  for (const [name, schema] of Object.entries(shared)) {
    const [example] = (schema.meta()?.examples ?? []) as unknown[]
    expect([name, checkShape<unknown>(schema, example)]).toEqual([
      name,
      { ok: true, value: example },
    ])
  }
})

const membersOf = (schema: JsonSchema) => Object.keys((schema.properties ?? {}) as object)

describe('a request is published as one object with the members of both generations', () => {
  test.each(Object.entries(EVERY_TASK))('%s', (_task, { request, calls }) => {
    const schema = toJsonSchema(withRequestEnvelope(request, names))
    expect(faults(schema)).toEqual([])
    expect(schema.type).toBe('object')
    expect(schema).not.toHaveProperty('$schema')
    const members = membersOf(schema)
    expect(members).toEqual(expect.arrayContaining(Object.keys(requestEnvelope(names))))
    expect(members).toEqual(expect.arrayContaining(calls.flatMap((call) => Object.keys(call))))
    // Tools are read by models, each time: a schema must stay affordable.
    expect(JSON.stringify(schema).length).toBeLessThan(30_000)
  })
})

describe('an answer is published as one object that only needs its status', () => {
  test.each(Object.entries(EVERY_TASK))('%s', (_task, { response, answer }) => {
    const schema = toJsonSchema(withResponseEnvelope(response, names), { io: 'output' })
    expect(faults(schema)).toEqual([])
    expect(schema.type).toBe('object')
    expect(schema.required).toEqual(['status'])
    expect(JSON.stringify(schema).length).toBeLessThan(30_000)
    expect(membersOf(schema)).toEqual(
      expect.arrayContaining(['status', 'errors', 'context', 'proto_error', 'proto_version']),
    )
    const own = Object.keys(answer).filter((member) => member !== 'proto')
    expect(membersOf(schema)).toEqual(expect.arrayContaining(own))
  })
})

test('every resource, asset and webhook can be published in both directions', () => {
  const schemas = [
    ...Object.values(RESOURCES),
    ...Object.values(assetOfType),
    ...Object.values(requirementsOfType),
    protocolBlock,
    receivedWebhookEnvelope,
    receivedA2aWebhook,
  ]
  for (const schema of schemas) {
    expect(faults(toJsonSchema(schema, { io: 'input' }))).toEqual([])
    expect(faults(toJsonSchema(schema, { io: 'output' }))).toEqual([])
  }
})

test('a document of its own names its dialect, its address and its title', () => {
  const schema = toJsonSchema(RESOURCES['format-id'], {
    id: 'https://a.example.com/schemas/v3/core/format-id.json',
    title: 'Format identifier',
  })
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://a.example.com/schemas/v3/core/format-id.json',
    title: 'Format identifier',
    type: 'object',
    required: ['agent_url', 'id'],
    properties: { agent_url: { type: 'string', format: 'uri' } },
  })
})

test('schemas are open, times are identified by their format, and what has no form is anything', () => {
  const schema = z.strictObject({
    at: z.iso.datetime(),
    n: z.int(),
    extra: z.looseObject({}),
    any: z.unknown(),
  })
  expect(toJsonSchema(schema)).toEqual({
    type: 'object',
    properties: {
      at: { type: 'string', format: 'date-time' },
      n: { type: 'integer' },
      extra: { type: 'object', properties: {} },
      any: {},
    },
    required: ['at', 'n', 'extra', 'any'],
  })
  expect(toJsonSchema(z.date())).toEqual({})
})

test('a batch of previews is documented item by item, although its items are validated one by one', () => {
  const schema = toJsonSchema(EVERY_TASK.preview_creative?.request ?? z.never())
  expect(schema).toHaveProperty('properties.requests.items.properties.creative_manifest')
})

test('what is published briefly is validated in full', () => {
  const whole = z.looseObject({ size: z.int() })
  const schema = z.looseObject({ first: whole, second: briefly(whole, 'As the first.').optional() })
  expect(toJsonSchema(schema)).toMatchObject({
    properties: {
      first: { properties: { size: { type: 'integer' } } },
      second: { type: 'object', description: 'As the first.' },
    },
    required: ['first'],
  })
  expect(toJsonSchema(schema)).not.toHaveProperty('properties.second.properties')
  expect(schema.safeParse({ first: { size: 1 }, second: { size: 'x' } }).success).toBe(false)
})
