// The verifier's checklist (spec 5): one function per step, and one list that defines their order. Each step either
// sets values that later steps need or returns a failure of the closed list.

import type { KeyObject } from 'node:crypto'
import { hasNonAscii } from './ascii-host.ts'
import { isDigestOf, readContentDigest } from './content-digest.ts'
import { importVerificationKey } from './keys.ts'
import { coveredHeader, joined, linesOf } from './message-headers.ts'
import type {
  CheckBody,
  CheckRevocation,
  CheckSignature,
  FindKey,
  FoundKey,
  HttpMessage,
  KeyNotFound,
  Maybe,
  ReplayStore,
  SignersKey,
} from './ports.ts'
import {
  type Failure,
  requiredComponents,
  type SigningAlgorithm,
  type SigningProfile,
} from './profile.ts'
import { type ReceivedSignature, readReceivedSignature } from './received-signature.ts'
import { isMethod, signatureBase } from './signature-base.ts'
import { canonicalAuthority, canonicalTargetUri, type TargetUri } from './target-uri.ts'

export type StepNumber = 'pre' | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | '9a' | 10 | 11 | 12 | 13 | 14

export interface Failed {
  failure: Failure
  detail: string
}
type Outcome = Failed | undefined

/** A message without its body; it is known whether there will be one. */
export interface MessageHead extends Omit<HttpMessage, 'body'> {
  hasBody: boolean
}

/**
 * A message being verified. Members that may be undefined are set by the step named next to them, for the steps after
 * it.
 */
export interface Examination {
  readonly message: MessageHead
  /** Before step 11. */
  body: Uint8Array | undefined
  readonly profile: SigningProfile
  now: number
  readonly findKey: FindKey
  readonly checkRevocation: CheckRevocation
  readonly replay: ReplayStore
  readonly checkBody: CheckBody
  readonly checkSignature: CheckSignature
  readonly legacyHeaders: readonly string[]
  /** Step 1. */
  signature: ReceivedSignature | undefined
  target: ReturnType<typeof canonicalTargetUri> | undefined
  host: string | undefined
  /** Step 1: the received value of each component; undefined for a header that was not sent. */
  values: readonly (string | undefined)[] | undefined
  /** Step 1: the sha-256 of a covered `Content-Digest`. */
  digest: string | undefined
  /** Step 2. */
  parameters: Required<ReceivedSignature['parameters']> | undefined
  /** Step 4. */
  algorithm: SigningAlgorithm | undefined
  /** Step 7: the keys with this id, of one signer or several. */
  candidates: readonly FoundKey[]
  /** The key being checked; from step 11 on, the one that the message was signed with. */
  found: FoundKey | undefined
  /** Step 8. */
  publicKey: KeyObject | undefined
  /** Step 10. */
  base: string | undefined
}

export interface Step {
  step: StepNumber
  check: (examination: Examination) => Maybe<Outcome>
  /** Checks the key that was found; if there are several, each of them. */
  isOfKey?: true
}

/**
 * The order is part of the contract. Revocation and caps (9, 9a) come before the cryptography, so that a flood is
 * cheap; the digest (11) and the nonce (12) come after it, so that only a genuine message can learn about them; the
 * nonce is consumed (13) before the body is checked (14).
 */
export const STEPS: readonly Step[] = [
  { step: 'pre', check: expectSignatureMode },
  { step: 1, check: parseHeaders },
  { step: 2, check: requireParameters },
  { step: 3, check: matchTag },
  { step: 4, check: allowAlgorithm },
  { step: 5, check: checkWindow },
  { step: 6, check: requireComponents },
  { step: 7, check: resolveKey },
  { step: 8, check: checkKeyPurpose, isOfKey: true },
  { step: 9, check: refuseRevoked, isOfKey: true },
  { step: '9a', check: refuseFlood, isOfKey: true },
  { step: 10, check: checkSignatureOfBase, isOfKey: true },
  { step: 11, check: compareDigest },
  { step: 12, check: refuseReplay },
  { step: 13, check: rememberNonce },
  { step: 14, check: requireStrictBody },
]

