// Media buys to look at in the console of a demo: one that is active and has delivered for a week, with a late report
// for one day and a suspended creative; one that delivers as it should; one that its buyer canceled.

import { namedUuid } from '../../lib/named-uuid.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { subjectOfBuy, subjectOfReports } from '../../media-buys/buy-channels.ts'
import type { MediaBuyRecord, PackageRecord } from '../../media-buys/media-buy.ts'
import { figuresDigest, figuresOf, sumOfFigures } from '../../media-buys/reporting/figures.ts'
import { reportEvent } from '../../media-buys/reporting/report-event.ts'
import type { ReportWindow } from '../../media-buys/reporting/report-store.ts'
import { boundaryBefore, windowsOf } from '../../media-buys/reporting/windows.ts'
import { type Order, orderOf } from '../../media-buys/sources/orders.ts'
import { createSimulatedSource } from '../../media-buys/sources/simulated.ts'
import { addPastDeliveries, type PastDelivery } from '../../storage/stores/outbox/past.ts'
import { endpointOf } from '../../webhooks/sender/endpoint.ts'
import type { Channel } from '../../webhooks/sender/store.ts'
import type { Storage } from '../open-storage.ts'

export interface DemoBuyer {
  owner: string
  /** Where its webhooks go. */
  receiver: string
}

const HOUR_MS = 60 * 60 * 1_000
const DAY_MS = 24 * HOUR_MS
const UTC_DAYS = { frequency: 'daily', timeZone: 'UTC' } as const

/** Once per buyer. Runs before any deliveries are sent, since lists are ordered by creation. */
export async function addDemoBuys(
  storage: Storage,
  tx: Transaction,
  buyer: DemoBuyer,
): Promise<void> {
  const now = await tx.now()
  const today = boundaryBefore(UTC_DAYS, now)
  const running = buyOf(buyer, 'autumn', {
    name: 'Autumn hikes',
    buyer_ref: 'northwind-autumn',
    po_number: 'PO-4711',
    brand: 'northwind-outdoor.example',
    start_at: today - 8 * DAY_MS,
    end_at: today + 6 * DAY_MS,
    status: 'active',
    packages: [
      packageOf('autumn-home', { product: 'daily_news_homepage', budget: 9_000, rate: 18 }),
      packageOf('autumn-parents', { product: 'parents_newsletter', budget: 2_800, rate: 28 }),
    ],
  })
  const { media_buy_id } = running
  if (await storage.mediaBuys.lock(tx, { media_buy_id })) return
  const within = { storage, tx }
  await addReported(within, running, { buyer, now, today })
  await impair(within, running, now - 5 * HOUR_MS)
  const steady = buyOf(buyer, 'coffee', {
    name: 'First light',
    buyer_ref: 'solara-first-light',
    brand: 'solara-coffee.example',
    start_at: today - 2 * DAY_MS,
    end_at: today + 10 * DAY_MS,
    status: 'active',
    packages: [
      packageOf('coffee-sports', { product: 'sports_live_video', budget: 6_000, rate: 24 }),
    ],
  })
  await add(within, { ...steady, reporting: undefined })
  await addCanceled(within, buyer, now)
}

interface Within {
  storage: Storage
  tx: Transaction
}

interface Wanted {
  name: string
  buyer_ref: string
  po_number?: string
  brand: string
  start_at: number
  end_at: number
  status: MediaBuyRecord['status']
  packages: PackageRecord[]
}

function buyOf({ owner }: DemoBuyer, id: string, wanted: Wanted): MediaBuyRecord {
  const { brand, packages, status, start_at, end_at, ...said } = wanted
  const created_at = start_at - DAY_MS
  return {
    media_buy_id: `mb_${namedUuid(`adwire demo buy ${owner} ${id}`)}`,
    owner,
    account_id: undefined,
    revision: 1,
    currency: 'USD',
    time_zone: 'UTC',
    total_budget: packages.reduce((sum, { budget }) => sum + budget, 0),
    status,
    is_held: false,
    start_at,
    end_at,
    created_at,
    updated_at: created_at,
    confirmed_at: created_at,
    status_changed_at: created_at,
    due_at: end_at,
    reporting: { reporting_frequency: 'daily' },
    terms: { ...said, brand: { domain: brand } },
    context: undefined,
    ending: undefined,
    packages,
  }
}

