// `update_media_buy`: pauses, resumes or cancels a buy, and changes its money, dates, packages, creatives and
// webhooks (spec 3.4, 4.5); all of a request or nothing of it. What raises it above what the seller lets pass
// waits for approval, as a new buy would; its webhooks count at once.

import { oncePer } from '../lib/once-per.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import {
  type UpdateMediaBuyRequest,
  type UpdateMediaBuyResponse,
  updateMediaBuyRequest,
  updateMediaBuyResponse,
} from '../protocol/schemas/media-buys.ts'
import type { CallContext, Task } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type ApprovalRun, approvalWork } from './approval-work.ts'
import { registerChannels } from './buy-channels.ts'
import { type NamedBuy, updateCost } from './buy-cost.ts'
import { buyerOf } from './buyer-of.ts'
import { saveChange, settled } from './change-buy.ts'
import type { BuyPorts, BuyTaskOptions } from './create-media-buy.ts'
import { assignmentsIn } from './draft-package.ts'
import { addInline } from './inline-creatives.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { approvalReason, askedBy } from './needs-approval.ts'
import { checkRevision, type PlannedUpdate, planUpdate, type UpdateRequest } from './plan-update.ts'
import { withoutSecrets } from './request-secrets.ts'
import {
  buyMembersOf,
  type CreativesByPackage,
  inWordsOf,
  isoOf,
  serializePackages,
} from './serialize-buy.ts'

type Response = UpdateMediaBuyResponse

/** A buy after its change. */
interface Updated {
  buy: MediaBuyRecord
  /** Packages that are new or changed. */
  package_ids: readonly string[]
}

export function updateMediaBuy(
  ports: BuyPorts,
  engine: TaskEngine,
  { inlineWaitMs }: BuyTaskOptions,
): Task<UpdateMediaBuyRequest, Response> {
  const namedBuy: NamedBuy = oncePer(async ({ media_buy_id }, owner) => {
    const { buys } = await ports.buys.list(owner, { media_buy_ids: [media_buy_id], limit: 1 })
    return buys[0]
  })
  return engine.longTask<UpdateMediaBuyRequest, ApprovalRun, Response>({
    summary: 'Pauses, resumes, cancels or changes a media buy',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    request: updateMediaBuyRequest,
    response: updateMediaBuyResponse,
    cost: updateCost(ports.buys, namedBuy),
    inlineWaitMs,
    keeps: withoutSecrets,
    immediately: async (request, call) => {
      // Before anything is put into the library for it.
      if (!(await namedBuy(request, buyerOf(call)))) throw notFound()
      return inWordsOf(await updateNow(ports, request, call), call)
    },
    onBegin: (tx, { request, owner }) =>
      registerChannels(ports, tx, { owner, media_buy_id: request.media_buy_id }, request),
    work: approvalWork<UpdateMediaBuyRequest, Response>(ports, {
      task_type: 'update_media_buy',
      begin: ({ media_buy_id }) => ({ media_buy_id, hasAsked: false }),
      question: async (tx, { owner, request }) => {
        const { plan } = await planOf(ports, tx, owner, request)
        const reason = reasonFor(ports, plan) ?? 'the seller approves this change'
        return { reason, asked: askedBy(plan.after) }
      },
      perform: async (tx, { task, request }) => {
        const { buy, plan } = await planOf(ports, tx, task.owner, request)
        const updated = await apply(ports, tx, buy, plan, request)
        return shownUpdated(updated, await assignedIn(ports, tx, updated))
      },
      forget: async () => {},
    }),
  })
}

async function updateNow(
  ports: BuyPorts,
  request: UpdateRequest,
  call: CallContext,
): Promise<Response | undefined> {
  const owner = buyerOf(call)
  await addInline(ports, [...(request.packages ?? []), ...(request.new_packages ?? [])], call)
  const updated = await ports.transact(async (tx) => {
    const buy = await ownBuy(ports, tx, owner, request)
    const { idempotency_key: key, media_buy_id } = request
    // A call whose answer was lost with its process: done once is enough.
    if (key && (await ports.buys.isDone(tx, media_buy_id, key))) return { buy, package_ids: [] }
    checkRevision(buy, request.revision)
    const plan = await planUpdate(ports, tx, buy, request)
    if (buy.total_budget < plan.after.total_budget || plan.added.length > 0) {
      if (reasonFor(ports, plan)) return undefined
    }
    await registerChannels(ports, tx, buy, request)
    return apply(ports, tx, buy, plan, request)
  })
  // Read after the commit: other writers need not wait for what is only shown.
  return updated && shownUpdated(updated, await ports.creatives.list(owner, updated.package_ids))
}

/** By the money of all of it, and by the products of what is new. */
function reasonFor({ rule }: BuyPorts, { after, added }: PlannedUpdate): string | undefined {
  return approvalReason(rule, after, added)
}

/** Of a change that the seller decides on. */
async function planOf(
  ports: BuyPorts,
  tx: Transaction,
  owner: string,
  request: UpdateRequest,
): Promise<{ buy: MediaBuyRecord; plan: PlannedUpdate }> {
  const buy = await ownBuy(ports, tx, owner, request)
  checkRevision(buy, request.revision)
  return { buy, plan: await planUpdate(ports, tx, buy, request, { isAccepted: true }) }
}

async function ownBuy(
  { buys }: BuyPorts,
  tx: Transaction,
  owner: string,
  { media_buy_id }: UpdateRequest,
): Promise<MediaBuyRecord> {
  await buys.holdOwner(tx, owner)
  const buy = await buys.lock(tx, { media_buy_id, owner })
  if (buy) return buy
  throw notFound()
}

function notFound(): ProtocolError {
  const message = 'no media buy with this id'
  return new ProtocolError('MEDIA_BUY_NOT_FOUND', message, { field: '/media_buy_id' })
}

async function apply(
  ports: BuyPorts,
  tx: Transaction,
  before: MediaBuyRecord,
  { after, actions, package_ids, drafts }: PlannedUpdate,
  { idempotency_key, reporting_webhook, push_notification_config }: UpdateRequest,
): Promise<Updated> {
  await ports.creatives.replace(tx, before.owner, assignmentsIn(drafts))
  const standing = await settled(ports, tx, after)
  const hasWebhooks = reporting_webhook !== undefined || push_notification_config !== undefined
  const done = hasWebhooks ? [...actions, 'update_webhooks'] : actions
  if (done.length === 0) return { buy: before, package_ids: [] }
  const why = {
    actor: 'buyer',
    action: done.join(' '),
    package_ids,
    idempotency_key,
    isTold: false,
  } as const
  const saved = await saveChange(ports, tx, { before, after: standing }, why)
  return { buy: saved, package_ids }
}

function assignedIn(
  { creatives }: BuyPorts,
  tx: Transaction,
  { buy, package_ids }: Updated,
): Promise<CreativesByPackage> {
  return creatives.ofPackages(tx, buy.owner, package_ids)
}

async function shownUpdated(
  { buy, package_ids }: Updated,
  assigned: CreativesByPackage,
): Promise<Response> {
  const ids = new Set(package_ids)
  const affected = buy.packages.filter(({ package_id }) => ids.has(package_id))
  return {
    ...buyMembersOf(buy),
    media_buy_status: buy.status,
    implementation_date: isoOf(buy.updated_at),
    affected_packages: await serializePackages(buy, affected, assigned),
  }
}
