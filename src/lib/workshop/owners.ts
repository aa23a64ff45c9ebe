// How many jobs of each owner run. Whoever's job had to be ended gets one worker at a time for a while:
// all of them at once would leave none for the others.

export interface Owners {
  mayRun(owner: string): boolean
  begin(owner: string): void
  /** `wasEnded`: the job took more than it may. */
  end(owner: string, wasEnded: boolean): void
}

const PROBATION_MS = 60_000
/** Owners on probation that are remembered; the earliest is forgotten first. */
const MAX_REMEMBERED = 10_000

export function createOwners(now: () => number = () => performance.now()): Owners {
  const running = new Map<string, number>()
  const probation = new Map<string, number>()

  function isOnProbation(owner: string): boolean {
    const until = probation.get(owner)
    if (until === undefined) return false
    if (until > now()) return true
    probation.delete(owner)
    return false
  }

  return {
    mayRun: (owner) => !isOnProbation(owner) || !running.has(owner),
    begin: (owner) => {
      running.set(owner, (running.get(owner) ?? 0) + 1)
    },
    end: (owner, wasEnded) => {
      const left = (running.get(owner) ?? 1) - 1
      if (left === 0) running.delete(owner)
      else running.set(owner, left)
      if (!wasEnded) return
      probation.delete(owner)
      probation.set(owner, now() + PROBATION_MS)
      if (probation.size <= MAX_REMEMBERED) return
      const [earliest] = probation.keys()
      probation.delete(earliest as string)
    },
  }
}
