// The HTTP server: limits, request ids, headers, logs, metrics and the error table, which every
// route gets without asking. What it serves is handed in.

import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Log } from '../../lib/log.ts'
import { refuseMalformed } from '../../lib/refuse-malformed.ts'
import { faultOf, sendFault } from './errors.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { answerOtherMethods } from './method-not-allowed.ts'
import { registerOpenApi } from './openapi.ts'
import type { QuickAnswer } from './registry/quick-lookup.ts'

export interface HttpServerOptions {
  log: Log
  metrics: HttpMetrics
  bodyLimitBytes: number
  trustProxy: readonly string[]
  requestId: () => string
  /** Headers of every answer, without the request id. */
  headers: Readonly<Record<string, string>>
  /** Answers before the framework what it can; see `registry/quick-lookup.ts`. Default: nothing. */
  quick?: QuickAnswer
  /** Aborted when the server stops: what arrives from then on is refused. Default never. */
  stopping?: AbortSignal
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
/** Longer than the usual proxy keeps an idle connection, so that we are not the one who closes it. */
const KEEP_ALIVE_MS = 72_000

export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { log, metrics } = options
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: options.requestId,
    // One logger for all: a child for each request costs more than a lookup.
    childLoggerFactory: (logger) => logger,
    ...serverFactory(options),
    bodyLimit: options.bodyLimitBytes,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: false },
    clientErrorHandler: refuseMalformed,
    // Comes before every hook, so it sets the headers itself.
    frameworkErrors: (error, request, reply) => {
      reply.headers(options.headers).header('x-request-id', request.id)
      sendFault(reply, faultOf(error, request))
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  // Every body is JSON; the framework would take plain text as well.
  app.removeContentTypeParser('text/plain')
  closeIdleAtStop(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(options.headers).header('x-request-id', request.id)
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

function serverFactory({ quick, headers, stopping }: HttpServerOptions): FastifyServerOptions {
  const limits = { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }
  return {
    ...limits,
    serverFactory: (handle) =>
      createServer(limits, (request, response) => {
        if (stopping?.aborted) return refuseAtStop(response, headers)
        if (!quick?.(request, response, () => handle(request, response))) handle(request, response)
      }),
  }
}

/** Of a connection that was open before: whoever asks again finds another server, or this one anew. */
function refuseAtStop(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response
    .writeHead(503, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'retry-after': String(STOPPED_RETRY_SECONDS),
      connection: 'close',
    })
    .end(JSON.stringify({ error: 'the server is stopping: repeat the request' }))
}

const STOPPED_RETRY_SECONDS = 5

/** At a stop requests under way end, and no connection is kept for those that might come. */
function closeIdleAtStop(app: FastifyInstance): void {
  const { server } = app
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeIdle = () => {
    server.closeIdleConnections()
    // Node takes one that has not sent a byte yet for busy.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    const sweep = setInterval(closeIdle, 50)
    sweep.unref()
    server.once('close', () => clearInterval(sweep))
    done()
  })
}
