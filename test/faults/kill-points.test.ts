// A sender that is killed at each point of a delivery's life (spec 6.4), on both stores: what the next
// process does, and how often a receiver then sees the event.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoreName } from '../support/databases.ts'
import { breachesOf } from '../support/faults/invariants.ts'
import { type Ledger, readLedger } from '../support/faults/ledger.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { type Receiver, startReceiver } from '../support/faults/receiver.ts'
import { PAIR } from '../support/sender.ts'

const EVENTS = 3
/** Long, so that a busy machine makes no answer late: that would be an attempt more. */
const ATTEMPT_TIMEOUT_MS = 5_000
/** Hardly more than the least that the library takes for this timeout. */
const LEASE_MS = 14_000
const LONGEST_MS = 240_000
/** So many processes at work at once leave each the time to answer within its timeout. */
const LANES = 3
/** The next process comes when a lease is about to end: until then it would wait, in the way of others. */
const BEFORE_NEXT_MS = LEASE_MS - 2_000

/**
 * What must have become of the events. `seen`: how often each was, at most; the least is once.
 * `attempts`: rows of each, at least and at most. `isLeased`: a lease is left that must end first.
 */
const POINTS = {
  'before the commit': { deliveries: 0, seen: 0, attempts: [0, 0], isLeased: false },
  'after the commit': { deliveries: EVENTS, seen: 1, attempts: [1, 1], isLeased: false },
  'in the claim': { deliveries: EVENTS, seen: 1, attempts: [1, 1], isLeased: false },
  'after the attempt row': { deliveries: EVENTS, seen: 1, attempts: [2, 2], isLeased: true },
  'in the request': { deliveries: EVENTS, seen: 2, attempts: [1, 2], isLeased: true },
  'after the response': { deliveries: EVENTS, seen: 2, attempts: [1, 2], isLeased: true },
  'in the result': { deliveries: EVENTS, seen: 2, attempts: [1, 2], isLeased: true },
  'between results': { deliveries: EVENTS, seen: 2, attempts: [1, 2], isLeased: true },
  'while stopping': { deliveries: EVENTS, seen: 2, attempts: [1, 2], isLeased: true },
} as const
type Point = keyof typeof POINTS

interface Run {
  ledger: Ledger
  seen: Receiver['seen']
  diedOf: string | null
  recovered: number | null
  stderr: string
}

const CASES = (['sqlite', 'postgres'] as const).flatMap((store) =>
  (Object.keys(POINTS) as Point[]).map((point) => ({ store, point })),
)
const runs = new Map<string, Promise<Run>>()
const cleanups: (() => Promise<void>)[] = []

// All beside each other: most of the time is spent waiting for leases to end.
beforeAll(() => {
  for (const { store, point } of CASES) {
    const run = runPoint(store, point)
    run.catch(() => {}) // reported by its test
    runs.set(`${store} ${point}`, run)
  }
})
afterAll(async () => {
  await Promise.allSettled(runs.values())
  for (const cleanup of cleanups.reverse()) await cleanup()
})

test.each(CASES)(
  'spec 6.4: on $store a sender that is killed $point loses and invents nothing',
  async ({ store, point }) => {
    const { ledger, seen, ...run } = (await runs.get(`${store} ${point}`)) as Run
    expect(run).toMatchObject({ diedOf: 'SIGKILL', recovered: 0, stderr: '' })
    expect(breachesOf(ledger, seen)).toEqual([])
    const wanted = POINTS[point]
    const reported = ledger.attempts.map(
      (row) => `${row.delivery_id}.${row.attempt} ${row.status} ${row.error_message ?? ''}`,
    )
    expect(ledger.deliveries).toHaveLength(wanted.deliveries)
    expect(new Set(seen.map(({ idempotency_key }) => idempotency_key)).size).toBe(wanted.deliveries)
    for (const { state, attempts, idempotency_key: key } of ledger.deliveries) {
      expect(state).toBe('delivered')
      expect(attempts, reported.join('; ')).toBeGreaterThanOrEqual(wanted.attempts[0])
      expect(attempts, reported.join('; ')).toBeLessThanOrEqual(wanted.attempts[1])
      const copies = seen.filter(({ idempotency_key }) => idempotency_key === key)
      expect(copies.length).toBeLessThanOrEqual(wanted.seen)
    }
    // Else the point was not reached: someone's result was lost, or someone's request.
    if (wanted.seen === 2) expect(ledger.attempts.length).toBeGreaterThan(EVENTS)
  },
  LONGEST_MS,
)

async function runPoint(store: StoreName, point: Point): Promise<Run> {
  const place = await createPlace(store)
  cleanups.push(place.drop)
  let onFirst = () => {}
  let isHolding = point === 'in the request'
  const receiver = await startReceiver(() => {
    onFirst()
    // A request that is under way when its sender dies is never answered.
    return isHolding ? new Promise(() => {}) : 200
  })
  cleanups.push(receiver.close)
  const urls = Array.from({ length: EVENTS }, (_, n) => receiver.url(`/hook-${n}`))

  const { signal: diedOf } = await inLane(() => {
    const killed = startSender(place, point, urls)
    if (point === 'in the request') onFirst = () => killed.child.kill('SIGKILL')
    return killed.ended
  })
  onFirst = () => {}
  isHolding = false
  if (POINTS[point].isLeased) await sleep(BEFORE_NEXT_MS)
  const next = await inLane(() => startSender(place, 'nowhere', urls).ended)
  const ledger = await readLedger(place.database())
  return { ledger, seen: receiver.seen, diedOf, recovered: next.code, stderr: next.stderr }
}

const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve())
let nextLane = 0
/** After those before it in its lane. */
function inLane<T>(work: () => Promise<T>): Promise<T> {
  const lane = nextLane++ % LANES
  const done = (lanes[lane] as Promise<unknown>).then(work)
  lanes[lane] = done.catch(() => {})
  return done
}

const SCRIPT = fileURLToPath(new URL('../support/faults/sender-process.mjs', import.meta.url))

function startSender(place: Place, point: Point | 'nowhere', urls: readonly string[]) {
  const { privateJwk } = PAIR
  const times = { leaseMs: LEASE_MS, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS }
  const options = { point, storage: place.storage, urls, privateJwk, ...times }
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ends a process that does not end by itself; the test then says so.
    timeout: LONGEST_MS / 2,
    killSignal: 'SIGTERM',
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    stderr,
  }))
  return { child, ended }
}
