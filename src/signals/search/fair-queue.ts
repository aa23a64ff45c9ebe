// A bounded queue in front of the search: limits on concurrent searches, in total, for one caller, and for callers
// without a key, and on waiting ones; the caller with the least recent usage goes first. Beyond that a caller is
// refused at once, with the time to retry after: 429 when the caller itself is the cause, 503 when all callers are
// (spec 7.2).

import { startDeadline } from '../../lib/deadline.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { SearchAnswer, SearchQuery } from '../matching/query.ts'
import { goesBefore } from '../matching/rank-of-caller.ts'
import { USUAL_MS } from '../matching/slices.ts'
import { type CallerUse, createCallerUse } from './caller-use.ts'
import type { RankedSearch, SearchCaller, SignalSearch } from './signal-search.ts'

export interface SearchLimits {
  /** Searches at once, in all. */
  atOnce: number
  /** For all callers without a key together: the rest is reserved for principals. */
  keylessAtOnce: number
  /** Waiting searches: in total, and of callers without a key together. */
  waiting: number
  keylessWaiting: number
  /** For one caller: with a key, and without. */
  perCaller: CallerLimits
  perKeyless: CallerLimits
  /** Timeout of a search, including its wait, in milliseconds. */
  timeoutMs: number
}

interface CallerLimits {
  atOnce: number
  waiting: number
}

export const DEFAULT_SEARCH_LIMITS: SearchLimits = {
  atOnce: 8,
  keylessAtOnce: 4,
  waiting: 512,
  keylessWaiting: 128,
  perCaller: { atOnce: 4, waiting: 64 },
  perKeyless: { atOnce: 1, waiting: 8 },
  timeoutMs: 30_000,
}

export interface FairQueuePorts {
  search: RankedSearch & Pick<SignalSearch, 'status'>
  limits: SearchLimits
  /** In milliseconds, from an arbitrary starting point. */
  now: () => number
  onRefused?: ((reason: RefusedSearch) => void) | undefined
}

type RefusedSearch = 'caller_waits' | 'all_wait' | 'too_long' | 'thread_hung'

export interface FairQueue extends SignalSearch {
  /** Number of searches waiting, and running. */
  stats(): { waiting: number; running: number }
}

interface Waiting {
  by: SearchCaller
  query: SearchQuery
  /** Aborted when the caller has disconnected, or its time is used up. */
  signal: AbortSignal
  begin(): void
}

/** The server's own searches. */
const OWN: SearchCaller = { caller: '', hasKey: true }

export function createFairQueue(ports: FairQueuePorts): FairQueue {
  const { search, limits, now, onRefused = () => {} } = ports
  const use = createCallerUse(now)
  const waiting = new Set<Waiting>()
  const running = new Set<Waiting>()

  function refusal(reason: RefusedSearch): ProtocolError {
    onRefused(reason)
    return refusalFor(reason, limits)
  }

  function pump(): void {
    while (running.size < limits.atOnce) {
      const next = nextOf(
        [...waiting].filter(({ by }) => mayBegin(by, running, limits)),
        use,
      )
      if (!next) return
      waiting.delete(next)
      running.add(next)
      next.begin()
    }
  }

  /** Runs when it reaches the front of the queue; not at all if it is canceled before. */
  function turn(query: SearchQuery, signal: AbortSignal, by: SearchCaller): Promise<SearchAnswer> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(one)
        reject(signal.reason)
      }
      const begin = () => {
        const rank = use.rankOf(by)
        const beganAt = now()
        // Its duration is only known at the end: until then it counts as a typical one.
        use.add(by, 1)
        const end = (usedMs: number) => {
          signal.removeEventListener('abort', leave)
          running.delete(one)
          use.add(by, usedMs / USUAL_MS - 1)
          pump()
        }
        search.search(query, signal, { ...by, rank }).then(
          ({ usedMs, ...answer }) => {
            end(usedMs ?? now() - beganAt)
            resolve(answer)
          },
          (error: unknown) => {
            end(now() - beganAt)
            reject(error)
          },
        )
      }
      const one: Waiting = { by, query, signal, begin }
      // A running search is notified too, and ends; its caller receives a response at once.
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) return leave()
      waiting.add(one)
      pump()
    })
  }

  return {
    status: search.status,
    stats: () => ({ waiting: waiting.size, running: running.size }),
    search: async (query, abort, by = OWN) => {
      const reason = reasonToRefuse(by, waiting, limits)
      if (reason) throw refusal(reason)
      const time = { abort, timeoutMs: limits.timeoutMs, lateError: () => refusal('too_long') }
      try {
        return await inTime((signal) => turn(query, signal, by), time)
      } catch (error) {
        const isHung = error instanceof Error && error.name === 'ThreadHung'
        throw isHung ? refusal('thread_hung') : error
      }
    },
  }
}

