import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SearchAnswer } from '../../../src/signals/matching/query.ts'
import {
  createFairQueue,
  DEFAULT_SEARCH_LIMITS,
  type SearchLimits,
} from '../../../src/signals/search/fair-queue.ts'
import type { RankedCaller } from '../../../src/signals/search/signal-search.ts'
import { watchTimeouts } from '../../support/watch-timeouts.ts'

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('signals/search/fair-queue.ts')
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const KEY = (caller: string) => ({ caller, hasKey: true })
const KEYLESS = (caller: string) => ({ caller, hasKey: false })
const EMPTY: SearchAnswer = { hits: [], total: 0 }

interface Begun {
  name: string
  by: RankedCaller
  signal: AbortSignal
  end(): void
  fail(error: unknown): void
}

/** A queue before a search whose answers come when the test says so. */
function house(limits: Partial<SearchLimits> = {}) {
  const begun: Begun[] = []
  const refused: string[] = []
  const queue = createFairQueue({
    search: {
      search: (query, signal, by) =>
        new Promise((resolve, reject) => {
          const entry = { name: query.signal_spec ?? '', by: by as RankedCaller, signal }
          begun.push({ ...entry, end: () => resolve(EMPTY), fail: reject })
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        }),
      status: async () => ({ signals: 0, vectors: 0, model: { state: 'unused' } }),
    },
    limits: { ...DEFAULT_SEARCH_LIMITS, ...limits },
    now: () => performance.now(),
    onRefused: (reason) => refused.push(reason),
  })
  const ask = (name: string, by = KEY('a'), abort = new AbortController()) => {
    const answer = queue.search({ signal_spec: name, limit: 1, offset: 0 }, abort.signal, by)
    answer.catch(() => {})
    return { answer, abort }
  }
  const names = () => begun.map(({ name }) => name)
  const end = async (name: string) => {
    await pass(50)
    begun.find((one) => one.name === name)?.end()
    await pass(0)
  }
  return { queue, begun, refused, ask, names, end }
}

