// A known path with another method returns 405 with the methods it supports, not 404.

import type { FastifyInstance, RouteOptions } from 'fastify'
import { sendFault } from './errors.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** To be called before the first route; the routes it adds come after the last one. */
export function answerOtherMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const methods = known.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    known.set(url, methods)
  })
  return () => {
    for (const [url, methods] of [...known]) {
      const others = METHODS.filter((method) => !methods.has(method))
      const allow = [...methods].sort().join(', ')
      if (url.endsWith('*') || others.length === 0) continue
      app.route({
        method: others,
        url,
        schema: { hide: true },
        // Before the body: nobody will want it.
        onRequest: (request, reply) => {
          sendFault(reply.header('allow', allow), {
            status: 405,
            error: `${request.method} is not allowed here: use ${allow}`,
          })
        },
        handler: () => undefined,
      })
    }
  }
}
