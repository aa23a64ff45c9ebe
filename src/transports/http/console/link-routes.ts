// `/console/api/link/…`: a buyer's page. The link is opened by a POST, so that no URL contains its token; after that
// a separate cookie is required, independent of operators' sessions. Nothing here changes anything.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { LINK_ROUTES } from '../../../console/api/link-routes.ts'
import type { OpenedLink } from '../../../console/api/links.ts'
import type { ConsoleRoute } from '../../../console/api/route.ts'
import type { LinkHandlers, LinkViewRoute } from '../../../console/handlers.ts'
import type { Guest, Links } from '../../../console/links.ts'
import type { Refusal } from '../../../console/refusal.ts'
import type { RefusedAttempts } from '../../../console/refused-attempts.ts'
import type { Clock } from '../../../lib/clock.ts'
import { defined } from '../../../lib/defined.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { FORBIDDEN, isOwnPage } from './authorize.ts'
import { LINK_COOKIE } from './cookie.ts'
import { consoleHeaders } from './headers.ts'
import { sendConsoleFault, sendConsoleRefusal } from './refusals.ts'
import { writerOf } from './tolerant-page.ts'

export interface LinkRoutePorts {
  links: Links
  handlers: LinkHandlers
  clock: Clock
  publicUrl: () => string
  /** Attempts per address to open a link. */
  opens: RateLimit
  /** Requests of one link. */
  requests: RateLimit
  refused: RefusedAttempts['record']
  /** Called with the validation error for rows that a list cannot display. */
  onUnreadable: (error: unknown) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who opened a buyer's link; undefined elsewhere. */
    guest: Guest | undefined
  }
}

const BODY_BYTES = 1_024

export function linkRoutes(ports: LinkRoutePorts) {
  const own = ownHandlers(ports)
  const views = ports.handlers as unknown as Record<LinkViewRoute, AnyHandler>
  return (app: FastifyInstance): void => {
    app.decorateRequest('guest', undefined)
    for (const [name, route] of Object.entries(LINK_ROUTES) as [string, ConsoleRoute][]) {
      const { method, path, params, query: querystring, body, response } = route
      app.route({
        method,
        url: path,
        config: { quiet: true },
        bodyLimit: BODY_BYTES,
        onRequest: [consoleHeaders, name === 'openLink' ? mayOpen(ports) : guestsOnly(ports)],
        errorHandler: sendConsoleFault,
        ...writerOf(response, ports.onUnreadable),
        schema: {
          hide: true,
          response: { 200: response },
          ...defined({ params, querystring, body }),
        },
        handler:
          own.get(name) ??
          ((request) => {
            const { params, query } = request
            return views[name as LinkViewRoute]({ guest: request.guest as Guest, params, query })
          }),
      })
    }
  }
}

type AnyHandler = (requested: { guest: Guest; params: unknown; query: unknown }) => Promise<unknown>

/** Wrong tokens are counted before they are looked up. */
function mayOpen(ports: LinkRoutePorts) {
  const { publicUrl, opens } = ports
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!isOwnPage(request.headers, publicUrl())) {
      return refuseOpening(ports, reply, FORBIDDEN.site)
    }
    const taken = opens.take(request.account)
    if (!taken.ok) return refuseOpening(ports, reply, { ...OFTEN, ...taken })
    return undefined
  }
}

async function refuseOpening(
  { refused }: LinkRoutePorts,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<unknown> {
  const { address } = reply.request
  const { code, message: detail } = refusal
  await refused({ by: undefined, address, action: 'links.open', code, detail })
  return sendConsoleRefusal(reply, refusal)
}

function guestsOnly({ publicUrl, links, requests }: LinkRoutePorts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!isOwnPage(request.headers, publicUrl())) return sendConsoleRefusal(reply, FORBIDDEN.site)
    const cookie = LINK_COOKIE.of(request.headers.cookie)
    const guest = cookie === undefined ? undefined : await links.guestOf(cookie)
    if (!guest) return sendConsoleRefusal(reply, NOT_OPEN)
    const taken = requests.take(guest.link.link_id)
    if (!taken.ok) return sendConsoleRefusal(reply, { ...OFTEN, ...taken })
    request.guest = guest
    return undefined
  }
}

/** Handlers that deal with the cookie, by their names in the table. */
function ownHandlers(ports: LinkRoutePorts): ReadonlyMap<string, RouteHandlerMethod> {
  const { links, clock, publicUrl } = ports
  const isSecure = () => publicUrl().startsWith('https:')
  const handlers: Record<string, RouteHandlerMethod> = {
    openLink: async (request, reply) => {
      const { token } = request.body as { token: string }
      const opened = await links.open(token)
      if (!opened) return refuseOpening(ports, reply, NO_LINK)
      await closeFormer(links, request)
      const { cookie, guest } = opened
      const seconds = Math.ceil((guest.link.expires_at - clock.now()) / 1_000)
      reply.header('set-cookie', LINK_COOKIE.set(cookie, isSecure(), seconds))
      return returned(guest)
    },
    getLink: async ({ guest }) => returned(guest as Guest),
    closeLink: async ({ guest }, reply) => {
      await links.close(guest as Guest)
      reply.header('set-cookie', LINK_COOKIE.end(isSecure()))
      return { ok: true }
    },
  }
  return new Map(Object.entries(handlers))
}

function returned({ link, principal }: Guest): OpenedLink {
  const expires_at = new Date(link.expires_at).toISOString()
  return { name: principal.name, shows: link.shows, expires_at }
}

/** Opening a link closes any other link in this browser. */
async function closeFormer(links: Links, request: FastifyRequest): Promise<void> {
  const cookie = LINK_COOKIE.of(request.headers.cookie)
  const former = cookie === undefined ? undefined : await links.guestOf(cookie)
  if (former) await links.close(former)
}

const OFTEN = {
  status: 429,
  code: 'too_many_requests',
  message: 'too many requests: retry in a moment',
} as const

/** The same for every kind of failure, so that guessing reveals nothing. */
const NO_LINK = {
  status: 401,
  code: 'no_link',
  message: 'this link is not valid: it has expired, was revoked, or was not copied completely',
} as const

const NOT_OPEN = {
  status: 401,
  code: 'link_not_open',
  message:
    'no link is open in this browser, or it has expired: open it again as it was sent to you',
} as const