describe('the queue before the search', () => {
  test('lets a limited number begin at once, of one caller, and of callers without a key', async () => {
    const { ask, names, end, queue } = house({
      atOnce: 4,
      keylessAtOnce: 2,
      perCaller: { atOnce: 3, waiting: 99 },
    })
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, KEY('a'))
    for (const name of ['x1', 'x2']) ask(name, KEYLESS('x'))
    ask('y1', KEYLESS('y'))
    await pass(0)
    expect(names()).toEqual(['a1', 'a2', 'a3', 'x1'])
    expect(queue.stats()).toEqual({ waiting: 3, running: 4 })
    await end('a1')
    expect(names().at(-1)).toBe('a4')
    await end('a2')
    // The first address has its one: the other one goes.
    expect(names().at(-1)).toBe('y1')
    await end('x1')
    expect(names().at(-1)).toBe('x2')
  })

  test('who has used it less of late goes first, and a flood is forgiven when it is over', async () => {
    const { ask, names, end } = house({ atOnce: 1, perCaller: { atOnce: 1, waiting: 99 } })
    for (let n = 0; n < 5; n++) ask(`flood-${n}`, KEY('a'))
    await pass(0)
    ask('other', KEY('b'))
    await end('flood-0')
    expect(names()).toEqual(['flood-0', 'other'])
    await end('other')
    for (let n = 1; n < 5; n++) await end(`flood-${n}`)
    await pass(300_000)
    ask('late-a', KEY('a'))
    ask('late-b', KEY('b'))
    expect(names().at(-1)).toBe('late-a')
  })

  test('any number of addresses count as one crowd beside a principal, which goes first', async () => {
    const { ask, names, end } = house({ atOnce: 1, keylessAtOnce: 1 })
    for (let n = 0; n < 20; n++) ask(`x${n}`, KEYLESS(`address ${n}`))
    await pass(0)
    for (let n = 0; n < 3; n++) ask(`p${n}`, KEY('principal'))
    for (const name of ['x0', 'p0', 'p1']) await end(name)
    expect(names()).toEqual(['x0', 'p0', 'p1', 'p2'])
    await end('p2')
    expect(names().at(-1)).toBe('x1')
  })

  test('what a search took counts when it has ended, also when no one waited for its end', async () => {
    const { ask, begun, end } = house({ atOnce: 2, timeoutMs: 10_000 })
    const long = ask('long', KEY('a'))
    await pass(950)
    await end('long')
    await long.answer
    ask('again', KEY('a'))
    // A second is twenty usual searches.
    expect(begun.at(-1)?.by.rank.own).toBeCloseTo(20, 0)
  })

  test('the rank that is passed along says what was used before', async () => {
    const { ask, begun } = house()
    ask('first', KEY('a'))
    ask('second', KEY('a'))
    ask('keyless', KEYLESS('x'))
    await pass(0)
    expect(begun.map(({ by }) => by.rank.own > 0)).toEqual([false, true, false])
    expect(begun[2]?.by).toMatchObject({ caller: 'x', hasKey: false, rank: { hasKey: false } })
  })

  test('spec 7.2: a caller with too many waiting gets 429, and others do not', async () => {
    const { ask, refused } = house({ atOnce: 1, perKeyless: { atOnce: 1, waiting: 2 } })
    for (let n = 0; n < 3; n++) ask(`x${n}`, KEYLESS('x'))
    await pass(0)
    await expect(ask('x3', KEYLESS('x')).answer).rejects.toMatchObject({
      errors: [{ code: 'RATE_LIMITED', retry_after: 2, message: expect.stringContaining('2') }],
    })
    const other = ask('y', KEYLESS('y'))
    await pass(0)
    expect(refused).toEqual(['caller_waits'])
    other.abort.abort()
  })

  test('spec 7.2: when everyone waits, 503; a crowd without keys is full before the rest is', async () => {
    const { ask, refused } = house({ atOnce: 1, keylessWaiting: 3, waiting: 5 })
    ask('running')
    for (let n = 0; n < 3; n++) ask(`x${n}`, KEYLESS(`x${n}`))
    await pass(0)
    const crowd = ask('x3', KEYLESS('x3')).answer
    await expect(crowd).rejects.toMatchObject({
      errors: [{ code: 'SERVICE_UNAVAILABLE', retry_after: 5 }],
    })
    for (let n = 0; n < 2; n++) ask(`p${n}`, KEY(`p${n}`))
    await expect(ask('p2', KEY('p2')).answer).rejects.toMatchObject({
      errors: [{ code: 'SERVICE_UNAVAILABLE' }],
    })
    expect(refused).toEqual(['all_wait', 'all_wait'])
  })

  test('a search whose caller has gone leaves the queue, or is aborted where it is', async () => {
    const { ask, begun, names, end, queue } = house({ atOnce: 1 })
    const running = ask('running', KEY('a'))
    const waiting = ask('waiting', KEY('b'))
    ask('patient', KEY('c'))
    await pass(0)
    waiting.abort.abort(new Error('gone'))
    await expect(waiting.answer).rejects.toThrow('gone')
    expect(queue.stats()).toEqual({ waiting: 1, running: 1 })
    running.abort.abort(new Error('gone too'))
    await expect(running.answer).rejects.toThrow('gone too')
    expect(begun[0]?.signal.aborted).toBe(true)
    await pass(0)
    expect(names()).toEqual(['running', 'patient'])
    await end('patient')
    expect(queue.stats()).toEqual({ waiting: 0, running: 0 })
  })

  test('a search that takes too long is answered, whether it waits or runs', async () => {
    const { ask, begun, refused } = house({ atOnce: 1, timeoutMs: 5_000 })
    const running = ask('running', KEY('a'))
    const waiting = ask('waiting', KEY('b'))
    await pass(5_000)
    for (const { answer } of [running, waiting]) {
      await expect(answer).rejects.toMatchObject({
        errors: [{ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('5 s') }],
      })
    }
    expect(begun[0]?.signal.aborted).toBe(true)
    expect(refused).toEqual(['too_long', 'too_long'])
    expect(timeouts()).toBe(0)
  })

  test('a search that its thread did not come back from reports that, other faults are passed on', async () => {
    const { ask, begun } = house()
    const hung = ask('hung')
    const failed = ask('failed')
    await pass(0)
    begun[0]?.fail(Object.assign(new Error('nothing for 10 s'), { name: 'ThreadHung' }))
    begun[1]?.fail(new Error('the disk is full'))
    await expect(hung.answer).rejects.toMatchObject({
      errors: [{ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('other words') }],
    })
    await expect(failed.answer).rejects.toThrow('the disk is full')
  })

  test('whatever comes and goes, no limit is passed and nothing is left behind', async () => {
    const step = fc.record({
      by: fc.constantFrom(KEY('a'), KEY('b'), KEYLESS('x'), KEYLESS('y')),
      does: fc.constantFrom('ask', 'ask', 'end', 'leave'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { ask, begun, queue } = house({
          atOnce: 3,
          keylessAtOnce: 1,
          waiting: 6,
          keylessWaiting: 3,
          perCaller: { atOnce: 2, waiting: 4 },
          perKeyless: { atOnce: 1, waiting: 2 },
        })
        const requested: ReturnType<typeof ask>[] = []
        for (const [n, { by, does }] of steps.entries()) {
          if (does === 'ask') requested.push(ask(`${n}`, by))
          if (does === 'end') begun.find(({ signal }) => !signal.aborted)?.end()
          if (does === 'leave')
            requested[n % Math.max(1, requested.length)]?.abort.abort(new Error('gone'))
          await pass(0)
          const { waiting, running } = queue.stats()
          expect(running).toBeLessThanOrEqual(3)
          expect(waiting).toBeLessThanOrEqual(6)
        }
        for (const { abort } of requested) abort.abort(new Error('over'))
        await pass(0)
        expect(queue.stats()).toEqual({ waiting: 0, running: 0 })
        expect(timeouts()).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})
