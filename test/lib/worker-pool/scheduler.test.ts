import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FREE_MS, SLOW_MS } from '../../../src/lib/worker-pool/owner-usage.ts'
import { createScheduler, type Scheduler } from '../../../src/lib/worker-pool/scheduler.ts'
import type { Schedulable } from '../../../src/lib/worker-pool/slot-rules.ts'

const WIDE = { maxWaiting: 1e6, maxWaitingPerOwner: 1e6, maxBytes: 1e12, maxBytesPerOwner: 1e12 }
const NOT_COSTLY = { isTooCostly: false }
const TOO_COSTLY = { isTooCostly: true }

interface TestJob extends Schedulable {
  name: string
}

let count = 0
const job = (owner: string, over: Partial<TestJob> = {}): TestJob => {
  count += 1
  const name = over.name ?? `${owner}${count}`
  return { owner, kind: 'draw', isSmall: false, isKeyless: false, bytes: 0, ...over, name }
}
const small = (owner: string, over: Partial<TestJob> = {}) =>
  job(owner, { kind: 'check', isSmall: true, ...over })
const keyless = (owner: string, over: Partial<TestJob> = {}) =>
  small(owner, { kind: 'page', isKeyless: true, ...over })

function open(slots: number): Scheduler<TestJob> {
  return createScheduler<TestJob>({
    slots,
    limits: WIDE,
    keylessLimits: WIDE,
    maxRunning: (kind) => (kind === 'video' ? Math.max(1, Math.floor(slots / 2)) : undefined),
  })
}

/** Starts whatever may start now. */
function startAll(scheduler: Scheduler<TestJob>, now = 0): TestJob[] {
  const started: TestJob[] = []
  for (let one = scheduler.next(now); one; one = scheduler.next(now)) started.push(one)
  return started
}
const names = (jobs: readonly TestJob[]) => jobs.map(({ name }) => name)
function addAll(scheduler: Scheduler<TestJob>, jobs: readonly TestJob[], now = 0): void {
  for (const one of jobs) expect(scheduler.add(one, now)).toBe('added')
}
/** Makes an owner slow: one of its jobs had to be ended. */
function proveSlow(scheduler: Scheduler<TestJob>, owner: string, now = 0): void {
  const one = job(owner)
  addAll(scheduler, [one], now)
  expect(scheduler.next(now)).toBe(one)
  scheduler.ended(one, now, TOO_COSTLY)
  expect(scheduler.isSlow(owner, now)).toBe(true)
}

