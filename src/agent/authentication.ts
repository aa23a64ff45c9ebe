// Whether a request is admitted, based on its headers alone: whose key it sends, who signed it, and whether its
// caller has calls left. This is checked once per request, before any byte of the body is read, so that no work is
// done for callers that are not allowed. The key is never cached: a revocation takes effect immediately.

import type { RateLimit } from '../lib/token-bucket.ts'
import { type TaskError, taskError } from '../protocol/errors.ts'
import type { Refused } from '../signing/verify.ts'
import type { MessageHead } from '../signing/verify-steps.ts'
import {
  authenticatePrincipal,
  bearerKey,
  type Principal,
  type PrincipalStore,
} from './principals.ts'
import {
  everWarns,
  type FailedSignature,
  isUnreadable,
  type SigningPolicy,
  signatureError,
} from './signing-policy.ts'
import type { SignedBy, VerifySignature } from './verify-signature.ts'

export interface Bearer {
  /** The Authorization header, if there was one. */
  authorization: string | undefined
  /** The account that a request without a valid key is counted against: its address. */
  account: string
  /** The request without its body, when it carries a complete or partial signature. */
  signed?: MessageHead | undefined
}

/** Admitted and counted: passed on with the request, so that this is not checked again. */
export interface Admitted {
  ok: true
  /** Undefined without a key. */
  principal: Principal | undefined
  /** Whose tokens its calls take. */
  account: string
  /** For a signed request. Nothing in it may be acted on before `judgeBody` has accepted its body. */
  signature?: Pick<SignedBy, 'ok' | 'keyid' | 'verifySignedBody'> | FailedSignature
}

/** What is reported about a signature. */
export interface SignatureRecord {
  /** `failed`: it is wrong; where a warning is enough, the call continues without it. */
  outcome: 'verified' | 'refused' | 'failed'
  code?: string
  /** For the operator alone. */
  detail?: string
  principal_id?: string | undefined
}

/** How signed requests are treated. */
/** Which callers' unsigned registrations with legacy authentication are accepted. */
export const UNSIGNED_LEGACY = ['unversioned', 'all', 'none'] as const

export interface RequestSigning {
  check: VerifySignature
  policy: SigningPolicy
  /** Which callers' unsigned registrations with legacy authentication are accepted. Default all. */
  unsignedLegacy?: (typeof UNSIGNED_LEGACY)[number]
  /** Whether a principal has a registered key. */
  hasKeys(principalId: string): Promise<boolean>
  /** Called for each signature that was checked. */
  onSignature?: (record: SignatureRecord) => void
}

export type Authentication = Admitted | { ok: false; error: TaskError }

export interface AuthenticationPorts {
  principals: Pick<PrincipalStore, 'byKeyHash'>
  /**
   * The owner of a key that this server did not create, such as the ones graders bring to a sandbox; an error refuses
   * the request. Default: no such keys are accepted.
   */
  foreignKey?:
    | ((key: string, account: string) => Promise<Principal | TaskError | undefined>)
    | undefined
  /** Calls of one principal, or of one address without a key. */
  rateLimit: RateLimit
  /** Default: signatures are ignored. */
  signing?: RequestSigning
}

/** Takes one token, whatever happens to the request. */
export async function admit(ports: AuthenticationPorts, bearer: Bearer): Promise<Authentication> {
  const { authorization = '', account, signed } = bearer
  const stranger: Admitted = { ok: true, principal: undefined, account }
  const holder = await holderOf(ports, authorization.trim(), account)
  // Guessing keys is counted too.
  if (holder === 'unknown') return refused(ports, stranger, UNKNOWN_KEY)
  if (holder && 'code' in holder) return refused(ports, stranger, holder)
  const admitted = holder ? { ...stranger, ...asCaller(holder) } : stranger
  if (!signed || !ports.signing) return counted(ports, admitted)
  return admitSigned(ports, ports.signing, { stranger, admitted, signed })
}

/** The owner of the bearer key; undefined when none was sent. */
async function holderOf(
  { principals, foreignKey }: AuthenticationPorts,
  authorization: string,
  account: string,
): Promise<Principal | TaskError | 'unknown' | undefined> {
  if (authorization === '') return undefined
  const key = bearerKey(authorization)
  if (key === undefined) return 'unknown'
  const principal = await authenticatePrincipal(principals, key)
  return principal ?? (await foreignKey?.(key, account)) ?? 'unknown'
}

interface Signing {
  stranger: Admitted
  /** Admitted by its bearer key, if it sent one. */
  admitted: Admitted
  signed: MessageHead
}

/** With a bearer key, only keys of the same principal count, so that both identify the same one. */
async function admitSigned(
  ports: AuthenticationPorts,
  { check, policy, onSignature }: RequestSigning,
  { stranger, admitted, signed }: Signing,
): Promise<Authentication> {
  const verdict = await check(signed, admitted.principal)
  if (verdict.ok) {
    const { keyid, verifySignedBody, principal } = verdict
    const signature = {
      ok: true as const,
      keyid,
      verifySignedBody: async (body: Uint8Array) => {
        const fault = await verifySignedBody(body)
        const { principal_id } = principal
        if (fault) onSignature?.({ ...reported('refused', fault), principal_id })
        else onSignature?.({ outcome: 'verified', principal_id })
        return fault
      },
    }
    return counted(ports, { ...stranger, ...asCaller(principal), signature })
  }
  const mayGoOn = admitted.principal && everWarns(policy) && !isUnreadable(verdict)
  const principal_id = admitted.principal?.principal_id
  onSignature?.({ ...reported(mayGoOn ? 'failed' : 'refused', verdict), principal_id })
  if (!mayGoOn) return refused(ports, stranger, signatureError(verdict))
  return counted(ports, { ...admitted, signature: { ok: false, refused: verdict } })
}

function reported(outcome: SignatureRecord['outcome'], { code, detail }: Refused): SignatureRecord {
  return { outcome, code, detail: detail.slice(0, MAX_DETAIL_CHARS) }
}

const MAX_DETAIL_CHARS = 300

function asCaller(principal: Principal): Pick<Admitted, 'principal' | 'account'> {
  return { principal, account: principal.principal_id }
}

/** Counted against its address, whatever identity it claims. */
function refused(ports: AuthenticationPorts, stranger: Admitted, error: TaskError): Authentication {
  const taken = counted(ports, stranger)
  return taken.ok ? { ok: false, error } : taken
}

/** The tokens that a request with several calls takes in addition to its own. */
export function takeMore(
  { rateLimit }: Pick<AuthenticationPorts, 'rateLimit'>,
  { account }: Admitted,
  calls: number,
): { ok: true } | { ok: false; error: TaskError } {
  const taken = rateLimit.take(account, calls)
  return taken.ok ? taken : { ok: false, error: tooMany(taken.retryAfterSeconds) }
}

function counted({ rateLimit }: AuthenticationPorts, admitted: Admitted): Authentication {
  const taken = rateLimit.take(admitted.account)
  return taken.ok ? admitted : { ok: false, error: tooMany(taken.retryAfterSeconds) }
}

const UNKNOWN_KEY = taskError(
  'AUTH_INVALID',
  'the key is unknown or revoked: send Authorization: Bearer and a key that begins with adw_',
)

const LONGEST_WAIT_SECONDS = 3_600

function tooMany(retryAfterSeconds: number): TaskError {
  const seconds = Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS)
  const message = `too many calls: retry after ${seconds} s`
  return taskError('RATE_LIMITED', message, { retry_after: seconds })
}
