// Converts a request of create_media_buy to a media buy that can be stored (spec 3.4, 4.5): its dates, money,
// account and packages are checked, and all errors are reported at once.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import type { Transaction } from '../lib/transaction.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { CreateMediaBuyRequest } from '../protocol/schemas/media-buys.ts'
import type { ReportingWebhook } from '../protocol/schemas/push-notification-config.ts'
import {
  type AccountRecord,
  type AccountStore,
  type NewAccount,
  resolveAccount,
} from './account-store.ts'
import { type Draft, type DraftPorts, draftPackages } from './draft-package.ts'
import { createFaults, type Faults } from './faults.ts'
import { checkFlight, type Flight, startOf } from './flight.ts'
import { BUY_LIMITS } from './limits.ts'
import { measurementOf } from './measurement-terms.ts'
import { type MediaBuyRecord, type ReportingTerms, sumOf } from './media-buy.ts'
import { checkDrafts, type SellerOfferCheck } from './offer-check.ts'
import { type BuyProposalPorts, packagesOf } from './proposals/buy-proposal.ts'
import type { ProposalRecord } from './proposals/proposal-store.ts'
import type { MediaBuyStore } from './store.ts'

export interface DraftBuyPorts extends DraftPorts, BuyProposalPorts {
  buys: MediaBuyStore
  accounts: AccountStore
  /** How many a principal may have. */
  maxAccounts: number
  /** Default: the offer is not checked. */
  offerCheck?: SellerOfferCheck | undefined
}

export type CreateRequest = CreateMediaBuyRequest & RequestEnvelope

export interface DraftedBuy {
  buy: MediaBuyRecord
  drafts: readonly Draft[]
  /** The proposal that was bought; locked until the transaction has ended. */
  proposal?: ProposalRecord | undefined
}

export interface BuyToDraft {
  owner: string
  media_buy_id: string
  request: CreateRequest
  /** Whether the buyer requested it before, and only the seller’s decision was pending. Default false. */
  isAccepted?: boolean
  /** The name of the packages in the request. Default `packages`. */
  list?: string
}

/** Members that request unsupported features: refused, never ignored. */
const UNSERVED = ['artifact_webhook', 'daily_budget_cap', 'frequency_cap', 'bidding'] as const

/** Creates an account if the request names a new one; otherwise nothing is written. */
export async function draftBuy(
  ports: DraftBuyPorts,
  tx: Transaction,
  { owner, media_buy_id, request, isAccepted = false, list = 'packages' }: BuyToDraft,
): Promise<DraftedBuy> {
  await ports.buys.holdOwner(tx, owner)
  const now = await tx.now()
  const faults = createFaults()
  refuseUnserved(request, faults)
  const { packages = [] } = request
  for (const [index, one] of packages.entries())
    measurementOf(one as { measurement_terms?: unknown }, `/${list}/${index}`, faults)
  const flight = flightOf(request, { now, isAccepted }, faults)
  checkFlight(flight, faults)
  const { requested, proposal } = await packagesOf(ports, tx, {
    request,
    owner,
    faults,
    isAccepted,
    list,
  })
  const drafts = await draftPackages(ports, { tx, owner, flight, faults }, requested)
  await checkDrafts(ports.offerCheck, drafts, faults)
  const { currency, time_zone } = commonOf(drafts, request.currency, faults)
  const total_budget = sumOf(drafts.map(({ record }) => record.budget))
  // With a proposal, the packages were made from this total.
  if (!request.proposal_id) checkTotal(request, { total_budget, currency }, faults)
  const reporting = reportingOf(request.reporting_webhook, drafts, faults)
  const { proposal_id } = proposal ?? {}
  const { brand, buyer_ref, name, po_number, ext } = request as CreateRequest & { name?: string }
  if (isLongerAsJson([brand, ext, request.context], BUY_LIMITS.termsBytes.value)) {
    const message = `Keep brand, context and ext below ${BUY_LIMITS.termsBytes.value} bytes.`
    faults.add('VALIDATION_ERROR', message, { pointer: '/ext' })
  }
  faults.refuse()
  const account = await resolveAccount(ports.accounts, tx, {
    owner,
    ref: request.account,
    make: (wanted) => newAccount(wanted, now),
    most: ports.maxAccounts,
  })
  checkCurrency(account, currency, faults)
  faults.refuse()
  const buy: MediaBuyRecord = {
    media_buy_id,
    owner,
    account_id: account?.account_id,
    revision: 1,
    status: 'pending_creatives',
    is_held: request.paused === true,
    currency,
    total_budget,
    time_zone,
    start_at: flight.start_at,
    end_at: flight.end_at,
    confirmed_at: now,
    status_changed_at: now,
    created_at: now,
    updated_at: now,
    due_at: flight.end_at,
    reporting,
    terms: { ...defined({ brand, buyer_ref, name, po_number, ext, proposal_id }) },
    context: request.context,
    ending: undefined,
    packages: drafts.map((one) => one.record),
  }
  return { buy, drafts, proposal }
}

