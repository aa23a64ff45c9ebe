// Known paths of the protocol that this server does not serve: 501 and a plain error, never 404, which clients would
// read as "this resource does not exist".

import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import { sendFault } from './errors.ts'

/**
 * Must be called before the first route; the routes it adds come after the last one, and only for paths that are not
 * served by then. `paths` are `METHOD /path`.
 */
export function answerNotImplemented(app: FastifyInstance, paths: readonly string[]): () => void {
  const served = new Set<string>()
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    for (const one of [method].flat()) served.add(shapeOf(`${one} ${url}`))
  })
  return () => {
    for (const path of paths) {
      if (served.has(shapeOf(path))) continue
      const [method, url] = path.split(' ') as [HTTPMethods, string]
      app.route({
        method,
        url,
        schema: { hide: true },
        exposeHeadRoute: false,
        // Before the body: no one will want it.
        onRequest: (_request, reply) => {
          sendFault(reply, { status: 501, error: NOT_IMPLEMENTED })
        },
        handler: () => undefined,
      })
    }
  }
}

const NOT_IMPLEMENTED =
  'this server does not implement this path of the registry, so the response says nothing about the requested object'

/** Routes that differ only in parameter names are the same route. */
function shapeOf(path: string): string {
  return path.replace(/:\w+/g, ':')
}
