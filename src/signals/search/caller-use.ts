// Recent search usage of each caller: the amount is halved every few seconds, so that a flood is forgotten soon after
// it ends.

import type { CallerRank } from '../matching/rank-of-caller.ts'
import type { SearchCaller } from './signal-search.ts'

export interface CallerUse {
  /** In units of a typical search; a negative value gives back what was counted before. */
  add(by: SearchCaller, cost: number): void
  rankOf(by: SearchCaller): CallerRank
}

interface Used {
  amount: number
  at: number
}

const HALVED_EVERY_MS = 10_000
/** Maximum number of callers that are remembered; the least recently seen are forgotten first. */
const MAX_CALLERS = 10_000

export function createCallerUse(now: () => number): CallerUse {
  const callers = new Map<string, Used>()
  const keyless: Used = { amount: 0, at: now() }

  const leftOf = ({ amount, at }: Used) => amount * 0.5 ** ((now() - at) / HALVED_EVERY_MS)
  const usedBy = (caller: string) => {
    const used = callers.get(caller)
    return used ? leftOf(used) : 0
  }

  return {
    add: ({ caller, hasKey }, cost) => {
      const used = { amount: Math.max(0, usedBy(caller) + cost), at: now() }
      // Re-inserted, so that the map's order is the order of use.
      callers.delete(caller)
      callers.set(caller, used)
      const [oldest] = callers.keys()
      if (callers.size > MAX_CALLERS && oldest !== undefined) callers.delete(oldest)
      if (!hasKey)
        Object.assign(keyless, { amount: Math.max(0, leftOf(keyless) + cost), at: now() })
    },
    rankOf: ({ caller, hasKey }) => {
      const own = usedBy(caller)
      return { hasKey, own, crowd: hasKey ? own : leftOf(keyless) }
    },
  }
}