function expectSignatureMode({ message, legacyHeaders }: Examination): Outcome {
  if (legacyHeaders.length === 0 || hasSignature(message)) return undefined
  const legacy = legacyHeaders.find((name) => linesOf(message.headers, name) !== undefined)
  if (legacy === undefined) return undefined
  return fail('mode_mismatch', `the message carries ${legacy} instead of a signature`)
}

function parseHeaders(exam: Examination): Outcome {
  const { message, profile } = exam
  if (profile.prefix === 'request' && !hasSignature(message)) {
    return fail('signature_required', 'the message carries no signature')
  }
  const input = joined(message.headers, 'signature-input')
  const signature = joined(message.headers, 'signature')
  if (input === undefined) return malformed('Signature-Input is missing')
  if (signature === undefined) return malformed('Signature is missing')
  const read = readReceivedSignature(input, signature, profile.binary)
  if (!read.ok) return malformed(read.reason)
  exam.signature = read.signature

  if (!isMethod(message.method)) return malformed('the method is not an HTTP token')
  exam.target = canonicalTargetUri(message.url, { allowUnicodeHost: false })
  if (!exam.target.ok && exam.target.fault === 'unicode_host') return malformed(exam.target.reason)
  exam.host = joined(message.headers, 'host')
  if (exam.host !== undefined && hasNonAscii(exam.host)) return malformed('Host is not in A-labels')
  return readComponents(exam)
}

function readComponents(exam: Examination): Outcome {
  const values: (string | undefined)[] = []
  exam.values = values
  for (const name of exam.signature!.components) {
    if (name.charCodeAt(0) === AT) {
      values.push(derivedValue(exam, name))
      continue
    }
    const header = coveredHeader(exam.message.headers, name)
    if (!header.ok && !header.isMissing) return malformed(header.reason)
    values.push(header.ok ? header.value : undefined)
    if (name !== 'content-digest' || !header.ok) continue
    const digest = readContentDigest(header.value, exam.profile.binary)
    if (!digest.ok) return malformed(`Content-Digest ${digest.reason}`)
    exam.digest = digest.digest
  }
  return undefined
}

function requireParameters(exam: Examination): Outcome {
  const { created, expires, nonce, keyid, alg, tag } = exam.signature!.parameters
  if (created === undefined) return missingParameter('created')
  if (expires === undefined) return missingParameter('expires')
  if (nonce === undefined) return missingParameter('nonce')
  if (keyid === undefined) return missingParameter('keyid')
  if (alg === undefined) return missingParameter('alg')
  if (tag === undefined) return missingParameter('tag')
  exam.parameters = { created, expires, nonce, keyid, alg, tag }
  return undefined
}

function matchTag({ parameters, profile }: Examination): Outcome {
  if (parameters!.tag === profile.tag) return undefined
  return fail('signature_tag_invalid', `the tag is not ${profile.tag}`)
}

function allowAlgorithm(exam: Examination): Outcome {
  const { alg } = exam.parameters!
  if (alg !== 'ed25519' && alg !== 'ecdsa-p256-sha256') {
    return fail('signature_alg_not_allowed', 'the alg is neither ed25519 nor ecdsa-p256-sha256')
  }
  exam.algorithm = alg
  return undefined
}

function checkWindow({ parameters, profile, now }: Examination): Outcome {
  const { created, expires } = parameters!
  const { maxWindowSeconds, skewSeconds } = profile
  if (expires <= created) return badWindow('it expires before it begins')
  if (expires - created > maxWindowSeconds) return badWindow(`over ${maxWindowSeconds} seconds`)
  if (created > now + skewSeconds) return badWindow('it begins in the future')
  if (expires < now - skewSeconds) return badWindow('it has expired')
  return undefined
}

