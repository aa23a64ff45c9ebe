// The tasks that buy: each parses its own request and formats its own response, and all create a buy in the same way
// (spec 3.4, 4.5). A buy that needs no approval is created within the call; otherwise the task waits for the seller,
// and a webhook reports the result.

import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { canonicalDigest } from '../lib/canonical-json.ts'
import { defined } from '../lib/defined.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { FeatureName } from '../protocol/releases/releases.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { CallContext, Task, TaskCost } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type ApprovalRun, type ApprovalWorkPorts, approvalWork } from './approval-work.ts'
import {
  type BuyChannelPorts,
  forgetChannels,
  registerChannels,
  type WantedChannels,
} from './buy-channels.ts'
import { buyerOf } from './buyer-of.ts'
import { type ChangeBuyPorts, settled } from './change-buy.ts'
import { type CreateRequest, type DraftBuyPorts, type DraftedBuy, draftBuy } from './draft-buy.ts'
import { assignmentsIn } from './draft-package.ts'
import type { AddCreatives } from './inline-creatives.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { type ApprovalRule, approvalReason, requestedBy } from './needs-approval.ts'
import { withoutSecrets } from './request-secrets.ts'
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

type BuyRequest = RequestEnvelope & WantedChannels

/** How one task requests a buy, and how it responds. */
export interface BuyForm<Request, Response extends object> {
  task_type: string
  summary: string
  /** Default: every release has the task. */
  feature?: FeatureName
  request: z.ZodType<Request>
  response: z.ZodType<Response>
  cost: TaskCost<Request>
  /** The name of the packages in its request. Default `packages`. */
  list?: string
  /** Runs before anything is bought; an error refuses the call. Not called again when the seller decides. */
  before?(request: Request & BuyRequest, call: CallContext): Promise<void>
  /**
   * Throws an error that refuses a call which has not bought anything yet: one that has returns the same result
   * again, whatever changed since.
   */
  checkOffer?(request: Request & BuyRequest): Promise<void>
  /** The request in the form of create_media_buy. */
  read(tx: Transaction, owner: string, request: Request & BuyRequest): Promise<CreateRequest>
  /**
   * Stores additional data with the buy, in the transaction that creates it; returns the buy as it is to be stored.
   * Default nothing.
   */
  keep?(
    tx: Transaction,
    drafted: DraftedBuy,
    request: Request & BuyRequest,
  ): Promise<MediaBuyRecord>
  /** The response for a buy that was created, now or before. */
  returned(tx: Transaction, buy: MediaBuyRecord): Promise<Response>
  /** Converts the response to the terms of the caller. Default unchanged. */
  inWords?(returned: Response | undefined, call: CallContext): Response | undefined
}

/** One task, and the ports with which it buys. */
interface BuyContext<Request, Response extends object> {
  ports: BuyPorts
  form: BuyForm<Request, Response>
}

export function buyTask<Request extends object, Response extends object>(
  ports: BuyPorts,
  form: BuyForm<Request, Response>,
  { engine, inlineWaitMs }: BuyTaskOptions & { engine: TaskEngine },
): Task<Request, Response> {
  const context = { ports, form }
  const { task_type, summary, feature, request, response, cost, list } = form
  const draftOf = async (
    tx: Transaction,
    run: { owner: string; media_buy_id: string },
    requested: Request & BuyRequest,
  ) =>
    draftBuy(ports, tx, {
      ...run,
      isAccepted: true,
      ...defined({ list }),
      request: await form.read(tx, run.owner, requested),
    })
  return engine.longTask<Request, ApprovalRun, Response>({
    summary,
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    ...defined({ feature }),
    request,
    response,
    cost,
    inlineWaitMs,
    keeps: withoutSecrets,
    immediately: async (requested, call) => {
      const bought = await buyNow(context, requested, call)
      return form.inWords ? form.inWords(bought, call) : bought
    },
    onBegin: (tx, { request: requested, state, owner }) =>
      registerChannels(ports, tx, {
        buy: { owner, media_buy_id: state.media_buy_id },
        wanted: requested as BuyRequest,
      }),
    work: approvalWork<Request, Response>(ports, {
      task_type,
      begin: () => ({ media_buy_id: newBuyId(), hasRequested: false }),
      question: async (tx, { owner, media_buy_id, request: requested }) => {
        const drafted = await draftOf(tx, { owner, media_buy_id }, requested)
        const reason = approvalReason(ports.rule, drafted.buy, drafted.drafts)
        return {
          reason: reason ?? 'the seller approves this buy',
          requested: requestedBy(drafted.buy),
        }
      },
      perform: async (tx, { task, media_buy_id, request: requested }) => {
        const { owner, context: echoed } = task
        const full = { ...requested, ...(echoed ? { context: { ...echoed } } : {}) }
        const drafted = await draftOf(tx, { owner, media_buy_id }, full)
        return keep(context, tx, { drafted, request: full })
      },
      forget: (tx, run) => forgetChannels(ports, tx, run),
    }),
  })
}

