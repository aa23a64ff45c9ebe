import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFairQueue } from '../../../src/lib/fair-queue.ts'
import type { QueryAnswer } from '../../../src/lib/safe-fetch/direct-query.ts'
import { createNames, type NamesOptions } from '../../../src/lib/safe-fetch/names.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const FOUND: QueryAnswer = { kind: 'found', addresses: ['203.0.113.7'], ttlMs: 0 }

/** Names whose queries end when the test says so, or never. */
function house(options: Partial<NamesOptions> = {}) {
  const queries: { host: string; signal: AbortSignal; end(answer?: QueryAnswer): void }[] = []
  const names = createNames({
    query: (host, signal) =>
      new Promise((resolve) => {
        const end = (answer: QueryAnswer = FOUND) => resolve(answer)
        queries.push({ host, signal, end })
        signal.addEventListener('abort', () => end({ kind: 'failed' }), { once: true })
      }),
    timeoutMs: 5_000,
    turns: createFairQueue({ most: 8, perOwner: 2 }),
    ...options,
  })
  const waits: unknown[] = []
  const ask = (host: string, owner = 'alice', signal = new AbortController().signal) =>
    names.resolve(host, {
      owner,
      waitMs: 1_000,
      signal,
      onWait: (waiting) => {
        waits.push(host)
        return waiting
      },
    })
  return { names, queries, ask, waits }
}

describe('names', () => {
  test('are queried a limited number at a time for each owner, and no owner waits for another', async () => {
    const { queries, ask } = house()
    const first = ['a1', 'a2', 'a3'].map((host) => ask(host))
    const other = ask('b1', 'bob')
    await pass(0)
    expect(queries.map(({ host }) => host)).toEqual(['a1', 'a2', 'b1'])
    queries[2]?.end()
    expect(await other).toEqual({ kind: 'found', addresses: ['203.0.113.7'], ttlMs: 0 })
    await pass(1_000)
    // A query that never had its turn is distinguished from one that was not resolved in time.
    expect(await first[2]).toEqual({ kind: 'busy' })
    await pass(4_000)
    expect(await first[0]).toEqual({ kind: 'late' })
    expect(queries[0]?.signal.aborted).toBe(true)
  })

  test('the waits for a turn are handed to who keeps the time', async () => {
    const { ask, waits } = house()
    void ask('a1')
    await pass(0)
    expect(waits).toEqual(['a1'])
  })

  test('that are equal share one query, regardless of the caller, and take no turn', async () => {
    const { queries, ask } = house()
    const all = ['alice', 'alice', 'alice', 'bob'].map((owner) => ask('same', owner))
    await pass(0)
    expect(queries).toHaveLength(1)
    queries[0]?.end()
    expect((await Promise.all(all)).every(({ kind }) => kind === 'found')).toBe(true)
  })

  test('a query is aborted when the last caller that waits for it has gone, and not before', async () => {
    const { queries, ask } = house()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = ask('slow', 'alice', one.signal)
    await pass(0)
    const second = ask('slow', 'bob', two.signal)
    one.abort()
    expect(await first).toEqual({ kind: 'late' })
    expect(queries[0]?.signal.aborted).toBe(false)
    two.abort()
    await second
    expect(queries[0]?.signal.aborted).toBe(true)
    // And the next caller does not join the aborted query.
    void ask('slow')
    await pass(0)
    expect(queries).toHaveLength(2)
  })

  test('an answer is kept for its time, half a minute at most, and a failure not at all', async () => {
    let now = 0
    const { queries, ask } = house({ now: () => now })
    const answer = async (host: string, said: QueryAnswer) => {
      const requested = ask(host)
      await pass(0)
      queries.at(-1)?.end(said)
      return requested
    }
    await answer('short', { ...FOUND, ttlMs: 2_000 })
    await answer('long', { ...FOUND, ttlMs: 86_400_000 })
    await answer('absent', { kind: 'absent' })
    await answer('failed', { kind: 'failed' })
    const requestedAt = async (ms: number) => {
      now = ms
      queries.length = 0
      for (const host of ['short', 'long', 'absent', 'failed']) void ask(host, host)
      await pass(0)
      const hosts = queries.map(({ host }) => host)
      for (const { end } of queries) end({ kind: 'failed' })
      await pass(0)
      return hosts
    }
    expect(await requestedAt(1_999)).toEqual(['failed'])
    expect(await requestedAt(2_000)).toEqual(['short', 'failed'])
    expect(await requestedAt(5_000)).toEqual(['short', 'absent', 'failed'])
    expect(await requestedAt(29_999)).not.toContain('long')
    expect(await requestedAt(30_000)).toContain('long')
  })

  test('a query that does not heed the signal keeps its turn until it ends', async () => {
    const ends: (() => void)[] = []
    const { ask } = house({
      query: () => new Promise((resolve) => ends.push(() => resolve(FOUND))),
      turns: createFairQueue({ most: 1, perOwner: 1 }),
    })
    const first = ask('stuck')
    await pass(5_000)
    expect(await first).toEqual({ kind: 'late' })
    const second = ask('next')
    await pass(1_000)
    expect(await second).toEqual({ kind: 'busy' })
    ends[0]?.()
    await pass(0)
    void ask('next')
    await pass(0)
    expect(ends).toHaveLength(2)
  })

  test('closing abandons what is under way', async () => {
    const { names, ask } = house()
    const requested = ask('slow')
    await pass(0)
    names.close()
    expect(await requested).toEqual({ kind: 'late' })
  })
})
