// Why a proposal cannot be refined now, in the terms of an outcome.

import type { RefinedResult, RefineReason } from '../../protocol/schemas/compact/proposals.ts'
import type { ProposalRecord } from '../proposals/proposal-store.ts'
import { hasSnapshot } from './snapshot.ts'

export function unable(
  source_proposal_id: string,
  reason_code: RefineReason,
  reason: string,
): RefinedResult {
  return { source_proposal_id, outcome: 'unable', reason_code, reason }
}

export interface Hindrance {
  code: RefineReason
  reason: string
}

/** Undefined when nothing prevents it. */
export function hindranceOf(found: ProposalRecord | undefined, now: number): Hindrance | undefined {
  const gone = (reason: string): Hindrance => ({ code: 'source_unavailable', reason })
  if (!found) return gone('no proposal with this id belongs to you: request one with a brief')
  if (!hasSnapshot(found)) return gone('get_products made it: refine it there')
  if (found.media_buy_id !== undefined) {
    const reason = `it was bought as ${found.media_buy_id}: control_media_buy and update_media_buy change that`
    return { code: 'commercially_declined', reason }
  }
  if (found.expires_at <= now) return gone('it has expired: request a new one')
  return undefined
}
