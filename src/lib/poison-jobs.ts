// Detects poison jobs: claimed work that may kill the process that runs it. A claim that never ended is lost. The
// claim itself counts it, in its own transaction, so that the count survives the crash; a claim that is ended
// explicitly resets the count. Work that was lost before runs with care: one at a time, and alone before the final
// failure, so that no work fails because of other work that ran at the same time.

/** Number of consecutive lost claims of one piece of work before it fails permanently. */
export const MAX_DEATHS = 3

/** Due work whose last claims were lost. */
export interface PossiblyPoisonJob {
  id: string
  /** How many of them, in a row. */
  lost: number
}

/** Which of the lost work to claim, and the maximum number of others. */
export interface Authentication {
  lost: readonly string[]
  others: number
}

/** Called by a store during its claim: those that were lost the longest ago come first. */
export type ChooseSuspects = (due: readonly PossiblyPoisonJob[]) => Authentication

export interface AuthenticationOptions {
  /** Places that are free. */
  free: number
  /** How often each piece of work running here was lost before. */
  running: readonly number[]
  /** Default MAX_LOST. */
  maxLost?: number | undefined
}

export function admitSuspects(
  due: readonly PossiblyPoisonJob[],
  { free, running, maxLost = MAX_DEATHS }: AuthenticationOptions,
): Authentication {
  const isLastChance = (lost: number) => lost > 0 && lost === maxLost - 1
  // Permanently failed work is not run, so it may be claimed together with anything.
  const abandoned = due.filter(({ lost }) => lost >= maxLost).slice(0, free)
  const taken = abandoned.map(({ id }) => id)
  const left = free - taken.length
  if (left <= 0 || running.some(isLastChance)) return { lost: taken, others: 0 }

  const last = due.find(({ lost }) => isLastChance(lost))
  if (last) return { lost: running.length === 0 ? [...taken, last.id] : taken, others: 0 }
  const isSuspectRunning = running.some((lost) => lost > 0)
  const suspect = isSuspectRunning ? undefined : due.find(({ lost }) => lost > 0 && lost < maxLost)
  if (!suspect) return { lost: taken, others: left }
  return { lost: [...taken, suspect.id], others: left - 1 }
}

/** For callers that run them in turn: either a single lost one, or only others. */
export function admitAlone(due: readonly PossiblyPoisonJob[], free: number): Authentication {
  const [first] = due
  return first && free > 0 ? { lost: [first.id], others: 0 } : { lost: [], others: free }
}
