// Whether a user's token is valid (spec 5): a JWT signed by the configured identity provider, for this registry, at
// this time. The provider's keys are fetched when first needed, cached, and fetched again when a token names an
// unknown key.

import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../lib/clock.ts'
import {
  type FetchJwks,
  IssuerFault,
  type IssuerKeySettings,
  issuerKeys,
  KEY_REASONS,
  TOKEN_ALGORITHMS,
  type TokenFault,
} from '../lib/issuer-keys.ts'
import type { RegistryUser } from './organizations.ts'
import { type Refusal, refuse } from './refusal.ts'

export interface JwtSettings extends IssuerKeySettings {
  /** What a token's `iss` must be. */
  issuer: string
  /** A token's `aud` must contain one of these. */
  audience: string | string[]
}

export interface TokenPorts {
  fetchJwks: FetchJwks
  clock: Clock
}

export type VerifyToken = (token: string) => Promise<{ ok: true; user: RegistryUser } | Refusal>

const CLOCK_TOLERANCE_SECONDS = 5

export function createTokenVerifier(settings: JwtSettings, ports: TokenPorts): VerifyToken {
  const keyFor = issuerKeys(settings, ports)
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keyFor, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms: TOKEN_ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(ports.clock.now()),
      })
      return userOf(payload)
    } catch (error) {
      if (error instanceof IssuerFault) return UNREACHABLE
      return refuse(401, reasonOf(error))
    }
  }
}

const UNREACHABLE = refuse(503, 'the identity provider cannot be reached: try again later')

// `${iss}|${sub}` names a user: a subject is unique only within its issuer (OpenID Connect §2).
function userOf(payload: JWTPayload): { ok: true; user: RegistryUser } | Refusal {
  const { iss, sub, email, email_verified, name, cnf } = payload
  const subject = text(sub)
  if (subject === null) {
    return refuse(401, 'the token names no subject: its sub must be 1 to 255 printable characters')
  }
  // RFC 7800: such a token is worthless without proof of possession of its key, which a bearer does not give.
  if (cnf !== undefined) {
    return refuse(401, 'the token is bound to a key: this registry accepts bearer tokens only')
  }
  return {
    ok: true,
    user: {
      userId: `${iss}|${subject}`,
      email: text(email),
      emailVerified: email_verified === true,
      name: text(name),
    },
  }
}

function text(claim: unknown): string | null {
  return typeof claim === 'string' && PRINTABLE.test(claim) ? claim : null
}

const PRINTABLE = /^[^\p{Cc}\p{Cs}]{1,255}$/u

const REASONS: readonly TokenFault[] = [
  ...KEY_REASONS,
  [errors.JWTExpired, 'the token has expired: request a new one from the identity provider'],
  [
    errors.JOSEAlgNotAllowed,
    `the token must be signed with one of the algorithms ${TOKEN_ALGORITHMS.join(', ')}`,
  ],
  [errors.JWSSignatureVerificationFailed, 'the signature of the token does not match'],
]

const CLAIM_REASONS: ReadonlyMap<string, string> = new Map([
  ['iss', 'the token comes from another issuer than the one this registry trusts'],
  ['aud', 'the token was issued for another audience than this registry'],
  ['nbf', 'the token is not valid yet'],
  ['sub', 'the token names no subject: sub is required'],
  ['exp', 'the token has no expiry: exp is required'],
])

/** A sentence that repeats nothing from the token. */
function reasonOf(error: unknown): string {
  for (const [type, sentence] of REASONS) if (error instanceof type) return sentence
  if (error instanceof errors.JWTClaimValidationFailed) {
    return CLAIM_REASONS.get(error.claim) ?? 'a claim of the token is invalid'
  }
  return 'the bearer credential is neither an organization API key nor a valid token'
}