function packageOf(
  id: string,
  { product, budget, rate }: { product: string; budget: number; rate: number },
): PackageRecord {
  return {
    package_id: `pkg_demo_${id}`,
    product_id: product,
    pricing_option_id: 'cpm_fixed',
    pricing: { pricing_model: 'cpm', rate },
    budget,
    paused: false,
    signals: [],
  }
}

/** As it was made, and as it began. */
async function add({ storage, tx }: Within, buy: MediaBuyRecord): Promise<MediaBuyRecord> {
  const { mediaBuys, deliveryOrders } = storage
  const { start_at } = buy
  await mediaBuys.add(tx, { ...buy, status: 'pending_start' })
  const begun = { ...buy, revision: 2, updated_at: start_at, status_changed_at: start_at }
  await mediaBuys.save(tx, begun, {
    entry: { revision: 2, at: start_at, actor: 'clock', action: 'start', status: 'active' },
  })
  await deliveryOrders.add(tx, buy.media_buy_id, orderedOf(begun))
  return begun
}

/** Only this share of its budget is sent to the ad server, so that it underdelivers. */
const SLOW = { package_id: 'pkg_demo_autumn-parents', share: 0.62 } as const

function orderedOf(buy: MediaBuyRecord): Order {
  const { at, packages } = orderOf(buy, buy.start_at)
  return {
    at,
    packages: packages.map((one) =>
      one.package_id === SLOW.package_id ? { ...one, budget: one.budget * SLOW.share } : one,
    ),
  }
}

interface Times {
  buyer: DemoBuyer
  now: number
  today: number
}

/** With the reports of the past days: delivered, except yesterday's, which is late. */
async function addReported(
  within: Within,
  made: MediaBuyRecord,
  { buyer, now, today }: Times,
): Promise<void> {
  const { storage, tx } = within
  const buy = await add(within, made)
  const { media_buy_id, owner } = buy
  const orders = { list: async () => new Map([[media_buy_id, [orderedOf(buy)]]]) }
  const windows = [...windowsOf(UTC_DAYS, buy.start_at, today)]
  const said = await createSimulatedSource({ orders }).deliveryOf({
    buy,
    windows,
    now: now + DAY_MS,
    signal: new AbortController().signal,
  })
  const rows = said.map((answer, index): ReportWindow => {
    const figures = answer.status === 'ready' ? figuresOf(buy, answer.by_package) : {}
    const { start, end } = answer.window
    const sent_at = end + HOUR_MS
    const reported = {
      media_buy_id,
      owner,
      kind: 'window' as const,
      start,
      end,
      sequence_number: index + 1,
    }
    // Settled, so that it stays late for users who look at the demo.
    if (index === said.length - 1) {
      return {
        ...reported,
        state: 'late',
        is_settled: true,
        notification_types: ['delayed'],
        figures: undefined,
        digest: undefined,
        sent_at,
        ended_at: undefined,
        expected_at: now + 3 * HOUR_MS,
        reason: undefined,
      }
    }
    const isAdjusted = index === 2
    return {
      ...reported,
      state: 'delivered',
      is_settled: true,
      figures,
      digest: figuresDigest(figures),
      notification_types: isAdjusted ? ['scheduled', 'adjusted'] : ['scheduled'],
      sent_at,
      ended_at: sent_at + 400,
      expected_at: undefined,
      reason: undefined,
    }
  })
  await storage.reports.touch(tx, { media_buy_id, owner, delay_ms: HOUR_MS })
  const known = rows.map(({ figures }) => figures ?? {})
  const stream = {
    media_buy_id,
    owner,
    opened_until: today,
    sequence_number: rows.length,
    totals: sumOfFigures(known),
    unavailable: 0,
    delay_ms: HOUR_MS,
    final_at: undefined,
    due_at: today + DAY_MS,
    claim_no: 1,
  }
  await storage.reports.save(tx, [stream], rows)
  const channel = await register(within, buyer, subjectOfReports(media_buy_id))
  await register(within, buyer, subjectOfBuy(media_buy_id))
  await addPastDeliveries(
    tx,
    rows.map((row) => pastReport(channel, buy, row)),
  )
}

