// `create_media_buy`: buys packages of products (spec 3.4, 4.5). What needs nobody's approval is bought within the
// call; the rest is a task that waits for the seller, and is told by webhook how it ends.

import { randomUUID } from 'node:crypto'
import { canonicalDigest } from '../lib/canonical-json.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import {
  type CreateMediaBuyRequest,
  type CreateMediaBuyResponse,
  createMediaBuyRequest,
  createMediaBuyResponse,
} from '../protocol/schemas/media-buys.ts'
import type { CallContext, Task } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type ApprovalRun, type ApprovalWorkPorts, approvalWork } from './approval-work.ts'
import { type BuyChannelPorts, forgetChannels, registerChannels } from './buy-channels.ts'
import { createCost } from './buy-cost.ts'
import { buyerOf } from './buyer-of.ts'
import { type ChangeBuyPorts, settled } from './change-buy.ts'
import { type CreateRequest, type DraftBuyPorts, type DraftedBuy, draftBuy } from './draft-buy.ts'
import { assignmentsIn } from './draft-package.ts'
import { createFaults } from './faults.ts'
import { type AddCreatives, addInline } from './inline-creatives.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { type ApprovalRule, approvalReason, askedBy } from './needs-approval.ts'
import { withoutSecrets } from './request-secrets.ts'
import { inWordsOf, serializeCreated } from './serialize-buy.ts'
import { nextMoveAt } from './states.ts'

export interface BuyPorts
  extends DraftBuyPorts,
    ChangeBuyPorts,
    BuyChannelPorts,
    ApprovalWorkPorts {
  transact: Transact
  rule: ApprovalRule
  addCreatives: AddCreatives
}

export interface BuyTaskOptions {
  /** How long a caller without a webhook waits for a task to begin waiting, in milliseconds. */
  inlineWaitMs: number
}

type Response = CreateMediaBuyResponse

export function createMediaBuy(
  ports: BuyPorts,
  engine: TaskEngine,
  { inlineWaitMs }: BuyTaskOptions,
): Task<CreateMediaBuyRequest, Response> {
  return engine.longTask<CreateMediaBuyRequest, ApprovalRun, Response>({
    summary: 'Buys packages of products, for a flight and a budget',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    request: createMediaBuyRequest,
    response: createMediaBuyResponse,
    cost: createCost(),
    inlineWaitMs,
    keeps: withoutSecrets,
    immediately: async (request, call) => inWordsOf(await buyNow(ports, request, call), call),
    onBegin: (tx, { request, state, owner }) =>
      registerChannels(ports, tx, { owner, media_buy_id: state.media_buy_id }, request),
    work: approvalWork<CreateMediaBuyRequest, Response>(ports, {
      task_type: 'create_media_buy',
      begin: () => ({ media_buy_id: newBuyId(), hasAsked: false }),
      question: async (tx, { owner, media_buy_id, request }) => {
        const run = { owner, media_buy_id, isAccepted: true }
        const drafted = await draftBuy(ports, tx, run, request)
        const reason = approvalReason(ports.rule, drafted.buy, drafted.drafts)
        return { reason: reason ?? 'the seller approves this buy', asked: askedBy(drafted.buy) }
      },
      perform: async (tx, { task, media_buy_id, request }) => {
        const { owner, context } = task
        const full = { ...request, ...(context ? { context } : {}) } as CreateRequest
        const run = { owner, media_buy_id, isAccepted: true }
        const drafted = await draftBuy(ports, tx, run, full)
        return keep(ports, tx, drafted)
      },
      forget: (tx, run) => forgetChannels(ports, tx, run),
    }),
  })
}

function newBuyId(): string {
  return `mb_${randomUUID()}`
}

/** Undefined when the seller has to approve it first. */
async function buyNow(
  ports: BuyPorts,
  request: CreateRequest,
  call: CallContext,
): Promise<Response | undefined> {
  const owner = buyerOf(call)
  const { idempotency_key } = request
  refuseProposal(request, call)
  await addInline(ports, request.packages, call)
  const request_digest = canonicalDigest(withoutSecrets({ ...request, context: undefined }))
  return ports
    .transact(async (tx) => {
      const done = idempotency_key && (await ports.buys.findByKey(tx, { owner, idempotency_key }))
      if (done) return again(ports, tx, done, request_digest)
      const drafted = await draftBuy(ports, tx, { owner, media_buy_id: newBuyId() }, request)
      if (approvalReason(ports.rule, drafted.buy, drafted.drafts)) throw new ToBeApproved()
      await registerChannels(ports, tx, drafted.buy, request)
      const key = idempotency_key ? { idempotency_key, request_digest } : undefined
      return keep(ports, tx, drafted, key)
    })
    .catch((error: unknown) => {
      if (error instanceof ToBeApproved) return undefined
      throw error
    })
}

/** Nobody else is offered one. */
function refuseProposal({ proposal_id }: CreateRequest, { version }: CallContext): void {
  if (proposal_id === undefined || hasFeature(version, 'proposals')) return
  const faults = createFaults()
  const message = 'proposal_id is not supported: omit it.'
  faults.add('UNSUPPORTED_FEATURE', '/proposal_id', message)
  faults.refuse()
}

/** Undoes what the draft wrote, such as a new account: the task that waits makes it anew. */
class ToBeApproved extends Error {}

/** A call whose answer was lost with its process: the buy is there, so it is told and not made twice. */
async function again(
  { creatives }: BuyPorts,
  tx: Transaction,
  buy: MediaBuyRecord & { request_digest: string },
  digest: string,
): Promise<Response> {
  if (buy.request_digest !== digest) {
    const message = 'this idempotency_key was used for another request: send a new one'
    throw new ProtocolError('IDEMPOTENCY_CONFLICT', message)
  }
  const ids = buy.packages.map(({ package_id }) => package_id)
  return serializeCreated(buy, await creatives.ofPackages(tx, buy.owner, ids))
}

async function keep(
  ports: BuyPorts,
  tx: Transaction,
  { buy, drafts, proposal }: DraftedBuy,
  key?: { idempotency_key: string; request_digest: string },
): Promise<Response> {
  await ports.creatives.replace(tx, buy.owner, assignmentsIn(drafts))
  const standing = await settled(ports, tx, buy)
  const made = { ...standing, due_at: nextMoveAt(standing) }
  await ports.buys.add(tx, made, key)
  if (proposal) {
    await ports.proposals.change(tx, { ...proposal, media_buy_id: made.media_buy_id })
  }
  for (const watcher of ports.watchers) await watcher.created?.(tx, made)
  const ids = made.packages.map(({ package_id }) => package_id)
  return serializeCreated(made, await ports.creatives.ofPackages(tx, made.owner, ids))
}
