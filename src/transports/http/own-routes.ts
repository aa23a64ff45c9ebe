// Routes of a program that embeds the server, beside the server's own.

import type { FastifyInstance } from 'fastify'

/**
 * Adds routes beside those of the server. They have its limits, headers, request ids, logs, metrics and
 * errors; hooks, parsers and decorators that are added here are for these routes alone.
 */
export type OwnRoutes = (app: FastifyInstance) => void | Promise<void>

export async function addOwnRoutes(app: FastifyInstance, ownRoutes?: OwnRoutes): Promise<void> {
  if (!ownRoutes) return
  await app.register(async (scope) => {
    // What has no description is no part of /openapi.json.
    scope.addHook('onRoute', (route) => {
      route.schema ??= { hide: true }
    })
    await ownRoutes(scope)
  })
}
