// What waits for a worker, of one kind of work: bounded for everybody together and for each owner, and
// handed out owner by owner, so that one with a thousand jobs delays another by one job.

export interface QueueLimits {
  /** Jobs that may wait. */
  maxWaiting: number
  maxWaitingPerOwner: number
  /** Bytes of what they carry. */
  maxBytes: number
  maxBytesPerOwner: number
}

export interface Queued {
  readonly owner: string
  readonly bytes: number
}

export interface FairQueue<Job extends Queued> {
  readonly size: number
  add(job: Job): 'added' | 'owner_full' | 'queue_full'
  /** The next job of the owner whose turn it is, of those that `mayRun` lets. */
  take(mayRun: (owner: string) => boolean): Job | undefined
  /** False when it does not wait here any more. */
  remove(job: Job): boolean
  /** Takes all. */
  clear(): Job[]
}

interface Line<Job> {
  jobs: Job[]
  bytes: number
}

export function createFairQueue<Job extends Queued>(limits: QueueLimits): FairQueue<Job> {
  // In the order of turns: who was served goes to the end.
  const lines = new Map<string, Line<Job>>()
  let size = 0
  let bytes = 0

  function shrink(line: Line<Job>, job: Job): void {
    line.bytes -= job.bytes
    bytes -= job.bytes
    size -= 1
    if (line.jobs.length === 0) lines.delete(job.owner)
  }

  return {
    get size() {
      return size
    },
    add: (job) => {
      const line = lines.get(job.owner) ?? { jobs: [], bytes: 0 }
      // One job of any size may wait alone.
      const isOwnerFull =
        line.jobs.length >= limits.maxWaitingPerOwner ||
        (line.jobs.length > 0 && line.bytes + job.bytes > limits.maxBytesPerOwner)
      if (isOwnerFull) return 'owner_full'
      if (size >= limits.maxWaiting || (size > 0 && bytes + job.bytes > limits.maxBytes)) {
        return 'queue_full'
      }
      line.jobs.push(job)
      line.bytes += job.bytes
      bytes += job.bytes
      size += 1
      lines.set(job.owner, line)
      return 'added'
    },
    take: (mayRun) => {
      for (const [owner, line] of lines) {
        if (!mayRun(owner)) continue
        const job = line.jobs.shift() as Job
        lines.delete(owner)
        lines.set(owner, line)
        shrink(line, job)
        return job
      }
      return undefined
    },
    remove: (job) => {
      const line = lines.get(job.owner)
      const at = line?.jobs.indexOf(job) ?? -1
      if (!line || at < 0) return false
      line.jobs.splice(at, 1)
      shrink(line, job)
      return true
    },
    clear: () => {
      const all = [...lines.values()].flatMap(({ jobs }) => jobs)
      lines.clear()
      size = 0
      bytes = 0
      return all
    },
  }
}
