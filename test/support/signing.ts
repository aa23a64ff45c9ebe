// A signer and a verifier that agree, for tests about what makes them disagree.

import { parseStrictJson } from '../../src/lib/strict-json.ts'
import { generateKeyPair } from '../../src/signing/keys.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import type { FoundKey, HttpMessage, Jwk } from '../../src/signing/ports.ts'
import { requestProfile, type SigningAlgorithm, webhookProfile } from '../../src/signing/profile.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { type SignOptions, signMessage } from '../../src/signing/sign.ts'
import { type VerifyOptions, verifyMessage } from '../../src/signing/verify.ts'
import { fakeClock } from './fake-clock.ts'

export const NOW = 1_790_000_000
/** Whose keys they are. */
export const SIGNER_URL = 'https://seller.test/agent'
export const WEBHOOK = webhookProfile({ tag: 'test/webhook-signing/v1', keyUse: 'test_use' })
export const REQUEST = requestProfile({ tag: 'test/request-signing/v1', keyUse: 'test_use' })
export const ALGORITHMS: readonly SigningAlgorithm[] = ['ed25519', 'ecdsa-p256-sha256']

const OPTIONS = { keyUse: 'test_use', purpose: 'webhook-signing' }
export const PAIRS = {
  ed25519: generateKeyPair('ed25519', OPTIONS),
  'ecdsa-p256-sha256': generateKeyPair('ecdsa-p256-sha256', OPTIONS),
}
export const SIGNERS = {
  ed25519: localSigner(PAIRS.ed25519.privateJwk),
  'ecdsa-p256-sha256': localSigner(PAIRS['ecdsa-p256-sha256'].privateJwk),
}

export function aMessage(changes: Partial<HttpMessage> = {}): HttpMessage {
  return {
    method: 'POST',
    url: 'https://receiver.test/hooks/status?task=7',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"status":"completed"}'),
    ...changes,
  }
}

/** The message with its signature headers; throws when it cannot be signed. */
export async function signed(
  changes: Partial<HttpMessage> = {},
  options: Partial<SignOptions> = {},
): Promise<HttpMessage> {
  const message = aMessage(changes)
  const signer = SIGNERS.ed25519
  const result = await signMessage(message, { signer, profile: WEBHOOK, now: NOW, ...options })
  if (!result.ok) throw new Error(`${result.code}: ${result.detail}`)
  return { ...message, headers: { ...message.headers, ...result.headers } }
}

function verifyOptions(changes: Partial<VerifyOptions> = {}): VerifyOptions {
  return {
    profile: WEBHOOK,
    now: NOW,
    findKey: findAmong(ALGORITHMS.map((algorithm) => PAIRS[algorithm].publicJwk)),
    checkRevocation: () => 'current',
    replay: memoryReplayStore({ clock: fakeClock(NOW * 1_000) }),
    checkBody: (body) => parseStrictJson(body).ok,
    ...changes,
  }
}

export const verify = (message: HttpMessage, changes: Partial<VerifyOptions> = {}) =>
  verifyMessage(message, verifyOptions(changes))

export function findAmong(jwks: readonly Jwk[], more: Partial<FoundKey> = {}) {
  return async (keyid: string): Promise<FoundKey | undefined> => {
    const jwk = jwks.find(({ kid }) => kid === keyid)
    return jwk && { jwk, signer: SIGNER_URL, ...more }
  }
}
