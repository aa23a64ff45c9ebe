// `/openapi.json`: OpenAPI 3.1.0, generated from the schemas that the routes declare (spec 9). It is generated on
// the first request, in small steps so that other requests are not delayed, and then cached as text.

import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import { type JsonSchema, toJsonSchema } from '../../protocol/schemas/json-schema.ts'
import { shareSchemasSlowly } from '../../protocol/schemas/share-schemas.ts'

const API_VERSION = '1.0.0'

export interface Description {
  document: OpenApiDocument
  bytes: Buffer
  etag: string
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; responses?: Record<string, Body> }
}

export interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
  security?: object[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    schema?: JsonSchema
    description?: string
  }[]
  requestBody?: Body
  responses?: Record<string, Body | { $ref: string }>
}

interface Body {
  description?: string
  content?: Record<string, { schema?: JsonSchema }>
}

/** The response itself, where an operation refers to one that it shares with others. */
export function responseOf({ components }: OpenApiDocument, given: Body | { $ref: string }): Body {
  if (!('$ref' in given)) return given
  const name = given.$ref.slice(SHARED_RESPONSE.length)
  return new Map(Object.entries(components.responses ?? {})).get(name) ?? {}
}

/** Returns the description, generated once for all callers. */
export async function registerOpenApi(app: FastifyInstance): Promise<() => Promise<Description>> {
  const parts = createParts()
  await app.register(swagger, {
    openapi: ABOUT,
    transform: ({ schema, url }) => ({ schema: parts.transformed(schema), url }),
  })
  let making: Promise<Description> | undefined
  const description = () => {
    making ??= describe(app, parts).catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'This description',
        tags: ['Operations'],
      },
    },
    async (request, reply) => {
      const { bytes, etag } = await description()
      reply.header('etag', etag).header('cache-control', 'no-cache')
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(bytes)
    },
  )
  return description
}

async function describe(app: FastifyInstance, parts: Parts): Promise<Description> {
  const document = app.swagger() as unknown as OpenApiDocument
  const made: JsonSchema[] = []
  for (const { schema, io } of parts.all) {
    made.push(toJsonSchema(schema, { io }))
    await nextTurn()
  }
  const pause = () => nextTurn()
  const { schemas, definitions } = await shareSchemasSlowly(made, { prefix: REFERENCE, pause })
  const named = schemas.map((schema, index) => [parts.all.at(index)?.name ?? '', schema] as const)
  const all = { ...definitions, ...Object.fromEntries(named) }
  document.components = { ...document.components, schemas: all }
  shareResponses(document)
  const bytes = Buffer.from(JSON.stringify(document))
  return { document, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

export const REFERENCE = '#/components/schemas/'
const SHARED_RESPONSE = '#/components/responses/'

/** Most statuses of an operation have the same body: it is described once, and the statuses refer to it. */
function shareResponses({ paths, components }: OpenApiDocument): void {
  const shared = new Map<string, Body>()
  const share = (status: string, response: Body | { $ref: string }) => {
    if ('$ref' in response) return response
    const reference = response.content?.['application/json']?.schema?.$ref
    const isOnlyJson = Object.keys(response.content ?? {}).length === 1
    if (typeof reference !== 'string' || !isOnlyJson) {
      return { ...response, description: STATUS_TEXTS.get(status) ?? 'The response.' }
    }
    const name = reference.slice(REFERENCE.length)
    shared.set(name, { ...response, description: 'The body is JSON.' })
    return { $ref: SHARED_RESPONSE + name }
  }
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses ?? {}).map(([status, one]) => [
        status,
        share(status, one),
      ]),
    )
  }
  components.responses = Object.fromEntries(shared)
}

const STATUS_TEXTS: ReadonlyMap<string, string | undefined> = new Map(Object.entries(STATUS_CODES))

interface Part {
  schema: z.ZodType
  io: 'input' | 'output'
  /** The name of its component: no member has such a name, because of the dot. */
  name: string
}

interface Parts {
  all: Part[]
  /** A route's schema with references in place of bodies. */
  transformed(schema: FastifySchema): FastifySchema
}

function createParts(): Parts {
  const all: Part[] = []
  const known = { input: new Map<z.ZodType, string>(), output: new Map<z.ZodType, string>() }
  const refer = (schema: unknown, io: Part['io'], name: string): unknown => {
    if (!(schema instanceof z.ZodType)) return schema
    const found = known[io].get(schema)
    if (found === undefined) {
      all.push({ schema, io, name })
      known[io].set(schema, name)
    }
    return { $ref: REFERENCE + (found ?? name) }
  }
  const asJson = (schema: unknown) =>
    schema instanceof z.ZodType ? toJsonSchema(schema, { io: 'input' }) : schema

  return {
    all,
    transformed: (schema) => {
      if (schema?.hide) return { hide: true }
      const { body, querystring, params, headers, response, ...rest } = schema ?? {}
      const id = rest.operationId ?? 'route'
      const responses = Object.entries((response ?? {}) as Record<string, unknown>)
      return {
        ...rest,
        ...defined({
          body: body ? refer(body, 'input', `${id}.request`) : undefined,
          querystring: querystring ? asJson(querystring) : undefined,
          params: params ? asJson(params) : undefined,
          headers: headers ? asJson(headers) : undefined,
          response: response
            ? Object.fromEntries(
                responses.map(([status, one]) => [
                  status,
                  refer(one, 'output', `${id}.answer${status === '200' ? '' : status}`),
                ]),
              )
            : undefined,
        }),
      }
    },
  }
}

const ABOUT = {
  openapi: '3.1.0',
  info: {
    title: 'Adwire',
    version: API_VERSION,
    description: 'The registry and the tasks of an advertising-automation server.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  tags: [
    { name: 'Tasks', description: 'Tasks of the agents of this server.' },
    { name: 'Links', description: 'Pages of a principal’s own deliveries, for who has the link.' },
    { name: 'Search', description: 'Public lookups.' },
    { name: 'Manifest references', description: 'What describes a domain.' },
    { name: 'Member agents', description: 'Agents of an organisation.' },
    { name: 'Onboarding', description: 'Organisations.' },
    { name: 'Change feed', description: 'What changed in the registry.' },
    { name: 'Operations', description: 'Health, metrics and descriptions of this server.' },
  ],
  components: {
    securitySchemes: {
      bearerAuth: {
        type: 'http' as const,
        scheme: 'bearer',
        description: 'An organisation key (sk_…) or a user token (JWT).',
      },
    },
  },
  security: [],
}
