// The order of concurrent searches: a caller that has used less search time recently goes first. Callers without a
// key form one group alongside those that have one, so that no number of addresses outweighs a principal; within the
// group each caller counts by its own usage.

export interface CallerRank {
  hasKey: boolean
  /** The caller's recent usage, in units of a typical search. */
  own: number
  /** The usage of all callers without a key; for a principal, its own usage again. */
  crowd: number
}

/** For a caller without any usage yet. */
export const FIRST_RANK: CallerRank = { hasKey: true, own: 0, crowd: 0 }

/**
 * How much a principal may use and still go before callers without a key, and how much more than them beyond that.
 */
const FREE_SEARCHES = 40
const TIMES_THE_CROWD = 4

/** Whether one goes before the other; neither does if they are equal. */
export function goesBefore(one: CallerRank, other: CallerRank): boolean {
  if (one.hasKey === other.hasKey) return one.own < other.own
  return one.hasKey ? isBeforeCrowd(one, other) : !isBeforeCrowd(other, one)
}

function isBeforeCrowd(principal: CallerRank, keyless: CallerRank): boolean {
  return principal.own < Math.max(FREE_SEARCHES, TIMES_THE_CROWD * keyless.crowd)
}