async function register(
  { storage: { channels }, tx }: Within,
  { owner, receiver: url }: DemoBuyer,
  subject: string,
): Promise<Channel> {
  const channel = await channels.put(
    tx,
    {
      owner,
      subject,
      name: 'demo',
      form: 'mcp',
      url,
      endpoint: endpointOf(url),
      operation_id: undefined,
      scheme: 'rfc9421',
      secrets: undefined,
      expires_at: undefined,
    },
    1,
  )
  if (channel === 'full') throw new Error('the demo has a channel of its own for each buy')
  return channel
}

function pastReport(channel: Channel, buy: MediaBuyRecord, row: ReportWindow): PastDelivery {
  const { start, end, figures, sequence_number = 0, sent_at: at = end } = row
  const event = reportEvent(
    buy,
    {
      notification_type: figures ? 'scheduled' : 'delayed',
      sequence_number,
      period: { start, end },
      figures,
      expected_at: row.expected_at,
      is_final: figures !== undefined,
      unavailable: figures ? 0 : 1,
    },
    at,
  )
  const { message, result, task_type, domain, status } = event
  const idempotency_key = namedUuid(`adwire demo report ${buy.media_buy_id} ${sequence_number}`)
  const envelope = {
    idempotency_key,
    task_id: idempotency_key,
    task_type,
    domain,
    status,
    timestamp: new Date(at).toISOString(),
    message,
    result,
  }
  return {
    channel,
    created_at: at,
    operation_id: 'northwind-autumn',
    idempotency_key,
    notification_type: event.notification_type,
    sequence_number,
    state: 'delivered',
    reason: null,
    body: Buffer.from(JSON.stringify(envelope)),
    attempts: [
      {
        status: 'success',
        http_status_code: 200,
        error_message: null,
        fault: null,
        response_head: '{"answer":"thank you"}',
        fired_at: at + 5,
        completed_at: at + 95,
      },
    ],
  }
}

/** Already reported: nothing is pending. */
async function impair(
  { storage: { impairments }, tx }: Within,
  { media_buy_id, owner }: MediaBuyRecord,
  at: number,
): Promise<void> {
  const common = {
    ...({ media_buy_id, owner, impairment_type: 'general', raised_by: 'operator' } as const),
    ...({ resource_type: 'creative', package_ids: [SLOW.package_id] } as const),
  }
  await impairments.add(tx, {
    ...common,
    impairment_id: namedUuid(`adwire demo impairment ${media_buy_id} 1`),
    resource_id: 'northwind-autumn-300x250',
    transition: { from: 'approved', to: 'suspended' },
    reason_code: 'policy_violation',
    observed_at: at,
    cleared_at: undefined,
    reason: 'the claim “the warmest jacket there is” needs a source',
    remediation: 'sync the creative with another claim, or with a source for this one',
  })
  await impairments.add(tx, {
    ...common,
    impairment_id: namedUuid(`adwire demo impairment ${media_buy_id} 2`),
    resource_id: 'northwind-autumn-728x90',
    transition: { from: 'approved', to: 'rejected' },
    reason_code: 'content_rejected',
    observed_at: at - 3 * DAY_MS,
    cleared_at: at - 2 * DAY_MS,
    reason: 'the logo was cut off',
    remediation: undefined,
  })
}

async function addCanceled(within: Within, buyer: DemoBuyer, now: number): Promise<void> {
  const { storage, tx } = within
  const at = now - 3 * DAY_MS
  const begun = await add(within, {
    ...buyOf(buyer, 'games', {
      name: 'Demo for players',
      buyer_ref: 'demo-games',
      brand: 'demo-brand.example',
      start_at: now - 6 * DAY_MS,
      end_at: now + 20 * DAY_MS,
      status: 'active',
      packages: [
        packageOf('games-home', { product: 'daily_news_homepage', budget: 1_500, rate: 18 }),
      ],
    }),
    reporting: undefined,
  })
  const ended: MediaBuyRecord = {
    ...begun,
    revision: 3,
    status: 'canceled',
    updated_at: at,
    status_changed_at: at,
    due_at: undefined,
    ending: { by: 'buyer', at, reason: 'the launch was moved to spring' },
  }
  await storage.mediaBuys.save(tx, ended, {
    entry: { revision: 3, at, actor: 'buyer', action: 'cancel', status: 'canceled' },
  })
  await storage.deliveryOrders.add(tx, ended.media_buy_id, orderOf(ended, at))
}
