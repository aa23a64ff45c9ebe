// Resolves host names to addresses, for the egress guard: each with a timeout, a limited number at once for each
// owner, concurrent queries for the same name only once, and with results cached briefly. Waiting for a slot is our
// own delay and not the host's, so it is reported separately.

import { createFairQueue, type FairQueue } from '../fair-queue.ts'
import { createRecentCache } from '../recent-cache.ts'
import type { Query } from './direct-query.ts'

type NameAnswer =
  | { kind: 'found'; addresses: readonly string[] }
  | { kind: 'absent' | 'late' }
  /** The maximum number of names is being resolved for this owner: the host was not queried. */
  | { kind: 'busy' }

export interface NameQuery {
  /** Whose request it is. */
  owner: string
  /** Maximum wait for a slot, in milliseconds. */
  waitMs: number
  signal: AbortSignal
  /** Receives every wait for a slot, to pause the clock of the request meanwhile. */
  onWait<T>(waiting: Promise<T>): Promise<T>
}

export interface Names {
  resolve(host: string, requested: NameQuery): Promise<NameAnswer>
  /** Gives up what is under way. */
  close(): void
}

export interface NamesOptions {
  query: Query
  /** Timeout of one query, in milliseconds. */
  timeoutMs: number
  /** Maximum concurrent queries. Default 256, and 16 per owner. */
  turns?: FairQueue
  /** Clock in milliseconds, with an arbitrary origin. Default the machine's. */
  now?: () => number
}

const NAMES_AT_ONCE = 256
const NAMES_PER_OWNER = 16
/** Maximum number and age of cached answers. Pinning makes caching safe: only checked addresses are connected to. */
const MAX_KEPT = 10_000
const KEPT_MS = 30_000
const KEPT_ABSENT_MS = 5_000

interface Flight {
  host: string
  answer: Promise<NameAnswer>
  /** Number of callers waiting for it; when none are left, it is canceled. */
  waiting: number
  cut: AbortController
}

export function createNames({
  query,
  timeoutMs,
  turns = createFairQueue({ most: NAMES_AT_ONCE, perOwner: NAMES_PER_OWNER }),
  now = () => performance.now(),
}: NamesOptions): Names {
  const kept = createRecentCache<{ answer: NameAnswer; until: number }>(MAX_KEPT)
  const flights = new Map<string, Flight>()

  function known(host: string): NameAnswer | undefined {
    const held = kept.get(host)
    return held && now() < held.until ? held.answer : undefined
  }

  function fly(host: string, endTurn: () => void): Flight {
    const cut = new AbortController()
    const asking = query(host, cut.signal)
    // A query that ignores the signal keeps its slot, because it holds its resources until it ends.
    void asking.finally(endTurn)
    const late = new Promise<'late'>((resolve) => {
      const timer = setTimeout(() => cut.abort(), timeoutMs)
      cut.signal.addEventListener('abort', () => resolve('late'), { once: true })
      void asking.finally(() => clearTimeout(timer))
    })
    const answer = Promise.race([asking, late]).then((settled): NameAnswer => {
      land(flight)
      if (settled === 'late' || cut.signal.aborted) return { kind: 'late' }
      if (settled.kind === 'failed') return { kind: 'absent' }
      const keptMs = settled.kind === 'found' ? Math.min(settled.ttlMs, KEPT_MS) : KEPT_ABSENT_MS
      if (keptMs > 0) kept.set(host, { answer: settled, until: now() + keptMs })
      return settled
    })
    const flight: Flight = { host, answer, waiting: 0, cut }
    flights.set(host, flight)
    return flight
  }

  function land(flight: Flight): void {
    if (flights.get(flight.host) === flight) flights.delete(flight.host)
  }

  async function join(flight: Flight, signal: AbortSignal): Promise<NameAnswer> {
    flight.waiting += 1
    const left = new Promise<NameAnswer>((resolve) => {
      const leave = () => resolve({ kind: 'late' })
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      void flight.answer.then(() => signal.removeEventListener('abort', leave))
    })
    const answer = await Promise.race([flight.answer, left])
    flight.waiting -= 1
    if (flight.waiting > 0) return answer
    land(flight)
    flight.cut.abort()
    return answer
  }

  return {
    resolve: async (host, { owner, waitMs, signal, onWait }) => {
      for (;;) {
        const answer = known(host)
        if (answer) return answer
        const flying = flights.get(host)
        if (flying) return join(flying, signal)
        const endTurn = await onWait(turns.take(owner, { waitMs, signal }))
        if (endTurn === 'late') return { kind: signal.aborted ? 'late' : 'busy' }
        // Another caller may have requested the same name while this one waited.
        if (known(host) === undefined && !flights.has(host)) return join(fly(host, endTurn), signal)
        endTurn()
      }
    },
    close: () => {
      for (const { cut } of flights.values()) cut.abort()
    },
  }
}