describe('with three slots', () => {
  test('long jobs take all but one, which a small job finds free', () => {
    const scheduler = open(3)
    addAll(
      scheduler,
      ['a', 'b', 'c', 'd'].map((owner) => job(owner, { name: owner })),
    )
    expect(names(startAll(scheduler))).toEqual(['a', 'b'])
    addAll(scheduler, [small('e', { name: 'e' })])
    expect(names(startAll(scheduler))).toEqual(['e'])
  })

  test('small jobs use every slot where no long one waits', () => {
    const scheduler = open(3)
    addAll(
      scheduler,
      ['a', 'b', 'c'].map((owner) => small(owner)),
    )
    expect(startAll(scheduler)).toHaveLength(3)
  })

  test('one owner holds all but one, however small its jobs', () => {
    const scheduler = open(3)
    addAll(scheduler, [small('a'), small('a'), small('a'), job('a')])
    expect(startAll(scheduler)).toHaveLength(2)
    addAll(scheduler, [small('b', { name: 'b' })])
    expect(names(startAll(scheduler))).toEqual(['b'])
  })

  test('owners that proved slow share one slot, and none of them takes the one for small jobs', () => {
    const scheduler = open(3)
    for (const owner of ['a', 'b']) proveSlow(scheduler, owner)
    addAll(scheduler, [job('a'), job('b'), small('a'), small('b')])
    const first = startAll(scheduler)
    expect(first).toHaveLength(1)
    addAll(scheduler, [job('c', { name: 'c' }), small('d', { name: 'd' })])
    expect(names(startAll(scheduler)).sort()).toEqual(['c', 'd'])
    scheduler.ended(first[0] as TestJob, 0, NOT_COSTLY)
    // The other of the two is next.
    expect(startAll(scheduler)[0]?.owner).not.toBe(first[0]?.owner)
  })

  test('an owner is slow while one of its jobs runs for long, and again in time when it is over', () => {
    const scheduler = open(3)
    const one = job('a')
    addAll(scheduler, [one])
    startAll(scheduler)
    expect(scheduler.isSlow('a', FREE_MS + SLOW_MS - 1)).toBe(false)
    expect(scheduler.isSlow('a', FREE_MS + SLOW_MS)).toBe(true)
    scheduler.ended(one, FREE_MS + SLOW_MS, NOT_COSTLY)
    expect(scheduler.isSlow('a', FREE_MS + SLOW_MS)).toBe(true)
    expect(scheduler.isSlow('a', FREE_MS + SLOW_MS + 1_000)).toBe(false)
  })

  test('many short jobs make no one slow', () => {
    const scheduler = open(3)
    for (let n = 0; n < 1_000; n++) {
      const one = job('a')
      addAll(scheduler, [one], n * FREE_MS)
      startAll(scheduler, n * FREE_MS)
      scheduler.ended(one, (n + 1) * FREE_MS, NOT_COSTLY)
    }
    expect(scheduler.isSlow('a', 1_000 * FREE_MS)).toBe(false)
  })

  test('processor time counts where it was measured: waiting for the processor makes no one slow', () => {
    const scheduler = open(3)
    const one = job('a')
    addAll(scheduler, [one])
    startAll(scheduler)
    scheduler.ended(one, 60_000, { isTooCostly: false, usedMs: 400 })
    expect(scheduler.isSlow('a', 60_000)).toBe(false)
  })

  test('a slow owner has more than one slot where no one else has used the pool for half a minute', () => {
    const scheduler = open(3)
    proveSlow(scheduler, 'a')
    addAll(scheduler, [job('a'), job('a'), job('a')], 29_999)
    expect(startAll(scheduler, 29_999)).toHaveLength(1)
    expect(startAll(scheduler, 30_000)).toHaveLength(1)
    expect(startAll(scheduler, 31_000)).toHaveLength(0)
  })

  test('a video leaves a slot for long jobs and one for small ones', () => {
    const scheduler = open(3)
    addAll(scheduler, [job('a', { kind: 'video' }), job('b', { kind: 'video' })])
    expect(startAll(scheduler)).toHaveLength(1)
    addAll(scheduler, [job('c'), job('d')])
    expect(startAll(scheduler)).toHaveLength(1)
    addAll(scheduler, [small('e')])
    expect(startAll(scheduler)).toHaveLength(1)
  })

  test('the last process that is ready is not given to a long job while others are being started', () => {
    const scheduler = open(3)
    addAll(scheduler, [job('a', { name: 'long' })])
    expect(scheduler.next(0, { ready: 1, isWaiting: true })).toBeUndefined()
    addAll(scheduler, [small('b', { name: 'small' })])
    expect(scheduler.next(0, { ready: 1, isWaiting: true })?.name).toBe('small')
    expect(scheduler.next(0, { ready: 2, isWaiting: true })?.name).toBe('long')
  })

  test('where no other process can be started, a long job has the one that there is', () => {
    const scheduler = open(3)
    addAll(scheduler, [job('a', { name: 'long' })])
    expect(scheduler.next(0, { ready: 1, isWaiting: false })?.name).toBe('long')
  })
})

