// `decline_proposals`, of 3.2: the buyer will not buy them, and says why. A declined proposal stays declined.

import { defined } from '../lib/defined.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import {
  type DeclineProposalsRequest,
  type DeclineProposalsResponse,
  declineProposalsRequest,
  declineProposalsResponse,
} from '../protocol/schemas/compact/proposals.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import type { ProposalStore } from './proposals/proposal-store.ts'

export interface DeclinePorts {
  proposals: ProposalStore
  transact: Transact
}

const COST = { call: 20, decline: 20 } as const

type Result = DeclineProposalsResponse['results'][number]
type Decline = DeclineProposalsRequest['declines'][number]

export function declineProposals(
  ports: DeclinePorts,
): Task<DeclineProposalsRequest, DeclineProposalsResponse> {
  return defineTask({
    name: 'decline_proposals',
    summary: 'Proposals that their buyer will not buy',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    feature: 'compact_lifecycle',
    hasNoStatus: true,
    request: declineProposalsRequest,
    response: declineProposalsResponse,
    cost: {
      grows: 'declines',
      limit: 1_000,
      estimate: ({ declines }) => COST.call + COST.decline * declines.length,
      reduce: { field: '/declines', advice: 'Send fewer declines per call.' },
    },
    handle: (request, call) => answer(ports, request, call),
  })
}

function answer(
  { proposals, transact }: DeclinePorts,
  { declines, opportunity }: DeclineProposalsRequest,
  call: CallContext,
): Promise<DeclineProposalsResponse> {
  const owner = buyerOf(call)
  return transact(async (tx) => {
    const results: Result[] = []
    for (const [index, one] of declines.entries()) {
      const result = await decline(proposals, tx, {
        wanted: one,
        owner,
        pointer: `/declines/${index}`,
        opportunity_id: opportunity?.opportunity_id,
      })
      results.push(result)
    }
    return { results }
  })
}

interface RequestedDecline {
  wanted: Decline
  owner: string
  pointer: string
  opportunity_id: string | undefined
}

async function decline(
  proposals: ProposalStore,
  tx: Transaction,
  { wanted, owner, pointer, opportunity_id }: RequestedDecline,
): Promise<Result> {
  const { proposal_id, reason, detail } = wanted
  const unable = (why: string): Result => ({ proposal_id, outcome: 'unable', reason: why })
  const found = await proposals.lock(tx, owner, proposal_id)
  if (!found) return unable('no proposal with this id belongs to you')
  const { snapshot } = found.plan
  if (opportunity_id !== undefined && snapshot?.opportunity_id !== opportunity_id) {
    const field = `${pointer}/proposal_id`
    const message = `${field}: it does not belong to the opportunity ${opportunity_id}`
    throw new ProtocolError('VALIDATION_ERROR', message, { field })
  }
  if (found.media_buy_id !== undefined) return unable(`it was bought as ${found.media_buy_id}`)
  // The first reason stays.
  if (found.status === 'declined') return { proposal_id, outcome: 'declined' }
  const declined = { reason, ...defined({ detail }) }
  await proposals.change(tx, { ...found, status: 'declined', plan: { ...found.plan, declined } })
  return { proposal_id, outcome: 'declined' }
}
