// The actual verification of a reference (spec 3.1): the manifest is fetched and parsed, or the agent is called, and
// then the domain is queried to find out whether the reference is its own. Without a usable response it is
// `unreachable`; if the response does not match the claim it is `invalid`; without the domain's confirmation it stays
// `pending`.

import { defineLimits } from '../lib/limit.ts'
import { readManifest } from '../protocol/read-manifest.ts'
import { proveReference } from './prove-reference.ts'
import { invalid, unproved, valid } from './verdicts.ts'
import type {
  ReferenceToVerify,
  VerificationRun,
  VerificationVerdict,
  VerifyPorts,
} from './verification.ts'
import { callAgent } from './verify-agent.ts'
import { readReferencedManifest } from './verify-manifest.ts'

const UNREACHABLE = 'the reference is `unreachable`, and is verified again later'

/** Timeout of one request, and of all requests of a verification. */
export const VERIFICATION_LIMITS = defineLimits({
  requestMs: {
    what: 'one request of a verification',
    value: 10_000,
    unit: 'ms',
    beyond: UNREACHABLE,
  },
  wholeMs: { what: 'the whole verification', value: 45_000, unit: 'ms', beyond: UNREACHABLE },
})
const REQUEST_MS = VERIFICATION_LIMITS.requestMs.value
export const VERIFICATION_MS = VERIFICATION_LIMITS.wholeMs.value

export async function verifyReference(
  reference: ReferenceToVerify,
  ports: VerifyPorts,
): Promise<VerificationVerdict> {
  const endsAt = performance.now() + VERIFICATION_MS
  const timeoutMs = () => Math.max(0, Math.min(REQUEST_MS, Math.floor(endsAt - performance.now())))
  const run: VerificationRun = { readManifest, ...ports, timeoutMs }

  const found =
    reference.reference_type === 'url'
      ? await readReferencedManifest(reference, run)
      : await callAgent(reference, run)
  if (!found.ok) return found.verdict

  const proof = await proveReference(reference, found, run)
  if (proof.ok) return valid(found, proof)
  if (!found.speaksOfDomain) {
    return invalid(
      `the file does not mention ${reference.domain}: it must list the domain, or be served from it or referenced by it`,
    )
  }
  return unproved(reference, found, proof.tried)
}