/** An account with a currency only buys in that currency. */
function checkCurrency(account: AccountRecord | undefined, currency: string, faults: Faults): void {
  const { currency: own } = account?.account ?? {}
  if (own === undefined || own === currency) return
  const message = `The account buys in ${own}, and this is sold in ${currency}: use another account.`
  faults.add('VALIDATION_ERROR', message, { pointer: '/account' })
}

function refuseUnserved(request: CreateRequest, faults: Faults): void {
  const given = request as Readonly<Record<string, unknown>>
  for (const member of UNSERVED) {
    if (given[member] === undefined) continue
    faults.add('UNSUPPORTED_FEATURE', `${member} is not supported: omit it.`, {
      pointer: `/${member}`,
    })
  }
}

function flightOf(
  { start_time, end_time }: Pick<CreateRequest, 'start_time' | 'end_time'>,
  accepted: Pick<Flight, 'now' | 'isAccepted'>,
  faults: Faults,
): Flight {
  const start_at = startOf(start_time, accepted, { pointer: '', faults })
  return { start_at, end_at: Date.parse(end_time), ...accepted }
}

/** One currency and one time zone for all packages. */
export function commonOf(
  drafts: readonly Pick<Draft, 'product' | 'option' | 'pointer'>[],
  wanted: string | undefined,
  faults: Faults,
): { currency: string; time_zone: string } {
  const [first] = drafts
  const currency = wanted ?? first?.option.currency ?? 'USD'
  const time_zone = first?.product.reporting_capabilities.timezone ?? 'UTC'
  for (const { product, option, pointer } of drafts) {
    if (option.currency !== currency) {
      const message = `It is sold in ${option.currency}, and the buy is in ${currency}: create a separate buy.`
      faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/pricing_option_id` })
    }
    if (product.reporting_capabilities.timezone !== time_zone) {
      const message = `It is reported in another time zone than ${time_zone}: create a separate buy.`
      faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/product_id` })
    }
  }
  return { currency, time_zone }
}

function checkTotal(
  { total_budget: wanted }: Pick<CreateRequest, 'total_budget'>,
  { total_budget, currency }: Pick<MediaBuyRecord, 'total_budget' | 'currency'>,
  faults: Faults,
): void {
  if (wanted === undefined) return
  if (wanted.currency === currency && wanted.amount === total_budget) return
  const message = `The packages add up to ${total_budget} ${currency}: send that total, or omit it.`
  faults.add('VALIDATION_ERROR', message, { pointer: '/total_budget' })
}

/** Every product must support the requested reporting. */
export function reportingOf(
  wanted: ReportingWebhook | undefined,
  drafts: readonly Pick<Draft, 'product'>[],
  faults: Faults,
): ReportingTerms | undefined {
  if (!wanted) return undefined
  const { reporting_frequency = 'daily', requested_metrics } = wanted
  for (const { product } of drafts) {
    const { product_id, reporting_capabilities: can } = product
    if (!can.supports_webhooks) {
      const message = `${product_id} sends no reports: call get_media_buy_delivery instead.`
      faults.add('UNSUPPORTED_FEATURE', message, { pointer: '/reporting_webhook' })
    } else if (!can.available_reporting_frequencies.includes(reporting_frequency)) {
      const known = can.available_reporting_frequencies.join(', ')
      const message = `${product_id} reports ${known}: use one of these.`
      faults.add('VALIDATION_ERROR', message, { pointer: '/reporting_webhook/reporting_frequency' })
    }
    for (const [index, metric] of (requested_metrics ?? []).entries()) {
      if (can.available_metrics.includes(metric)) continue
      const message = `${product_id} measures ${can.available_metrics.join(', ')}.`
      faults.add('VALIDATION_ERROR', message, {
        pointer: `/reporting_webhook/requested_metrics/${index}`,
      })
    }
  }
  const metrics = requested_metrics?.length ? requested_metrics : undefined
  return { reporting_frequency, ...defined({ requested_metrics: metrics }) }
}

export function newAccount(
  { owner, account_key, ...named }: NewAccount,
  now: number,
): AccountRecord {
  const { brand, operator, sandbox, currency, timezone } = named
  const { domain, brand_id } = brand
  const kept = { domain, ...defined({ brand_id }) }
  return {
    account_id: `acc_${randomUUID()}`,
    owner,
    account_key,
    status: 'active',
    sandbox,
    created_at: now,
    updated_at: now,
    account: {
      name: `${domain} by ${operator}`,
      brand: kept,
      operator,
      ...defined({ currency, timezone }),
    },
  }
}
