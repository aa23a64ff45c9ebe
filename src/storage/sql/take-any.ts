// The default choice of a claim among the work that lost its last claims: it is treated like any other.

import type { ChooseSuspects } from '../../lib/poison-jobs.ts'

export function takeAny(limit: number): ChooseSuspects {
  return (lost) => {
    const taken = lost.slice(0, limit).map(({ id }) => id)
    return { lost: taken, others: limit - taken.length }
  }
}
