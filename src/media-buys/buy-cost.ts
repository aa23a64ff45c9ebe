// The cost of creating or changing a media buy: its packages, and the creatives assigned to them. Counted in the
// request, and for a change in the existing buy.

import type { CallContext, TaskCost } from '../protocol/task.ts'
import { buyerOf } from './buyer-of.ts'
import { BUY_LIMITS } from './limits.ts'
import type { BuyOutline, MediaBuyStore } from './store.ts'

interface RequestedPackage {
  creative_ids?: readonly unknown[] | undefined
  creative_assignments?: readonly unknown[] | undefined
  creatives?: readonly unknown[] | undefined
}

/** Units for each item that is written, looked up, and included in the response. */
const COST = { call: 50, package: 20, assignment: 4, inlineCreative: 50 } as const
/** Units for each existing package and assignment of a changed buy. */
const KNOWN = { package: 10, assignment: 0.5 } as const

/** The maximum size of a buy: all packages with the maximum number of creatives. */
const MOST_ASSIGNMENTS = BUY_LIMITS.packages.value * BUY_LIMITS.packageCreatives.value

const reduce = {
  field: '/packages',
  advice: `Send fewer packages or creatives per call: at most ${MOST_ASSIGNMENTS.toLocaleString('en-US')} assignments in all.`,
}

export function createCost<
  Request extends { packages?: readonly RequestedPackage[] | undefined },
>(): TaskCost<Request> {
  return {
    grows: 'packages × creatives',
    limit: 60_000,
    estimate: ({ packages = [] }) => COST.call + requestedUnits(packages),
    reduce,
  }
}

interface UpdateRequested {
  media_buy_id: string
  packages?: readonly RequestedPackage[] | undefined
  new_packages?: readonly RequestedPackage[] | undefined
}

/** The buy that a request names; undefined if its caller has none with that id. */
export type NamedBuy = (
  request: { media_buy_id: string },
  owner: string,
) => Promise<BuyOutline | undefined>

export function updateCost<Request extends UpdateRequested>(
  buys: Pick<MediaBuyStore, 'countAssignments'>,
  namedBuy: NamedBuy,
): TaskCost<Request> {
  return {
    grows: 'packages × creatives, of the request and of the buy',
    limit: 80_000,
    estimate: async (request, call: CallContext) => {
      const { media_buy_id, packages = [], new_packages = [] } = request
      const known = (await namedBuy(request, buyerOf(call)))?.package_count ?? 0
      const assigned =
        known === 0 ? 0 : await buys.countAssignments([media_buy_id], MOST_ASSIGNMENTS)
      return (
        COST.call +
        requestedUnits([...packages, ...new_packages]) +
        KNOWN.package * known +
        KNOWN.assignment * assigned
      )
    },
    reduce,
  }
}

function requestedUnits(packages: readonly RequestedPackage[]): number {
  let units = 0
  for (const { creative_ids = [], creative_assignments = [], creatives = [] } of packages) {
    const assignments = creative_ids.length + creative_assignments.length + creatives.length
    units += COST.package + COST.assignment * assignments + COST.inlineCreative * creatives.length
  }
  return units
}
