// How much work callers may have in progress at once. Light calls start immediately. Heavy calls of one caller run
// one at a time, with a small total limit, and callers take turns, so that no caller's heavy calls delay another's.
// What one caller has running and waiting is limited in units; beyond that, the caller has to retry later.

import { createFairQueue } from '../lib/fair-queue.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { COST_LIMITS } from './limits.ts'

export interface CostBudget {
  /**
   * Waits until the call may start, and returns a function that ends it. Throws RATE_LIMITED when too much is in
   * progress.
   */
  start(caller: string, units: number, signal: AbortSignal): Promise<() => void>
  /** Units that are running or waiting, of all callers. */
  underWay(): number
}

export interface CostBudgetOptions {
  /** A call of at least this many units is heavy. */
  heavyUnits?: number
  /** Maximum number of concurrent heavy calls, of all callers. */
  heavyAtOnce?: number
  /** Units that one caller may have running and waiting. */
  unitsPerCaller?: number
  /** Longest time that a heavy call waits for its turn, in milliseconds. */
  waitMs: number
}

export function createCostBudget({
  heavyUnits = COST_LIMITS.heavyUnits.value,
  heavyAtOnce = COST_LIMITS.heavyAtOnce.value,
  unitsPerCaller = COST_LIMITS.unitsPerCaller.value,
  waitMs,
}: CostBudgetOptions): CostBudget {
  const turns = createFairQueue({ most: heavyAtOnce, perOwner: 1 })
  const held = new Map<string, number>()
  let total = 0

  function hold(caller: string, units: number): () => void {
    held.set(caller, (held.get(caller) ?? 0) + units)
    total += units
    return () => {
      const left = (held.get(caller) ?? units) - units
      if (left > 0) held.set(caller, left)
      else held.delete(caller)
      total -= units
    }
  }

  return {
    underWay: () => total,
    start: async (caller, units, signal) => {
      const others = held.get(caller) ?? 0
      if (others > 0 && others + units > unitsPerCaller) throw tooMuch(unitsPerCaller)
      const release = hold(caller, units)
      if (units < heavyUnits) return release
      const end = await turns.take(caller, { waitMs, signal })
      if (end === 'late') {
        release()
        throw tooMuch(unitsPerCaller)
      }
      return () => {
        end()
        release()
      }
    },
  }
}

function tooMuch(units: number): ProtocolError {
  return new ProtocolError(
    'RATE_LIMITED',
    `Your other calls are still running: at most ${units.toLocaleString('en-US')} cost units may run at once. ` +
      'Wait until they have finished, then retry this call.',
    { retry_after: 2 },
  )
}
