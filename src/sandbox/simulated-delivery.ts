// `simulate_delivery` and `simulate_budget_spend`: figures that graders add to a media buy. They accumulate, and are
// added to those of the delivery source: in the windows they belong to, and in the response of
// get_media_buy_delivery.

import { z } from 'zod'
import type { Transact, Transaction } from '../lib/transaction.ts'
import type {
  DeliverySource,
  DeliveryWindow,
  PackageMetrics,
} from '../media-buys/delivery-source.ts'
import { livePackages, type MediaBuyRecord } from '../media-buys/media-buy.ts'
import type { AddedFigures } from '../media-buys/reporting/snapshot.ts'
import type { MediaBuyStore } from '../media-buys/store.ts'
import { count, isoDate, money, opaqueId, percentage } from '../protocol/schemas/common.ts'
import { type AnyScenario, ControllerError, defineScenario, notFound } from './scenario.ts'
import type { SandboxStore } from './store.ts'

export interface SimulationPorts {
  transact: Transact
  notes: SandboxStore
  buys: MediaBuyStore
}

/** Figures of one simulation, at the time they apply to, in milliseconds. */
interface Simulated {
  at: number
  impressions: number
  clicks: number
  conversions: number
  spend: number
}

const NOTHING = { impressions: 0, clicks: 0, conversions: 0, spend: 0 }
const DAY_MS = 24 * 60 * 60 * 1_000
/** Number of simulations of one buy that are stored separately; later ones are added to the last. */
const MOST = 1_000

export function simulationScenarios(ports: SimulationPorts): AnyScenario[] {
  return [simulateDelivery(ports), simulateBudgetSpend(ports)]
}

function simulateDelivery(ports: SimulationPorts): AnyScenario {
  return defineScenario({
    name: 'simulate_delivery',
    params: z.looseObject({
      media_buy_id: opaqueId,
      delivery_date: isoDate.optional(),
      impressions: count.optional(),
      clicks: count.optional(),
      conversions: count.optional(),
      reported_spend: money.optional(),
    }),
    run: ({ media_buy_id, delivery_date, reported_spend, ...counts }, { owner }) =>
      ports.transact(async (tx) => {
        const buy = await lockedBuy(ports, tx, { owner, media_buy_id })
        if (reported_spend && reported_spend.currency !== buy.currency) {
          const message = `/params/reported_spend/currency: the buy is in ${buy.currency}`
          throw new ControllerError('INVALID_PARAMS', message)
        }
        // Noon falls on that day in nearly every time zone.
        const day = delivery_date === undefined ? undefined : Date.parse(delivery_date) + DAY_MS / 2
        const { impressions = 0, clicks = 0, conversions = 0 } = counts
        const added = {
          at: day ?? (await tx.now()),
          impressions,
          clicks,
          conversions,
          spend: reported_spend?.amount ?? 0,
        }
        const all = await add(ports, tx, { buy, added })
        return { simulated: returned(added, buy), cumulative: returned(sumOf(all), buy) }
      }),
  })
}

function simulateBudgetSpend(ports: SimulationPorts): AnyScenario {
  return defineScenario({
    name: 'simulate_budget_spend',
    params: z.looseObject({
      media_buy_id: opaqueId.optional(),
      account_id: opaqueId.optional(),
      spend_percentage: percentage,
    }),
    run: async ({ media_buy_id, account_id, spend_percentage }, { owner }) => {
      if ((media_buy_id === undefined) === (account_id === undefined)) {
        const message = '/params must have either media_buy_id or account_id, not both'
        throw new ControllerError('INVALID_PARAMS', message)
      }
      const ids = await buysOf(ports, owner, { media_buy_id, account_id })
      return ports.transact(async (tx) => {
        let [computed, budget] = [0, 0]
        for (const id of ids) {
          const buy = await lockedBuy(ports, tx, { owner, media_buy_id: id })
          const wanted = (buy.total_budget * spend_percentage) / 100
          const before = sumOf(await simulationsOf(ports, tx, buy))
          const spend = Math.max(0, wanted - before.spend)
          await add(ports, tx, { buy, added: { ...NOTHING, at: await tx.now(), spend } })
          computed += wanted
          budget += buy.total_budget
        }
        return { simulated: { spend_percentage, computed_spend: computed, budget } }
      })
    },
  })
}

async function buysOf(
  { buys }: SimulationPorts,
  owner: string,
  {
    media_buy_id,
    account_id,
  }: { media_buy_id?: string | undefined; account_id?: string | undefined },
): Promise<string[]> {
  if (media_buy_id !== undefined) return [media_buy_id]
  const found = await buys.list(owner, { account_id, limit: 100 })
  if (found.buys.length === 0) throw notFound(`account ${account_id} with media buys`)
  return found.buys.map((buy) => buy.media_buy_id)
}

async function lockedBuy(
  { buys }: SimulationPorts,
  tx: Transaction,
  key: Pick<MediaBuyRecord, 'owner' | 'media_buy_id'>,
): Promise<MediaBuyRecord> {
  const buy = await buys.lock(tx, key)
  if (!buy) throw notFound(`media buy ${key.media_buy_id}`)
  return buy
}