function newBuyId(): string {
  return `mb_${randomUUID()}`
}

/** Undefined when the seller has to approve it first. */
async function buyNow<Request extends object, Response extends object>(
  context: BuyContext<Request, Response>,
  request: Request & BuyRequest,
  call: CallContext,
): Promise<Response | undefined> {
  const { ports, form } = context
  const owner = buyerOf(call)
  const { idempotency_key } = request
  await form.before?.(request, call)
  if (form.checkOffer && !(await isBought(ports, owner, idempotency_key))) {
    await form.checkOffer(request)
  }
  const request_digest = canonicalDigest(withoutSecrets({ ...request, context: undefined }))
  return ports
    .transact(async (tx) => {
      const done = idempotency_key && (await ports.buys.findByKey(tx, { owner, idempotency_key }))
      if (done) {
        checkRepeated(done, request_digest)
        return form.returned(tx, done)
      }
      const run = { owner, media_buy_id: newBuyId(), ...defined({ list: form.list }) }
      const created = await form.read(tx, owner, request)
      const drafted = await draftBuy(ports, tx, { ...run, request: created })
      if (approvalReason(ports.rule, drafted.buy, drafted.drafts)) throw new ToBeApproved()
      await registerChannels(ports, tx, { buy: drafted.buy, wanted: request })
      const key = idempotency_key ? { idempotency_key, request_digest } : undefined
      return keep(context, tx, { drafted, request, key })
    })
    .catch((error: unknown) => {
      if (error instanceof ToBeApproved) return undefined
      throw error
    })
}

async function isBought(
  { transact, buys }: BuyPorts,
  owner: string,
  idempotency_key: string | undefined,
): Promise<boolean> {
  if (idempotency_key === undefined) return false
  return transact(
    async (tx) => (await buys.findByKey(tx, { owner, idempotency_key })) !== undefined,
  )
}

/** Undoes what the draft wrote, such as a new account: the waiting task creates it again. */
class ToBeApproved extends Error {}

/**
 * A call whose response was lost with its process: the buy exists, so it is returned and not created again, unless the
 * request is another one.
 */
function checkRepeated({ request_digest }: { request_digest: string }, digest: string): void {
  if (request_digest === digest) return
  const message = 'this idempotency_key was used for another request: send a new one'
  throw new ProtocolError('IDEMPOTENCY_CONFLICT', message)
}

interface ToKeep<Request> {
  drafted: DraftedBuy
  request: Request & BuyRequest
  key?: { idempotency_key: string; request_digest: string } | undefined
}

async function keep<Request extends object, Response extends object>(
  { ports, form }: BuyContext<Request, Response>,
  tx: Transaction,
  { drafted, request, key }: ToKeep<Request>,
): Promise<Response> {
  const { drafts, proposal } = drafted
  const buy = (await form.keep?.(tx, drafted, request)) ?? drafted.buy
  await ports.creatives.replace(tx, buy.owner, assignmentsIn(drafts))
  const interim = await settled(ports, tx, buy)
  const made = { ...interim, due_at: nextMoveAt(interim) }
  await ports.buys.add(tx, made, key)
  if (proposal) {
    const { media_buy_id, end_at, created_at: accepted_at } = made
    const { snapshot } = proposal.plan
    // The agreed terms are kept as long as the buy is delivered.
    const agreed = snapshot && {
      plan: { ...proposal.plan, snapshot: { ...snapshot, accepted_at } },
      expires_at: Math.max(end_at, proposal.expires_at),
    }
    await ports.proposals.change(tx, { ...proposal, ...agreed, media_buy_id })
  }
  for (const observer of ports.observers) await observer.created?.(tx, made)
  return form.returned(tx, made)
}
