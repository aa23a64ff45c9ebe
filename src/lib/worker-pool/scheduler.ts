// Decides which waiting job gets a free slot. A state machine without processes, promises or its own clock: the time
// is passed to every call that depends on it. A slot is one worker process.
//
//   jobs that are …              may use                            order
//   small                        every slot                         owners in turn
//   long                         all slots but one                  owners in turn, before small jobs
//   of slow owners               one slot together, and never the   as one owner
//                                slot reserved for small jobs
//   keyless                      one slot, if no keyed job waits    addresses in turn; slow owners
//                                except those of slow owners;       and they take turns
//                                never the slot for small jobs
//
// So a small job only waits for other small jobs. An owner holds at most all slots but one. Owners with fewer running
// jobs go first. Slow owners may use the other slots too while no one else has used the pool lately.
//
// With two slots an owner may hold both if one of its jobs is small; and while a lasting job (a video) holds one,
// other long jobs may use the second. With one slot nothing can be reserved: small jobs go first, but at most eight
// of them before a long one that waits.

import type { QueueLimits } from './fair-bounds.ts'
import type { Lane, Line } from './lane.ts'
import { createRunningJobs, type Ended } from './running-jobs.ts'
import { createSlotRules, type Processes, type Schedulable, type SlotRules } from './slot-rules.ts'
import { createWaitingJobs, type Waiting } from './waiting-jobs.ts'

export interface SchedulerOptions {
  slots: number
  /** Queue limits for jobs with a key, and for keyless jobs. */
  limits: QueueLimits
  keylessLimits: QueueLimits
  /** Maximum number of running jobs of a kind; such a kind is lasting. Undefined for all others. */
  maxRunning(kind: string): number | undefined
}

export interface Scheduler<Job extends Schedulable> {
  add(job: Job, now: number): 'added' | 'owner_full' | 'queue_full'
  /** Queues a job again whose process died: it is the next of its owner, regardless of the limits. */
  addAgain(job: Job): void
  /** The job for a free slot; it counts as running from now on. Default: all slots have a process. */
  next(now: number, processes?: Processes): Job | undefined
  ended(job: Job, now: number, how: Ended): void
  /** False when it does not wait. */
  remove(job: Job): boolean
  /** Removes all that wait. */
  clear(): Job[]
  isSlow(owner: string, now: number): boolean
  /** Jobs that wait. */
  readonly size: number
  waiting(): readonly Waiting[]
}

/** Number of small jobs that may overtake a long one if there is only one slot. */
const MAX_PASSES = 8
/** How long slow owners share one slot after a job of an owner that is not slow. */
const LATELY_MS = 30_000

