// The receiver in Fastify: `app.register(fastifyReceiver(receiver, { path: '/hooks/:route' }))`.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AdapterOptions, answer, type Receiving } from './node.ts'
import { lastSegment } from './request-url.ts'

export interface FastifyAdapterOptions extends AdapterOptions<FastifyRequest> {
  /** Where deliveries come in, as Fastify writes paths. Default `/:route`. */
  path?: string
}

export function fastifyReceiver(
  receiver: Receiving,
  {
    path = '/:route',
    route = ({ originalUrl }) => lastSegment(originalUrl),
    ...urlOptions
  }: FastifyAdapterOptions = {},
): (app: FastifyInstance) => Promise<void> {
  // Before parsing, and past it: Fastify's parsers, limits and answers never see the request.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    await answer(receiver, request.raw, reply.raw, {
      ...urlOptions,
      route: typeof route === 'string' ? route : route(request),
      target: request.originalUrl,
    })
  }
  return async (app) => {
    app.route({ method: [...METHODS], url: path, onRequest, handler: () => {} })
  }
}

/** All of one path, so that the receiver says which it takes. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
