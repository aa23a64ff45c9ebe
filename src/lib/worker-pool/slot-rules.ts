// The rules of the scheduler at one moment: how many slots each owner holds, and whether a job may have a free one.
// `scheduler.ts` has them as a table.

export interface Schedulable {
  readonly owner: string
  readonly kind: string
  /** Expected to take a fraction of a second. */
  readonly isSmall: boolean
  /** Requested without an API key. */
  readonly isKeyless: boolean
  /** Size of the request while it waits. */
  readonly bytes: number
}

/** The current state of the slots. */
export interface Processes {
  /** Slots that have a process. */
  ready: number
  /** Whether another slot will be free soon: until then the last one is not given to a long job. */
  isWaiting: boolean
}

export interface Moment {
  slots: number
  processes: Processes
  /** Maximum number of slots that slow owners may hold together. */
  slowLimit: number
  isSlow(owner: string): boolean
  /** Maximum number of running jobs of a lasting kind; undefined for other kinds. */
  maxRunning(kind: string): number | undefined
}

export interface SlotRules<Job> {
  /** Running jobs of the owner; for a slow owner, those of all slow owners together. */
  heldBy(owner: string): number
  isOfSlow(job: Job): boolean
  readonly hasKeyless: boolean
  mayRun(job: Job): boolean
}

/** Maximum number of slots that one owner may hold. */
export function mostOfOwner(slots: number): number {
  return slots >= 3 ? slots - 1 : slots
}

export function createSlotRules<Job extends Schedulable>(
  running: Iterable<Job>,
  { slots, processes, slowLimit, isSlow, maxRunning }: Moment,
): SlotRules<Job> {
  const owners = new Map<string, number>()
  const kinds = new Map<string, number>()
  let [lasting, long, slow] = [0, 0, 0]
  let hasKeyless = false
  const isOfSlow = ({ owner, isKeyless }: Job) => !isKeyless && isSlow(owner)
  const isLasting = ({ kind }: Job) => maxRunning(kind) !== undefined
  for (const job of running) {
    owners.set(job.owner, (owners.get(job.owner) ?? 0) + 1)
    kinds.set(job.kind, (kinds.get(job.kind) ?? 0) + 1)
    hasKeyless ||= job.isKeyless
    const isSlowOne = isOfSlow(job) && !isLasting(job)
    if (isSlowOne) slow += 1
    if (isLasting(job)) lasting += 1
    else if (isSlowOne || job.isKeyless || !job.isSmall) long += 1
  }
  const { ready, isWaiting } = processes
  const longLimit = slots === 1 ? 1 : Math.max(ready - 1, isWaiting ? 0 : 1)

  return {
    heldBy: (owner) => (isSlow(owner) ? slow : (owners.get(owner) ?? 0)),
    isOfSlow,
    hasKeyless,
    mayRun: (job) => {
      if ((owners.get(job.owner) ?? 0) >= mostOfOwner(slots)) return false
      if ((kinds.get(job.kind) ?? 0) >= (maxRunning(job.kind) ?? slots)) return false
      const hasLongSlot = long + lasting < longLimit
      if (isLasting(job) || job.isKeyless) return hasLongSlot
      if (isOfSlow(job)) return slow < slowLimit && hasLongSlot
      // With two slots a lasting job leaves the other one available to long jobs as well.
      return job.isSmall || hasLongSlot || (slots === 2 && long === 0 && longLimit > 0)
    },
  }
}
