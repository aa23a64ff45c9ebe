// What distinguishes one use of RFC 9421 from another. The webhook and the request profile are two
// values of this type, not two verifiers (spec 5).

/** The suffixes of every code a verifier can answer with; the profile's prefix stands before them. */
export const FAILURES = [
  'signature_required',
  'mode_mismatch',
  'signature_header_malformed',
  'signature_params_incomplete',
  'signature_tag_invalid',
  'signature_alg_not_allowed',
  'signature_window_invalid',
  'signature_components_incomplete',
  'signature_components_unexpected',
  'signature_key_unknown',
  'signature_key_purpose_invalid',
  'signature_key_revoked',
  'signature_revocation_stale',
  'signature_rate_abuse',
  'signature_invalid',
  'signature_digest_mismatch',
  'signature_replayed',
  'target_uri_malformed',
  'body_malformed',
] as const
export type Failure = (typeof FAILURES)[number]

/** How messages are signed, by the names of RFC 9421. */
export type SigningAlgorithm = 'ed25519' | 'ecdsa-p256-sha256'

export interface SigningProfile {
  /** Stands before each failure in a code: `webhook` or `request`. */
  prefix: 'webhook' | 'request'
  tag: string
  /** Components that must be covered, in the order a signer writes them. */
  components: readonly string[]
  /** Components that must not be covered. */
  refusedComponents: readonly string[]
  /** Whether a message may come without a body; one that does needs no content type. */
  bodyOptional: boolean
  /** Longest time from `created` to `expires`, in seconds. */
  maxWindowSeconds: number
  /** How far the clocks of signer and verifier may differ, in seconds. */
  skewSeconds: number
  /** The member of a JWK that says what it is for, and which values are accepted. */
  keyUse: string
  purposes: readonly string[]
  /** The purpose of the keys a signer uses. */
  signerPurpose: string
}

export type FailureCode = `${SigningProfile['prefix']}_${Failure}`

export interface ProfileNames {
  tag: string
  keyUse: string
}

const COVERED = ['@method', '@target-uri', '@authority', 'content-type', 'content-digest'] as const

/** Webhooks: the five components, always; keys for request signing too unless turned off. */
export function webhookProfile(
  { tag, keyUse }: ProfileNames,
  { acceptRequestKeys = true }: { acceptRequestKeys?: boolean } = {},
): SigningProfile {
  return {
    prefix: 'webhook',
    tag,
    components: COVERED,
    refusedComponents: [],
    bodyOptional: false,
    maxWindowSeconds: 300,
    skewSeconds: 60,
    keyUse,
    purposes: acceptRequestKeys ? ['webhook-signing', 'request-signing'] : ['webhook-signing'],
    signerPurpose: 'webhook-signing',
  }
}

/**
 * Requests of callers: the same window, keys for request signing only, no content type without a
 * body. Whether the digest of the body must be covered, may be or must not be, an agent declares.
 */
export function requestProfile(
  { tag, keyUse }: ProfileNames,
  { contentDigest = 'required' }: { contentDigest?: 'required' | 'either' | 'forbidden' } = {},
): SigningProfile {
  return {
    prefix: 'request',
    tag,
    components: contentDigest === 'required' ? COVERED : COVERED.slice(0, -1),
    refusedComponents: contentDigest === 'forbidden' ? ['content-digest'] : [],
    bodyOptional: true,
    maxWindowSeconds: 300,
    skewSeconds: 60,
    keyUse,
    purposes: ['request-signing'],
    signerPurpose: 'request-signing',
  }
}

/** The components a message must cover, in the order a signer writes them. */
export function requiredComponents(profile: SigningProfile, body: Uint8Array): readonly string[] {
  if (!profile.bodyOptional || body.byteLength > 0) return profile.components
  return profile.components.filter((name) => name !== 'content-type')
}

export function codeOf(profile: SigningProfile, failure: Failure): FailureCode {
  return `${profile.prefix}_${failure}`
}
