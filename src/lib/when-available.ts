// Writes that must be made once the database is available again, by a process that can wait for it.

import { backoffMs } from './backoff.ts'
import { pause } from './pause.ts'
import { StorageUnavailable } from './transaction.ts'

const PAUSES = { firstMs: 250, maxMs: 5_000 }
/** About five minutes: by then another process has taken over the work. */
const MAX_TRIES = 60

/** Retries while the database is unavailable. Undefined if it stayed unavailable, or at the signal. */
export async function whenAvailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  for (let tries = 1; tries <= MAX_TRIES && !signal.aborted; tries++) {
    await pause(backoffMs(tries, PAUSES), signal)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
  return undefined
}
