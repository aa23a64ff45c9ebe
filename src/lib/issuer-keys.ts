// The keys with which an identity provider signs its tokens: fetched when first needed, cached, and fetched again when a
// token names an unknown key.

import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import type { Clock } from './clock.ts'

export type FetchJwks = (
  url: string,
  signal?: AbortSignal,
) => Promise<{ status: number; body: Buffer }>

export interface IssuerKeySettings {
  /** Where the issuer publishes its keys. */
  jwksUrl: string
  /** After a fetch, how long an unknown key does not trigger another one, in seconds. Default 30. */
  jwksCooldownSeconds?: number
}

// Asymmetric ones only. With a shared-secret algorithm in the list, anyone who knows the issuer's public key could
// sign with it.
export const TOKEN_ALGORITHMS = [
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
/** The issuer's key set could not be fetched: an error that says nothing about the token. */
export class IssuerFault extends Error {
  override readonly name = 'IssuerFault'
}

/** How long a failed fetch is remembered, so that tokens cannot make us hammer the provider. */
const FAILURE_PAUSE_MS = 5_000

export function issuerKeys(
  settings: IssuerKeySettings,
  { fetchJwks, clock }: { fetchJwks: FetchJwks; clock: Clock },
): JWTVerifyGetKey {
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

export type TokenFault = readonly [type: abstract new (...args: never[]) => Error, sentence: string]

/** What can be wrong with a token before its key has been verified. */
export const KEY_REASONS: readonly TokenFault[] = [
  [errors.JWKSNoMatchingKey, 'the token is signed with a key that its issuer does not publish'],
  [
    errors.JWKSMultipleMatchingKeys,
    'the token must have a `kid` header that names its signing key',
  ],
  [errors.JOSENotSupported, 'the token uses a JOSE feature that is not supported'],
]
