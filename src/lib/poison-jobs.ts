// Work that is claimed may kill whoever has it. A claim that nobody ended is lost; the claim itself
// counts it, in its own transaction, so that the count outlives the crash, and whatever ends a claim
// with a word sets the count back. What was lost before is taken up with care: one at a time, and alone
// before it is given up, so that nothing is given up for the company it was in.

/** Claims of one piece of work that may be lost in a row before it is given up. */
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
  // What is given up is not run, so it may be taken beside anything.
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
