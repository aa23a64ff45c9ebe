// Limits how much may wait: in total and per owner. An owner may have no more waiting than the free space, so that
// however many owners fill the queue there is always room for the next one.

export interface QueueLimits {
  /** Jobs that may wait. */
  maxWaiting: number
  maxWaitingPerOwner: number
  /** Bytes of their requests. */
  maxBytes: number
  maxBytesPerOwner: number
}

interface Held {
  readonly owner: string
  readonly bytes: number
}

export interface FairBounds {
  add(job: Held): 'added' | 'owner_full' | 'queue_full'
  /** Whatever the limits. */
  addAnyway(job: Held): void
  remove(job: Held): void
}

export function createFairBounds(limits: QueueLimits): FairBounds {
  const owners = new Map<string, { jobs: number; bytes: number }>()
  let jobs = 0
  let bytes = 0

  function count(job: Held, by: 1 | -1): void {
    const own = owners.get(job.owner) ?? { jobs: 0, bytes: 0 }
    own.jobs += by
    own.bytes += by * job.bytes
    jobs += by
    bytes += by * job.bytes
    if (own.jobs > 0) owners.set(job.owner, own)
    else owners.delete(job.owner)
  }

  /** An owner's first job may wait, whatever its size. */
  function isOwnerFull(job: Held): boolean {
    const own = owners.get(job.owner)
    if (!own) return false
    const maxJobs = Math.min(limits.maxWaitingPerOwner, limits.maxWaiting - jobs)
    const maxBytes = Math.min(limits.maxBytesPerOwner, limits.maxBytes - bytes)
    return own.jobs >= maxJobs || own.bytes + job.bytes > maxBytes
  }

  return {
    add: (job) => {
      if (isOwnerFull(job)) return 'owner_full'
      const isFull = jobs >= limits.maxWaiting || (jobs > 0 && bytes + job.bytes > limits.maxBytes)
      if (isFull) return 'queue_full'
      count(job, 1)
      return 'added'
    },
    addAnyway: (job) => count(job, 1),
    remove: (job) => count(job, -1),
  }
}
