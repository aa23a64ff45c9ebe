// Signs the requests of a caller (spec 5): each request separately, with its own nonce, by the rules that the called
// agent has declared. A request that cannot be signed is not sent.

import { type Clock, systemClock } from '../lib/clock.ts'
import { DEFAULT_PROTOCOL_NAME, identifiersFor } from '../protocol/identifiers.ts'
import { releaseHas } from '../protocol/releases/releases.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { localSigner } from '../signing/local-signer.ts'
import type { Jwk, Signer } from '../signing/ports.ts'
import {
  CONTENT_DIGEST_POLICIES,
  type ContentDigestPolicy,
  OLDER_RULES,
  type RequestRelease,
  requestProfile,
  STRICT_RULES,
} from '../signing/profile.ts'
import { signMessage } from '../signing/sign.ts'
import type { RequestSigner } from '../transports/client.ts'

/** The rules by which an agent verifies signed requests. */
export interface RequestRules {
  /** `3.1`: base64url; `3.2`: padded base64, the digest with every body. Default 3.2. */
  profile?: RequestRelease
  /** `either` covers the digest as well. Default required. */
  contentDigest?: ContentDigestPolicy
}

export interface RequestSignerOptions extends RequestRules {
  /** A private JWK for request signing, or a signer to use instead. Its keyid is the one the agent knows. */
  key: Jwk | Signer
  /** Default proto. */
  protocolName?: string
  /** Default: the system's clock. */
  clock?: Clock
}

/**
 * Adds `Signature-Input`, `Signature` and, unless it is forbidden, `Content-Digest`. Throws a TypeError for a key
 * that cannot sign or has another purpose, and a RangeError for 3.2 without the digest.
 */
export function createRequestSigner(options: RequestSignerOptions): RequestSigner {
  const { key, profile: release = STRICT_RULES, contentDigest, clock = systemClock } = options
  const { requestTag: tag, keyUse } = identifiersFor(options.protocolName ?? DEFAULT_PROTOCOL_NAME)
  const signer = signerOf(key, keyUse)
  const profile = requestProfile(
    { tag, keyUse },
    // If an agent accepts both, the body is covered.
    {
      release,
      contentDigest: contentDigest === 'either' ? 'required' : (contentDigest ?? 'required'),
    },
  )
  return async ({ method, url, headers, body = NO_BODY }) => {
    const now = clock.now() / 1_000
    const signed = await signMessage({ method, url, headers, body }, { signer, profile, now })
    if (!signed.ok) throw new TypeError(`${signed.code}: ${signed.detail}`)
    return { ...signed.headers }
  }
}

const NO_BODY = new Uint8Array()

function signerOf(key: Jwk | Signer, keyUse: string): Signer {
  if (isSigner(key)) return key
  const purpose = key[keyUse]
  if (purpose !== undefined && purpose !== 'request-signing') {
    throw new TypeError(`The private key has a ${keyUse} that is not request-signing.`)
  }
  return localSigner(key)
}

function isSigner(key: Jwk | Signer): key is Signer {
  return typeof (key as Signer).sign === 'function'
}

export type ChosenRules =
  | { ok: true; rules: Required<RequestRules> }
  /** The agent does not accept signatures. */
  | { ok: false; reason: string }

/**
 * The rules of an agent, according to its capabilities: those of 3.2 if it lists release 3.2 or later, otherwise
 * those of 3.1; the digest is covered unless the agent forbids it. Chosen once: no other rules are tried after a
 * refusal.
 */
export function requestRulesOf(
  capabilities: Readonly<Record<string, unknown>>,
  protocolName: string = DEFAULT_PROTOCOL_NAME,
): ChosenRules {
  const { request_signing: declared } = capabilities
  if (!isObject(declared) || declared.supported !== true) {
    return { ok: false, reason: 'the agent does not declare that it reads signed requests' }
  }
  const covers = declared.covers_content_digest
  const isKnown = CONTENT_DIGEST_POLICIES.some((policy) => policy === covers)
  const contentDigest = isKnown ? (covers as ContentDigestPolicy) : 'required'
  const block = new Map(Object.entries(capabilities)).get(protocolName)
  const releases = isObject(block) ? block.supported_versions : undefined
  const isStrict = Array.isArray(releases) && releases.some(isStrictly)
  // A strict agent cannot forbid the digest: one that does uses the older rules.
  if (!isStrict || contentDigest === 'forbidden') {
    return { ok: true, rules: { profile: OLDER_RULES, contentDigest } }
  }
  return { ok: true, rules: { profile: STRICT_RULES, contentDigest: 'required' } }
}

function isStrictly(release: unknown): boolean {
  return typeof release === 'string' && releaseHas(release, 'strict_signatures')
}
