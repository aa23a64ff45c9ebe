import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairness, type Fairness } from '../../../src/webhooks/sender/fairness.ts'
import type { AttemptResult, Candidate } from '../../../src/webhooks/sender/store.ts'
import { aChannel, aResult } from '../../support/sender.ts'

let ids = 0
const due = (endpoint: string, count = 1, owner = 'alice'): Candidate[] =>
  Array.from({ length: count }, () => ({ delivery_id: ++ids, owner, endpoint, subject: `s${ids}` }))
const many = (count: number, prefix: string, owner = 'alice') =>
  Array.from({ length: count }, (_, n) =>
    due(`https://${prefix}${n}.example/hook`, 1, owner),
  ).flat()
const endpointsOf = (chosen: readonly Candidate[]) => chosen.map(({ endpoint }) => endpoint)

const QUICK = 'https://quick.example/hook'
const DEAD: Partial<AttemptResult> = {
  status: 'timeout',
  says: 'down',
  http_status_code: undefined,
  next: { state: 'pending', inMs: 1 },
}

function ends(
  fairness: Fairness,
  endpoint: string,
  changes: Partial<AttemptResult> = {},
  owner = 'alice',
): void {
  const channel = aChannel({ endpoint, owner })
  fairness.started(channel)
  fairness.ended(channel, aResult({ delivery_id: 1, attempt: 1, channel }, changes))
}

const alices = (endpoint: string) => ({ owner: 'alice', endpoint })

