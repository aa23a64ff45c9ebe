// What a receiver would conclude about each webhook, using the keys that it would find (spec 5).

import { readReceivedSignature } from '../../signing/received-signature.ts'
import { memoryReplayStore } from '../../signing/replay.ts'
import { verifyWebhook } from '../../webhooks/schemes/rfc9421.ts'
import { discover } from './brand.ts'
import type { AgentContext } from './context.ts'
import type { Caught } from './own-receiver.ts'

export type Verdicts =
  | { ok: true; faults: { code: string; detail: string }[] }
  | { ok: false; reason: string }

export async function verdictsOf(
  context: AgentContext,
  caught: readonly Caught[],
): Promise<Verdicts> {
  const { keys, agentUrl } = await discover(context)
  if (!keys.ok) return { ok: false, reason: 'no key set was found' }
  const faults: { code: string; detail: string }[] = []
  for (const { message, at } of caught) {
    const verdict = await verifyWebhook(message, context.names, {
      now: Math.floor(at),
      findKey: (keyid) => {
        const jwk = keys.value.get(keyid)
        return jwk && { jwk, signer: agentUrl }
      },
      checkRevocation: () => 'current',
      // Each separately: repeated nonces are checked elsewhere.
      replay: memoryReplayStore(),
    })
    if (!verdict.ok) faults.push({ code: verdict.code, detail: verdict.detail })
  }
  return { ok: true, faults }
}

/** The nonce of a delivery, if it is signed at all. */
export function nonceOf({ message: { headers } }: Caught): string | undefined {
  const [input, signature] = [headers['signature-input'], headers.signature]
  if (typeof input !== 'string' || typeof signature !== 'string') return undefined
  const read = readReceivedSignature(input, signature)
  return read.ok ? read.signature.parameters.nonce : undefined
}
