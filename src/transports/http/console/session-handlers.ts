// Signing in and out: the only answers of the console's API with a cookie.

import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Session, SignInBody } from '../../../console/api/session.ts'
import { CONSOLE_LIMITS } from '../../../console/limits.ts'
import type { Refusal } from '../../../console/refusal.ts'
import type { RefusedAttempts } from '../../../console/refused-attempts.ts'
import type { KeyOwner, Sessions, SignIn, Visitor } from '../../../console/sessions.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { SESSION_COOKIE } from './cookie.ts'
import { sendConsoleRefusal } from './refusals.ts'

export interface SessionRoutePorts {
  sessions: Sessions
  publicUrl: () => string
  offersDemo: (host: string | undefined) => boolean
  isDemo: boolean
  signIns: RateLimit
  refused: RefusedAttempts['record']
}

/** By the names of the table. */
export function sessionHandlers(ports: SessionRoutePorts): ReadonlyMap<string, RouteHandlerMethod> {
  const { sessions, publicUrl, isDemo } = ports
  const isSecure = () => publicUrl().startsWith('https:')
  const returned = ({ principal, roles, csrf, expiresAt }: Visitor): Session => ({
    principal: { principal_id: principal.principal_id, name: principal.name },
    roles: [...roles],
    csrf,
    demo: isDemo,
    expires_at: new Date(expiresAt).toISOString(),
  })
  const handlers: Record<string, RouteHandlerMethod> = {
    signIn: async (request, reply) => {
      const { address } = request
      const refuse = async (refusal: Refusal, by?: KeyOwner) => {
        const { code, message: detail } = refusal
        await ports.refused({ by, address, action: 'session.sign_in', code, detail })
        return sendConsoleRefusal(reply, refusal)
      }
      const refusal = mayTry(ports, request)
      if (refusal) return refuse(refusal)
      const signedIn = await sessions.signIn(request.body as SignInBody, address)
      if (!signedIn.ok) return refuse(REFUSALS[signedIn.why], signedIn.by)
      await endFormer(sessions, request)
      const { sessionSeconds } = CONSOLE_LIMITS
      reply.header(
        'set-cookie',
        SESSION_COOKIE.set(signedIn.cookie, isSecure(), sessionSeconds.value),
      )
      return returned(signedIn.visitor)
    },
    getSession: async ({ visitor }) => returned(visitor as Visitor),
    signOut: async ({ visitor }, reply: FastifyReply) => {
      await sessions.signOut(visitor as Visitor)
      reply.header('set-cookie', SESSION_COOKIE.end(isSecure()))
      return { ok: true }
    },
  }
  return new Map(Object.entries(handlers))
}

function mayTry(
  { signIns, offersDemo }: SessionRoutePorts,
  request: FastifyRequest,
): Refusal | undefined {
  const taken = signIns.take(request.account)
  if (!taken.ok) {
    const { retryAfterSeconds } = taken
    return { ...REFUSALS.often, retryAfterSeconds }
  }
  const wantsDemo = 'demo' in (request.body as SignInBody)
  return wantsDemo && !offersDemo(request.headers.host) ? REFUSALS.demo : undefined
}

/** Signing in again removes the previous session from this browser. */
export async function endFormer(sessions: Sessions, request: FastifyRequest): Promise<void> {
  const cookie = SESSION_COOKIE.of(request.headers.cookie)
  const former = cookie === undefined ? undefined : await sessions.visitorOf(cookie)
  if (former) await sessions.signOut(former)
}

const REFUSALS: Readonly<Record<(SignIn & { ok: false })['why'] | 'often', Refusal>> = {
  key: {
    status: 401,
    code: 'unknown_key',
    message: 'no principal has this key, or it was revoked: adwire principals list shows them',
  },
  scope: {
    status: 403,
    code: 'no_console_scope',
    message:
      'this key cannot open the console: its principal requires the scope operator, viewer, approver or admin',
  },
  emergency: {
    status: 403,
    code: 'break_glass_only',
    message:
      'keys sign in to this console in emergencies only: sign in with your account, or with a key of the scope break-glass',
  },
  demo: {
    status: 403,
    code: 'no_demo',
    message: 'demo sign-in works only on the machine that runs the server: sign in with a key',
  },
  often: {
    status: 429,
    code: 'too_many_requests',
    message: 'too many sign-in attempts: retry in a moment',
  },
}
