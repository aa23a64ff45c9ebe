// The receiver in Fastify: `app.register(fastifyReceiver(receiver, { path: '/hooks/:route' }))`.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AdapterOptions, answer, type Receiving } from './node.ts'
import { lastSegment } from './request-url.ts'

/** The used part of Fastify: its own types would tie this to one version. */
export interface FastifyRequestLike {
  raw: IncomingMessage
  originalUrl: string
  params: unknown
}

export interface FastifyReplyLike {
  raw: ServerResponse
  hijack(): unknown
}

export interface FastifyLike {
  route(options: {
    method: string[]
    url: string
    onRequest: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void>
    handler: () => void
  }): unknown
}

export interface FastifyAdapterOptions<Request extends FastifyRequestLike = FastifyRequestLike>
  extends AdapterOptions<Request> {
  /** The path of deliveries, in Fastify's syntax. Default `/:route`. */
  path?: string
}

export function fastifyReceiver<Request extends FastifyRequestLike = FastifyRequestLike>(
  receiver: Receiving,
  {
    path = '/:route',
    route = ({ originalUrl }) => lastSegment(originalUrl),
    ...urlOptions
  }: FastifyAdapterOptions<Request> = {},
): (app: FastifyLike) => Promise<void> {
  // Runs before parsing and bypasses it: Fastify's parsers, limits and responses never see the request.
  const onRequest = async (request: FastifyRequestLike, reply: FastifyReplyLike) => {
    reply.hijack()
    await answer(
      receiver,
      { request: request.raw, response: reply.raw },
      {
        ...urlOptions,
        route: typeof route === 'string' ? route : () => route(request as Request),
        target: request.originalUrl,
      },
    )
  }
  return async (app) => {
    app.route({ method: [...METHODS], url: path, onRequest, handler: () => {} })
  }
}

/** All methods of one path, so that the receiver reports which it accepts. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