describe('keyless jobs', () => {
  test('begin when no keyed job waits, one at a time, and leave the slot for small jobs', () => {
    const scheduler = open(3)
    const [first, second] = [job('a'), job('b')]
    addAll(scheduler, [keyless('x'), keyless('y'), first, second, job('c')])
    expect(startAll(scheduler)).toEqual([first, second])
    scheduler.ended(first, 0, NOT_COSTLY)
    expect(startAll(scheduler)[0]?.owner).toBe('c')
    scheduler.ended(second, 0, NOT_COSTLY)
    expect(startAll(scheduler).map(({ owner }) => owner)).toEqual(['x'])
    expect(startAll(scheduler)).toEqual([])
  })

  test('are not kept waiting by a crowd of a slow owner, which waits for its own slot', () => {
    const scheduler = open(3)
    proveSlow(scheduler, 'a')
    addAll(scheduler, [job('a'), job('a'), job('a'), keyless('x', { name: 'x' })])
    expect(names(startAll(scheduler)).filter((name) => name === 'x')).toEqual(['x'])
  })

  test('take turns with slow owners where there is one slot for both', () => {
    const scheduler = open(2)
    proveSlow(scheduler, 'a')
    addAll(scheduler, [job('a'), job('a'), keyless('x'), keyless('y')])
    const order: string[] = []
    for (let one = scheduler.next(0); one; one = scheduler.next(0)) {
      order.push(one.owner)
      scheduler.ended(one, 0, NOT_COSTLY)
    }
    expect(order).toEqual(['a', 'x', 'a', 'y'])
  })

  test('have limits of their own, so that they fill no queue for others', () => {
    const scheduler = createScheduler<TestJob>({
      slots: 1,
      limits: { ...WIDE, maxWaiting: 2 },
      keylessLimits: { ...WIDE, maxWaiting: 1 },
      maxRunning: () => undefined,
    })
    expect(scheduler.add(keyless('x'), 0)).toBe('added')
    expect(scheduler.add(keyless('y'), 0)).toBe('queue_full')
    expect(scheduler.add(job('a'), 0)).toBe('added')
  })
})

describe('with two slots', () => {
  test('one is for small jobs, and an owner may use both where one of its jobs is small', () => {
    const scheduler = open(2)
    addAll(scheduler, [job('a'), job('b'), small('a')])
    expect(startAll(scheduler).map(({ isSmall }) => isSmall)).toEqual([false, true])
  })

  test('beside a video a long job has the other one, but no slow owner and no one without a key', () => {
    const scheduler = open(2)
    proveSlow(scheduler, 's')
    addAll(scheduler, [job('a', { kind: 'video' })])
    startAll(scheduler)
    addAll(scheduler, [job('s'), keyless('x')])
    expect(startAll(scheduler)).toEqual([])
    addAll(scheduler, [job('b', { name: 'b' })])
    expect(names(startAll(scheduler))).toEqual(['b'])
  })
})

describe('with one slot', () => {
  const drain = (scheduler: Scheduler<TestJob>) => {
    const order: string[] = []
    for (let one = scheduler.next(0); one; one = scheduler.next(0)) {
      order.push(one.name)
      scheduler.ended(one, 0, NOT_COSTLY)
    }
    return order
  }

  test('small jobs go first, eight of them at most before a long one, and those without a key last', () => {
    const scheduler = open(1)
    addAll(scheduler, [
      keyless('x', { name: 'keyless' }),
      job('a', { name: 'long' }),
      ...Array.from({ length: 10 }, (_, n) => small('b', { name: `s${n}` })),
    ])
    expect(drain(scheduler)).toEqual([
      's0',
      's1',
      's2',
      's3',
      's4',
      's5',
      's6',
      's7',
      'long',
      's8',
      's9',
      'keyless',
    ])
  })

  test('slow owners have one turn together between two of another', () => {
    const scheduler = open(1)
    for (const owner of ['s', 't', 'u']) proveSlow(scheduler, owner)
    for (const owner of ['s', 't', 'u', 'a']) {
      addAll(
        scheduler,
        [1, 2, 3].map((n) => job(owner, { name: `${owner}${n}` })),
      )
    }
    const order = drain(scheduler)
    const between = order.slice(order.indexOf('a1') + 1, order.indexOf('a2'))
    expect(between).toHaveLength(1)
    expect(order.indexOf('a3')).toBeLessThanOrEqual(5)
    expect([...order].sort()).toEqual(
      ['s', 't', 'u', 'a'].flatMap((owner) => [1, 2, 3].map((n) => `${owner}${n}`)).sort(),
    )
  })
})

