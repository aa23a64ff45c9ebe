// Supervises the workers of a pool: how many there are, and when an ended one is replaced. If none can be started, it
// retries with increasing delays.

import { backoffMs } from '../backoff.ts'
import { createPoolSlot, type GoneWorker, type PoolSlot, type PoolSlotPorts } from './pool-slot.ts'

export interface SupervisorPorts
  extends Pick<PoolSlotPorts, 'start' | 'maxResidentBytes' | 'maxIdleMs' | 'onIdle'> {
  /** Workers at most. */
  workers: number
  /** How many of these are not ended when idle, unless `maxIdleMs` says so. Default: all. */
  kept?: number
  onGone(gone: GoneWorker): void
}

export interface Supervisor {
  /** A worker without a job. */
  idle(): PoolSlot | undefined
  /** Starts workers for the waiting jobs, and always up to `kept`, as far as there are slots. */
  want(wanted: { jobs: number; kept: number }): void
  /** Why no worker can be started at the moment. */
  readonly fault: string | undefined
  /** Whether there is no worker, and none is starting. */
  readonly isAway: boolean
  /** Time until the next start attempt, in milliseconds. */
  pauseMs(): number
  /** `ready`: those with or without a job. */
  count(): { workers: number; ready: number; busy: number }
  close(): Promise<void>
}

const PAUSES = { firstMs: 1_000, maxMs: 30_000 }
const MAX_EXTRA_IDLE_MS = 5 * 60 * 1_000

export function createSupervisor(ports: SupervisorPorts): Supervisor {
  const { start, maxResidentBytes, workers, kept = workers } = ports
  let isClosed = false
  let failures = 0
  let fault: string | undefined
  let notBefore = 0
  const poolSlots = Array.from({ length: workers }, (_, index) => {
    const maxIdleMs = ports.maxIdleMs ?? (index < kept ? undefined : MAX_EXTRA_IDLE_MS)
    return createPoolSlot({ start, maxResidentBytes, maxIdleMs, onIdle, onGone })
  })
  const countOf = (...states: PoolSlot['state'][]) =>
    poolSlots.filter(({ state }) => states.includes(state)).length

  function onIdle(): void {
    failures = 0
    fault = undefined
    ports.onIdle()
  }

  function onGone(gone: GoneWorker): void {
    if (!gone.wasReady && !isClosed) {
      failures += 1
      fault = gone.said === '' ? `its process ended (${gone.reason})` : gone.said
      notBefore = performance.now() + backoffMs(failures, PAUSES)
    }
    ports.onGone(gone)
  }

  return {
    idle: () => poolSlots.find(({ state }) => state === 'idle'),
    want: (wanted) => {
      if (isClosed || performance.now() < notBefore) return
      const forJobs = wanted.jobs - countOf('starting')
      const forKept = wanted.kept - countOf('starting', 'idle', 'busy', 'leaving')
      const missing = Math.max(forJobs, forKept, 0)
      for (const poolSlot of poolSlots.filter(({ state }) => state === 'empty').slice(0, missing)) {
        poolSlot.fill()
      }
    },
    get fault() {
      return fault
    },
    get isAway() {
      return countOf('empty') === poolSlots.length
    },
    pauseMs: () => Math.max(notBefore - performance.now(), 0),
    count: () => ({
      workers: countOf('starting', 'idle', 'busy'),
      ready: countOf('idle', 'busy'),
      busy: countOf('busy'),
    }),
    close: async () => {
      isClosed = true
      await Promise.all(poolSlots.map((poolSlot) => poolSlot.close()))
    },
  }
}
