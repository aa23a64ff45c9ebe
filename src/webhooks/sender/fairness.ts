// Selects the next delivery when there are more deliveries than slots, so that neither dead receivers nor other
// owners' traffic hold up healthy ones (spec 6.4). The decision is based on what this process has observed of a lane,
// which is an owner's endpoint:
//
//   a lane that …                uses at most            and at the same time
//   answered quickly             all slots               `perEndpoint`
//   answered slowly              3/4, with the next two  `perEndpoint`
//   has not been seen            3/4                     1, until it has answered
//   failed last time             1/4                     1
//
// So a thousand receivers that hang take a quarter of the slots once they are known and three quarters before, and
// the rest is always available for those that answer. A lane that was not seen yet is rated by what its owner's
// deliveries to the host showed, and an owner's lanes of one host that do not answer quickly have at most twice
// `perEndpoint` together: a thousand paths of one dead host are one dead host. If an operator has set a limit for an
// endpoint, it replaces `perEndpoint`.
//
// No owner can take all slots. Of the three quarters and of the quarter, each owner may use up to three times what is
// left of them: one alone three fourths, two three sevenths each, and there is always room for the next. The last
// eighth of all slots is for owners that use less than an eighth.

import { createRecentCache } from '../../lib/recent-cache.ts'
import { hostOf, laneOf, originOf } from './endpoint.ts'
import type { AttemptResult, Candidate, ClaimRequest, OwnedHost } from './store.ts'

export interface FairnessOptions {
  /** Total slots: the concurrent deliveries of this process. */
  concurrency: number
  /** Claims that may wait here for a slot. Default 0. */
  ahead?: number | undefined
  /** Concurrent deliveries to one endpoint of one owner, on all instances together. Default 8. */
  perEndpoint?: number | undefined
}

export interface Fairness {
  /** The choice for one claim of at most `limit`; a restarted claim needs a new one. */
  forClaim(limit: number): Required<Pick<ClaimRequest, 'choose' | 'isFull'>>
  /** Hosts that answered quickly, the most recent last: they should not wait behind the others. */
  quickHosts(): OwnedHost[]
  started(lane: Lane): void
  /** Without a result, the attempt was aborted and says nothing. */
  ended(lane: Lane, result: AttemptResult | undefined): void
}

type Lane = Pick<Candidate, 'owner' | 'endpoint'>

type LaneHealth = 'quick' | 'slow' | 'unseen' | 'failing'

/** Number of lanes and hosts that are remembered. */
const REMEMBERED = 20_000
const SLOW_MS = 5_000

export function createFairness({
  concurrency,
  ahead = 0,
  perEndpoint = 8,
}: FairnessOptions): Fairness {
  const seen = createRecentCache<LaneHealth>(REMEMBERED)
  const running = new Map<string, Lane & { count: number }>()
  const quick = new Map<string, OwnedHost>()
  const healthOf = (lane: Lane, key = laneOf(lane)): LaneHealth =>
    seen.get(key) ?? seen.get(hostLaneOf(lane)) ?? 'unseen'

  return {
    forClaim: (limit) => {
      const use = countUse(running.values(), healthOf)
      const room = { left: limit, concurrency, claims: concurrency + ahead, perEndpoint }
      // The state before this claim: what the claim itself takes is counted here.
      let before: Map<string, number> | undefined
      const taken = new Map<string, number>()
      const take = (candidate: Candidate, elsewhere: ReadonlyMap<string, number>): boolean => {
        if (room.left <= 0) return false
        const lane = laneOf(candidate)
        const chosen = taken.get(lane) ?? 0
        const most = candidate.concurrency ?? perEndpoint
        if (chosen + (elsewhere.get(lane) ?? 0) >= most) return false
        const health = healthOf(candidate, lane)
        const isFirst = chosen + (running.get(lane)?.count ?? 0) === 0
        if (!isFirst && (health === 'unseen' || health === 'failing')) return false
        const rated = { lane: candidate, health }
        if (!hasRoom(use, rated, room)) return false
        room.left -= 1
        add(taken, lane, 1)
        count(use, rated, 1)
        return true
      }
      return {
        choose: (due, underWay) => {
          before ??= countLanes(underWay)
          const elsewhere = before
          return due.filter((candidate) => take(candidate, elsewhere))
        },
        isFull: (owner) => isFull(use, owner, room),
      }
    },
    quickHosts: () => [...quick.values()],
    started: (lane) => {
      const key = laneOf(lane)
      const known = running.get(key)
      if (known) known.count += 1
      else running.set(key, { owner: lane.owner, endpoint: lane.endpoint, count: 1 })
    },
    ended: (lane, result) => {
      const key = laneOf(lane)
      const known = running.get(key)
      if (known && --known.count <= 0) running.delete(key)
      const health = result && interimAfter(result)
      if (health === undefined) return
      seen.set(key, health)
      seen.set(hostLaneOf(lane), health)
      remember(quick, lane, health === 'quick')
    },
  }
}

