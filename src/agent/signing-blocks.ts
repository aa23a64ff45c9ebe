// What the capabilities declare about signatures: which requests may be signed, how webhooks are signed, and where
// the keys of this operator are published (spec 4.5, 5).

import type { Identifiers } from '../protocol/identifiers.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { ContentDigestPolicy } from '../signing/profile.ts'
import type { SigningPolicy } from './signing-policy.ts'

export interface DeclaredSigning {
  contentDigest: ContentDigestPolicy
  policy: SigningPolicy
  /** Tasks whose requests may be signed. Default all. */
  supportedFor?: ReadonlySet<string> | undefined
  /** The JSON-RPC methods that are served. */
  methods: readonly string[]
  /** The URL of the operator's brand.json. */
  brandJsonUrl: () => string
  /** The origin that publishes the operator's keys. */
  keyOrigin: () => string
}

export interface WebhookSigning {
  /** After how many seconds delivery of a webhook is no longer retried. */
  retryHorizonSeconds: number
}

/** Limited to what this caller can see: a name in it would reveal the rest. */
export function requestSigningBlock(
  { contentDigest, policy, supportedFor, methods }: DeclaredSigning,
  tasks: readonly AnyTask[],
  { onlyDocumented }: { onlyDocumented: boolean },
) {
  const reported = (names: Iterable<string>) => {
    const all = [...names]
    return onlyDocumented ? all.filter(isDocumented) : all
  }
  const known = tasks.map(({ name }) => name)
  const among = (names: ReadonlySet<string>) => known.filter((name) => names.has(name))
  const { requiredFor, warnFor, methodsRequiredFor, methodsWarnFor } = policy
  return {
    supported: true,
    covers_content_digest: contentDigest,
    required_for: among(requiredFor),
    warn_for: among(warnFor),
    supported_for: supportedFor ? among(supportedFor) : known,
    protocol_methods_required_for: reported(methodsRequiredFor),
    protocol_methods_warn_for: reported(methodsWarnFor),
    protocol_methods_supported_for: reported(methods),
  }
}

/**
 * Releases of the protocol have methods with a slash, such as `tasks/cancel`: their schemas accept no others. A
 * `tools/call` is classified by its task, which is among the tasks.
 */
function isDocumented(method: string): boolean {
  return method !== 'tools/call' && method.includes('/')
}

const DAY_SECONDS = 24 * 60 * 60

export function webhookSigningBlock(
  { retryHorizonSeconds }: WebhookSigning,
  { webhookTag }: Pick<Identifiers, 'webhookTag'>,
) {
  return {
    supported: true,
    profile: webhookTag,
    algorithms: ['ed25519', 'ecdsa-p256-sha256'],
    legacy_hmac_fallback: true,
    delivery_retry_horizon_seconds: Math.min(
      7 * DAY_SECONDS,
      Math.max(DAY_SECONDS, Math.floor(retryHorizonSeconds)),
    ),
  }
}

/** Releases of the protocol accept https only; a server without it is for trial use. */
export function identityBlock(
  { brandJsonUrl, keyOrigin }: DeclaredSigning,
  { onlyHttps }: { onlyHttps: boolean },
) {
  const origin = keyOrigin()
  const url = brandJsonUrl()
  return {
    ...(!onlyHttps || url.startsWith('https:') ? { brand_json_url: url } : {}),
    key_origins: { request_signing: origin, webhook_signing: origin },
  }
}
