// `/console/oidc/`: to the identity provider and back. Both are navigations of the browser, so every outcome is a redirect
// to a page of the console, which displays what went wrong.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_LIMITS } from '../../../console/limits.ts'
import type { RefusedAttempts } from '../../../console/refused-attempts.ts'
import type { Sessions } from '../../../console/sessions.ts'
import type { PersonSignIn, SignInFault } from '../../../console/sign-in/person-sign-in.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { SESSION_COOKIE, SIGN_IN_COOKIE } from './cookie.ts'
import { consoleHeaders } from './headers.ts'
import { endFormer } from './session-handlers.ts'

export interface OidcRoutePorts {
  signIn: PersonSignIn
  sessions: Sessions
  publicUrl: () => string
  /** How often one address may begin, and how often it may come back. */
  begins: RateLimit
  returns: RateLimit
  refused: RefusedAttempts['record']
}

const OPTIONS = {
  onRequest: consoleHeaders,
  schema: { hide: true },
  config: { quiet: true },
} as const

export const OIDC_CALLBACK = '/console/oidc/callback'

export function oidcRoutes(ports: OidcRoutePorts) {
  const { signIn, publicUrl } = ports
  const isSecure = () => publicUrl().startsWith('https:')
  return (app: FastifyInstance): void => {
    app.get('/console/oidc/start', OPTIONS, async (request, reply) => {
      if (!ports.begins.take(request.account).ok) return fail(reply, 'often')
      const { return_to: returnTo } = request.query as { return_to?: string }
      const begun = await signIn.begin({ returnTo })
      if (!begun.ok) {
        await record(ports, request, { why: 'provider', detail: begun.detail })
        return fail(reply, 'provider')
      }
      const { signInSeconds } = CONSOLE_LIMITS
      reply.header('set-cookie', SIGN_IN_COOKIE.set(begun.cookie, isSecure(), signInSeconds.value))
      return reply.redirect(begun.url, 302)
    })
    app.get(OIDC_CALLBACK, OPTIONS, async (request, reply) => {
      if (!ports.returns.take(request.account).ok) return fail(reply, 'often')
      const done = await signIn.finish({
        cookie: SIGN_IN_COOKIE.of(request.headers.cookie),
        query: request.query as Record<string, unknown>,
        address: request.address,
      })
      if (!done.ok) {
        await record(ports, request, done)
        return fail(reply, done.why, done.returnTo)
      }
      await endFormer(ports.sessions, request)
      reply.header('set-cookie', [
        SIGN_IN_COOKIE.end(isSecure()),
        SESSION_COOKIE.set(done.cookie, isSecure(), CONSOLE_LIMITS.sessionSeconds.value),
      ])
      return reply.redirect(done.returnTo, 302)
    })
  }
}

/** The page that was requested, with the reason: it displays the sign-in page. */
function fail(
  reply: FastifyReply,
  why: SignInFault | 'often',
  returnTo = '/console/',
): FastifyReply {
  const separator = returnTo.includes('?') ? '&' : '?'
  return reply.redirect(`${returnTo}${separator}sign_in=${why}`, 302)
}

async function record(
  { refused }: OidcRoutePorts,
  { address }: FastifyRequest,
  { why, detail, who: target }: { why: SignInFault; detail: string; who?: string },
): Promise<void> {
  const code = `sign_in_${why}`
  await refused({ by: undefined, address, action: 'session.sign_in', target, code, detail })
}