test('owners are served in turn, each in its own order, and the kinds of its jobs too', () => {
  const scheduler = open(1)
  const all = [job('a', { name: 'a1' }), job('a', { name: 'a2' }), job('b', { name: 'b1' })]
  addAll(scheduler, [...all, job('a', { name: 'a3', kind: 'other' })])
  const order: string[] = []
  for (let one = scheduler.next(0); one; one = scheduler.next(0)) {
    order.push(one.name)
    scheduler.ended(one, 0, NOT_COSTLY)
  }
  expect(order).toEqual(['a1', 'b1', 'a3', 'a2'])
})

test('the owner with fewer running jobs goes first', () => {
  const scheduler = open(5)
  addAll(scheduler, [job('a'), job('a')])
  startAll(scheduler)
  addAll(scheduler, [job('a', { name: 'a3' }), job('b', { name: 'b1' })])
  expect(names(startAll(scheduler))).toEqual(['b1', 'a3'])
})

test('a job that is added again after its process died is the next of its owner', () => {
  const scheduler = open(1)
  const [first, second] = [job('a'), job('a')]
  addAll(scheduler, [first, second])
  expect(scheduler.next(0)).toBe(first)
  scheduler.ended(first, 0, NOT_COSTLY)
  scheduler.addAgain(first)
  expect(scheduler.next(0)).toBe(first)
})

// The scheduler as a model: owners add jobs, jobs take their time, processes are killed, callers leave. Time is
// the time of the model alone.

interface Arrival {
  afterMs: number
  owner: string
  what: 'small' | 'long' | 'video' | 'keyless'
  ms: number
  /** How it ends: by itself, its process is killed and it runs again, or its caller leaves while it waits. */
  fate: 'done' | 'killed' | 'left'
}

const SMALL_MS = 100
const LONG_MS = 20_000
const VIDEO_MS = 60_000

/** Crowds of one owner between single jobs of others, faster than they can be done. */
const arrival: fc.Arbitrary<Arrival> = fc
  .record({
    afterMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.nat(SMALL_MS) },
      { weight: 1, arbitrary: fc.nat(LONG_MS) },
    ),
    owner: oneOf<string>({ a: 6, b: 3, c: 1, d: 1, e: 1 }),
    what: oneOf<Arrival['what']>({ small: 4, long: 4, video: 1, keyless: 2 }),
    share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    fate: oneOf<Arrival['fate']>({ done: 6, killed: 1, left: 1 }),
  })
  .map(({ share, ...one }) => {
    const most = { small: SMALL_MS, keyless: SMALL_MS, long: LONG_MS, video: VIDEO_MS }[one.what]
    return { ...one, ms: Math.ceil(share * most) }
  })

function oneOf<Value extends string>(weights: Record<Value, number>): fc.Arbitrary<Value> {
  const all = Object.entries<number>(weights) as [Value, number][]
  return fc.oneof(...all.map(([value, weight]) => ({ weight, arbitrary: fc.constant(value) })))
}

interface Entry {
  job: TestJob
  arrival: Arrival
  addedAt: number
  startedAt?: number
  endsAt?: number
  /** Jobs that others began in the same class while this one waited, by owner; slow owners count as one. */
  passedBy: Map<string, number>
  hasDied: boolean
}

