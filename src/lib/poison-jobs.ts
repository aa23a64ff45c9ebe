// Work that is claimed may kill the process that runs it. A claim that was never ended is lost. The claim itself
// counts it, in its own transaction, so that the count survives the crash; a claim that is ended explicitly resets
// the count. Work that was lost before is run with care: one at a time, and alone before the final failure, so that
// no work fails because of what ran beside it.

/** Lost claims of one piece of work in a row before it fails permanently. */
export const MAX_DEATHS = 3

/** Something due whose last claims were lost. */
export interface PossiblyPoisonJob {
  id: string
  /** How many of them, in a row. */
  lost: number
}

/** Which of the lost to take, and how many of the others at most. */
export interface Authentication {
  lost: readonly string[]
  others: number
}

/** Asked by a store during its claim: those that have been lost longest come first. */
export type ChooseSuspects = (due: readonly PossiblyPoisonJob[]) => Authentication

export interface AuthenticationOptions {
  /** Places that are free. */
  free: number
  /** How often each that runs here was lost before. */
  running: readonly number[]
  /** Default MAX_LOST. */
  maxLost?: number | undefined
}

export function admitSuspects(
  due: readonly PossiblyPoisonJob[],
  { free, running, maxLost = MAX_DEATHS }: AuthenticationOptions,
): Authentication {
  const isLastChance = (lost: number) => lost > 0 && lost === maxLost - 1
  // Work that failed permanently is not run, so it may be taken alongside anything.
  const givenUp = due.filter(({ lost }) => lost >= maxLost).slice(0, free)
  const taken = givenUp.map(({ id }) => id)
  const left = free - taken.length
  if (left <= 0 || running.some(isLastChance)) return { lost: taken, others: 0 }

  const last = due.find(({ lost }) => isLastChance(lost))
  if (last) return { lost: running.length === 0 ? [...taken, last.id] : taken, others: 0 }
  const isSuspectRunning = running.some((lost) => lost > 0)
  const suspect = isSuspectRunning ? undefined : due.find(({ lost }) => lost > 0 && lost < maxLost)
  if (!suspect) return { lost: taken, others: left }
  return { lost: [...taken, suspect.id], others: left - 1 }
}

/** For who runs them all in turn: one lost alone, or only others. */
export function admitAlone(due: readonly PossiblyPoisonJob[], free: number): Authentication {
  const [first] = due
  return first && free > 0 ? { lost: [first.id], others: 0 } : { lost: [], others: free }
}