const keyOf = ({ owner, media_buy_id }: Pick<MediaBuyRecord, 'owner' | 'media_buy_id'>) => ({
  owner,
  kind: 'delivery' as const,
  name: media_buy_id,
})

async function simulationsOf(
  { notes }: SimulationPorts,
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<Simulated[]> {
  return ((await notes.lock(tx, keyOf(buy)))?.value ?? []) as Simulated[]
}

async function add(
  ports: SimulationPorts,
  tx: Transaction,
  { buy, added }: { buy: MediaBuyRecord; added: Simulated },
): Promise<Simulated[]> {
  const before = await simulationsOf(ports, tx, buy)
  const last = before.length >= MOST ? before.pop() : undefined
  const all = [...before, last ? { ...added, ...sumOf([last, added]) } : added]
  await ports.notes.put(tx, keyOf(buy), all)
  return all
}

type Sum = Omit<Simulated, 'at'>

function sumOf(all: readonly Sum[]): Sum {
  return all.reduce(
    (sum, one) => ({
      impressions: sum.impressions + one.impressions,
      clicks: sum.clicks + one.clicks,
      conversions: sum.conversions + one.conversions,
      spend: sum.spend + one.spend,
    }),
    NOTHING,
  )
}

function returned({ impressions, clicks, conversions, spend }: Sum, { currency }: MediaBuyRecord) {
  const reported_spend = { amount: spend, currency }
  return { impressions, clicks, conversions, reported_spend }
}

/** Each package's share, in proportion to budgets: whole numbers, with the remainder in the last package. */
function byPackage(buy: MediaBuyRecord, sum: Sum): PackageMetrics[] {
  const packages = livePackages(buy)
  const budget = packages.reduce((total, one) => total + one.budget, 0)
  let left = sum
  return packages.map((one, index) => {
    const isLast = index === packages.length - 1
    const share = budget > 0 ? one.budget / budget : 1 / packages.length
    const part = isLast ? left : scaled(sum, share)
    left = sumOf([left, scaled(part, -1)])
    const { impressions, clicks, conversions, spend } = part
    return { package_id: one.package_id, impressions, clicks, spend, more: { conversions } }
  })
}

function scaled({ impressions, clicks, conversions, spend }: Sum, by: number): Sum {
  const whole = (value: number) => Math.trunc(value * by)
  return {
    impressions: whole(impressions),
    clicks: whole(clicks),
    conversions: whole(conversions),
    spend: Math.round(spend * by * 1e6) / 1e6,
  }
}

type ListPorts = Pick<SimulationPorts, 'notes'>

async function committed({ notes }: ListPorts, buys: readonly MediaBuyRecord[]) {
  const names = buys.map(({ media_buy_id }) => media_buy_id)
  const found = await notes.list('delivery', { names, limit: names.length })
  return new Map(found.map(({ name, value }) => [name, value as Simulated[]]))
}

/** The simulated figures, for code that reports delivery. */
export interface SimulatedDelivery {
  /** The delivery source plus the figures simulated in each window. */
  source(source: DeliverySource): DeliverySource
  /** Figures simulated for a time outside the reported period: a grader adds figures before there can be any. */
  added: AddedFigures
}

export function createSimulatedDelivery(ports: ListPorts): SimulatedDelivery {
  return { source: (source) => withSimulated(source, ports), added: simulatedFigures(ports) }
}

function withSimulated(source: DeliverySource, ports: ListPorts): DeliverySource {
  const deliveriesOf: NonNullable<DeliverySource['deliveriesOf']> = async (queries) => {
    const said = source.deliveriesOf
      ? await source.deliveriesOf(queries)
      : await Promise.all(queries.map((query) => source.deliveryOf(query)))
    const simulated = await committed(
      ports,
      queries.map(({ buy }) => buy),
    )
    return said.map((windows, index) => {
      const { buy } = queries[index] as (typeof queries)[number]
      const all = simulated.get(buy.media_buy_id) ?? []
      return windows.map((one) => {
        const inside = all.filter(({ at }) => isIn(one.window, at))
        if (inside.length === 0) return one
        const said = one.status === 'ready' ? one.by_package : []
        // The reader adds up duplicate entries of a package.
        const by_package = [...said, ...byPackage(buy, sumOf(inside))]
        return { window: one.window, status: 'ready' as const, by_package, is_final: false }
      })
    })
  }
  return {
    deliveriesOf,
    deliveryOf: async (query) => (await deliveriesOf([query]))[0] ?? [],
  }
}

function simulatedFigures(ports: ListPorts): AddedFigures {
  return async (reported) => {
    const simulated = await committed(
      ports,
      reported.map(({ buy }) => buy),
    )
    return new Map(
      reported.flatMap(({ buy, period, requested }) => {
        const all = simulated.get(buy.media_buy_id) ?? []
        const outside = all.filter(
          ({ at }) => !isIn(period, at) && (!requested || isIn(requested, at)),
        )
        if (outside.length === 0) return []
        return [[buy.media_buy_id, byPackage(buy, sumOf(outside))] as const]
      }),
    )
  }
}

function isIn({ start, end }: DeliveryWindow, at: number): boolean {
  return start <= at && at < end
}