/** Runs the model to its end; `look` sees every state between two events. */
function simulate(
  slots: number,
  arrivals: readonly Arrival[],
  look: (state: {
    waiting: Entry[]
    running: Entry[]
    now: number
    scheduler: Scheduler<TestJob>
  }) => void,
  onStart: (
    entry: Entry,
    state: { waiting: Entry[]; running: Entry[]; now: number; scheduler: Scheduler<TestJob> },
  ) => void,
): Entry[] {
  const scheduler = open(slots)
  const entries = new Map<TestJob, Entry>()
  let waiting: Entry[] = []
  let running: Entry[] = []
  let now = 0
  const state = () => ({ waiting, running, now, scheduler })
  const start = () => {
    for (let one = scheduler.next(now); one; one = scheduler.next(now)) {
      const entry = entries.get(one) as Entry
      waiting = waiting.filter((other) => other !== entry)
      onStart(entry, state())
      entry.startedAt = now
      entry.endsAt = now + entry.arrival.ms
      running = [...running, entry]
    }
    look(state())
  }
  const endFirst = () => {
    const first = running.reduce((a, b) => ((a.endsAt ?? 0) <= (b.endsAt ?? 0) ? a : b))
    now = Math.max(now, first.endsAt ?? 0)
    running = running.filter((other) => other !== first)
    scheduler.ended(first.job, now, NOT_COSTLY)
    if (first.arrival.fate === 'killed' && !first.hasDied) {
      first.hasDied = true
      waiting = [...waiting, first]
      scheduler.addAgain(first.job)
    }
    start()
  }
  for (const one of arrivals) {
    const at = now + one.afterMs
    while (running.some(({ endsAt = 0 }) => endsAt <= at)) endFirst()
    now = Math.max(now, at)
    const { owner, what } = one
    const added =
      what === 'small'
        ? small(owner)
        : what === 'keyless'
          ? keyless(`address ${owner}`)
          : job(owner, { kind: what === 'video' ? 'video' : 'draw' })
    const entry: Entry = {
      job: added,
      arrival: one,
      addedAt: now,
      passedBy: new Map(),
      hasDied: false,
    }
    entries.set(added, entry)
    waiting = [...waiting, entry]
    expect(scheduler.add(added, now)).toBe('added')
    start()
    if (one.fate === 'left' && waiting.includes(entry)) {
      waiting = waiting.filter((other) => other !== entry)
      expect(scheduler.remove(added)).toBe(true)
      entries.delete(added)
      start()
    }
  }
  while (running.length > 0) endFirst()
  expect(waiting).toEqual([])
  expect(scheduler.size).toBe(0)
  return [...entries.values()]
}

const anySlots = fc.constantFrom(1, 2, 3, 4, 8)
const anyArrivals = fc.array(arrival, { minLength: 20, maxLength: 120 })

