// Authorization for the console's API, decided from the headers before a body is read: the request comes from the
// console's own pages, it has a session, the session's role suffices, and a request that changes something also has
// the session's token.

import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Role } from '../../../console/api/role-names.ts'
import type { ConsoleRoute } from '../../../console/api/route.ts'
import { CONSOLE_LIMITS } from '../../../console/limits.ts'
import type { Refusal } from '../../../console/refusal.ts'
import type { RefusedAttempts } from '../../../console/refused-attempts.ts'
import type { KeyOwner, Sessions, Visitor } from '../../../console/sessions.ts'
import { countAs } from '../count-as.ts'
import { SESSION_COOKIE } from './cookie.ts'
import { sendConsoleRefusal } from './refusals.ts'

export interface ConsoleGatePorts {
  sessions: Sessions
  publicUrl: () => string
  /** Whether one click opens the demo for a request with this Host. */
  offersDemo: (host: string | undefined) => boolean
  /** Whether people sign in at an identity provider. */
  hasProvider: boolean
  /** Records who was refused. */
  refused: RefusedAttempts['record']
  /** Whose key it is, for that record. */
  keyOwner: (keyHash: string) => Promise<KeyOwner | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The owner of the session; undefined on routes that require none. */
    visitor: Visitor | undefined
  }
}

export const FORBIDDEN = {
  site: {
    status: 403,
    code: 'cross_site',
    message: 'requests must come from the console itself: this one comes from another site',
  },
  csrf: {
    status: 403,
    code: 'csrf',
    message: 'the header x-adwire-csrf is missing or belongs to another session: sign in again',
  },
} as const

/** What a missing role is called, by the role that is required. */
const MISSING_ROLE: Readonly<Record<Role, Refusal>> = {
  viewer: { status: 403, code: 'no_role', message: 'this requires a role in the console' },
  operator: {
    status: 403,
    code: 'viewer',
    message: 'this requires the role operator: your roles do not include it',
  },
  approver: {
    status: 403,
    code: 'no_approver',
    message: 'this requires the role approver: your roles do not include it',
  },
  admin: {
    status: 403,
    code: 'no_admin',
    message: 'this requires the role admin: your roles do not include it',
  },
}

const NO_SESSION = {
  status: 401,
  code: 'no_session',
  message: 'sign in: the session does not exist or has expired',
} as const

export function gateFor(
  route: Pick<ConsoleRoute, 'method' | 'role'> & { path: string },
  ports: ConsoleGatePorts,
) {
  const { sessions, publicUrl, offersDemo } = ports
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { headers } = request
    if (!isOwnPage(headers, publicUrl())) {
      await recordRefusal(ports, FORBIDDEN.site, { request, route })
      return sendConsoleRefusal(reply, FORBIDDEN.site)
    }
    if (route.role === 'anyone') return undefined
    const cookie = SESSION_COOKIE.of(headers.cookie)
    const visitor = cookie === undefined ? undefined : await sessions.visitorOf(cookie)
    if (!visitor) {
      // A page with an expired session repeats its requests; only an attempt to act is worth an entry.
      if (route.role !== 'viewer') await recordRefusal(ports, NO_SESSION, { request, route })
      return sendConsoleRefusal(reply, NO_SESSION, {
        demo: offersDemo(headers.host),
        ...(ports.hasProvider && { provider: true }),
      })
    }
    const refusal = refusalFor(route, visitor, headers)
    if (refusal) {
      await recordRefusal(ports, refusal, { request, route, visitor })
      return sendConsoleRefusal(reply, refusal)
    }
    request.visitor = visitor
    countAs(request, visitor.principal.principal_id)
    request.bodyLimit = CONSOLE_LIMITS.bodyBytes.value
    return undefined
  }
}

function refusalFor(
  route: Pick<ConsoleRoute, 'method' | 'role'>,
  visitor: Visitor,
  headers: IncomingHttpHeaders,
): Refusal | undefined {
  const isChange = route.method !== 'GET'
  if (isChange && !isToken(headers['x-adwire-csrf'], visitor.csrf)) return FORBIDDEN.csrf
  const { role } = route
  if (role === 'anyone' || role === 'link' || visitor.roles.includes(role)) return undefined
  return MISSING_ROLE[role]
}

interface Attempt {
  request: FastifyRequest
  route: { method: string; path: string }
  /** Undefined without a session. */
  visitor?: Visitor
}

/** The target is the route, so that attempts with many ids are one entry. */
async function recordRefusal(
  { refused, keyOwner }: ConsoleGatePorts,
  { code, message: detail }: Refusal,
  { request, route, visitor }: Attempt,
): Promise<void> {
  const by = visitor && {
    ...visitor.principal,
    key_id: visitor.isPerson ? undefined : (await keyOwner(visitor.keyHash))?.key_id,
  }
  const target = `${route.method} ${route.path}`
  await refused({ by, address: request.address, action: 'console.request', target, code, detail })
}

/**
 * Browsers send the origin of a request. A client that sends none is not a browser, so it has no cookie that it
 * did not request.
 */
export function isOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined || origin === new URL(publicUrl).origin) return true
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

function isToken(given: string | string[] | undefined, wanted: string): boolean {
  if (typeof given !== 'string' || given.length !== wanted.length) return false
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)]
  return left.length === right.length && timingSafeEqual(left, right)
}
