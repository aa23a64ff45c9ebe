// `accept_proposal`, of 3.2: buys a finalised proposal on the terms identified by its digest. The terms are valid
// until it expires, whatever the operator changes meanwhile.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import {
  type AcceptProposalRequest,
  acceptProposalRequest,
} from '../protocol/schemas/compact/accept-proposal.ts'
import {
  type CommitmentResponse,
  commitmentResponse,
} from '../protocol/schemas/compact/commitment.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type BuyPorts, type BuyTaskOptions, buyTask } from './buy-task.ts'
import type { CreateRequest } from './draft-buy.ts'
import { createFaults } from './faults.ts'
import { commitmentOf } from './offers/commitment.ts'
import { hasSnapshot, type SnapshotRecord } from './offers/snapshot.ts'
import { refuseUnserved } from './offers/unserved.ts'

type Request = AcceptProposalRequest & RequestEnvelope

const UNSERVED = [
  'daily_budget_cap',
  'budget_cap_timezone',
  'io_acceptance',
  'packages',
  'purchases',
  'creatives',
  'creative_assignments',
] as const

export function acceptProposal(
  ports: BuyPorts,
  engine: TaskEngine,
  options: BuyTaskOptions,
): Task<AcceptProposalRequest, CommitmentResponse> {
  return buyTask<AcceptProposalRequest, CommitmentResponse>(
    ports,
    {
      task_type: 'accept_proposal',
      summary: 'Buys a finalised proposal at its terms',
      feature: 'compact_lifecycle',
      request: acceptProposalRequest,
      response: commitmentResponse,
      cost: constantCost(300, 'nothing: a proposal has few purchases'),
      read: (tx, owner, request) => createOf(ports, tx, { owner, request }),
      returned: (tx, buy) => commitmentOf(ports, tx, buy),
    },
    { engine, ...options },
  )
}

async function createOf(
  { proposals }: BuyPorts,
  tx: Transaction,
  { owner, request }: { owner: string; request: Request },
): Promise<CreateRequest> {
  const faults = createFaults()
  refuseUnserved(request, UNSERVED, { pointer: '', faults })
  faults.refuse()
  const { proposal_id, proposal_terms_digest, account, purchase_order_ref } = request
  const proposal = await proposals.lock(tx, owner, proposal_id)
  if (!proposal) {
    throw new ProtocolError('PROPOSAL_NOT_FOUND', 'no proposal with this id belongs to you', {
      field: '/proposal_id',
      suggestion: 'Use a proposal_id returned by request_proposals.',
    })
  }
  if (!hasSnapshot(proposal)) {
    const message = 'get_products made it: buy it with create_media_buy, or call request_proposals'
    throw new ProtocolError('INVALID_STATE', message, { field: '/proposal_id' })
  }
  const { commercial_terms, terms_digest } = proposal.plan.snapshot
  if (terms_digest !== proposal_terms_digest) {
    const message = 'the terms of this proposal have another digest: read them before you accept'
    throw new ProtocolError('CONFLICT', message, {
      field: '/proposal_terms_digest',
      suggestion: 'Send terms_digest of the proposal as refine_proposals returned it.',
    })
  }
  checkTerms(proposal, request)
  const { brand, start_time, end_time, total_budget } = commercial_terms
  const { name, reporting_webhook, context, ext } = request
  return {
    proposal_id,
    brand,
    start_time,
    end_time,
    ...defined({ total_budget, currency: total_budget?.currency }),
    ...defined({ name: name ?? proposal.plan.name, po_number: purchase_order_ref }),
    ...defined({ account, reporting_webhook, context, ext }),
  } as CreateRequest
}

/** The terms that a call repeats must match the proposal's. */
function checkTerms({ plan }: SnapshotRecord, { account, total_budget }: Request): void {
  const { total_budget: agreed, brand } = plan.snapshot.commercial_terms
  const faults = createFaults()
  const isOther =
    total_budget !== undefined &&
    (total_budget.amount !== agreed?.amount || total_budget.currency !== agreed.currency)
  if (isOther) {
    const message = `The proposal is for ${agreed?.amount} ${agreed?.currency}: refine it for another budget.`
    faults.add('VALIDATION_ERROR', message, { pointer: '/total_budget' })
  }
  const named = isObject(account) && isObject(account.brand) ? account.brand.domain : undefined
  if (named !== undefined && named !== brand.domain) {
    const message = `The proposal is for ${brand.domain}: name an account of that brand.`
    faults.add('VALIDATION_ERROR', message, { pointer: '/account/brand/domain' })
  }
  faults.refuse()
}