interface SearchTime {
  abort: AbortSignal
  timeoutMs: number
  lateError: () => Error
}

/** Aborts the work with `abort`, and with its error when the time is over. */
async function inTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { abort, timeoutMs, lateError }: SearchTime,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(lateError()), timeoutMs)
  const either = startDeadline({ signals: [abort, late.signal] })
  try {
    return await work(either.signal)
  } finally {
    clearTimeout(timer)
    either.end()
  }
}

/** Why a search may not wait; undefined if it may. */
function reasonToRefuse(
  by: SearchCaller,
  waiting: ReadonlySet<Waiting>,
  limits: SearchLimits,
): RefusedSearch | undefined {
  const own = by.hasKey ? limits.perCaller : limits.perKeyless
  const waits = count(waiting, (one) => one.by.caller === by.caller)
  if (waits >= own.waiting) return 'caller_waits'
  const isKeylessFull =
    !by.hasKey && count(waiting, (one) => !one.by.hasKey) >= limits.keylessWaiting
  return isKeylessFull || waiting.size >= limits.waiting ? 'all_wait' : undefined
}

function mayBegin(by: SearchCaller, running: ReadonlySet<Waiting>, limits: SearchLimits): boolean {
  const own = by.hasKey ? limits.perCaller : limits.perKeyless
  if (count(running, (one) => one.by.caller === by.caller) >= own.atOnce) return false
  return by.hasKey || count(running, (one) => !one.by.hasKey) < limits.keylessAtOnce
}

/** Of the searches that may start, the one with the highest precedence; if equal, the first to arrive. */
function nextOf(able: readonly Waiting[], use: CallerUse): Waiting | undefined {
  let best: Waiting | undefined
  for (const one of able) {
    if (!best || goesBefore(use.rankOf(one.by), use.rankOf(best.by))) best = one
  }
  return best
}

function count(searches: ReadonlySet<Waiting>, test: (one: Waiting) => boolean): number {
  let found = 0
  for (const one of searches) if (test(one)) found += 1
  return found
}

/** The time to retry after, in seconds. */
const RETRY_SECONDS = { caller_waits: 2, all_wait: 5, too_long: 5, thread_hung: 5 }

function refusalFor(reason: RefusedSearch, limits: SearchLimits): ProtocolError {
  const seconds = Math.round(limits.timeoutMs / 1_000)
  const messages: Record<RefusedSearch, string> = {
    caller_waits: `too many of your searches are waiting: wait for some of them before you send the next; with a key ${limits.perCaller.waiting} may wait, without one ${limits.perKeyless.waiting}`,
    all_wait: 'too many searches are waiting: retry in a moment; with a key, the wait is shorter',
    too_long: `the search was not done within ${seconds} s: describe the audience in fewer words, or retry in a moment`,
    thread_hung: 'the search could not be finished: describe the audience in other words',
  }
  const code = reason === 'caller_waits' ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE'
  return new ProtocolError(code, messages[reason], { retry_after: RETRY_SECONDS[reason] })
}
