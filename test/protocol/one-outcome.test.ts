import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import {
  isSameOutcome,
  NOTHING_TOLD,
  type OutcomeFields,
  type OutcomeNews,
  outcomeValue,
  receiveOutcome,
} from '../../src/protocol/one-outcome.ts'

const NAMES = identifiersFor('proto')
const FINAL = ['completed', 'failed', 'canceled', 'rejected']

const reported = (status: string, value: unknown = { n: 1 }): OutcomeFields => ({
  task_type: 'activate_signal',
  status,
  value,
})

function hearAll(updates: readonly OutcomeFields[]) {
  let state = NOTHING_TOLD
  const news: OutcomeNews[] = []
  for (const one of updates) {
    const step = receiveOutcome(state, one)
    state = step.state
    news.push(step.news)
  }
  return { state, news }
}

/** Every order of these. */
function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, at) =>
    ordersOf(items.filter((_, index) => index !== at)).map((rest) => [item, ...rest]),
  )
}

describe('spec 6.4: of everything that is reported about a task', () => {
  test('in every order of answer, polls and webhooks, the first end wins, once', () => {
    const updates = [
      reported('submitted'),
      reported('working'),
      reported('unknown'),
      reported('completed', { n: 1 }),
      reported('completed', { n: 1 }),
      reported('failed', { errors: [] }),
      reported('input-required'),
    ]
    const orders = ordersOf(updates)
    expect(orders).toHaveLength(5_040)
    const count = (news: readonly OutcomeNews[], wanted: OutcomeNews) =>
      news.filter((one) => one === wanted).length
    const wrong = orders.filter((order) => {
      const { state, news } = hearAll(order)
      const first = order.findIndex(({ status }) => FINAL.includes(status))
      // Of the two that are equal one is the same again, unless the third came first: then both differ.
      const conflicts = order[first]?.status === 'failed' ? 2 : 1
      const isRight =
        count(news, 'settled') === 1 &&
        news[first] === 'settled' &&
        state.settled?.status === order[first]?.status &&
        count(news, 'conflict') === conflicts &&
        !news.slice(0, first).includes('stale') &&
        !news.slice(first + 1).includes('interim')
      return !isRight
    })
    expect(wrong).toEqual([])
  })

  test('whatever comes and however often, there is one outcome, and it never changes', () => {
    const status = fc.constantFrom(...FINAL, 'submitted', 'working', 'unknown', 'resting', '')
    const update = fc
      .tuple(status, fc.integer({ min: 0, max: 2 }))
      .map(([s, n]) => reported(s, { n }))
    fc.assert(
      fc.property(fc.array(update, { maxLength: 12 }), (updates) => {
        const { state, news } = hearAll(updates)
        const ends = updates.filter((one) => FINAL.includes(one.status))
        const [first] = ends
        if (!first) return state.settled === undefined && !news.includes('settled')
        expect(state).toEqual(hearAll([first]).state)
        const others = ends.filter((one) => !isSameOutcome(first, one))
        expect(news.filter((one) => one === 'conflict')).toHaveLength(others.length)
        expect(news.filter((one) => one === 'settled')).toHaveLength(1)
        expect(news.filter((one) => one === 'same')).toHaveLength(ends.length - others.length - 1)
        return true
      }),
    )
  })

  test('`unknown` and what is no status settle nothing', () => {
    expect(hearAll([reported('unknown'), reported('resting'), reported('')]).news).toEqual(
      Array(3).fill('nothing'),
    )
  })
})

describe('two ends are the same', () => {
  const same = (one: object, other: object, status = 'completed') =>
    isSameOutcome(
      reported(status, outcomeValue(status, one as never, NAMES)),
      reported(status, outcomeValue(status, other as never, NAMES)),
    )

  test('whatever the order of their members, and without what belongs to the way', () => {
    const answer = { status: 'completed', proto_version: '3.1', message: 'done', a: 1, b: { c: 2 } }
    const webhook = { b: { c: 2 }, a: 1, task_id: 't', context: { trace: 1 }, replayed: true }
    expect(same(answer, webhook)).toBe(true)
    expect(same(answer, { ...webhook, a: 2 })).toBe(false)
    expect(same(answer, { ...webhook, other_version: '3.1' })).toBe(false)
  })

  test('when they failed for the same reason, however much else they report about it', () => {
    const error = { code: 'ACTIVATION_FAILED', message: 'no' }
    const full = { errors: [{ ...error, recovery: 'transient', retry_after: 5 }], proto_error: {} }
    expect(same(full, { error }, 'failed')).toBe(true)
    expect(same(full, { errors: [{ ...error, code: 'CONFLICT' }] }, 'failed')).toBe(false)
  })

  test('spec 3.2: when a poll says rejected and the webhook, which has no such word, failed', () => {
    expect(isSameOutcome(reported('rejected'), reported('failed'))).toBe(true)
    expect(isSameOutcome(reported('canceled'), reported('failed'))).toBe(false)
  })

  test('and never when they are of two tasks', () => {
    const other = { ...reported('completed'), task_type: 'build_creative' }
    expect(isSameOutcome(reported('completed'), other)).toBe(false)
  })
})
