// The review of a proposed mirror. Approval applies exactly to the content that was reviewed, and replaces exactly
// what was public at the time of the proposal: digests identify both.

import { type Contributor, editorWithin, type Moderator, maySeePending } from '../contributors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import {
  type MirrorPorts,
  mirrorEvent,
  publish,
  reusedEtag,
  schemaFault,
} from './publish-mirror.ts'
import type { Mirror, Proposal } from './store.ts'

interface Decision {
  id: string
  proposal_digest: string
  review_notes?: string | undefined
}

export async function approveProposal(
  ports: MirrorPorts,
  moderator: Moderator,
  { id, proposal_digest, review_notes = undefined }: Decision,
): Promise<{ ok: true; mirror: Mirror } | Refusal> {
  const read = await ports.mirrors.proposal(id)
  if (!read) return NOT_FOUND
  // The rules may have changed since the proposal. Its content has not: a proposal keeps its own copy.
  const fault = await schemaFault(ports, read)
  if (fault) return fault
  return ports.transact(async (tx) => {
    const proposal = await ports.mirrors.lockProposal(tx, id)
    const refused = refusedFor(proposal, proposal_digest)
    if (!proposal || refused) return refused ?? NOT_FOUND
    const { platform } = proposal
    const current = await ports.mirrors.lock(tx, platform)
    if ((current?.digest ?? null) !== proposal.base_mirror_digest) return BASE_CHANGED
    const reused = reusedEtag(current, proposal)
    if (reused) return reused
    const editor = await editorWithin(tx, ports, moderator)
    await ports.mirrors.decide(tx, id, { status: 'approved', notes: review_notes ?? null })
    return { ok: true, mirror: await publish({ tx, ports, editor, platform }, proposal) }
  })
}

export function rejectProposal(
  ports: MirrorPorts,
  moderator: Moderator,
  { id, proposal_digest, review_notes = '' }: Decision,
): Promise<{ ok: true; proposal: Proposal } | Refusal> {
  return ports.transact(async (tx) => {
    const proposal = await ports.mirrors.lockProposal(tx, id)
    const refused = refusedFor(proposal, proposal_digest)
    if (!proposal || refused) return refused ?? NOT_FOUND
    const editor = await editorWithin(tx, ports, moderator)
    const decision = { status: 'rejected', notes: review_notes } as const
    const rejected = await ports.mirrors.decide(tx, id, decision)
    if (!rejected) return NOT_FOUND
    await ports.feed.append(tx, [
      {
        ...mirrorEvent('mirror.rejected', rejected, editor),
        visibleTo: rejected.organization_id,
      },
    ])
    return { ok: true, proposal: rejected }
  })
}

/** Only its organisation and moderators may know that it exists. */
export async function readProposal(
  ports: Pick<MirrorPorts, 'mirrors' | 'organizations'>,
  reader: Contributor,
  id: string,
): Promise<{ ok: true; proposal: Proposal } | Refusal> {
  const proposal = await ports.mirrors.proposal(id)
  if (!proposal) return NOT_FOUND
  const may = await maySeePending(ports, reader, proposal.organization_id)
  return may ? { ok: true, proposal } : NOT_FOUND
}

function refusedFor(proposal: Proposal | undefined, digest: string): Refusal | undefined {
  if (!proposal) return NOT_FOUND
  if (proposal.status !== 'pending') {
    return refuse(409, `this proposal was already ${proposal.status}`)
  }
  return proposal.digest === digest ? undefined : OTHER_DIGEST
}

const NOT_FOUND = refuse(404, 'Proposal not found')
const OTHER_DIGEST = refuse(
  409,
  'proposal_digest does not match this proposal: read it again before you decide',
)
const BASE_CHANGED = refuse(
  409,
  'the public mirror changed after this was proposed: request a new proposal based on the current one',
)
