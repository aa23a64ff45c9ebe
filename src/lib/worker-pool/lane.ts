// The waiting jobs of one class, in a queue for each owner. A queue records when its owner was last served, so that
// owners can be served in turn; the kinds of one owner's jobs take turns too.

interface Waiting {
  readonly owner: string
  readonly kind: string
}

export interface Line<Job extends Waiting> {
  readonly owner: string
  /** Number of the turn in which the owner was last served, or began to wait. */
  readonly turn: number
  /** The next job that `mayRun` accepts, of the kind whose turn it is. */
  first(mayRun: (job: Job) => boolean): Job | undefined
}

export interface Lane<Job extends Waiting> {
  readonly size: number
  /** Jobs by their kind. */
  kinds(): ReadonlyMap<string, number>
  lines(): readonly Line<Job>[]
  add(job: Job, turn: number): void
  /** Adds it before the owner's other jobs of the same kind. */
  addFirst(job: Job, turn: number): void
  /** Removes the job from its queue, and records a turn of its owner and kind. */
  serve(line: Line<Job>, job: Job, turn: number): void
  /** False when it does not wait here. */
  remove(job: Job): boolean
  clear(): Job[]
}

interface OwnLine<Job extends Waiting> extends Line<Job> {
  turn: number
  /** By kind; the most recently served one is last. */
  queues: Map<string, Job[]>
}

export function createLane<Job extends Waiting>(): Lane<Job> {
  const lines = new Map<string, OwnLine<Job>>()
  let size = 0

  function queueOf(job: Job, turn: number): Job[] {
    const line = lines.get(job.owner) ?? createLine<Job>(job.owner, turn)
    lines.set(job.owner, line)
    const queue = line.queues.get(job.kind) ?? []
    line.queues.set(job.kind, queue)
    return queue
  }

  function remove(job: Job): boolean {
    const line = lines.get(job.owner)
    const queue = line?.queues.get(job.kind)
    const at = queue?.indexOf(job) ?? -1
    if (!line || !queue || at < 0) return false
    queue.splice(at, 1)
    size -= 1
    if (queue.length === 0) line.queues.delete(job.kind)
    if (line.queues.size === 0) lines.delete(job.owner)
    return true
  }

  return {
    get size() {
      return size
    },
    kinds: () => {
      const counts = new Map<string, number>()
      for (const { queues } of lines.values())
        for (const [kind, { length }] of queues) counts.set(kind, (counts.get(kind) ?? 0) + length)
      return counts
    },
    lines: () => [...lines.values()],
    add: (job, turn) => {
      queueOf(job, turn).push(job)
      size += 1
    },
    addFirst: (job, turn) => {
      queueOf(job, turn).unshift(job)
      size += 1
    },
    serve: (line, job, turn) => {
      if (!remove(job)) return
      const own = lines.get(line.owner)
      if (!own) return
      own.turn = turn
      const queue = own.queues.get(job.kind)
      if (!queue) return
      own.queues.delete(job.kind)
      own.queues.set(job.kind, queue)
    },
    remove,
    clear: () => {
      const all = [...lines.values()].flatMap(({ queues }) => [...queues.values()].flat())
      lines.clear()
      size = 0
      return all
    },
  }
}

function createLine<Job extends Waiting>(owner: string, turn: number): OwnLine<Job> {
  const queues = new Map<string, Job[]>()
  return {
    owner,
    turn,
    queues,
    first: (mayRun) => {
      for (const [job] of queues.values()) if (job && mayRun(job)) return job
      return undefined
    },
  }
}
