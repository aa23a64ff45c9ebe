// Whether `adwire receive` can store what it is sent, for /healthz. A database that is full or
// read-only still answers questions, so only a write says that it is there.

import type { Clock } from '../../lib/clock.ts'
import { StorageUnavailable } from '../../lib/transaction.ts'

export interface Readiness {
  /** Something was committed. */
  wrote(): void
  /** Something was thrown; only a storage that is away counts. */
  threw(error: unknown): void
  /** Rejects while nothing can be written. */
  check(): Promise<void>
}

export interface ReadinessOptions {
  /** Writes something small; rejects when it cannot. */
  probe: () => Promise<unknown>
  clock: Clock
}

/** How long a write proves that the next one would do. */
const PROOF_MS = 5_000
/** Shortest time between two probes that failed: whoever asks must not be able to add to the trouble. */
const PAUSE_MS = 1_000

export function createReadiness({ probe, clock }: ReadinessOptions): Readiness {
  let provenUntil = Number.NEGATIVE_INFINITY
  let failure: { error: unknown; until: number } | undefined
  let flight: Promise<void> | undefined

  const wrote = () => {
    provenUntil = clock.now() + PROOF_MS
    failure = undefined
  }

  const ask = async (): Promise<void> => {
    try {
      await probe()
    } catch (error) {
      provenUntil = Number.NEGATIVE_INFINITY
      failure = { error, until: clock.now() + PAUSE_MS }
      throw error
    }
    wrote()
  }

  return {
    wrote,
    threw: (error) => {
      if (error instanceof StorageUnavailable) provenUntil = Number.NEGATIVE_INFINITY
    },
    check: async () => {
      if (clock.now() < provenUntil) return
      if (failure && clock.now() < failure.until) throw failure.error
      flight ??= ask().finally(() => {
        flight = undefined
      })
      await flight
    },
  }
}
