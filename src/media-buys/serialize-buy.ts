// Serializes a media buy for responses (spec 2.12, 4.5): one superset for both generations.

import type { z } from 'zod'
import { mapPaced } from '../lib/chunks.ts'
import { defined } from '../lib/defined.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import type { Account } from '../protocol/schemas/accounts.ts'
import type { MediaBuy, mediaBuyPackage } from '../protocol/schemas/media-buy.ts'
import type { CreateMediaBuyResponse } from '../protocol/schemas/media-buys.ts'
import type { CallContext } from '../protocol/task.ts'
import { bidNotes } from './bid-notes.ts'
import { endingOf } from './change-buy.ts'
import type { MediaBuyRecord, PackageRecord } from './media-buy.ts'
import { validActions } from './states.ts'
import type { PackageCreative } from './store.ts'

export type SerializedPackage = z.infer<typeof mediaBuyPackage>
export type CreativesByPackage = ReadonlyMap<string, readonly PackageCreative[]>

function serializePackage(
  buy: MediaBuyRecord,
  one: PackageRecord,
  creatives: CreativesByPackage,
): SerializedPackage {
  const { package_id, product_id, pricing_option_id, budget, paused, pricing } = one
  const { canceled, pacing, bid_price, impressions, targeting_overlay, buyer_ref, ext } = one
  const assigned = creatives.get(package_id) ?? []
  return {
    package_id,
    product_id,
    pricing_option_id,
    budget,
    paused,
    pricing_model: pricing.pricing_model,
    currency: buy.currency,
    start_time: isoOf(one.start_at ?? buy.start_at),
    end_time: isoOf(one.end_at ?? buy.end_at),
    ...defined({ canceled, pacing, bid_price, impressions, targeting_overlay, buyer_ref, ext }),
    ...defined({ context: one.context, measurement_terms: one.measurement_terms }),
    creative_assignments: assigned.map(({ creative_id, weight, placement_ids }) => ({
      creative_id,
      ...defined({ weight, placement_ids }),
    })),
    creative_approvals: assigned.map(({ creative_id, status }) => ({
      creative_id,
      approval_status: status,
    })),
  }
}

/** One after the other, so that others can run in between: a package may have a hundred creatives. */
export function serializePackages(
  buy: MediaBuyRecord,
  packages: readonly PackageRecord[],
  creatives: CreativesByPackage,
): Promise<SerializedPackage[]> {
  return mapPaced(packages, (one) => serializePackage(buy, one, creatives))
}

/** Members of every response about a buy. */
export function buyMembersOf(buy: MediaBuyRecord) {
  const { media_buy_id, revision, confirmed_at, terms } = buy
  return {
    media_buy_id,
    revision,
    confirmed_at: confirmed_at === undefined ? null : isoOf(confirmed_at),
    valid_actions: validActions(buy),
    creative_deadline: isoOf(buy.end_at),
    ...defined({ buyer_ref: terms.buyer_ref, proposal_id: terms.proposal_id }),
    ...(endingOf(buy) as Pick<MediaBuy, 'cancellation' | 'rejection_reason'>),
  }
}

/** spec 9: some callers read the buy's own status in `status`. */
export function inWordsOf<Returned extends { media_buy_status?: string | undefined }>(
  returned: Returned | undefined,
  { version, transport }: Pick<CallContext, 'version' | 'transport'>,
): Returned | undefined {
  if (!returned || !hasFeature(version, 'status_of_buys')) return returned
  const { media_buy_status: status } = returned
  // A2A would interpret such a status as the end of the task.
  const isOfTask = transport === 'a2a' && status !== undefined && ENDINGS.has(status)
  return isOfTask ? returned : { ...returned, status }
}

const ENDINGS: ReadonlySet<string> = new Set(['completed', 'canceled', 'rejected'])

export async function serializeCreated(
  buy: MediaBuyRecord,
  creatives: CreativesByPackage,
): Promise<CreateMediaBuyResponse> {
  return {
    ...buyMembersOf(buy),
    media_buy_status: buy.status,
    packages: await serializePackages(buy, buy.packages, creatives),
    ...bidNotes(buy.packages),
  }
}

export async function serializeBuy(
  buy: MediaBuyRecord,
  creatives: CreativesByPackage,
  account?: Account,
): Promise<MediaBuy> {
  const { status, currency, total_budget, terms, account_id } = buy
  const { brand, ext, name, proposal_id } = terms as Pick<MediaBuy, 'brand' | 'ext' | 'name'> & {
    proposal_id?: string
  }
  return {
    ...buyMembersOf(buy),
    status,
    media_buy_status: status,
    currency,
    total_budget,
    start_time: isoOf(buy.start_at),
    end_time: isoOf(buy.end_at),
    created_at: isoOf(buy.created_at),
    updated_at: isoOf(buy.updated_at),
    packages: await serializePackages(buy, buy.packages, creatives),
    ...defined({
      name,
      accepted_proposal_id: proposal_id,
      brand,
      ext,
      account: account ?? (account_id === undefined ? undefined : { account_id }),
      context: buy.context as MediaBuy['context'],
    }),
  }
}

export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
