// What distinguishes one use of RFC 9421 from another. The webhook and the request profile are two
// values of this type, not two verifiers (spec 5).

/** The suffixes of every code that a verifier can return; the profile's prefix comes before them. */
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
  'signature_jwks_unavailable',
  'signature_jwks_untrusted',
  'signature_capabilities_unreachable',
  'signature_brand_json_url_missing',
  'signature_brand_json_unreachable',
  'signature_brand_json_malformed',
  'signature_brand_json_ambiguous',
  'signature_brand_origin_mismatch',
  'signature_agent_not_in_brand_json',
  'signature_key_origin_missing',
  'signature_key_origin_mismatch',
] as const
export type Failure = (typeof FAILURES)[number]

/** Why the keys of a known caller cannot be found; only for requests: for webhooks the key counts as unknown. */
export type DiscoveryFailure = Extract<
  Failure,
  `signature_${'jwks' | 'capabilities' | 'brand' | 'agent' | 'key_origin'}_${string}`
>

/** How messages are signed, by the names of RFC 9421. */
export type SigningAlgorithm = 'ed25519' | 'ecdsa-p256-sha256'

export interface SigningProfile {
  /** Prefix of each failure code: `webhook` or `request`. */
  prefix: 'webhook' | 'request'
  tag: string
  /** Components that must be covered, in the order a signer writes them. */
  components: readonly string[]
  /** Components that must not be covered. */
  refusedComponents: readonly string[]
  /** Whether a message may have no body; without one, neither content type nor digest is required. */
  bodyOptional: boolean
  /** Whether a signer covers the digest of an absent body. */
  digestsNoBody: boolean
  /**
   * How a signer encodes binary values. With `base64`, only this form, padded, is accepted; with `base64url`, both
   * alphabets are accepted, since some peers send the other one.
   */
  binary: 'base64url' | 'base64'
  /** Longest time from `created` to `expires`, in seconds. */
  maxWindowSeconds: number
  /** Maximum clock difference between signer and verifier, in seconds. */
  skewSeconds: number
  /** The member of a JWK that states its purpose, and its accepted values. */
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

/** Webhooks: always the five components; keys for request signing are accepted too unless that is turned off. */
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
    digestsNoBody: true,
    binary: 'base64url',
    maxWindowSeconds: 300,
    skewSeconds: 60,
    keyUse,
    purposes: acceptRequestKeys ? ['webhook-signing', 'request-signing'] : ['webhook-signing'],
    signerPurpose: 'webhook-signing',
  }
}

export const CONTENT_DIGEST_POLICIES = ['required', 'either', 'forbidden'] as const
/** Whether the digest of a body must, may or must not be covered: `covers_content_digest`. */
export type ContentDigestPolicy = (typeof CONTENT_DIGEST_POLICIES)[number]

interface RequestRules {
  /** Whether the digest of every body is covered, and none if there is no body. */
  coversEveryBody: boolean
  binary: SigningProfile['binary']
}

/** Rules are named after their release: those up to 3.1, and the strict ones since. */
export const OLDER_RULES = '3.1'
export const STRICT_RULES = '3.2'

const REQUEST_RULES = {
  [OLDER_RULES]: { coversEveryBody: false, binary: 'base64url' },
  [STRICT_RULES]: { coversEveryBody: true, binary: 'base64' },
} as const satisfies Record<string, RequestRules>

export type RequestRelease = keyof typeof REQUEST_RULES
export const REQUEST_RELEASES = Object.keys(REQUEST_RULES) as readonly RequestRelease[]

/** Whether these rules require the digest of every body to be covered. */
export function coversEveryBody(release: RequestRelease): boolean {
  return REQUEST_RULES[release].coversEveryBody
}

export interface RequestProfileOptions {
  /** Default `required`, the only value in 3.2. */
  contentDigest?: ContentDigestPolicy
  /** Default 3.1. */
  release?: RequestRelease
}

/**
 * Requests of callers: the same window, only keys for request signing, no content type without a body. An agent
 * declares whether the digest of the body must, may or must not be covered. From 3.2 on it is covered whenever there
 * is a body, and binary values are padded standard base64. Throws a RangeError for 3.2 without the digest.
 */
export function requestProfile(
  { tag, keyUse }: ProfileNames,
  { contentDigest = 'required', release = OLDER_RULES }: RequestProfileOptions = {},
): SigningProfile {
  const { coversEveryBody, binary } = REQUEST_RULES[release]
  if (coversEveryBody && contentDigest !== 'required') {
    throw new RangeError(`The request profile of ${release} always covers the digest of a body.`)
  }
  return {
    prefix: 'request',
    tag,
    components: contentDigest === 'required' ? COVERED : COVERED.slice(0, -1),
    refusedComponents: contentDigest === 'forbidden' ? ['content-digest'] : [],
    bodyOptional: true,
    digestsNoBody: !coversEveryBody,
    binary,
    maxWindowSeconds: 300,
    skewSeconds: 60,
    keyUse,
    purposes: ['request-signing'],
    signerPurpose: 'request-signing',
  }
}

/** The components that a message must cover. */
export function requiredComponents(profile: SigningProfile, hasBody: boolean): readonly string[] {
  if (!profile.bodyOptional || hasBody) return profile.components
  return profile.components.filter((name) => !OF_BODY.includes(name))
}

/** The components that a signer covers, in the order it writes them. */
export function signedComponents(profile: SigningProfile, hasBody: boolean): readonly string[] {
  if (!profile.bodyOptional || hasBody) return profile.components
  return profile.components.filter(
    (name) => !OF_BODY.includes(name) || (name === 'content-digest' && profile.digestsNoBody),
  )
}

const OF_BODY: readonly string[] = ['content-type', 'content-digest']

export function codeOf(profile: SigningProfile, failure: Failure): FailureCode {
  return `${profile.prefix}_${failure}`
}
