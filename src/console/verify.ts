// The checklist of a signed webhook for a pasted message (spec 5): each step with whether it passed, and why not.
// Nothing is stored, and no nonce is used up.

import { type KeySet, keysById } from '../key-discovery/key-set.ts'
import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import type { RateLimit } from '../lib/token-bucket.ts'
import { tryJson } from '../lib/try-json.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { checkSignatureHere } from '../signing/check-signature.ts'
import type { HttpMessage } from '../signing/ports.ts'
import { webhookProfile } from '../signing/profile.ts'
import { readReceivedSignature } from '../signing/received-signature.ts'
import { memoryReplayStore } from '../signing/replay.ts'
import { verifyMessage } from '../signing/verify.ts'
import { STEPS, type StepNumber } from '../signing/verify-steps.ts'
import type { VerifyAnswer, VerifyBody } from './api/verify.ts'
import type { Handlers } from './handlers.ts'
import { readPastedRequest } from './pasted-request.ts'
import { Refused } from './refusal.ts'
import { signaturePartsOf } from './signature-parts.ts'

export interface VerifyPorts {
  clock: Clock
  identifiers: Identifiers
  /** The published keys of a seller, found the way a receiver does it; `report` receives notes. */
  sellerKeys: (url: string, report: (note: string) => void) => Promise<KeySet>
  /** Limits one principal's lookups of sellers: they leave the server. */
  lookups: RateLimit
}

const LOOKUP_MS = 10_000

const TITLES: Readonly<Record<StepNumber, string>> = {
  pre: 'The message has a signature and no other scheme',
  1: 'Signature-Input, Signature and Content-Digest can be read',
  2: 'created, expires, nonce, keyid, alg and tag are present',
  3: 'The tag marks it as a webhook',
  4: 'The algorithm is one of the two that are allowed',
  5: 'The signature is valid now: not expired, not from the future, not valid for too long',
  6: 'Method, URL, host, content type and digest are all signed',
  7: 'The signer has published a key of this id',
  8: 'That key is for signing webhooks, with this algorithm',
  9: 'The key is not revoked',
  '9a': 'The key has not used up its nonces',
  10: 'The signature matches this message and key',
  11: 'The body has the digest that was signed',
  12: 'The nonce was not used before',
  13: 'The nonce is remembered',
  14: 'The body is JSON without duplicate keys',
}

export function verifyHandlers(ports: VerifyPorts): Handlers<'verifyWebhook'> {
  return {
    verifyWebhook: ({ visitor, body }) => verify(ports, visitor.principal.principal_id, body),
  }
}

async function verify(
  ports: VerifyPorts,
  principalId: string,
  body: VerifyBody,
): Promise<VerifyAnswer> {
  const message = readPastedRequest(body.request, body.url)
  const notes: string[] = []
  const keys = await keysOf(ports, { principalId, body }, notes)
  const now = timeOf(ports.clock, { requested: body.now, message }, notes)
  notes.push('Revocation lists and earlier nonces are not checked here: steps 9, 9a and 12 pass.')
  const { identifiers: names } = ports
  let base: string | undefined
  const verdict = await verifyMessage(message, {
    profile: webhookProfile({ tag: names.webhookTag, keyUse: names.keyUse }),
    now,
    findKey: (keyid) => {
      const jwk = keys.get(keyid)
      return jwk && { jwk, signer: 'pasted' }
    },
    checkRevocation: () => 'current',
    replay: memoryReplayStore({ clock: { now: () => now * 1_000 } }),
    legacyHeaders: [names.signatureHeader],
    checkSignature: (input) => {
      base = Buffer.from(input.base).toString('latin1')
      return checkSignatureHere(input)
    },
  })
  return {
    ok: verdict.ok,
    steps: stepsOf(verdict.ok ? undefined : verdict),
    message: serializeMessage(message),
    notes,
    ...defined({
      code: verdict.ok ? undefined : verdict.code,
      keyid: verdict.ok ? verdict.keyid : undefined,
      signature: signaturePartsOf(firstOfEach(message.headers)),
      signature_base: base,
    }),
  }
}

async function keysOf(
  { sellerKeys, lookups }: VerifyPorts,
  { principalId, body }: { principalId: string; body: VerifyBody },
  notes: string[],
): Promise<KeySet> {
  const { jwks, seller_url } = body
  if (jwks !== undefined && jwks.trim() !== '') {
    const value = tryJson(jwks)
    if (!isObject(value) || !Array.isArray(value.keys)) {
      throw new Refused(400, 'invalid_request', 'a key set is JSON like {"keys": [ … ]}')
    }
    return keysById(value.keys)
  }
  if (seller_url === undefined || seller_url === '') {
    throw new Refused(400, 'invalid_request', 'give a key set, or the URL of the seller’s agent')
  }
  if (!lookups.take(principalId).ok) {
    throw new Refused(429, 'too_many_requests', 'too many sellers were looked up: wait a minute')
  }
  const report = (note: string) => notes.push(note)
  const found = await withTimeout(LOOKUP_MS, sellerKeys(seller_url, report))
  if (found !== 'late') {
    notes.push(`${found.size} published keys were found for ${seller_url}.`)
    return found
  }
  notes.push('The keys of the seller were not found in time.')
  return keysById([])
}

/** Unix seconds. */
function timeOf(
  clock: Clock,
  { requested, message }: { requested: VerifyBody['now']; message: HttpMessage },
  notes: string[],
): number {
  if (requested === undefined) return Math.floor(clock.now() / 1_000)
  if (requested !== 'signed') return Math.floor(Date.parse(requested) / 1_000)
  const headers = firstOfEach(message.headers)
  const read = readReceivedSignature(headers['signature-input'] ?? '', headers.signature ?? '')
  const created = read.ok ? read.signature.parameters.created : undefined
  if (created === undefined) return Math.floor(clock.now() / 1_000)
  notes.push('It is verified as of the time in its `created` parameter.')
  return created
}

function stepsOf(failed: { step: StepNumber; detail: string } | undefined): VerifyAnswer['steps'] {
  const at = failed ? STEPS.findIndex(({ step }) => step === failed.step) : STEPS.length
  return STEPS.map(({ step }, n) => ({
    step: String(step),
    title: TITLES[step],
    state: n < at ? 'passed' : n === at ? 'failed' : 'not_reached',
    ...defined({ detail: n === at ? failed?.detail : undefined }),
  }))
}

function serializeMessage({ method, url, headers, body }: HttpMessage): VerifyAnswer['message'] {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value: value ?? '' })),
  )
  return { method, url, headers: lines, body_bytes: body.byteLength }
}

function firstOfEach(headers: HttpMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [
      name.toLowerCase(),
      [values].flat().join(', '),
    ]),
  )
}
