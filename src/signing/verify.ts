// Verifies a signed message by a profile of RFC 9421 (spec 5): runs the checklist in its order and
// answers with the first failure. The rules are in `verify-steps.ts`.

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
import { type Examination, type Failed, STEPS, type StepNumber } from './verify-steps.ts'

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
  /** Headers of another scheme, in lower case: a message with one of these and no signature at all
   * was sent in the wrong mode. Default none. */
  legacyHeaders?: readonly string[]
}

export interface Verified {
  ok: true
  keyid: string
  /** Who signed: the URL of the signer's agents[] entry. */
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
  /** For the operator's log; a peer is told the code alone. */
  detail: string
}

/**
 * Judges a message as it was received, URL and body untouched. Never throws for what the message
 * holds; a port that fails rejects. A refused message leaves its nonce unused, except when only its
 * body is malformed: such a message was genuine.
 */
export async function verifyMessage(
  message: HttpMessage,
  options: VerifyOptions,
): Promise<Verified | Refused> {
  const examination = begin(message, options)
  for (let n = 0; n < STEPS.length; n++) {
    const outcome = run(n, examination, options)
    // Waits only for what waits itself: most ports answer from memory.
    const failed = outcome instanceof Promise ? await outcome : outcome
    if (!failed) continue
    // It may be another signer's key of that id: the first that passes is the one it was signed with.
    const another = STEPS[n]!.isOfKey ? await tryOthers(examination, options) : undefined
    if (another === undefined) return failed
    n = another
  }
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

/** The last step that judges a key, when one of the other candidates passes them all; else undefined. */
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

async function passesKeySteps(examination: Examination, options: VerifyOptions): Promise<boolean> {
  for (let n = FIRST_OF_KEY; n <= LAST_OF_KEY; n++) {
    if (await run(n, examination, options)) return false
  }
  return true
}

function begin(message: HttpMessage, options: VerifyOptions): Examination {
  return {
    message,
    profile: options.profile,
    now: options.now,
    findKey: options.findKey,
    checkRevocation: options.checkRevocation,
    replay: options.replay,
    checkBody: options.checkBody ?? isStrictJson,
    checkSignature: options.checkSignature ?? checkSignatureHere,
    legacyHeaders: options.legacyHeaders ?? [],
    // All members from the start: an object that grows step by step is slower to read.
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
