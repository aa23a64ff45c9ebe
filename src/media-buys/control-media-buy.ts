// `control_media_buy`, of 3.2: pauses, resumes, cancels or renames a buy, and changes the money and the targeting of
// its packages. Dates, products and creatives have their own tasks.

import { defined } from '../lib/defined.ts'
import {
  type ControlMediaBuyRequest,
  type ControlMediaBuyResponse,
  controlMediaBuyRequest,
  controlMediaBuyResponse,
  type PackageControl,
} from '../protocol/schemas/compact/control-media-buy.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { Task, TaskCost } from '../protocol/task.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import { type NamedBuy, updateCost } from './buy-cost.ts'
import type { BuyPorts, BuyTaskOptions } from './buy-task.ts'
import { createFaults, type Faults } from './faults.ts'
import { livePackages, type MediaBuyRecord, type PackageRecord, sumOf } from './media-buy.ts'
import { routedActions } from './offers/routed-actions.ts'
import { bidOf, refuseAllocation, refuseUnserved } from './offers/unserved.ts'
import type { UpdateRequest } from './plan-update.ts'
import { isoOf } from './serialize-buy.ts'
import { namedBuyOf } from './update-media-buy.ts'
import { updateTask } from './update-task.ts'

type Request = ControlMediaBuyRequest & RequestEnvelope

const UNSERVED = [
  'daily_budget_cap',
  'frequency_cap',
  'budget_cap_timezone',
  'pacing',
  'bidding',
  'creatives',
  'creative_assignments',
  'new_packages',
  'start_time',
  'end_time',
  'invoice_recipient',
] as const

const UNSERVED_OF_PACKAGES = [
  'daily_budget_cap',
  'min_spend_target',
  'catalog_ids',
  'keyword_targets_add',
  'keyword_targets_remove',
  'negative_keywords_add',
  'negative_keywords_remove',
  'optimization_goals',
  'creatives',
  'creative_assignments',
  'start_time',
  'end_time',
  'product_id',
  'pricing_option_id',
  'catalogs',
] as const

export function controlMediaBuy(
  ports: BuyPorts,
  engine: TaskEngine,
  options: BuyTaskOptions,
): Task<ControlMediaBuyRequest, ControlMediaBuyResponse> {
  const namedBuy = namedBuyOf(ports)
  return updateTask<ControlMediaBuyRequest, ControlMediaBuyResponse>(
    ports,
    {
      task_type: 'control_media_buy',
      summary:
        'Pauses, resumes, cancels or renames a media buy, or changes its money and targeting',
      feature: 'compact_lifecycle',
      request: controlMediaBuyRequest,
      response: controlMediaBuyResponse,
      cost: costOf(ports, namedBuy),
      namedBuy,
      read: updateOf,
      returned: async ({ buy, package_ids }) => ({
        media_buy_id: buy.media_buy_id,
        revision: buy.revision,
        media_buy_status: buy.status,
        implementation_date: isoOf(buy.updated_at),
        affected_package_ids: [...new Set(package_ids)],
        available_actions: routedActions(buy),
      }),
    },
    { engine, ...options },
  )
}

/** Costs as much as a change with the same number of packages whose creatives stay. */
function costOf({ buys }: BuyPorts, namedBuy: NamedBuy): TaskCost<ControlMediaBuyRequest> {
  const { estimate, ...cost } = updateCost(buys, namedBuy)
  return {
    ...cost,
    estimate: ({ media_buy_id, packages = [] }, call) =>
      estimate({ media_buy_id, packages: packages.map(() => ({})) }, call),
  }
}

