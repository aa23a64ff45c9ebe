// Whether a request is let in, by its headers alone: whose key it brings, and whether its caller has
// calls left. It is asked once for each request and before a byte of the body is read, so that no
// work is done for whoever may not have it done. The key is never cached: a revocation bites at once.

import type { RateLimit } from '../lib/token-bucket.ts'
import { type TaskError, taskError } from '../protocol/errors.ts'
import { authenticatePrincipal, type Principal, type PrincipalStore } from './principals.ts'

export interface Bearer {
  /** The Authorization header, if there was one. */
  authorization: string | undefined
  /** Whom a request without a good key is counted against: its address. */
  account: string
}

/** Let in, and counted: handed on with the request, so that nobody asks again. */
export interface Admitted {
  ok: true
  /** Undefined without a key. */
  principal: Principal | undefined
  /** Whose tokens its calls take. */
  account: string
}

export type Admission = Admitted | { ok: false; error: TaskError }

export interface AdmissionPorts {
  principals: Pick<PrincipalStore, 'byKeyHash'>
  /** Calls of one principal, or of one address without a key. */
  rateLimit: RateLimit
}

/** Takes one token, whatever becomes of the request. */
export async function admit(ports: AdmissionPorts, bearer: Bearer): Promise<Admission> {
  const { authorization = '', account } = bearer
  if (authorization.trim() === '')
    return counted(ports, { ok: true, principal: undefined, account })
  const key = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1]
  const principal =
    key === undefined ? undefined : await authenticatePrincipal(ports.principals, key)
  if (principal) return counted(ports, { ok: true, principal, account: principal.principal_id })
  // Guessing keys is counted too.
  const guessed = counted(ports, { ok: true, principal: undefined, account })
  return guessed.ok ? { ok: false, error: UNKNOWN_KEY } : guessed
}

/** What a request that holds several calls takes beside its own token. */
export function takeMore(
  { rateLimit }: Pick<AdmissionPorts, 'rateLimit'>,
  { account }: Admitted,
  calls: number,
): { ok: true } | { ok: false; error: TaskError } {
  const taken = rateLimit.take(account, calls)
  return taken.ok ? taken : { ok: false, error: tooMany(taken.retryAfterSeconds) }
}

function counted({ rateLimit }: AdmissionPorts, admitted: Admitted): Admission {
  const taken = rateLimit.take(admitted.account)
  return taken.ok ? admitted : { ok: false, error: tooMany(taken.retryAfterSeconds) }
}

const UNKNOWN_KEY = taskError(
  'AUTH_INVALID',
  'the key is unknown or revoked: send Authorization: Bearer and a key that begins with adw_',
)

const LONGEST_WAIT_SECONDS = 3_600

function tooMany(retryAfterSeconds: number): TaskError {
  const seconds = Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS)
  const message = `too many calls: wait ${seconds} s and repeat`
  return taskError('RATE_LIMITED', message, { retry_after: seconds })
}
