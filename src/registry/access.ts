// Who is calling a protected registry endpoint (spec 5): the bearer of an organisation's API key,
// or of a token that the configured identity provider issued to a user.

import { hashApiKey } from '../lib/api-key.ts'
import type { Clock } from '../lib/clock.ts'
import type { FetchJwks } from '../lib/issuer-keys.ts'
import { laterClock } from '../lib/steady-clock.ts'
import type { RegistryCaller } from './caller.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { OrganizationStore } from './store.ts'
import type { JwtSettings, VerifyToken } from './user-token.ts'

export interface RegistryAccessOptions {
  organizations: Pick<OrganizationStore, 'byKeyHash'>
  /** The identity provider whose tokens are accepted. Default: only organisation keys are accepted. */
  jwt?: JwtSettings | undefined
  fetchJwks: FetchJwks
  /** Default: the system clock, unless it was set back. */
  clock?: Clock
}

export interface RegistryAccess {
  /** Takes the value of the Authorization header. Never throws, whatever the header contains. */
  authenticate(
    authorization: string | undefined,
  ): Promise<{ ok: true; caller: RegistryCaller } | Refusal>
}

export function createRegistryAccess({
  organizations,
  jwt,
  fetchJwks,
  clock = laterClock,
}: RegistryAccessOptions): RegistryAccess {
  let verifier: Promise<VerifyToken> | undefined
  // Loaded with the first token: many servers never get one.
  const verifierFor = (issuer: JwtSettings) => {
    verifier ??= import('./user-token.ts').then(({ createTokenVerifier }) =>
      createTokenVerifier(issuer, { fetchJwks, clock }),
    )
    return verifier
  }
  return {
    authenticate: async (authorization) => {
      if (authorization === undefined || authorization.trim() === '') return MISSING
      const credential = BEARER.exec(authorization)?.[1]
      if (credential === undefined || credential.length > MAX_CREDENTIAL_CHARS) return NOT_BEARER

      if (credential.startsWith(KEY_PREFIX)) {
        const organization = await organizations.byKeyHash(hashApiKey(credential))
        if (!organization) return UNKNOWN_KEY
        const organizationId = organization.organization_id
        return { ok: true, caller: { kind: 'organization', organizationId } }
      }
      if (!jwt) return ONLY_KEYS
      const verify = await verifierFor(jwt)
      const verified = await verify(credential)
      return verified.ok ? { ok: true, caller: { kind: 'user', ...verified.user } } : verified
    },
  }
}

const KEY_PREFIX = 'sk_'
/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i
const MAX_CREDENTIAL_CHARS = 16_384

const MISSING = refuse(401, 'Authentication required', {
  message: 'send "Authorization: Bearer" with an organization API key or a user token',
})
const NOT_BEARER = refuse(
  401,
  'the Authorization header must be "Bearer" and an organization API key or a user token',
)
const UNKNOWN_KEY = refuse(401, 'the organization API key is unknown or has been revoked')
const ONLY_KEYS = refuse(
  401,
  'this registry accepts organization API keys only: send one that begins with sk_',
)
