// The routes of the console's API, generated from the table: headers, authentication, schemas and refusals are the
// same for all.

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { ConsoleRoute } from '../../../console/api/route.ts'
import { CONSOLE_ROUTES } from '../../../console/api/routes.ts'
import type { Handlers, ViewRoute } from '../../../console/handlers.ts'
import type { Visitor } from '../../../console/sessions.ts'
import { defined } from '../../../lib/defined.ts'
import { goneSignal } from '../../call-source.ts'
import { type ConsoleGatePorts, gateFor } from './authorize.ts'
import { consoleHeaders } from './headers.ts'
import { sendConsoleFault, sendConsoleRefusal } from './refusals.ts'
import { type SessionRoutePorts, sessionHandlers } from './session-handlers.ts'
import { writerOf } from './tolerant-page.ts'

export interface ApiPorts extends ConsoleGatePorts, SessionRoutePorts {
  handlers: Handlers
  /** Called with the validation error for rows that a list cannot display. */
  onUnreadable: (error: unknown) => void
}

export function apiRoutes(ports: ApiPorts) {
  const session = sessionHandlers(ports)
  const views = ports.handlers as unknown as Record<ViewRoute, AnyHandler>
  return (app: FastifyInstance): void => {
    app.decorateRequest('visitor', undefined)
    for (const [name, route] of Object.entries(CONSOLE_ROUTES) as [string, ConsoleRoute][]) {
      if (route.role === 'link') continue
      const own = session.get(name)
      const view = views[name as ViewRoute]
      app.route({
        ...routeOf(route, ports),
        handler:
          own ??
          ((request, reply) => {
            const { params, query, body } = request
            const visitor = request.visitor as Visitor
            return view({ visitor, params, query, body, signal: goneSignal(reply) })
          }),
      })
    }
    app.all(
      '/console/api/*',
      { onRequest: consoleHeaders, schema: { hide: true } },
      (_request, reply) => sendConsoleRefusal(reply, NOTHING),
    )
  }
}

type AnyHandler = (requested: {
  visitor: Visitor
  params: unknown
  query: unknown
  body: unknown
  signal: AbortSignal
}) => Promise<unknown>

const NOTHING = {
  status: 404,
  code: 'not_found',
  message: 'no resource at this path',
} as const

function routeOf(route: ConsoleRoute, ports: ApiPorts): Omit<RouteOptions, 'handler'> {
  const { method, path, params, query: querystring, body, response } = route
  return {
    method,
    url: path,
    config: { quiet: true },
    onRequest: [consoleHeaders, gateFor(route, ports)],
    preValidation: (request, _reply, done) => {
      if (body) emptyBody(request)
      done()
    },
    errorHandler: sendConsoleFault,
    ...writerOf(response, ports.onUnreadable),
    schema: { hide: true, response: { 200: response }, ...defined({ params, querystring, body }) },
  }
}

/** A request without content may omit its body. */
function emptyBody(request: FastifyRequest): void {
  request.body ??= {}
}
