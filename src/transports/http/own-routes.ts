// Routes of a program that embeds the server, in addition to the server's own.

import type { FastifyInstance } from 'fastify'

/**
 * Adds routes in addition to those of the server. They get its limits, headers, request ids, logs, metrics and
 * errors; hooks, parsers and decorators added here apply only to these routes.
 */
export type OwnRoutes = (app: FastifyInstance) => void | Promise<void>

export async function addOwnRoutes(app: FastifyInstance, ownRoutes?: OwnRoutes): Promise<void> {
  if (!ownRoutes) return
  await app.register(async (scope) => {
    // Routes without a description are not part of /openapi.json.
    scope.addHook('onRoute', (route) => {
      route.schema ??= { hide: true }
    })
    await ownRoutes(scope)
  })
}