function requireComponents({ signature, profile, message, values }: Examination): Outcome {
  const { components } = signature!
  for (const name of requiredComponents(profile, message.hasBody)) {
    if (!components.includes(name)) return incomplete(`${name} is not covered`)
  }
  for (const [n, name] of components.entries()) {
    // An extra covered header is accepted if it was sent; an extra derived component is not.
    const isDerivedByOthers = name.charCodeAt(0) === AT && !DERIVED.includes(name)
    if (isDerivedByOthers || profile.refusedComponents.includes(name)) {
      return unexpected(profile, name)
    }
    // A malformed URL has no value either, but step 10 reports that.
    const isHeader = name.charCodeAt(0) !== AT
    if (isHeader && values![n] === undefined) {
      return incomplete(`${name} is covered but not in the message`)
    }
  }
  return undefined
}

function resolveKey(exam: Examination): Maybe<Outcome> {
  return after(exam.findKey(exam.parameters!.keyid), (found) => {
    if (found !== undefined && 'failure' in found) return notFound(exam.profile, found)
    exam.candidates = found === undefined ? [] : 'jwk' in found ? [found] : found
    if (exam.candidates.length === 0) {
      return fail('signature_key_unknown', 'no published key has this keyid')
    }
    if (exam.candidates.length > MAX_CANDIDATES) {
      return fail('signature_key_unknown', 'more signers than can be tried have a key of this id')
    }
    exam.found = exam.candidates[0]
    return undefined
  })
}

/** The webhook profile has one code for all of these. */
function notFound({ prefix }: SigningProfile, { failure, detail }: KeyNotFound): Failed {
  return fail(prefix === 'request' ? failure : 'signature_key_unknown', detail)
}

function checkKeyPurpose(exam: Examination): Outcome {
  const { keyUse, purposes } = exam.profile
  const { jwk, publicKey } = exam.found!
  const key = importVerificationKey(
    jwk,
    { algorithm: exam.algorithm!, keyUse, purposes },
    publicKey,
  )
  if (!key.ok) return fail('signature_key_purpose_invalid', `the key ${key.reason}`)
  exam.publicKey = key.publicKey
  return undefined
}

function refuseRevoked(exam: Examination): Maybe<Outcome> {
  const { keyid, created } = exam.parameters!
  const { signer, revokedAt } = exam.found!
  return after(exam.checkRevocation(keyid, signer), (state) => {
    if (state === 'stale')
      return fail('signature_revocation_stale', 'the revocation list is too old')
    if (state === 'revoked') return revoked('the key is on the revocation list')
    if (revokedAt === undefined || created < revokedAt) return undefined
    return revoked('the pin says the key was revoked before this signature')
  })
}

function refuseFlood(exam: Examination): Maybe<Outcome> {
  return after(exam.replay.isFull(keyOf(exam)), (isFull) => (isFull ? flood() : undefined))
}

function checkSignatureOfBase(exam: Examination): Maybe<Outcome> {
  const target = exam.target!
  if (!target.ok) return fail('target_uri_malformed', target.reason)
  const authorityFault = authorityFaultOf(exam, target)
  if (authorityFault) return fail('target_uri_malformed', authorityFault)

  const { components, text, bytes } = exam.signature!
  exam.base = signatureBase({ components, values: exam.values as string[], parameters: text })
  const checking = exam.checkSignature({
    algorithm: exam.algorithm!,
    publicKey: exam.publicKey!,
    base: Buffer.from(exam.base, 'latin1'),
    signature: bytes,
  })
  return after(checking, (isRight) =>
    isRight ? undefined : fail('signature_invalid', 'the signature is not of this message'),
  )
}

function compareDigest({ signature, digest, body }: Examination): Outcome {
  if (!signature!.components.includes('content-digest')) return undefined
  if (digest && isDigestOf(digest, body!)) return undefined
  const detail = digest ? 'the body has another sha-256' : 'Content-Digest holds no sha-256'
  return fail('signature_digest_mismatch', detail)
}

