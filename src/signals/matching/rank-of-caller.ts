// The order of concurrent searches: a caller that has used the search less recently goes first. Callers without a
// key are one group next to those that have one, so that no number of addresses outweighs a principal; within the
// group each counts by its own usage.

export interface CallerRank {
  hasKey: boolean
  /** What the caller has used lately, in searches of a usual kind. */
  own: number
  /** The same of all callers without a key; of a principal its own again. */
  crowd: number
}

/** Of somebody who has used nothing yet. */
export const FIRST_RANK: CallerRank = { hasKey: true, own: 0, crowd: 0 }

/** What a principal may use and still go before the crowd, and how much more than the crowd beyond that. */
const FREE_SEARCHES = 40
const TIMES_THE_CROWD = 4

/** Whether the one goes before the other; of equals neither does. */
export function goesBefore(one: CallerRank, other: CallerRank): boolean {
  if (one.hasKey === other.hasKey) return one.own < other.own
  return one.hasKey ? isBeforeCrowd(one, other) : !isBeforeCrowd(other, one)
}

function isBeforeCrowd(principal: CallerRank, keyless: CallerRank): boolean {
  return principal.own < Math.max(FREE_SEARCHES, TIMES_THE_CROWD * keyless.crowd)
}
