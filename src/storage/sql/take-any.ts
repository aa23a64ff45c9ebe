// What a claim takes when nobody chooses among the work whose last claims were lost: it is as good as
// any other.

import type { ChooseSuspects } from '../../lib/poison-jobs.ts'

export function takeAny(limit: number): ChooseSuspects {
  return (lost) => {
    const taken = lost.slice(0, limit).map(({ id }) => id)
    return { lost: taken, others: limit - taken.length }
  }
}
