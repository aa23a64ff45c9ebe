// Verifying a reference for real (spec 3.1): the manifest is fetched and read, the agent is called, and
// then the domain is asked whether it is its own. No answer worth reading is `unreachable`; an answer
// that is not what was claimed is `invalid`; one that the domain does not vouch for stays `pending`.

import { defineLimits } from '../lib/limit.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { ResolveTxt } from '../lib/txt-records.ts'
import type { ReferenceRecord } from '../protocol/manifest-reference.ts'
import {
  type ManifestQuestion,
  type ManifestReading,
  readManifest,
} from '../protocol/read-manifest.ts'
import type { MakeChallenge } from './challenge.ts'
import { proveReference } from './prove-reference.ts'
import type { SearchLabel, VerificationRecord } from './store.ts'
import { invalid, unproved, valid } from './verdicts.ts'
import { callAgent } from './verify-agent.ts'
import { readReferencedManifest } from './verify-manifest.ts'

export interface Verdict extends Omit<VerificationRecord, 'duration_ms'> {
  labels: readonly SearchLabel[]
}

export interface VerifyPorts {
  fetch: Egress['fetch']
  /** Reads a manifest; a large one elsewhere, so that nothing else waits for it. Default: here. */
  readManifest?: ReadManifest
  resolveTxt: ResolveTxt
  challenge: MakeChallenge
  /** Whether manifests may name http addresses: only where the egress guard permits them. */
  allowHttp: boolean
  /** Longest manifest that is read, in bytes. */
  maxManifestBytes: number
  /** Milliseconds, for authorizations that begin and end. */
  now: () => number
  signal?: AbortSignal
}

export type ReadManifest = (
  bytes: Uint8Array,
  question: ManifestQuestion,
) => ManifestReading | Promise<ManifestReading>

export interface ReferenceToVerify
  extends Pick<
    ReferenceRecord,
    | 'domain'
    | 'manifest_type'
    | 'reference_type'
    | 'manifest_url'
    | 'agent_url'
    | 'agent_id'
    | 'verification_status'
    | 'contributed_by_org_id'
  > {
  /** Whether its contributor has asked for a challenge, so that it is worth looking for. */
  isProofAsked: boolean
}

/** What a verification has in hand while it runs. */
export interface VerificationRun extends VerifyPorts {
  readManifest: ReadManifest
  /** How long the next request may take, in milliseconds; 0 when the time is used up. */
  timeoutMs(): number
}

/** What was found at the address, before the domain is asked. */
export type Finding =
  | {
      ok: true
      /** "a valid brand.json", to be followed by what the domain said. */
      what: string
      completeness: number
      labels: readonly SearchLabel[]
      /** The addresses at which the manifest was found, redirects included. Empty for an agent. */
      hops: readonly string[]
      /** Whether it speaks of the domain, so that a proof of its contributor may be enough. */
      speaksOfDomain: boolean
    }
  | { ok: false; verdict: Verdict }

const UNREACHABLE = 'the reference is `unreachable`, and is verified again later'

/** Longest time of one request, and of all requests of a verification. */
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
): Promise<Verdict> {
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
      `the file does not name ${reference.domain}: it must mention the domain, or be served or pointed to from it`,
    )
  }
  return unproved(reference, found, proof.tried)
}
