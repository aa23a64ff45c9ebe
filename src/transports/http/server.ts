// The HTTP server: limits, request ids, headers, logs, metrics and the error table, which every
// route gets without asking. What it serves is handed in.

import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Log } from '../../lib/log.ts'
import { faultOf, sendFault } from './errors.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { answerOtherMethods } from './method-not-allowed.ts'
import { registerOpenApi } from './openapi.ts'
import { SECURITY_HEADERS, STRICT_TRANSPORT } from './security-headers.ts'

export interface HttpServerOptions {
  log: Log
  metrics: HttpMetrics
  publicUrl: () => string
  bodyLimitBytes: number
  trustProxy: readonly string[]
  /** Adds its routes to the server. */
  routes: readonly ((app: FastifyInstance) => void)[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logged only at level debug: asked thousands of times a second, or by probes. */
    quiet?: boolean
  }
}

/** Requests that send nothing for this long are cut off. */
const REQUEST_TIMEOUT_MS = 30_000

export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { log, metrics } = options
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    disableRequestLogging: true,
    genReqId: () => randomUUID(),
    bodyLimit: options.bodyLimitBytes,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      sendFault(reply, faultOf(error, request))
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  const headers: Record<string, string> = options.publicUrl().startsWith('https:')
    ? { ...SECURITY_HEADERS, 'strict-transport-security': STRICT_TRANSPORT }
    : SECURITY_HEADERS
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const seconds = reply.elapsedTime / 1_000
    metrics.observe(route, request.method, reply.statusCode, seconds)
    const quiet = request.routeOptions.config?.quiet && reply.statusCode < 500
    if (quiet && !log.isLevelEnabled('debug')) return done()
    const line = {
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      duration_ms: Math.round(seconds * 1e6) / 1e3,
    }
    if (quiet) log.debug(line, 'request')
    else log.info(line, 'request')
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const fault = faultOf(error, request)
    if (fault.status >= 500) log.error({ err: error, request_id: request.id }, 'request failed')
    return sendFault(reply, fault)
  })
  app.setNotFoundHandler((_request, reply) =>
    sendFault(reply, { status: 404, error: 'there is nothing at this path' }),
  )

  const finishRoutes = answerOtherMethods(app)
  await registerOpenApi(app)
  await app.register(async (scope) => {
    for (const addRoutes of options.routes) addRoutes(scope)
  })
  finishRoutes()
  return app
}
