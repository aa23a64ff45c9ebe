// Which calls must be signed, and what a missing or wrong signature means (spec 5): one table of outcomes for
// every transport. A wrong signature is never as good as none.

import { type TaskError, taskError } from '../protocol/errors.ts'
import type { FailureCode } from '../signing/profile.ts'
import type { Refused } from '../signing/verify.ts'

export interface SigningPolicy {
  /** Tasks, by their canonical names, that require a signature or another valid credential. */
  requiredFor: ReadonlySet<string>
  /** Tasks for which a wrong signature is only logged, and the call continues with its other credential. */
  warnFor: ReadonlySet<string>
  /** The same for methods of JSON-RPC. */
  methodsRequiredFor: ReadonlySet<string>
  methodsWarnFor: ReadonlySet<string>
}

/** The signature is wrong, and the caller has another credential: the operation decides whether that is enough. */
export interface FailedSignature {
  ok: false
  refused: Refused
}

/** The credentials of a caller that was admitted. */
interface Returned {
  /** Undefined for a third party. */
  principal: object | undefined
  signature?: { ok: true } | FailedSignature
}

/** The operation that one message requests: a task, by its canonical name, or a method that calls no task. */
export interface Operation {
  task?: string | undefined
  method?: string | undefined
}

/** Whether any call may continue despite a wrong signature. */
export function everWarns({ warnFor, methodsWarnFor }: SigningPolicy): boolean {
  return warnFor.size > 0 || methodsWarnFor.size > 0
}

/** Why an admitted caller may not perform an operation. */
export function operationFault(
  policy: SigningPolicy,
  { principal, signature }: Returned,
  operation: Operation,
): TaskError | undefined {
  if (signature && !signature.ok) {
    return warns(policy, operation) ? undefined : signatureError(signature.refused)
  }
  if (signature || principal || !requires(policy, operation)) return undefined
  return signatureRequired('this call requires a signature or a key, and has neither')
}

function requires(policy: SigningPolicy, { task = '', method = '' }: Operation): boolean {
  return policy.requiredFor.has(task) || policy.methodsRequiredFor.has(method)
}

function warns(policy: SigningPolicy, operation: Operation): boolean {
  if (requires(policy, operation)) return false
  const { task, method = '' } = operation
  return task === undefined ? policy.methodsWarnFor.has(method) : policy.warnFor.has(task)
}

/** Such a signature cannot be parsed, so its meaning is unknown: it is always refused. */
export function isUnreadable({ code }: Refused): boolean {
  return code === 'request_signature_header_malformed'
}

/** The error a caller receives for a refused signature: the code, and what to do. The exact reason is in the log. */
export function signatureError({ code }: Pick<Refused, 'code'>): TaskError {
  const isTransient = TRANSIENT.includes(code)
  return {
    ...taskError('AUTH_INVALID', `the signature was refused: ${code}`, {
      details: { signature_error: code },
      suggestion: isTransient
        ? 'Wait retry_after seconds, sign the request again and resend it.'
        : 'Sign the request again as request_signing in get_agent_capabilities requires.',
      ...(isTransient ? { retry_after: RETRY_SECONDS } : {}),
    }),
    recovery: isTransient ? 'transient' : TERMINAL.includes(code) ? 'terminal' : 'correctable',
  }
}

export function signatureRequired(message: string): TaskError {
  return taskError('AUTH_MISSING', message, {
    details: { signature_error: 'request_signature_required' satisfies FailureCode },
    suggestion: 'Sign the request with a key that this agent’s operator has on file for you.',
  })
}

const RETRY_SECONDS = 5

const TRANSIENT: readonly FailureCode[] = [
  'request_signature_capabilities_unreachable',
  'request_signature_brand_json_unreachable',
  'request_signature_jwks_unavailable',
]

const TERMINAL: readonly FailureCode[] = [
  'request_signature_brand_json_url_missing',
  'request_signature_brand_json_malformed',
  'request_signature_brand_json_ambiguous',
  'request_signature_brand_origin_mismatch',
  'request_signature_agent_not_in_brand_json',
  'request_signature_key_origin_missing',
  'request_signature_key_origin_mismatch',
  'request_signature_revocation_stale',
  'request_signature_rate_abuse',
  'request_signature_jwks_untrusted',
]
