// The tasks that change a buy: each parses its own request and formats its own response, and all change it in the
// same way (spec 3.4, 4.5), applying all of a request or none of it. If the change raises the buy above what the
// seller allows without approval, it waits for approval, as a new buy would; its webhooks take effect immediately.

import type { z } from 'zod'
import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { FeatureName } from '../protocol/releases/releases.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { CallContext, Task, TaskCost } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type ApprovalRun, approvalWork } from './approval-work.ts'
import { registerChannels, type WantedChannels } from './buy-channels.ts'
import type { NamedBuy } from './buy-cost.ts'
import type { BuyPorts, BuyTaskOptions } from './buy-task.ts'
import { buyerOf } from './buyer-of.ts'
import { saveChange, settled } from './change-buy.ts'
import { assignmentsIn } from './draft-package.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { suggestBuys } from './near-buys.ts'
import { approvalReason, requestedBy } from './needs-approval.ts'
import { checkRevision, type PlannedUpdate, planUpdate, type UpdateRequest } from './plan-update.ts'
import { withoutSecrets } from './request-secrets.ts'
import type { CreativesByPackage } from './serialize-buy.ts'
import type { BuyKey } from './store.ts'

/** A buy after its change. */
export interface UpdatedBuy {
  buy: MediaBuyRecord
  /** Packages that are new or changed. */
  package_ids: readonly string[]
}

type ChangeRequest = RequestEnvelope &
  WantedChannels & { media_buy_id: string; revision?: number | undefined }

/** How one task requests a change, and how it responds. */
export interface UpdateForm<Request, Response extends object> {
  task_type: string
  summary: string
  /** Default: every release has the task. */
  feature?: FeatureName
  request: z.ZodType<Request>
  response: z.ZodType<Response>
  cost: TaskCost<Request>
  namedBuy: NamedBuy
  /** Runs before anything is changed; throws an error that refuses the call. Default nothing. */
  before?(request: Request & ChangeRequest, call: CallContext): Promise<void>
  /** The request in the form of update_media_buy, for the current buy. Throws an error that refuses it. */
  read(request: Request & ChangeRequest, buy: MediaBuyRecord): UpdateRequest
  returned(updated: UpdatedBuy, assigned: CreativesByPackage): Promise<Response>
  /** Converts the response to the terms of the caller. Default unchanged. */
  inWords?(returned: Response | undefined, call: CallContext): Response | undefined
}

/** One task, and the ports with which it makes its changes. */
interface UpdateContext<Request, Response extends object> {
  ports: BuyPorts
  form: UpdateForm<Request, Response>
}

export function updateTask<Request extends { media_buy_id: string }, Response extends object>(
  ports: BuyPorts,
  form: UpdateForm<Request, Response>,
  { engine, inlineWaitMs }: BuyTaskOptions & { engine: TaskEngine },
): Task<Request, Response> {
  const context = { ports, form }
  const { task_type, summary, feature, request, response, cost, namedBuy } = form
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
      // Before anything is added to the library for it.
      const owner = buyerOf(call)
      if (!(await namedBuy(requested, owner))) {
        const [suggestion] = await suggestBuys(ports.buys, owner, [requested.media_buy_id])
        throw notFound(suggestion)
      }
      const updated = await updateNow(context, requested, call)
      return form.inWords ? form.inWords(updated, call) : updated
    },
    onBegin: (tx, { request: requested, owner }) =>
      registerChannels(ports, tx, {
        buy: { owner, media_buy_id: requested.media_buy_id },
        wanted: requested as WantedChannels,
      }),
    work: approvalWork<Request, Response>(ports, {
      task_type,
      begin: ({ media_buy_id }) => ({ media_buy_id, hasRequested: false }),
      question: async (tx, { owner, request: requested }) => {
        const { plan } = await planOf(context, tx, { owner, request: requested })
        const reason = reasonFor(ports, plan) ?? 'the seller approves this change'
        return { reason, requested: requestedBy(plan.after) }
      },
      perform: async (tx, { task, request: requested }) => {
        const { buy, plan } = await planOf(context, tx, { owner: task.owner, request: requested })
        const updated = await apply(ports, tx, { buy, plan, request: requested })
        return form.returned(updated, await assignedIn(ports, tx, updated))
      },
      forget: async () => {},
    }),
  })
}

