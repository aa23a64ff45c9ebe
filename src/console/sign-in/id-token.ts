// Whether an ID token is valid (OpenID Connect Core 1.0 §3.1.3.7): signed by the provider, for this client, at this time,
// and for the sign-in that this browser began.

import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { IssuerFault, TOKEN_ALGORITHMS } from '../../lib/issuer-keys.ts'

export type Claims = JWTPayload & { sub: string }

export interface WantedToken {
  issuer: string
  clientId: string
  keys: JWTVerifyGetKey
  /** In milliseconds. */
  now: number
  /** Default: a refreshed token, which has none. */
  nonce?: string
}

const CLOCK_TOLERANCE_SECONDS = 30
const MAX_SUBJECT_CHARS = 255

export async function verifyIdToken(
  token: string,
  { issuer, clientId, keys, now, nonce }: WantedToken,
): Promise<
  { ok: true; claims: Claims } | { ok: false; why: 'unreachable' | 'token'; detail: string }
> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: TOKEN_ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(now),
    })
    const { sub, azp, aud } = payload
    if (nonce !== undefined && payload.nonce !== nonce) {
      return refuse('its nonce is not that of this sign-in')
    }
    const isOfOther = azp !== undefined ? azp !== clientId : Array.isArray(aud) && aud.length > 1
    if (isOfOther) return refuse('it was issued to another client')
    if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_CHARS) {
      return refuse(`its subject must be 1 to ${MAX_SUBJECT_CHARS} characters`)
    }
    return { ok: true, claims: { ...payload, sub } }
  } catch (error) {
    if (error instanceof IssuerFault) {
      return { ok: false, why: 'unreachable', detail: 'the keys of the provider cannot be fetched' }
    }
    return refuse(reasonOf(error))
  }
}

function refuse(reason: string): { ok: false; why: 'token'; detail: string } {
  return { ok: false, why: 'token', detail: `the ID token is not accepted: ${reason}` }
}

/** Repeats nothing of the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not allowed'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not match'
  if (error instanceof errors.JWKSNoMatchingKey) return 'its key is not published by the provider'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iss') return 'it comes from another issuer'
    if (error.claim === 'aud') return 'it was issued for another client'
  }
  return 'it is malformed, or a claim is missing or wrong'
}
