// A known path with another method returns 405 with the methods it supports, not 404.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { sendFault } from './errors.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

declare module 'fastify' {
  interface FastifyRequest {
    /** The path of the routes that it would have had with another method. */
    refusedPath: string
  }
}

export interface OtherMethods {
  /** Answers a request for which there is no route, if there is one with another method. */
  refuse(request: FastifyRequest, reply: FastifyReply): boolean
  /** To be called after the last route. */
  finish(): void
}

interface KnownPath {
  url: string
  methods: ReadonlySet<string>
  segments: readonly string[]
}

/** To be called before the first route. */
export function answerOtherMethods(app: FastifyInstance): OtherMethods {
  const routes = new Map<string, Set<string>>()
  const known: KnownPath[] = []
  app.decorateRequest('refusedPath', '')
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const methods = routes.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    routes.set(url, methods)
  })
  return {
    refuse: (request, reply) => {
      if (!METHODS.some((method) => method === request.method)) return false
      const segments = segmentsOf(request.url)
      const found = known.find((path) => isServedBy(segments, path))
      if (!found) return false
      request.refusedPath = found.url
      refuseMethod(request, reply, found.methods)
      return true
    },
    finish: () => {
      const paths = [...routes].map(([url, methods]) => ({
        url,
        // Without those that are added here.
        methods: new Set(methods),
        segments: url.split('/'),
      }))
      for (const path of paths) {
        if (path.url.endsWith('*')) continue
        known.push(path)
        const others = METHODS.filter((method) => !path.methods.has(method))
        addRoutes(app, path, isSimple(path) ? others.filter(isTaken(path, paths)) : others)
      }
      known.sort(byPrecedence)
    },
  }
}

/**
 * A route for each path and method would be most of the router, and take long to add: there is one only where another
 * route would get the request.
 */
function addRoutes(app: FastifyInstance, { url, methods }: KnownPath, others: string[]): void {
  if (others.length === 0) return
  app.route({
    method: others,
    url,
    schema: { hide: true },
    // Before the body: no one will want it.
    onRequest: (request, reply) => refuseMethod(request, reply, methods),
    handler: () => undefined,
  })
}

function refuseMethod(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: ReadonlySet<string>,
): void {
  const allow = [...methods].sort().join(', ')
  sendFault(reply.header('allow', allow), {
    status: 405,
    error: `${request.method} is not allowed here: use ${allow}`,
  })
}

const PARAMETER = /^:\w+$/
const PLAIN = /^[^:*()?]*$/

/** Whether `isServedBy` understands it; what an embedding program adds may be more than that. */
function isSimple({ segments }: KnownPath): boolean {
  return segments.every((segment) => PARAMETER.test(segment) || PLAIN.test(segment))
}

/** Whether a route of another path has this method and may match a request for this one. */
function isTaken(path: KnownPath, paths: readonly KnownPath[]): (method: string) => boolean {
  const rivals = paths.filter((other) => other !== path && overlaps(path, other))
  return (method) => rivals.some(({ methods }) => methods.has(method))
}

function overlaps({ segments }: KnownPath, other: KnownPath): boolean {
  if (!isSimple(other)) return true
  const isAlike = (segment: string, at: number) =>
    segment === other.segments[at] ||
    PARAMETER.test(segment) ||
    PARAMETER.test(other.segments[at] ?? '')
  return segments.length === other.segments.length && segments.every(isAlike)
}

/** The path of a request, as the router compares it. */
function segmentsOf(url: string): readonly string[] {
  try {
    return decodeURI(url.replace(/[?#].*$/s, '')).split('/')
  } catch {
    return []
  }
}

function isServedBy(given: readonly string[], path: KnownPath): boolean {
  return (
    given.length === path.segments.length &&
    path.segments.every((segment, at) => PARAMETER.test(segment) || segment === given[at])
  )
}

/** As the router: a path that names a segment comes before one with a parameter there. */
function byPrecedence(a: KnownPath, b: KnownPath): number {
  const at = a.segments.findIndex(
    (segment, index) => PARAMETER.test(segment) !== PARAMETER.test(b.segments[index] ?? ''),
  )
  if (at < 0) return 0
  return PARAMETER.test(a.segments[at] ?? '') ? 1 : -1
}
