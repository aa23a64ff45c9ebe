// Verifying a reference for real (spec 3.1): the manifest is fetched and read, the agent is called.
// No answer worth reading is `unreachable`; an answer that is not what was claimed is `invalid`.

import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { ReferenceRecord } from '../protocol/manifest-reference.ts'
import type { SearchLabel, VerificationRecord } from './store.ts'
import { verifyAgent } from './verify-agent.ts'
import { verifyManifest } from './verify-manifest.ts'

export interface Verdict extends Omit<VerificationRecord, 'duration_ms'> {
  labels: readonly SearchLabel[]
}

export interface VerifyPorts {
  fetch: Egress['fetch']
  /** Whether manifests may name http addresses: only where the egress guard permits them. */
  allowHttp: boolean
  signal?: AbortSignal
}

export type ReferenceToVerify = Pick<
  ReferenceRecord,
  'domain' | 'manifest_type' | 'reference_type' | 'manifest_url' | 'agent_url' | 'agent_id'
>

export function verifyReference(
  reference: ReferenceToVerify,
  ports: VerifyPorts,
): Promise<Verdict> {
  return reference.reference_type === 'url'
    ? verifyManifest(reference, ports)
    : verifyAgent(reference, ports)
}