/** An owner's lanes of one host. */
function hostLaneOf({ owner, endpoint }: Lane): string {
  return laneOf({ owner, endpoint: hostOf(endpoint) })
}

/** Hosts that are requested by name, when many other deliveries are due before theirs. */
const MAX_QUICK = 64

function remember(quick: Map<string, OwnedHost>, lane: Lane, isQuick: boolean): void {
  const host = { owner: lane.owner, origin: originOf(lane.endpoint) }
  const key = laneOf({ owner: host.owner, endpoint: host.origin })
  quick.delete(key)
  if (isQuick) quick.set(key, host)
  const [first] = quick.keys()
  if (quick.size > MAX_QUICK && first !== undefined) quick.delete(first)
}

/** A refusal counts as an answer: what matters here is how long a slot is occupied. */
function interimAfter(result: AttemptResult): LaneHealth | undefined {
  const { says, http_status_code, response_time_ms } = result
  if (says === 'down') return 'failing'
  if (http_status_code === undefined) return undefined
  return response_time_ms > SLOW_MS ? 'slow' : 'quick'
}

/** Slots in use: all, those of lanes that do not answer quickly, the failing ones among them, and by owner. */
interface Use {
  all: number
  unproven: number
  failing: number
  byOwner: Map<string, OwnUse>
  /** For an owner's host, the slots of lanes that do not answer quickly. */
  byHost: Map<string, number>
}

type OwnUse = { all: number; unproven: number; failing: number }

function countUse(
  running: Iterable<Lane & { count: number }>,
  healthOf: (lane: Lane) => LaneHealth,
): Use {
  const use: Use = { all: 0, unproven: 0, failing: 0, byOwner: new Map(), byHost: new Map() }
  for (const lane of running) count(use, { lane, health: healthOf(lane) }, lane.count)
  return use
}

interface RatedLane {
  lane: Lane
  health: LaneHealth
}

function count(use: Use, { lane, health }: RatedLane, by: number): void {
  const own = use.byOwner.get(lane.owner) ?? { all: 0, unproven: 0, failing: 0 }
  use.byOwner.set(lane.owner, own)
  use.all += by
  own.all += by
  if (health === 'quick') return
  use.unproven += by
  own.unproven += by
  add(use.byHost, hostLaneOf(lane), by)
  if (health !== 'failing') return
  use.failing += by
  own.failing += by
}

interface Room {
  left: number
  concurrency: number
  /** In total: in progress, and waiting for a slot. */
  claims: number
  perEndpoint: number
}

/** How many times the remaining slots one owner may use. */
const SHARE = 3
const NONE: OwnUse = { all: 0, unproven: 0, failing: 0 }

function hasRoom(use: Use, { lane, health }: RatedLane, room: Room): boolean {
  const { concurrency, perEndpoint } = room
  if (isFull(use, lane.owner, room)) return false
  const own = use.byOwner.get(lane.owner) ?? NONE
  if (health === 'quick') return true
  if ((use.byHost.get(hostLaneOf(lane)) ?? 0) >= 2 * perEndpoint) return false
  const unproven = Math.max(1, Math.floor((concurrency * 3) / 4)) - use.unproven
  if (own.unproven >= SHARE * unproven) return false
  if (health !== 'failing') return true
  const failing = Math.max(1, Math.floor(concurrency / 4)) - use.failing
  return own.failing < SHARE * failing
}

function isFull(use: Use, owner: string, { left, claims }: Room): boolean {
  if (left <= 0) return true
  const reserve = Math.floor(claims / 8)
  return claims - use.all <= reserve && (use.byOwner.get(owner)?.all ?? 0) >= reserve
}

function countLanes(lanes: readonly Lane[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const lane of lanes) add(counts, laneOf(lane), 1)
  return counts
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