function refuseReplay(exam: Examination): Maybe<Outcome> {
  const { nonce } = exam.parameters!
  return after(exam.replay.has(keyOf(exam), nonce), (isSeen) => (isSeen ? replayed() : undefined))
}

function rememberNonce(exam: Examination): Maybe<Outcome> {
  const { replay, parameters, profile, now } = exam
  const { keyid, nonce, expires } = parameters!
  const { signer } = exam.found!
  // The last second in which the signature is accepted is expires + skew.
  const lastNeeded = expires + profile.skewSeconds + 1
  const expiresAt = Math.max(lastNeeded, Math.ceil(now) + MIN_NONCE_SECONDS)
  return after(replay.insert({ signer, keyid, nonce, expiresAt }), (outcome) => {
    if (outcome === 'seen') return replayed()
    return outcome === 'full' ? flood() : undefined
  })
}

function requireStrictBody({ body, profile, checkBody }: Examination): Outcome {
  if (profile.bodyOptional && body!.byteLength === 0) return undefined
  if (checkBody(body!)) return undefined
  return fail('body_malformed', 'the body is not JSON, or an object in it has one key twice')
}

/** Each candidate may cost a signature check, which takes a tenth of a millisecond. */
const MAX_CANDIDATES = 32

// Spec 8: the replay window.
const MIN_NONCE_SECONDS = 360
const DERIVED = ['@method', '@target-uri', '@authority']

const AT = 0x40

/** Nonces belong to a signer's key: one signer's messages must not use up another's nonces. */
function keyOf({ found, parameters }: Examination): SignersKey {
  return { signer: found!.signer, keyid: parameters!.keyid }
}

function hasSignature({ headers }: Pick<HttpMessage, 'headers'>): boolean {
  const input = linesOf(headers, 'signature-input')
  return input !== undefined || linesOf(headers, 'signature') !== undefined
}

/** The host of the connection must be the one that was signed (RFC 9421 §2.2.3). */
function authorityFaultOf({ message, host }: Examination, target: TargetUri): string | undefined {
  for (const said of [joined(message.headers, ':authority'), host]) {
    if (said === undefined || said === target.authority) continue
    const canonical = canonicalAuthority(said, target.scheme, { allowUnicodeHost: false })
    if (!canonical.ok) return canonical.reason
    if (canonical.authority !== target.authority) return 'Host is not the authority of the URL'
  }
  return undefined
}

function derivedValue({ message, target }: Examination, name: string): string | undefined {
  if (name === '@method') return message.method
  if (!target?.ok) return undefined
  if (name === '@target-uri') return target.targetUri
  return name === '@authority' ? target.authority : undefined
}

function unexpected({ prefix }: SigningProfile, name: string): Failed {
  const detail = `${name} may not be covered`
  // The webhook profile has no such code: there it is reported as an unreadable header.
  return fail(prefix === 'request' ? 'signature_components_unexpected' : MALFORMED, detail)
}

const MALFORMED = 'signature_header_malformed'
const malformed = (detail: string) => fail(MALFORMED, detail)
const incomplete = (detail: string) => fail('signature_components_incomplete', detail)
const badWindow = (detail: string) => fail('signature_window_invalid', detail)
const revoked = (detail: string) => fail('signature_key_revoked', detail)
const flood = () =>
  fail('signature_rate_abuse', 'the key, its signer, or all, hold as many nonces as they may')
const replayed = () => fail('signature_replayed', 'the nonce was used before')

/** Continues synchronously if the result is available: most ports answer from memory. */
function after<Value>(value: Maybe<Value>, next: (value: Value) => Outcome): Maybe<Outcome> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function missingParameter(name: string): Failed {
  return fail('signature_params_incomplete', `the parameter ${name} is missing`)
}

function fail(failure: Failure, detail: string): Failed {
  return { failure, detail }
}
