// Whether a user's token is valid (spec 5): a JWT signed by the configured identity provider, for this registry, at
// this time. The provider's keys are fetched when first needed, cached, and fetched again when a token names an
// unknown key.

import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import type { Clock } from '../lib/clock.ts'
import type { RegistryUser } from './organizations.ts'
import { type Refusal, refuse } from './refusal.ts'

export interface JwtSettings {
  /** What a token's `iss` must be. */
  issuer: string
  /** A token's `aud` must contain one of these. */
  audience: string | string[]
  /** Where the issuer publishes its keys. */
  jwksUrl: string
  /** After a fetch, how long an unknown key does not trigger another one, in seconds. Default 30. */
  jwksCooldownSeconds?: number
}

export type FetchJwks = (
  url: string,
  signal?: AbortSignal,
) => Promise<{ status: number; body: Buffer }>

export interface TokenPorts {
  fetchJwks: FetchJwks
  clock: Clock
}

export type VerifyToken = (token: string) => Promise<{ ok: true; user: RegistryUser } | Refusal>

// Asymmetric ones only. With a shared-secret algorithm in the list, anyone who knows the issuer's public key could
// sign with it.
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const CLOCK_TOLERANCE_SECONDS = 5

export function createTokenVerifier(settings: JwtSettings, ports: TokenPorts): VerifyToken {
  const keyFor = issuerKeys(settings, ports)
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keyFor, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms: ALGORITHMS,
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

/** The issuer's key set could not be fetched: an error that says nothing about the token. */
class IssuerFault extends Error {
  override readonly name = 'IssuerFault'
}

const UNREACHABLE = refuse(503, 'the identity provider cannot be reached: try again later')

/** How long a failed fetch is remembered, so that tokens cannot make us hammer the provider. */
const FAILURE_PAUSE_MS = 5_000

function issuerKeys(settings: JwtSettings, { fetchJwks, clock }: TokenPorts): JWTVerifyGetKey {
  let retryAt = 0
  const published = createRemoteJWKSet(new URL(settings.jwksUrl), {
    cooldownDuration: (settings.jwksCooldownSeconds ?? 30) * 1_000,
    [customFetch]: async (url, { signal }) => {
      if (clock.now() < retryAt) throw new Error('the last fetch failed recently')
      try {
        const { status, body } = await fetchJwks(url, signal)
        if (status !== 200) throw new Error(`the key set was answered with status ${status}`)
        return new Response(new Uint8Array(body), { status })
      } catch (error) {
        retryAt = clock.now() + FAILURE_PAUSE_MS
        throw error
      }
    },
  })
  return async (header, token) => {
    try {
      return await published(header, token)
    } catch (error) {
      if (KEY_REASONS.some(([type]) => error instanceof type)) throw error
      throw new IssuerFault('the keys of the issuer could not be fetched', { cause: error })
    }
  }
}

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

type Reason = readonly [type: abstract new (...args: never[]) => Error, sentence: string]

/** What can be wrong with a token before its key has been verified. */
const KEY_REASONS: readonly Reason[] = [
  [errors.JWKSNoMatchingKey, 'the token is signed with a key that its issuer does not publish'],
  [
    errors.JWKSMultipleMatchingKeys,
    'the token must have a `kid` header that names its signing key',
  ],
  [errors.JOSENotSupported, 'the token uses a JOSE feature that is not supported'],
]

const REASONS: readonly Reason[] = [
  ...KEY_REASONS,
  [errors.JWTExpired, 'the token has expired: request a new one from the identity provider'],
  [
    errors.JOSEAlgNotAllowed,
    `the token must be signed with one of the algorithms ${ALGORITHMS.join(', ')}`,
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