function updateOf(request: Request, buy: MediaBuyRecord): UpdateRequest {
  const faults = createFaults()
  refuseUnserved(request, UNSERVED, { pointer: '', faults })
  refuseAllocation(request.budget_allocation, faults)
  const known = new Map(buy.packages.map((one) => [one.package_id, one]))
  const packages = (request.packages ?? []).map((one, index) =>
    packageOf(one, known.get(one.package_id), { pointer: `/packages/${index}`, faults }),
  )
  const { total_budget } = request
  const scaled = scaledTo(buy, packages, { total_budget, faults })
  faults.refuse()
  const { media_buy_id, paused, canceled, cancellation_reason, name, reporting_webhook } = request
  return {
    media_buy_id,
    ...defined({ paused, canceled, cancellation_reason, name, reporting_webhook }),
    ...(scaled.length > 0 ? { packages: scaled } : {}),
  } as UpdateRequest
}

type Change = { package_id: string; budget?: number | undefined; canceled?: true | undefined }

function packageOf(
  one: PackageControl,
  before: PackageRecord | undefined,
  at: { pointer: string; faults: Faults },
): Change {
  const { pointer, faults } = at
  refuseUnserved(one, UNSERVED_OF_PACKAGES, at)
  const { package_id, budget, impressions, pacing, bidding, paused, canceled } = one
  if (budget === null) {
    faults.add('VALIDATION_ERROR', 'A package has a budget: give an amount.', {
      pointer: `${pointer}/budget`,
    })
  }
  if (bidding === null && before?.bid_price !== undefined) {
    const message = 'The bid of a package is replaced, not taken away: give bid_amount or max_bid.'
    faults.add('UNSUPPORTED_FEATURE', message, { pointer: `${pointer}/bidding` })
  }
  return {
    package_id,
    ...defined({
      budget: budget ?? undefined,
      impressions,
      pacing,
      bid_price: bidOf(bidding, at),
      paused,
      canceled,
      targeting_overlay: patched(before?.targeting_overlay, one.targeting_overlay),
    }),
  }
}

/** Dimension by dimension: an omitted one is unchanged, and `null` clears it. */
function patched(
  before: Readonly<Record<string, unknown>> | undefined,
  patch: object | undefined,
): Record<string, unknown> | undefined {
  if (patch === undefined) return undefined
  const whole = Object.entries({ ...before, ...patch })
  return Object.fromEntries(whole.filter(([, value]) => value !== null))
}

/** A sum given alone scales the packages to it; if given with packages, it must be their total. */
function scaledTo(
  buy: MediaBuyRecord,
  changes: readonly Change[],
  { total_budget: wanted, faults }: Pick<Request, 'total_budget'> & { faults: Faults },
): readonly Change[] {
  if (!wanted) return changes
  if (wanted.currency !== buy.currency) {
    const message = `The buy is in ${buy.currency}: give its budget in that.`
    faults.add('VALIDATION_ERROR', message, { pointer: '/total_budget/currency' })
    return changes
  }
  const byId = new Map(changes.map((one) => [one.package_id, one]))
  const live = livePackages(buy).filter(({ package_id }) => !byId.get(package_id)?.canceled)
  const budgets = live.map(({ package_id, budget }) => byId.get(package_id)?.budget ?? budget)
  const sum = sumOf(budgets)
  if (sum === wanted.amount) return changes
  if (changes.some(({ budget, canceled }) => budget !== undefined || canceled)) {
    const message = `The packages would add up to ${sum} ${buy.currency}: give that, or leave it out.`
    faults.add('VALIDATION_ERROR', message, { pointer: '/total_budget' })
    return changes
  }
  if (sum === 0) {
    const message = 'The packages have no budget to scale: give one for each of them.'
    faults.add('VALIDATION_ERROR', message, { pointer: '/total_budget' })
    return changes
  }
  const parts = budgets.map((budget) => Math.floor((100 * budget * wanted.amount) / sum) / 100)
  const rest = sumOf([wanted.amount, ...parts.map((part) => -part)])
  const scaled = live.map(({ package_id }, index): Change => {
    const part = parts[index] as number
    const budget = index === live.length - 1 ? sumOf([part, rest]) : part
    return { ...byId.get(package_id), package_id, budget }
  })
  const others = changes.filter((one) => !live.some((it) => it.package_id === one.package_id))
  return [...scaled, ...others]
}
