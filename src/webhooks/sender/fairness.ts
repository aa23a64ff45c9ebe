// Who is delivered to next when there are more deliveries than slots, so that dead receivers do not
// hold up living ones (spec 6.4). What is decided by is what this process has seen:
//
//   an endpoint that …           uses at most            and at the same time
//   answered quickly             all slots               `perEndpoint`
//   answered slowly              3/4, with the next two  `perEndpoint`
//   has not been seen            3/4                     1, until it has answered
//   failed last time             1/4                     1
//
// So a thousand receivers that hang take a quarter of the slots once they are known and three quarters
// before, and the rest is always there for those that answer. An endpoint that was not seen yet is
// judged by its host, and the endpoints of one host that do not answer quickly have at most twice
// `perEndpoint` together: a thousand paths of one dead host are one dead host.

import { createRecentCache } from '../../lib/recent-cache.ts'
import { hostOf, originOf } from './endpoint.ts'
import type { AttemptResult, Candidate, ClaimRequest } from './store.ts'

export interface FairnessOptions {
  /** Slots in all: the deliveries of this process at the same time. */
  concurrency: number
  /** Deliveries to one endpoint at the same time, on all instances together. Default 8. */
  perEndpoint?: number | undefined
}

export interface Fairness {
  /** The choice for one claim of at most `limit`; a claim that is begun anew needs another. */
  forClaim(limit: number): ClaimRequest['choose']
  /** Hosts that answered quickly, the latest last: they are not to wait behind the others. */
  quickHosts(): string[]
  started(endpoint: string): void
  /** Without a result the attempt was cut short and says nothing. */
  ended(endpoint: string, result: AttemptResult | undefined): void
}

type Standing = 'quick' | 'slow' | 'unseen' | 'failing'

/** Endpoints and hosts that are remembered. */
const REMEMBERED = 20_000
const SLOW_MS = 5_000

export function createFairness({ concurrency, perEndpoint = 8 }: FairnessOptions): Fairness {
  const seen = createRecentCache<Standing>(REMEMBERED)
  const running = new Map<string, number>()
  const quick = new Set<string>()
  const standingOf = (endpoint: string): Standing =>
    seen.get(endpoint) ?? seen.get(hostOf(endpoint)) ?? 'unseen'
  const most = {
    unproven: Math.max(1, Math.floor((concurrency * 3) / 4)),
    failing: Math.max(1, Math.floor(concurrency / 4)),
  }

  return {
    forClaim: (limit) => {
      const taken = new Map<string, number>()
      const used = usedBy(running, standingOf)
      const perHost = new Map<string, number>()
      for (const [endpoint, count] of running) {
        if (standingOf(endpoint) !== 'quick') add(perHost, hostOf(endpoint), count)
      }
      let left = limit
      // As it was before this claim: what the claim itself takes is counted here.
      let before: Map<string, number> | undefined
      return (due, underWay) => {
        before ??= countBy(underWay)
        const elsewhere = before
        const fits = ({ endpoint }: Candidate): boolean => {
          const standing = standingOf(endpoint)
          if (left <= 0 || !hasRoom(used, most, standing)) return false
          const chosen = taken.get(endpoint) ?? 0
          if (chosen + (elsewhere.get(endpoint) ?? 0) >= perEndpoint) return false
          if (standing === 'quick') return true
          if ((perHost.get(hostOf(endpoint)) ?? 0) >= 2 * perEndpoint) return false
          return standing === 'slow' || chosen + (running.get(endpoint) ?? 0) === 0
        }
        return due.filter((candidate) => {
          if (!fits(candidate)) return false
          const { endpoint } = candidate
          const standing = standingOf(endpoint)
          left -= 1
          used[standing] += 1
          add(taken, endpoint, 1)
          if (standing !== 'quick') add(perHost, hostOf(endpoint), 1)
          return true
        })
      }
    },
    quickHosts: () => [...quick],
    started: (endpoint) => add(running, endpoint, 1),
    ended: (endpoint, result) => {
      add(running, endpoint, -1)
      const standing = result && standingAfter(result)
      if (standing === undefined) return
      seen.set(endpoint, standing)
      remember(quick, originOf(endpoint), standing === 'quick')
      seen.set(hostOf(endpoint), standing)
    },
  }
}

/** Hosts that are asked for by their names, when a crowd is due before them. */
const MAX_QUICK = 64

function remember(quick: Set<string>, host: string, isQuick: boolean): void {
  quick.delete(host)
  if (isQuick) quick.add(host)
  const [first] = quick
  if (quick.size > MAX_QUICK && first !== undefined) quick.delete(first)
}

/** A refusal is an answer: what counts here is how long a slot is taken. */
function standingAfter(result: AttemptResult): Standing | undefined {
  const { says, http_status_code, response_time_ms } = result
  if (says === 'down') return 'failing'
  if (http_status_code === undefined) return undefined
  return response_time_ms > SLOW_MS ? 'slow' : 'quick'
}

type Used = Record<Standing, number>

function usedBy(
  running: ReadonlyMap<string, number>,
  standingOf: (endpoint: string) => Standing,
): Used {
  const used: Used = { quick: 0, slow: 0, unseen: 0, failing: 0 }
  for (const [endpoint, count] of running) used[standingOf(endpoint)] += count
  return used
}

function hasRoom(
  used: Used,
  most: { unproven: number; failing: number },
  standing: Standing,
): boolean {
  if (standing === 'quick') return true
  if (used.slow + used.unseen + used.failing >= most.unproven) return false
  return standing !== 'failing' || used.failing < most.failing
}

function countBy(entries: readonly { endpoint: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { endpoint } of entries) add(counts, endpoint, 1)
  return counts
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
