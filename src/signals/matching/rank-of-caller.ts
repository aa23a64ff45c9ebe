// Who goes first when several search at once: who has used the search less of late. Callers without a key
// are one crowd beside those who have one, so that no number of addresses outweighs a principal; among
// themselves each counts by what it has used itself.

export interface CallerRank {
  hasKey: boolean
  /** What the caller has used lately, in searches. */
  own: number
  /** The same of all that count beside a caller of the other kind: the crowd's, or its own again. */
  crowd: number
}

/** Of somebody who has used nothing yet. */
export const FIRST_RANK: CallerRank = { hasKey: true, own: 0, crowd: 0 }

/** Whether the one goes before the other; of equals neither does. */
export function goesBefore(one: CallerRank, other: CallerRank): boolean {
  return one.hasKey === other.hasKey ? one.own < other.own : one.crowd < other.crowd
}
