// People who want a thing rank before people who already have it, if wanting was requested (spec 4.3): by words and
// meaning alone, they often look the same.

import { stageOfSignal } from './signal-stage.ts'
import type { Stage } from './understood.ts'
import { contentWords, stemOf } from './words.ts'

interface Scored {
  id: string
  stage?: Stage | undefined
  score: number
}

/** Owners may be ahead by this much, and are still moved behind. */
const MOST_AHEAD = 0.15
/** How many of the best results are examined. */
const LOOKED_AT = 100
/** Dice's coefficient of their names, without the words for the people in them. */
const SAME_THING = 0.5

const HOLDERS = new Set(
  contentWords('owners intenders seekers shoppers buyers users holders planners fans').map(stemOf),
)

/** `scored`: the best first. The returned order is not sorted by score. */
export function wantersFirst<T extends Scored>(
  scored: readonly T[],
  nameOf: (id: string) => string,
): T[] {
  const best = scored.slice(0, LOOKED_AT)
  const wanters = best
    .filter(({ stage }) => stage === 'intender')
    .map((one) => ({ score: one.score, thing: thingOf(nameOf(one.id)) }))
  return scored.map((one, at) => {
    if (at >= LOOKED_AT || one.stage !== 'owner') return one
    const name = nameOf(one.id)
    // A description may mention owners of anything; a name says who is in the signal.
    if (stageOfSignal(name, '') !== 'owner') return one
    const thing = thingOf(name)
    const wanter = wanters.find((other) => likeness(thing, other.thing) >= SAME_THING)
    const isAhead = wanter && one.score >= wanter.score && one.score - wanter.score < MOST_AHEAD
    return isAhead ? { ...one, score: wanter.score - 0.001 } : one
  })
}

function thingOf(name: string): ReadonlySet<string> {
  return new Set(
    contentWords(name)
      .map(stemOf)
      .filter((stem) => !HOLDERS.has(stem)),
  )
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((stem) => b.has(stem)).length
  return common === 0 ? 0 : (2 * common) / (a.size + b.size)
}
