// `/openapi.json`: OpenAPI 3.1.0, made from the schemas that the routes declare (spec 9).

import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'

export const API_VERSION = '1.0.0'

export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
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
            type: 'http',
            scheme: 'bearer',
            description: 'An organisation key (sk_…) or a user token (JWT).',
          },
        },
      },
      security: [],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  let document: string | undefined
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'This description',
        tags: ['Operations'],
      },
    },
    (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
}
