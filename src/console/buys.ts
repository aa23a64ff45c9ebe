// Media buys of all principals: finding them, viewing their entire history, and raising impairments as an operator.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import type { ImpairmentRecord } from '../media-buys/impairments/impairment.ts'
import { readImpairment } from '../media-buys/impairments/impairment-query.ts'
import {
  clearImpairment,
  type ImpairmentPorts,
  raiseImpairment,
} from '../media-buys/impairments/keep-impairments.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'
import { isEnded } from '../media-buys/states.ts'
import type { MediaBuyStore, PackageCreative, PackageCreatives } from '../media-buys/store.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type {
  Buy,
  BuyItem,
  BuysPage,
  BuysQuery,
  RaiseBody,
  SerializedImpairment,
} from './api/buys.ts'
import { type ActionPorts, act } from './audit.ts'
import { createPacing, type PacingPorts } from './buy-pacing.ts'
import type { BuyQueries, ListedBuy } from './buy-queries.ts'
import { type BuyReportPorts, showBuyActivity, showBuyReports } from './buy-reports.ts'
import { amountOf, iso, isoOf, type PrincipalNames } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { badCursor, notFound, Refused } from './refusal.ts'
import { approvalItemOf, namedIn } from './tasks.ts'

export interface BuyPorts extends ActionPorts, PacingPorts, BuyReportPorts {
  buyQueries: BuyQueries
  buys: Pick<MediaBuyStore, 'lock' | 'history'>
  packageCreatives: Pick<PackageCreatives, 'list'>
  impairing: ImpairmentPorts
  names: PrincipalNames
}

type BuyRoute =
  | 'listBuys'
  | 'getBuy'
  | 'getBuyPacing'
  | 'getBuyReports'
  | 'getBuyActivity'
  | 'raiseImpairment'
  | 'clearImpairment'

export function buyHandlers(ports: BuyPorts): Handlers<BuyRoute> {
  const pacingOf = createPacing(ports)
  const recordOf = async (mediaBuyId: string) => {
    const found = await ports.buyQueries.buy(mediaBuyId)
    if (!found) throw notFound(`media buy ${mediaBuyId}`)
    return found.record
  }
  return {
    listBuys: ({ query }) => listBuys(ports, query),
    getBuy: ({ params }) => showBuy(ports, params.media_buy_id),
    getBuyPacing: async ({ params }) => pacingOf(await recordOf(params.media_buy_id)),
    getBuyReports: async ({ params, query }) =>
      showBuyReports(ports, await recordOf(params.media_buy_id), query),
    getBuyActivity: async ({ params }) =>
      showBuyActivity(ports, await recordOf(params.media_buy_id)),
    raiseImpairment: async ({ visitor, params, body }) => {
      const { media_buy_id } = params
      const detail = `${body.resource_type} ${body.resource_id} ${body.to}: ${body.reason_code}`
      const action = { visitor, action: 'impairments.raise', target: media_buy_id, detail }
      await act(ports, action, (tx) => raise(ports, tx, { media_buy_id, requested: body }))
      return showBuy(ports, media_buy_id)
    },
    clearImpairment: async ({ visitor, params: { media_buy_id, impairment_id } }) => {
      const action = {
        visitor,
        action: 'impairments.clear',
        target: media_buy_id,
        detail: impairment_id,
      }
      await act(ports, action, (tx) => clear(ports, tx, { media_buy_id, impairment_id }))
      return showBuy(ports, media_buy_id)
    },
  }
}

async function raise(
  ports: BuyPorts,
  tx: Transaction,
  { media_buy_id, requested }: { media_buy_id: string; requested: RaiseBody },
): Promise<void> {
  const buy = await heldBuy(ports, tx, media_buy_id)
  const read = readImpairment(buy, requested)
  if (!read.ok) throw new Refused(400, 'invalid_request', `${read.field} ${read.message}`)
  const wanted = { ...read.wanted, raised_by: 'operator' as const }
  await raiseImpairment(ports.impairing, tx, { buy, wanted })
}