describe('spec 6.4: who is delivered to next', () => {
  test('an endpoint that answers gets up to eight at a time, on all instances together', () => {
    const fairness = createFairness({ concurrency: 100 })
    ends(fairness, QUICK)
    expect(fairness.forClaim(100).choose(due(QUICK, 20), [])).toHaveLength(8)
    expect(fairness.forClaim(100).choose(due(QUICK, 20), due(QUICK, 5))).toHaveLength(3)
    expect(fairness.forClaim(100).choose(due(QUICK, 20), due(QUICK, 9))).toHaveLength(0)
  })

  test('one that was not seen gets one, until it has answered', () => {
    const fairness = createFairness({ concurrency: 100 })
    expect(fairness.forClaim(100).choose(due(QUICK, 20), [])).toHaveLength(1)
    fairness.started(alices(QUICK))
    expect(fairness.forClaim(100).choose(due(QUICK, 20), [])).toHaveLength(0)
    fairness.ended(alices(QUICK), undefined)
    expect(fairness.forClaim(100).choose(due(QUICK, 20), [])).toHaveLength(1)
    ends(fairness, QUICK, { http_status_code: 401, says: 'nothing', status: 'failed' })
    expect(fairness.forClaim(100).choose(due(QUICK, 20), [])).toHaveLength(8)
  })

  test('one that failed gets one again', () => {
    const fairness = createFairness({ concurrency: 100 })
    ends(fairness, QUICK)
    ends(fairness, QUICK, DEAD)
    expect(fairness.forClaim(100).choose(due(QUICK, 20), [])).toHaveLength(1)
  })

  test('those not seen use three quarters of the slots, those that failed one quarter', () => {
    const fairness = createFairness({ concurrency: 100 })
    const chosen = (due: Candidate[]) => fairness.forClaim(100).choose(due, []).length
    const crowd = (prefix: string) =>
      Array.from({ length: 60 }, (_, n) => many(60, prefix, `owner ${n}`)).flat()
    for (const { owner, endpoint } of crowd('dead')) ends(fairness, endpoint, DEAD, owner)
    // A place or two stays free for an owner who has none yet.
    expect(chosen(crowd('new'))).toBeOneOf([73, 74, 75])
    expect(chosen(crowd('dead'))).toBeOneOf([23, 24, 25])
    expect(chosen([...crowd('dead'), ...crowd('new')])).toBeOneOf([73, 74, 75])
  })

  test('an owner alone uses three quarters of what all of them may', () => {
    const fairness = createFairness({ concurrency: 100 })
    expect(fairness.forClaim(100).choose(many(1_000, 'new'), [])).toHaveLength(57)
    for (const { endpoint } of many(1_000, 'dead')) ends(fairness, endpoint, DEAD)
    expect(fairness.forClaim(100).choose(many(1_000, 'dead'), [])).toHaveLength(19)
    const quick = many(200, 'quick')
    for (const { endpoint } of quick) ends(fairness, endpoint)
    // Of those that answer quickly all slots but the last eighth.
    expect(fairness.forClaim(100).choose(quick, [])).toHaveLength(88)
  })

  test('an owner whose receivers hang, fail or are many leaves room for every other owner', () => {
    const fairness = createFairness({ concurrency: 100 })
    for (const { endpoint } of many(500, 'dead')) ends(fairness, endpoint, DEAD)
    for (const { endpoint } of many(500, 'quick')) ends(fairness, endpoint)
    const greedy = () => [...many(500, 'new'), ...many(500, 'dead'), ...many(500, 'quick')]
    for (let free = 100; free > 0; ) {
      const taken = fairness.forClaim(free).choose(greedy(), [])
      if (taken.length === 0) break
      for (const lane of taken) fairness.started(lane)
      free -= taken.length
    }
    const { choose, isFull } = fairness.forClaim(12)
    expect([isFull('alice'), isFull('bob')]).toEqual([true, false])
    const bobs = choose([...greedy(), ...many(20, 'new', 'bob')], [])
    expect(new Set(bobs.map(({ owner }) => owner))).toEqual(new Set(['bob']))
    expect(bobs.length).toBeGreaterThan(5)
  })

  test('what one owner saw of an endpoint says nothing of it for another', () => {
    const fairness = createFairness({ concurrency: 100, perEndpoint: 4 })
    ends(fairness, QUICK, DEAD, 'alice')
    ends(fairness, QUICK, {}, 'bob')
    expect(fairness.forClaim(100).choose(due(QUICK, 20, 'alice'), [])).toHaveLength(1)
    expect(fairness.forClaim(100).choose(due(QUICK, 20, 'bob'), [])).toHaveLength(4)
    // Nor do places that one has taken there, or the paths of a host that hang.
    const underWay = due(QUICK, 9, 'alice')
    expect(fairness.forClaim(100).choose(due(QUICK, 20, 'bob'), underWay)).toHaveLength(4)
    const paths = (owner: string) =>
      Array.from({ length: 50 }, (_, n) => due(`https://hang.example/${n}`, 1, owner)).flat()
    for (const lane of fairness.forClaim(100).choose(paths('alice'), [])) fairness.started(lane)
    expect(fairness.forClaim(100).choose(paths('bob'), [])).toHaveLength(8)
    expect(fairness.quickHosts()).toEqual([{ owner: 'bob', origin: 'https://quick.example' }])
  })

  test('slow answers do not prove an endpoint, and are not limited to one at a time', () => {
    const fairness = createFairness({ concurrency: 100 })
    const slow = many(200, 'slow')
    for (const { endpoint } of slow) ends(fairness, endpoint, { response_time_ms: 9_000 })
    expect(fairness.forClaim(100).choose(slow, [])).toHaveLength(57)
    const [first] = slow
    expect(fairness.forClaim(100).choose(due(first?.endpoint ?? '', 20), [])).toHaveLength(8)
  })

  test('a thousand receivers that hang leave room for one that answers', () => {
    const fairness = createFairness({ concurrency: 40 })
    ends(fairness, QUICK)
    const hanging = fairness.forClaim(40).choose(many(1_000, 'hang'), [])
    for (const lane of hanging) fairness.started(lane)
    const next = fairness.forClaim(10).choose([...many(1_000, 'other'), ...due(QUICK, 20)], [])
    expect(endpointsOf(next)).toEqual(Array(8).fill(QUICK))
  })

  test('an endpoint that was not seen is evaluated by its host', () => {
    const fairness = createFairness({ concurrency: 100 })
    ends(fairness, 'https://dead.example/a', DEAD)
    const paths = Array.from({ length: 500 }, (_, n) => due(`https://dead.example/${n}`)).flat()
    expect(fairness.forClaim(32).choose(paths, [])).toHaveLength(16)
    const small = createFairness({ concurrency: 40 })
    ends(small, 'https://dead.example/a', DEAD)
    expect(small.forClaim(40).choose(paths, [])).toHaveLength(8)
    ends(fairness, QUICK)
    expect(fairness.forClaim(100).choose(due('https://quick.example/b', 20), [])).toHaveLength(8)
    expect(fairness.forClaim(100).choose(due('https://quick.example:8443/b', 20), [])).toHaveLength(
      1,
    )
  })

  test('a thousand paths of one host that hangs leave room for hosts that were not seen', () => {
    const fairness = createFairness({ concurrency: 100 })
    const paths = Array.from({ length: 1_000 }, (_, n) => due(`https://hang.example/${n}`)).flat()
    const hanging = fairness.forClaim(100).choose(paths, [])
    expect(hanging).toHaveLength(16)
    for (const lane of hanging) fairness.started(lane)
    expect(endpointsOf(fairness.forClaim(84).choose([...paths, ...due(QUICK)], []))).toEqual([
      QUICK,
    ])
  })

  test('the choices of one claim count together, those of a claim begun again do not', () => {
    const fairness = createFairness({ concurrency: 100 })
    ends(fairness, QUICK)
    const { choose } = fairness.forClaim(10)
    const first = choose(due(QUICK, 6), [])
    expect(first).toHaveLength(6)
    // The second time some stores count the first choice as under way.
    expect(choose(due(QUICK, 6), first)).toHaveLength(2)
    expect(choose(many(6, 'new'), [])).toHaveLength(2)
    expect(choose(many(6, 'more'), [])).toHaveLength(0)
    expect(fairness.forClaim(10).choose(due(QUICK, 10), [])).toHaveLength(8)
  })

  test('the first due come first, and with one slot there is still progress for all kinds', () => {
    const fairness = createFairness({ concurrency: 1 })
    const [a, b] = many(2, 'new')
    expect(endpointsOf(fairness.forClaim(1).choose([a!, b!], []))).toEqual([a?.endpoint])
    ends(fairness, a!.endpoint, DEAD)
    expect(fairness.forClaim(1).choose([a!], [])).toHaveLength(1)
  })

  test('whatever happens, no limit is passed and the order is kept', () => {
    const endpoints = Array.from({ length: 12 }, (_, n) => `https://e${n % 5}.example/${n}`)
    const step = fc.record({
      endpoint: fc.constantFrom(...endpoints),
      fate: fc.constantFrom('dead', 'slow', 'quick', 'cut'),
    })
    const waiting = fc.array(fc.constantFrom(...endpoints), { maxLength: 60 })
    fc.assert(
      fc.property(
        fc.array(step),
        waiting,
        fc.integer({ min: 1, max: 16 }),
        (steps, names, slots) => {
          const fairness = createFairness({ concurrency: slots, perEndpoint: 3 })
          for (const { endpoint, fate } of steps) {
            if (fate === 'cut') continue
            const slow = { response_time_ms: fate === 'slow' ? 9_000 : 5 }
            ends(fairness, endpoint, fate === 'dead' ? DEAD : slow)
          }
          const candidates = names.flatMap((name) => due(name))
          const chosen = fairness.forClaim(slots).choose(candidates, [])
          expect(chosen.length).toBeLessThanOrEqual(slots)
          expect(candidates.filter((one) => chosen.includes(one))).toEqual(chosen)
          for (const name of endpoints) {
            expect(chosen.filter(({ endpoint }) => endpoint === name).length).toBeLessThanOrEqual(3)
          }
          expect(chosen.length > 0).toBe(candidates.length > 0)
        },
      ),
    )
  })
})