async function updateNow<Request extends { media_buy_id: string }, Response extends object>(
  { ports, form }: UpdateContext<Request, Response>,
  request: Request & ChangeRequest,
  call: CallContext,
): Promise<Response | undefined> {
  const owner = buyerOf(call)
  await form.before?.(request, call)
  const updated = await ports.transact(async (tx) => {
    const { idempotency_key: key, media_buy_id } = request
    const buy = await ownBuy(ports, tx, { owner, media_buy_id })
    // A call whose response was lost with its process: it must not be applied twice.
    if (key && (await ports.buys.isDone(tx, media_buy_id, key))) return { buy, package_ids: [] }
    checkRevision(buy, request.revision)
    const plan = await planUpdate(ports, tx, { buy, request: form.read(request, buy) })
    if (buy.total_budget < plan.after.total_budget || plan.added.length > 0) {
      if (reasonFor(ports, plan)) return undefined
    }
    await registerChannels(ports, tx, { buy, wanted: request })
    return apply(ports, tx, { buy, plan, request })
  })
  // Read after the commit: other writers need not wait for data that is only returned.
  return updated && form.returned(updated, await ports.creatives.list(owner, updated.package_ids))
}

/** Based on the money of the whole buy, and on the products of new packages. */
function reasonFor({ rule }: BuyPorts, { after, added }: PlannedUpdate): string | undefined {
  return approvalReason(rule, after, added)
}

/** For a change that the seller decides on. */
async function planOf<Request extends { media_buy_id: string }, Response extends object>(
  { ports, form }: UpdateContext<Request, Response>,
  tx: Transaction,
  { owner, request }: { owner: string; request: Request & ChangeRequest },
): Promise<{ buy: MediaBuyRecord; plan: PlannedUpdate }> {
  const { media_buy_id } = request
  const buy = await ownBuy(ports, tx, { owner, media_buy_id })
  checkRevision(buy, request.revision)
  const update = { buy, request: form.read(request, buy), isAccepted: true }
  return { buy, plan: await planUpdate(ports, tx, update) }
}

async function ownBuy(
  { buys }: BuyPorts,
  tx: Transaction,
  { owner, media_buy_id }: BuyKey,
): Promise<MediaBuyRecord> {
  await buys.holdOwner(tx, owner)
  const buy = await buys.lock(tx, { media_buy_id, owner })
  if (buy) return buy
  throw notFound()
}

function notFound(suggestion?: string): ProtocolError {
  const message = 'no media buy with this id'
  const extras = { field: '/media_buy_id', ...defined({ suggestion }) }
  return new ProtocolError('MEDIA_BUY_NOT_FOUND', message, extras)
}

interface UpdateToApply {
  buy: MediaBuyRecord
  plan: PlannedUpdate
  request: ChangeRequest
}

async function apply(
  ports: BuyPorts,
  tx: Transaction,
  { buy: before, plan, request }: UpdateToApply,
): Promise<UpdatedBuy> {
  const { after, actions, package_ids, drafts } = plan
  const { idempotency_key, reporting_webhook, push_notification_config } = request
  await ports.creatives.replace(tx, before.owner, assignmentsIn(drafts))
  const interim = await settled(ports, tx, after)
  const hasWebhooks = reporting_webhook !== undefined || push_notification_config !== undefined
  const done = hasWebhooks ? [...actions, 'update_webhooks'] : actions
  if (done.length === 0) return { buy: before, package_ids: [] }
  const why = {
    actor: 'buyer',
    action: done.join(' '),
    package_ids,
    idempotency_key,
    isReported: false,
  } as const
  const saved = await saveChange(ports, tx, { before, after: interim, why })
  return { buy: saved, package_ids }
}

function assignedIn(
  { creatives }: BuyPorts,
  tx: Transaction,
  { buy, package_ids }: UpdatedBuy,
): Promise<CreativesByPackage> {
  return creatives.ofPackages(tx, buy.owner, package_ids)
}