async function clear(
  ports: BuyPorts,
  tx: Transaction,
  { media_buy_id, impairment_id }: { media_buy_id: string; impairment_id: string },
): Promise<void> {
  const buy = await heldBuy(ports, tx, media_buy_id)
  const record = await ports.impairing.impairments.find(tx, impairment_id)
  if (record?.media_buy_id !== media_buy_id) {
    throw notFound(`impairment ${impairment_id} of this buy`)
  }
  if (record.cleared_at !== undefined) {
    throw new Refused(409, 'conflict', `it was cleared at ${iso(record.cleared_at)} already`)
  }
  await clearImpairment(ports.impairing, tx, { buy, record })
}

async function heldBuy(
  { buys }: BuyPorts,
  tx: Transaction,
  media_buy_id: string,
): Promise<MediaBuyRecord> {
  const buy = await buys.lock(tx, { media_buy_id })
  if (!buy) throw notFound(`media buy ${media_buy_id}`)
  if (isEnded(buy.status)) {
    throw new Refused(
      409,
      'conflict',
      `the media buy is ${buy.status}: no further events are sent for it`,
    )
  }
  return buy
}

async function listBuys({ buyQueries, names }: BuyPorts, query: BuysQuery): Promise<BuysPage> {
  const { cursor, limit, status, principal_id: owner, brand, trouble, since, until, q } = query
  const list = `console.buys.${trouble ?? ''}`
  const place = cursor === undefined ? undefined : readCursor(list, cursor, ['integer', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const { rows, next } = await buyQueries.buys({
    status,
    owner,
    brand,
    trouble,
    word: q,
    limit,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
    after: place && { at: place[0], id: place[1] },
  })
  const known = await names(rows.map(({ owner }) => owner))
  return {
    items: rows.map((row) => itemOf(row, known)),
    ...defined({ next_cursor: next && cursorOf(list, [next.at, next.id]) }),
  }
}

function itemOf(row: ListedBuy, names: ReadonlyMap<string, string>): BuyItem {
  const { media_buy_id, status, owner, currency, packages, terms } = row
  const { open_impairments, late_reports, given_up_reports, reported_spend } = row
  const { domain } = (terms.brand ?? {}) as { domain?: string }
  return {
    media_buy_id,
    status,
    principal_id: owner,
    currency,
    packages,
    total_budget: amountOf(row.total_budget),
    open_impairments,
    late_reports,
    given_up_reports,
    start_at: iso(row.start_at),
    end_at: iso(row.end_at),
    created_at: iso(row.created_at),
    ...defined({ principal_name: names.get(owner), brand: domain }),
    ...defined({
      reported_spend: reported_spend === undefined ? undefined : amountOf(reported_spend),
    }),
    ...defined({ name: terms.name, buyer_ref: terms.buyer_ref }),
  }
}

const MOST_HISTORY = 200
const MOST_CLEARED = 50
const MOST_APPROVALS = 20
const MOST_TOLD = 20

async function showBuy(ports: BuyPorts, mediaBuyId: string): Promise<Buy> {
  const { buyQueries, buys, packageCreatives, impairing, names } = ports
  const found = await buyQueries.buy(mediaBuyId)
  if (!found) throw notFound(`media buy ${mediaBuyId}`)
  const { record, listed } = found
  const ids = record.packages.map(({ package_id }) => package_id)
  const [open, impairments, creatives, history] = await Promise.all([
    impairing.impairments.openOf([mediaBuyId]),
    impairing.impairments.list({
      media_buy_id: mediaBuyId,
      withCleared: true,
      limit: MOST_CLEARED,
    }),
    packageCreatives.list(record.owner, ids),
    buys.history([mediaBuyId], MOST_HISTORY),
  ])
  const [approvals, fires, reportedAt] = await Promise.all([
    buyQueries.approvalsOf(mediaBuyId, MOST_APPROVALS),
    buyQueries.fires(mediaBuyId, MOST_TOLD),
    buyQueries.pendingFireAt(mediaBuyId),
  ])
  const known = await names([record.owner, ...namedIn(approvals)])
  return {
    ...itemOf(listed, known),
    ...termsOf(record),
    package_list: record.packages.map((one) => packageOf(record, one, creatives)),
    impairments: {
      open: (open.get(mediaBuyId) ?? []).map(impairmentOf),
      cleared: impairments.filter(({ cleared_at }) => cleared_at !== undefined).map(impairmentOf),
      reported: fires.map(reportOf),
      ...defined({ told_at: isoOf(reportedAt) }),
    },
    history: (history.get(mediaBuyId) ?? []).map(({ at, package_ids, status, ...entry }) => ({
      ...entry,
      at: iso(at),
      ...defined({ status, package_ids: package_ids && [...package_ids] }),
    })),
    approvals: approvals.map((approval) => approvalItemOf(approval, known)),
    may: { impair: !isEnded(record.status) },
  }
}

function termsOf(record: MediaBuyRecord) {
  const { account_id, revision, is_held, time_zone, ending, terms } = record
  return {
    revision,
    is_held,
    time_zone,
    updated_at: iso(record.updated_at),
    status_changed_at: iso(record.status_changed_at),
    ...defined({
      account_id,
      po_number: terms.po_number,
      next_move_at: isoOf(record.due_at),
      ending: ending && {
        by: ending.by,
        at: iso(ending.at),
        ...defined({ reason: ending.reason }),
      },
    }),
  }
}

function packageOf(
  buy: MediaBuyRecord,
  one: MediaBuyRecord['packages'][number],
  creatives: ReadonlyMap<string, readonly PackageCreative[]>,
): Buy['package_list'][number] {
  const { package_id, product_id, paused, pricing, buyer_ref } = one
  const impressions = one.impressions === undefined ? undefined : amountOf(one.impressions)
  return {
    package_id,
    product_id,
    paused,
    canceled: one.canceled === true,
    budget: amountOf(one.budget),
    rate: amountOf(pricing.rate),
    pricing_model: pricing.pricing_model,
    pacing: one.pacing ?? 'even',
    start_at: iso(one.start_at ?? buy.start_at),
    end_at: iso(one.end_at ?? buy.end_at),
    ...defined({ impressions, buyer_ref }),
    creatives: (creatives.get(package_id) ?? []).map(({ creative_id, status }) => ({
      creative_id,
      status,
    })),
  }
}

function impairmentOf(record: ImpairmentRecord): SerializedImpairment {
  const { impairment_id, impairment_type, resource_type, resource_id, reason_code } = record
  const { raised_by, transition, reason, remediation } = record
  return {
    impairment_id,
    impairment_type,
    resource_type,
    resource_id,
    reason_code,
    raised_by,
    package_ids: [...record.package_ids],
    to: transition.to,
    observed_at: iso(record.observed_at),
    ...defined({ from: transition.from, reason, remediation }),
    ...defined({ cleared_at: isoOf(record.cleared_at) }),
  }
}

/** What a fire says, as it was kept. */
interface FireResult {
  health?: string
  changes?: { change: string; impairment: { resource_type: string; resource_id: string } }[]
}

function reportOf({
  notification_id,
  fired_at,
  result,
}: {
  notification_id: string
  fired_at: number
  result: object
}): Buy['impairments']['reported'][number] {
  const { health = 'impaired', changes = [] } = result as FireResult
  return {
    notification_id,
    at: iso(fired_at),
    health,
    changes: changes.map(
      ({ change, impairment: { resource_type, resource_id } }) =>
        `${change}: ${resource_type} ${resource_id}`,
    ),
  }
}