export function createScheduler<Job extends Schedulable>(
  options: SchedulerOptions,
): Scheduler<Job> {
  const { slots, maxRunning } = options
  const waiting = createWaitingJobs<Job>(options.limits, options.keylessLimits)
  const { lanes } = waiting
  const running = createRunningJobs<Job>(({ kind }) => maxRunning(kind) !== undefined)
  let turns = 0
  let slowTurn = 0
  let keylessTurn = 0
  let passes = 0
  let ordinaryAt = Number.NEGATIVE_INFINITY

  /** The current state, with what is known about owners cached. */
  function rulesFor(now: number, processes: Processes): Rules<Job> {
    const isSlow = remembered((owner) => running.isSlow(owner, now))
    const isOrdinary = ({ owner }: Line<Job>) => !isSlow(owner)
    const hasOrdinary = lanes.small.lines().some(isOrdinary) || lanes.long.lines().some(isOrdinary)
    const slowLimit = hasOrdinary || now - ordinaryAt < LATELY_MS ? 1 : slots
    const moment = { slots, processes, slowLimit, isSlow, maxRunning }
    return { ...createSlotRules(running.all(), moment), hasOrdinary, slowTurn }
  }

  function choose(now: number, processes: Processes): Candidate<Job> | undefined {
    const rules = rulesFor(now, processes)
    const small = () => best(lanes.small, rules, (isOfSlow) => !isOfSlow)
    // Small jobs of slow owners count as long: they do not get the slot for small jobs.
    const long = () =>
      earlier(
        best(lanes.long, rules, () => true),
        best(lanes.small, rules, (isOfSlow) => isOfSlow),
      )
    const isSmallFirst = slots === 1 && passes < MAX_PASSES
    const keyed = isSmallFirst ? (small() ?? long()) : (long() ?? small())
    if (rules.hasKeyless || rules.hasOrdinary || (keyed && keylessTurn >= slowTurn)) return keyed
    return best(lanes.keyless, rules, () => true) ?? keyed
  }

  return {
    add: (job, now) => {
      const added = waiting.add(job, turns + 1)
      if (added !== 'added') return added
      turns += 1
      if (!job.isKeyless && !running.isSlow(job.owner, now)) ordinaryAt = now
      return 'added'
    },
    addAgain: (job) => waiting.addFirst(job, ++turns),
    next: (now, processes = { ready: slots, isWaiting: false }) => {
      if (running.size >= slots) return undefined
      const chosen = choose(now, processes)
      if (!chosen) return undefined
      const { lane, job, isOfSlow } = chosen
      waiting.serve(chosen, ++turns)
      if (isOfSlow) slowTurn = turns
      if (job.isKeyless) keylessTurn = turns
      const isPassing = lane === lanes.small && !isOfSlow && lanes.long.lines().length > 0
      passes = isPassing ? passes + 1 : 0
      running.start(job, now)
      return job
    },
    ended: (job, now, how) => {
      const ranMs = running.end(job, now)
      if (ranMs === undefined) return
      if (!job.isKeyless && !running.isSlow(job.owner, now)) ordinaryAt = now
      running.charge(job, now, { ...how, ranMs })
    },
    remove: waiting.remove,
    clear: waiting.clear,
    isSlow: running.isSlow,
    get size() {
      return waiting.size
    },
    waiting: waiting.counts,
  }
}

/** The rules of the current moment. */
interface Rules<Job extends Schedulable> extends SlotRules<Job> {
  /** Whether jobs of owners that are not slow wait. */
  hasOrdinary: boolean
  /** The turn in which a slow owner was last served. */
  slowTurn: number
}

function remembered(decide: (owner: string) => boolean): (owner: string) => boolean {
  const known = new Map<string, boolean>()
  return (owner) => {
    const is = known.get(owner) ?? decide(owner)
    known.set(owner, is)
    return is
  }
}

/** The next job of the owner with the fewest running jobs; among equals, of the least recently served one. */
function best<Job extends Schedulable>(
  lane: Lane<Job>,
  rules: Rules<Job>,
  wants: (isOfSlow: boolean) => boolean,
): Candidate<Job> | undefined {
  let found: Candidate<Job> | undefined
  for (const line of lane.lines()) {
    const job = line.first((one) => wants(rules.isOfSlow(one)) && rules.mayRun(one))
    if (!job) continue
    const isOfSlow = rules.isOfSlow(job)
    const turn = isOfSlow ? Math.max(line.turn, rules.slowTurn) : line.turn
    const held = rules.heldBy(line.owner)
    found = earlier(found, { lane, line, job, isOfSlow, held, turn })
  }
  return found
}

interface Candidate<Job extends Schedulable> {
  lane: Lane<Job>
  line: Line<Job>
  job: Job
  isOfSlow: boolean
  /** Running jobs of its owner, or of all slow owners. */
  held: number
  turn: number
}

function earlier<One extends { held: number; turn: number }>(
  a: One | undefined,
  b: One | undefined,
): One | undefined {
  if (!a || !b) return a ?? b
  return b.held < a.held || (b.held === a.held && b.turn < a.turn) ? b : a
}