describe('whatever owners request, however long it takes and whatever dies', () => {
  test('nothing is lost, and nothing runs twice unless its process was killed', () => {
    fc.assert(
      fc.property(anySlots, anyArrivals, (slots, arrivals) => {
        const starts = new Map<Entry, number>()
        const ended = simulate(
          slots,
          arrivals,
          () => {},
          (entry) => starts.set(entry, (starts.get(entry) ?? 0) + 1),
        )
        for (const entry of ended) {
          expect(starts.get(entry)).toBe(entry.arrival.fate === 'killed' ? 2 : 1)
        }
      }),
    )
  })

  test('no owner holds all slots, long jobs leave one, and keyless ones have one at most', () => {
    fc.assert(
      fc.property(fc.constantFrom(3, 4, 8), anyArrivals, (slots, arrivals) => {
        simulate(
          slots,
          arrivals,
          ({ running }) => {
            expect(running.length).toBeLessThanOrEqual(slots)
            for (const { job: one } of running) {
              const own = running.filter(({ job: other }) => other.owner === one.owner)
              expect(own.length).toBeLessThan(slots)
            }
            expect(running.filter(({ job: one }) => !one.isSmall).length).toBeLessThan(slots)
            expect(running.filter(({ job: one }) => one.isKeyless).length).toBeLessThanOrEqual(1)
          },
          () => {},
        )
      }),
    )
  })

  test('small jobs never wait for long ones: while one waits, small jobs hold the slots that long ones leave', () => {
    fc.assert(
      fc.property(fc.constantFrom(3, 4, 8), anyArrivals, (slots, arrivals) => {
        simulate(
          slots,
          arrivals,
          ({ waiting, running, now, scheduler }) => {
            for (const { job: one } of waiting) {
              const own = running.filter(({ job: other }) => other.owner === one.owner).length
              const isHeldBack = own >= slots - 1 || scheduler.isSlow(one.owner, now)
              if (!one.isSmall || one.isKeyless || isHeldBack) continue
              // A small job waits only where every slot is taken, and one of them at least by a small job.
              expect(running).toHaveLength(slots)
              expect(running.some(({ job: other }) => other.isSmall && !other.isKeyless)).toBe(true)
            }
          },
          () => {},
        )
      }),
    )
  })

  test('keyless jobs never delay keyed ones: none begins while a keyed one of an owner that is not slow waits', () => {
    fc.assert(
      fc.property(anySlots, anyArrivals, (slots, arrivals) => {
        simulate(
          slots,
          arrivals,
          () => {},
          ({ job: begun }, { waiting, now, scheduler }) => {
            if (!begun.isKeyless) return
            const keyed = waiting.filter(
              ({ job: one }) => !one.isKeyless && !scheduler.isSlow(one.owner, now),
            )
            expect(keyed).toEqual([])
          },
        )
      }),
    )
  })

  test('owners that proved slow hold one slot together while others use the pool', () => {
    fc.assert(
      fc.property(fc.constantFrom(3, 4, 8), anyArrivals, (slots, arrivals) => {
        simulate(
          slots,
          arrivals,
          () => {},
          ({ job: begun }, { waiting, running, now, scheduler }) => {
            if (begun.isKeyless || begun.kind === 'video') return
            if (!scheduler.isSlow(begun.owner, now)) return
            const isUsed = waiting.some(
              ({ job: one }) => !one.isKeyless && !scheduler.isSlow(one.owner, now),
            )
            if (!isUsed) return
            const slow = running.filter(
              ({ job: one }) =>
                !one.isKeyless && one.kind !== 'video' && scheduler.isSlow(one.owner, now),
            )
            expect(slow).toEqual([])
          },
        )
      }),
    )
  })

  /**
   * The bound: while a job waits and its owner has no other job running, each other owner begins at most two jobs of
   * its class (one whose turn was before, one for the turn after), and slow owners as many together as one. So the
   * wait is at most two jobs of every other owner, one after the other in the slots of the class.
   */
  test('no owner waits for more than two jobs of each other owner while it has less than its share', () => {
    fc.assert(
      fc.property(anySlots, anyArrivals, (slots, arrivals) => {
        simulate(
          slots,
          arrivals.filter(({ what }) => what === 'long' || what === 'small'),
          ({ waiting, running }) => {
            for (const entry of waiting) {
              const hasRunning = running.some(({ job: one }) => one.owner === entry.job.owner)
              if (hasRunning) entry.passedBy.clear()
            }
          },
          ({ job: begun }, { waiting, now, scheduler }) => {
            const isOfSlow = scheduler.isSlow(begun.owner, now)
            const name = isOfSlow ? 'slow' : begun.owner
            // Small jobs of slow owners are long ones.
            const begunSmall = begun.isSmall && !isOfSlow
            const first = new Map<string, Entry>()
            for (const entry of waiting) {
              const key = `${entry.job.owner} ${entry.job.isSmall}`
              if (!first.has(key)) first.set(key, entry)
            }
            for (const entry of first.values()) {
              const { owner, isSmall } = entry.job
              if (owner === begun.owner || isSmall !== begunSmall) continue
              if (scheduler.isSlow(owner, now)) continue
              entry.passedBy.set(name, (entry.passedBy.get(name) ?? 0) + 1)
              expect(entry.passedBy.get(name)).toBeLessThanOrEqual(2)
            }
          },
        )
      }),
    )
  })
})
