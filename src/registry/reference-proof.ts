// `POST /api/manifest-refs/{id}/proof`: what a contributor may publish to prove that it speaks for the domain of its
// reference. After this call, every verification of the reference looks for it.

import type { ReferenceRecord } from '../protocol/manifest-reference.ts'
import type { RegistryCaller } from './caller.ts'
import { type Challenge, challengesFor, type MakeChallenge } from './challenge.ts'
import { ownReference, REFERENCE_NOT_FOUND, type ReferencePorts } from './references.ts'
import type { Refusal } from './refusal.ts'
import { waysToProve } from './verdicts.ts'

export interface ProofPorts extends ReferencePorts {
  challenge: MakeChallenge
}

export interface ReferenceProof extends Challenge {
  /** The same for the registrable domain above, which also speaks for the domain; null if there is none. */
  parent: Challenge | null
  /** Other ways to prove the reference. */
  ways: string[]
}

/** Asked again, it answers the same. */
export async function askProof(
  ports: ProofPorts,
  caller: RegistryCaller,
  id: string,
): Promise<{ ok: true; reference: ReferenceRecord; proof: ReferenceProof } | Refusal> {
  const mine = await ownReference(ports, caller, id)
  if (!mine.ok) return mine
  const isThere = await ports.transact((tx) => ports.references.askProof(tx, id))
  if (!isThere) return REFERENCE_NOT_FOUND
  return { ok: true, reference: mine.reference, proof: proofOf(mine.reference, ports.challenge) }
}

export function proofOf(reference: ReferenceRecord, challenge: MakeChallenge): ReferenceProof {
  const { contributed_by_org_id, domain } = reference
  const { own, parent } = challengesFor(challenge, contributed_by_org_id, domain)
  return { ...own, parent, ways: waysToProve(reference) }
}
