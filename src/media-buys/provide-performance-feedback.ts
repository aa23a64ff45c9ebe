// `provide_performance_feedback` (of 3.x): stores the buyer's measurements for the seller to read. It does not change
// the delivery, and the response says so: accepted, not applied.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import type { Transact } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { nearIds, suggestNear } from '../protocol/near-ids.ts'
import { keptExceeded } from '../protocol/quota.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import {
  type ProvidePerformanceFeedbackRequest,
  type ProvidePerformanceFeedbackResponse,
  providePerformanceFeedbackRequest,
  providePerformanceFeedbackResponse,
} from '../protocol/schemas/performance-feedback.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { buyerOf } from './buyer-of.ts'
import { createFaults } from './faults.ts'
import type { FeedbackStore } from './feedback-store.ts'
import { BUY_LIMITS } from './limits.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { suggestBuys } from './near-buys.ts'
import type { MediaBuyStore, PackageCreatives } from './store.ts'

export interface FeedbackPorts {
  transact: Transact
  buys: Pick<MediaBuyStore, 'lock' | 'list'>
  creatives: Pick<PackageCreatives, 'ofPackages'>
  feedback: FeedbackStore
}

export function providePerformanceFeedback(
  ports: FeedbackPorts,
): Task<ProvidePerformanceFeedbackRequest, ProvidePerformanceFeedbackResponse> {
  return defineTask({
    name: 'provide_performance_feedback',
    summary: 'How a media buy, a package or a creative performs, as its buyer measured it',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    request: providePerformanceFeedbackRequest,
    response: providePerformanceFeedbackResponse,
    cost: constantCost(200, 'nothing: one assertion about one buy'),
    handle: (request, call) => keep(ports, request, call),
  })
}

async function keep(
  { transact, buys, creatives, feedback }: FeedbackPorts,
  request: ProvidePerformanceFeedbackRequest & RequestEnvelope,
  call: CallContext,
): Promise<ProvidePerformanceFeedbackResponse> {
  const owner = buyerOf(call)
  const { media_buy_id, supersedes_feedback_id } = request
  const {
    idempotency_key: _key,
    context: _context,
    context_id: _id,
    account: _account,
    ...said
  } = request
  const { push_notification_config: _push, ...assertion } = said
  if (isLongerAsJson(assertion, BUY_LIMITS.termsBytes.value)) {
    const message = `keep the feedback below ${BUY_LIMITS.termsBytes.value} bytes`
    throw new ProtocolError('VALIDATION_ERROR', message)
  }
  const feedback_id = `fb_${randomUUID()}`
  const received_at = await transact(async (tx) => {
    const buy = await buys.lock(tx, { media_buy_id, owner })
    if (!buy) return undefined
    const ids = buy.packages.map(({ package_id }) => package_id)
    const assigned = request.creative_id ? await creatives.ofPackages(tx, owner, ids) : new Map()
    checkSubject(request, buy, [...assigned.values()].flat())
    const limit = BUY_LIMITS.feedback.value
    const used = await feedback.count(tx, media_buy_id, limit)
    if (used >= limit)
      throw keptExceeded('pieces of feedback about this media buy', { limit, used })
    const now = await tx.now()
    if (supersedes_feedback_id !== undefined) {
      const key = { owner, media_buy_id, feedback_id: supersedes_feedback_id }
      if (!(await feedback.find(tx, key))) {
        const field = '/supersedes_feedback_id'
        const message = 'no feedback with this id was given for this media buy'
        throw new ProtocolError('REFERENCE_NOT_FOUND', message, { field })
      }
      await feedback.supersede(tx, supersedes_feedback_id, feedback_id)
    }
    await feedback.add(tx, { feedback_id, owner, media_buy_id, assertion, received_at: now })
    return now
  })
  if (received_at === undefined) {
    const [suggestion] = await suggestBuys(buys, owner, [media_buy_id])
    const message = 'no media buy with this id'
    const extras = { field: '/media_buy_id', ...defined({ suggestion }) }
    throw new ProtocolError('MEDIA_BUY_NOT_FOUND', message, extras)
  }
  return {
    success: true,
    feedback_id,
    application_status: 'accepted',
    received_at: new Date(received_at).toISOString(),
  }
}

function checkSubject(
  { package_id, creative_id }: ProvidePerformanceFeedbackRequest,
  { packages }: MediaBuyRecord,
  assigned: readonly { creative_id: string; package_id: string }[],
): void {
  const faults = createFaults()
  if (package_id !== undefined && !packages.some((one) => one.package_id === package_id)) {
    const known = packages.map((one) => one.package_id)
    faults.add('PACKAGE_NOT_FOUND', 'This buy has no package with this id.', {
      pointer: '/package_id',
      suggestion: suggestNear(
        nearIds(package_id, known),
        'Use a package_id returned by get_media_buys.',
      ),
    })
  }
  const isThere = assigned.some(
    (one) =>
      one.creative_id === creative_id &&
      (package_id === undefined || one.package_id === package_id),
  )
  if (creative_id !== undefined && !isThere) {
    const message = 'No package that is meant has this creative: get_media_buys lists them.'
    faults.add('CREATIVE_NOT_FOUND', message, { pointer: '/creative_id' })
  }
  faults.refuse()
}
