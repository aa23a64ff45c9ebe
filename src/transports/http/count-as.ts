// Which caller a request is counted against: its address, until its key has been verified.

import type { FastifyRequest } from 'fastify'
import type { KnownCredentials } from './known-credentials.ts'

declare module 'fastify' {
  interface FastifyInstance {
    knownCredentials: KnownCredentials
  }
  interface FastifyRequest {
    /** The account it is counted against: its address, or the principal that owns its key. */
    account: string
    /** Whether it has a valid key, signature or session. */
    hasKey: boolean
  }
}

/** From here on the request is attributed to this caller, which sent a valid credential. */
export function countAs(request: FastifyRequest, account: string): void {
  request.account = account
  request.hasKey = true
  request.server.knownCredentials.note(request.headers)
}
