// Verifies a signed message according to a profile of RFC 9421 (spec 5): runs the checklist in order and returns the
// first failure. The rules are in `verify-steps.ts`.

import { parseStrictJson } from '../lib/strict-json.ts'
import { checkSignatureHere } from './check-signature.ts'
import type {
  CheckBody,
  CheckRevocation,
  CheckSignature,
  FindKey,
  HttpMessage,
  Maybe,
  ReplayStore,
} from './ports.ts'
import { codeOf, type FailureCode, type SigningProfile } from './profile.ts'
import {
  type Examination,
  type Failed,
  type MessageHead,
  STEPS,
  type StepNumber,
} from './verify-steps.ts'

export interface VerifyOptions {
  profile: SigningProfile
  /** Unix time in seconds. */
  now: number
  findKey: FindKey
  checkRevocation: CheckRevocation
  replay: ReplayStore
  /** Default: JSON in UTF-8 without duplicate keys. */
  checkBody?: CheckBody
  /** Default: on the calling thread. */
  checkSignature?: CheckSignature
  /**
   * Headers of another scheme, in lower case: a message with one of these and without any signature was sent in the
   * wrong mode. Default none.
   */
  legacyHeaders?: readonly string[]
}

export interface Verified {
  ok: true
  keyid: string
  /** The signer: the URL of the signer's agents[] entry. */
  signer: string
  nonce: string
  created: number
  expires: number
  signatureBase: string
}

export interface Refused {
  ok: false
  code: FailureCode
  step: StepNumber
  /** For the operator's log; a peer receives only the code. */
  detail: string
}

/** A message with a valid signature, as far as that can be verified without its body. */
export interface VerifiedHead {
  ok: true
  keyid: string
  signer: string
  /**
   * The last steps (11 to 14): the digest, the nonce, which is consumed, and that the body is strict. If the body
   * arrived later, `now` is when it was complete: a signature that has expired by then is refused.
   */
  verifyBody(body: Uint8Array, now?: number): Promise<Verified | Refused>
}

/**
 * Verifies a message as received, with URL and body unchanged. Never throws because of the message's contents;
 * rejects if a port fails. A refused message does not consume its nonce, unless only its body is malformed: such a
 * message was genuine.
 */
export async function verifyMessage(
  message: HttpMessage,
  options: VerifyOptions,
): Promise<Verified | Refused> {
  const examination = begin({ ...message, hasBody: message.body.byteLength > 0 }, options)
  examination.body = message.body
  return (await checkSteps(examination, options, ALL_STEPS)) ?? verified(examination)
}

/**
 * The steps that need no body (1 to 10), for a verifier that reads the body only after they have passed. Do not act
 * on such a message before `verifyBody` has accepted its body, or an empty one.
 */
export async function verifyHead(
  head: MessageHead,
  options: VerifyOptions,
): Promise<VerifiedHead | Refused> {
  const examination = begin(head, options)
  const refused = await checkSteps(examination, options, HEAD_STEPS)
  if (refused) return refused
  return {
    ok: true,
    keyid: examination.parameters!.keyid,
    signer: examination.found!.signer,
    verifyBody: async (body, now = options.now) => {
      examination.body = body
      examination.now = now
      // Otherwise two slow copies of one message could both arrive after their nonce has been deleted.
      const late = await checkSteps(examination, options, WINDOW_STEP)
      const fault = late ?? (await checkSteps(examination, options, BODY_STEPS))
      return fault ?? verified(examination)
    },
  }
}

/** `to` is not included. */
interface StepRange {
  from: number
  to: number
}

/** The first failure of these steps. */
async function checkSteps(
  examination: Examination,
  options: VerifyOptions,
  { from, to }: StepRange,
): Promise<Refused | undefined> {
  for (let n = from; n < to; n++) {
    const outcome = run(n, examination, options)
    // Only awaits what is asynchronous: most ports answer from memory.
    const failed = outcome instanceof Promise ? await outcome : outcome
    if (!failed) continue
    // It may be another signer's key with that id: the first key that passes is the one it was signed with.
    const another = STEPS[n]!.isOfKey ? await tryOthers(examination, options) : undefined
    if (another === undefined) return failed
    n = another
  }
  return undefined
}

function verified(examination: Examination): Verified {
  const { keyid, nonce, created, expires } = examination.parameters!
  const signer = examination.found!.signer
  return { ok: true, keyid, signer, nonce, created, expires, signatureBase: examination.base! }
}

function run(
  n: number,
  examination: Examination,
  { profile }: VerifyOptions,
): Maybe<Refused | undefined> {
  const { step, check } = STEPS[n]!
  const refused = (failed: Failed | undefined): Refused | undefined =>
    failed && { ok: false, code: codeOf(profile, failed.failure), step, detail: failed.detail }
  const outcome = check(examination)
  return outcome instanceof Promise ? outcome.then(refused) : refused(outcome)
}

/** The last step that checks a key, if one of the other candidates passes them all; else undefined. */
async function tryOthers(
  examination: Examination,
  options: VerifyOptions,
): Promise<number | undefined> {
  for (const candidate of examination.candidates.slice(1)) {
    examination.found = candidate
    if (await passesKeySteps(examination, options)) return LAST_OF_KEY
  }
  return undefined
}

const FIRST_OF_KEY = STEPS.findIndex(({ isOfKey }) => isOfKey)
const LAST_OF_KEY = STEPS.findLastIndex(({ isOfKey }) => isOfKey)
const WINDOW = STEPS.findIndex(({ step }) => step === 5)
const FIRST_OF_BODY = STEPS.findIndex(({ step }) => step === 11)

const ALL_STEPS: StepRange = { from: 0, to: STEPS.length }
const HEAD_STEPS: StepRange = { from: 0, to: FIRST_OF_BODY }
const WINDOW_STEP: StepRange = { from: WINDOW, to: WINDOW + 1 }
const BODY_STEPS: StepRange = { from: FIRST_OF_BODY, to: STEPS.length }

async function passesKeySteps(examination: Examination, options: VerifyOptions): Promise<boolean> {
  for (let n = FIRST_OF_KEY; n <= LAST_OF_KEY; n++) {
    if (await run(n, examination, options)) return false
  }
  return true
}

function begin(message: MessageHead, options: VerifyOptions): Examination {
  return {
    message,
    body: undefined,
    profile: options.profile,
    now: options.now,
    findKey: options.findKey,
    checkRevocation: options.checkRevocation,
    replay: options.replay,
    checkBody: options.checkBody ?? isStrictJson,
    checkSignature: options.checkSignature ?? checkSignatureHere,
    legacyHeaders: options.legacyHeaders ?? [],
    // All members are set from the start: an object that grows step by step is slower to read.
    signature: undefined,
    target: undefined,
    host: undefined,
    values: undefined,
    digest: undefined,
    parameters: undefined,
    algorithm: undefined,
    candidates: [],
    found: undefined,
    publicKey: undefined,
    base: undefined,
  }
}

function isStrictJson(body: Uint8Array): boolean {
  return parseStrictJson(body).ok
}
