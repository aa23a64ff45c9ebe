// What the steps of a verification hand each other (spec 3.1).

import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { ResolveTxt } from '../lib/txt-records.ts'
import type { ReferenceRecord } from '../protocol/manifest-reference.ts'
import type { ProvedBy } from '../protocol/proof.ts'
import type { ManifestQuestion, ManifestReading } from '../protocol/read-manifest.ts'
import type { VerifiedBrand } from './brands/store.ts'
import type { MakeChallenge } from './challenge.ts'
import type { SearchLabel, VerificationRecord } from './store.ts'

export interface VerificationVerdict extends Omit<VerificationRecord, 'duration_ms'> {
  labels: readonly SearchLabel[]
  /** The contents of a brand.json, if it is valid. */
  brand?: VerifiedBrand | undefined
}

export interface VerifyPorts {
  fetch: Egress['fetch']
  /**
   * Parses a manifest; a large one in another thread or process, so that it does not block other work. Default: here.
   */
  readManifest?: ReadManifest
  resolveTxt: ResolveTxt
  challenge: MakeChallenge
  /** Whether manifests may name http URLs: only where the egress guard permits them. */
  allowHttp: boolean
  /** Maximum size of a manifest that is read, in bytes. */
  maxManifestBytes: number
  /** The current time in milliseconds, for authorizations that start and end. */
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
  /** Whether its contributor has requested a challenge; without one, there is nothing to look for. */
  isProofRequested: boolean
}

/** The state of a verification while it runs. */
export interface VerificationRun extends VerifyPorts {
  readManifest: ReadManifest
  /** How long the next request may take, in milliseconds; 0 when the time is used up. */
  timeoutMs(): number
}

/** What was found at the URL, before the domain is queried. */
export type UrlFinding =
  | {
      ok: true
      /** "a valid brand.json", followed by what the domain stated. */
      what: string
      completeness: number
      labels: readonly SearchLabel[]
      /** The URLs at which the manifest was found, including redirects. Empty for an agent. */
      hops: readonly string[]
      /** Whether it describes the domain, so that a proof by its contributor may be enough. */
      speaksOfDomain: boolean
      brand?: VerifiedBrand | undefined
    }
  | { ok: false; verdict: VerificationVerdict }

export interface Proved {
  ok: true
  by: ProvedBy
  /** "named by https://…", to be appended to what was found. */
  how: string
}
