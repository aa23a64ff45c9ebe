// The HTTP server: limits, request ids, headers, logs, metrics and the error table, which apply to every route by
// default. The routes are passed in.

import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { type CallerAddress, createCallerAddress } from '../../lib/caller-address.ts'
import type { Log } from '../../lib/log.ts'
import { refuseMalformed } from '../../lib/refuse-malformed.ts'
import type { RateLimit } from '../../lib/token-bucket.ts'
import { reserveAnswers } from './answer-hooks.ts'
import { type ConnectionOptions, careForConnections, serverFactory } from './connections.ts'
import { faultOf, logFault, sendFault } from './errors.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { createKnownCredentials, type KnownCredentials } from './known-credentials.ts'
import { HTTP_LIMITS } from './limits.ts'
import { answerOtherMethods, type OtherMethods } from './method-not-allowed.ts'
import { answerNotImplemented } from './not-implemented.ts'
import { registerOpenApi } from './openapi.ts'
import { addOwnRoutes, type OwnRoutes } from './own-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { readJsonBodies } from './read-body.ts'
import type { TurnOwner } from './start-queue.ts'
import { tooManyRequests } from './too-many.ts'

export interface HttpServerOptions extends ConnectionOptions {
  log: Log
  metrics: HttpMetrics
  bodyLimitBytes: number
  /** Largest body of a request without a key. Default 64 KiB. */
  keylessBodyBytes?: number
  /** Rate limits of one address, by the class that routes declare. Default: nothing is counted. */
  rates?: Readonly<Record<CountedAs, RateLimit>>
  /** How long a client may take to read what it was sent, in milliseconds. Default 60 s. */
  answerMs?: number
  trustProxy: readonly string[]
  requestId: () => string
  /** Adds its routes to the server. */
  routes: readonly ((app: FastifyInstance) => void)[]
  /** Returns 501 for these unless a route serves them, as `METHOD /path`. Default: none. */
  notImplemented?: readonly string[]
  /** Routes of the application that embeds the server, in their own scope. Default: none. */
  ownRoutes?: OwnRoutes
}

/** Which of its address's rate limits a request counts against. */
type CountedAs = 'requests' | 'lookups'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logged only at level debug: requested thousands of times a second, or by probes. */
    quiet?: boolean
    /** `itself` when the route counts its callers, `nothing` for probes. Default requests. */
    counts?: CountedAs | 'itself' | 'nothing'
  }
  interface FastifyRequest {
    /** Its source: an IPv4 address, or the /64 of an IPv6 address. */
    address: string
    answer: ServerResponse
  }
}

export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { log, metrics, keylessBodyBytes = HTTP_LIMITS.keylessBodyBytes.value } = options
  const addressOf = createCallerAddress(options.trustProxy)
  const known = createKnownCredentials()
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: options.requestId,
    // One logger for all: a child for each request costs more than a lookup.
    childLoggerFactory: (logger) => logger,
    ...serverFactory(options, turnOwner(addressOf, known)),
    bodyLimit: options.bodyLimitBytes,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: COMPILERS },
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: false },
    clientErrorHandler: refuseMalformed,
    // Runs before every hook, so it sets the headers itself.
    frameworkErrors: (error, request, reply) => {
      reply.headers(options.headers).header('x-request-id', request.id)
      sendFault(reply, faultOf(error))
    },
  })
  readJsonBodies(app, { keylessBodyBytes })
  const onCut = (connections: number) =>
    log.warn({ connections }, 'disconnected clients that did not read')
  careForConnections(app, {
    answerMs: options.answerMs ?? HTTP_LIMITS.answerSeconds.value * 1_000,
    onCut,
  })
  app.decorate('knownCredentials', known)
  const otherMethods = answerOtherMethods(app)
  app.addHook('onRequest', letIn(app, { addressOf, otherMethods }, options))
  reserveAnswers(app, { onClosed: onCut })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? (request.refusedPath || 'unknown')
    const seconds = reply.elapsedTime / 1_000
    metrics.observe({ route, method: request.method, status: reply.statusCode }, seconds)
    const { statusCode } = reply
    // A flood of requests must not become a flood of log lines.
    const quiet = (request.routeOptions.config?.quiet && statusCode < 500) || statusCode === 429
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
    const fault = faultOf(error)
    logFault(request, error, fault)
    return sendFault(reply, fault)
  })
  app.setNotFoundHandler((_request, reply) => sendFault(reply, NOT_FOUND))

  const finishPaths = answerNotImplemented(app, options.notImplemented ?? [])
  const description = await registerOpenApi(app)
  pageRoutes(app, description)
  await app.register(async (scope) => {
    for (const addRoutes of options.routes) addRoutes(scope)
  })
  await addOwnRoutes(app, options.ownRoutes)
  finishPaths()
  otherMethods.finish()
  return app
}

/** Fastify would load compilers of its own if it were given none here; their types know no schemas of Zod. */
const COMPILERS = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler,
} as unknown as Compilers

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>

/**
 * Runs for every request before anything else: which account it counts against, and whether it is within the
 * limit.
 */
function letIn(
  app: FastifyInstance,
  { addressOf, otherMethods }: { addressOf: CallerAddress; otherMethods: OtherMethods },
  { headers, rates }: HttpServerOptions,
) {
  app.decorateRequest('account', '')
  app.decorateRequest('address', '')
  app.decorateRequest('hasKey', false)
  // biome-ignore lint/suspicious/noExplicitAny: it is set below, before anyone asks
  app.decorateRequest('answer', null as any)
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    reply.headers(headers).header('x-request-id', request.id)
    request.answer = reply.raw
    const address = addressOf(request.raw)
    request.address = address
    request.account = `address ${address}`
    const counts = request.routeOptions.config?.counts ?? 'requests'
    if (counts !== 'itself' && counts !== 'nothing' && rates) {
      const taken = rates[counts].take(address)
      if (!taken.ok) {
        const { retryAfterSeconds } = taken
        const error = tooManyRequests(retryAfterSeconds)
        return void sendFault(reply, { status: 429, error, retryAfterSeconds })
      }
    }
    if (!request.is404) done()
    else if (!otherMethods.refuse(request, reply)) sendFault(reply, NOT_FOUND)
  }
}

/** By its credential if that was accepted before, otherwise by its address. */
function turnOwner(addressOf: CallerAddress, { nameOf }: KnownCredentials) {
  return (request: IncomingMessage): TurnOwner => {
    const name = nameOf(request.headers)
    return name === undefined ? { name: addressOf(request), hasKey: false } : { name, hasKey: true }
  }
}

const NOT_FOUND = { status: 404, error: 'no resource at this path' }
