import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import {
  AnswerFault,
  type AnswerHold,
  createAnswerReserve,
} from '../../../src/transports/http/answer-reserve.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const LIMITS = { ofAll: 1_000, ofOne: 600, ofKeyless: 500, ofOneKeyless: 300 }
const KEYED = { account: 'prn_a', hasKey: true }
const STRANGER = { account: 'address 192.0.2.1', hasKey: false }
const OTHER = { account: 'address 192.0.2.2', hasKey: false }

/** As much of a response as is used here. */
type Connection = ServerResponse & { destroyed: boolean }

function response(): Connection {
  const one = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy: () => {
      one.destroyed = true
    },
  })
  return one as object as Connection
}

function opened() {
  const clock = fakeClock()
  let closed = 0
  const reserve = createAnswerReserve({
    limits: LIMITS,
    clock,
    onClosed: (connections) => {
      closed += connections
    },
  })
  const hold = (caller: typeof KEYED, bytes: number, at = response()) =>
    reserve.open(caller, bytes, at) as AnswerHold
  return { clock, reserve, hold, closed: () => closed }
}

test('room is reserved before the work, and given back when the response closes', () => {
  const { reserve, hold } = opened()
  const at = response()
  hold(KEYED, 400, at)
  expect(reserve.bytes()).toBe(400)
  at.emit('close')
  expect(reserve.bytes()).toBe(0)
})

test('a caller beyond its own reserve is refused with 429, and others are not', () => {
  const { reserve } = opened()
  reserve.open(STRANGER, 300, response())
  expect(reserve.open(STRANGER, 1, response())).toMatchObject({ status: 429, retryAfterSeconds: 1 })
  expect(reserve.open(OTHER, 200, response())).not.toBeInstanceOf(AnswerFault)
  expect(reserve.open(KEYED, 500, response())).not.toBeInstanceOf(AnswerFault)
})

test('callers without a key use up their own share of the whole, never that of callers with one', () => {
  const { reserve } = opened()
  reserve.open(STRANGER, 300, response())
  reserve.open(OTHER, 200, response())
  const third = { account: 'address 192.0.2.3', hasKey: false }
  expect(reserve.open(third, 1, response())).toMatchObject({ status: 503 })
  expect(reserve.open(KEYED, 500, response())).not.toBeInstanceOf(AnswerFault)
})

test('an answer that turns out larger than was reserved is refused while there is no room, and changes nothing', () => {
  const { reserve, hold } = opened()
  const small = hold(STRANGER, 100)
  expect(small.resize(STRANGER, 301)).toMatchObject({ status: 429 })
  expect(reserve.bytes()).toBe(100)
  expect(small.resize(STRANGER, 300)).toBeUndefined()
  expect(reserve.bytes()).toBe(300)
})

test('what has to be answered is counted beyond the limits, and can always become smaller', () => {
  const { reserve, hold } = opened()
  const one = hold(STRANGER, 100)
  one.settle(STRANGER, 2_000)
  expect(reserve.bytes()).toBe(2_000)
  expect(reserve.open(KEYED, 1, response())).toMatchObject({ status: 503 })
  expect(one.resize(STRANGER, 1_500)).toBeUndefined()
  expect(reserve.bytes()).toBe(1_500)
})

test('once the caller is known, its answer counts as its own and no longer as its address', () => {
  const { reserve, hold } = opened()
  const one = hold(STRANGER, 300)
  expect(one.resize(KEYED, 300)).toBeUndefined()
  expect(reserve.open(STRANGER, 300, response())).not.toBeInstanceOf(AnswerFault)
})

test('when the whole is used up, connections that do not read are closed, the oldest first', () => {
  const { clock, reserve, hold, closed } = opened()
  const [first, second, third] = [response(), response(), response()]
  hold(KEYED, 400, first).awaitReader(true)
  clock.advance(1_000)
  hold({ account: 'prn_b', hasKey: true }, 400, second).awaitReader(true)
  hold({ account: 'prn_c', hasKey: true }, 200, third)
  clock.advance(1_000)
  const fourth = { account: 'prn_d', hasKey: true }
  expect(reserve.open(fourth, 300, response())).not.toBeInstanceOf(AnswerFault)
  expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([true, false, false])
  expect([closed(), reserve.bytes()]).toEqual([1, 900])
  // Closed by us and by its socket: it is given back once.
  first.emit('close')
  expect(reserve.bytes()).toBe(900)
})

test('a client that has taken its answer is not closed, and neither is one that was sent it just now', () => {
  const { clock, reserve, hold } = opened()
  const [taken, recent] = [response(), response()]
  const one = hold(KEYED, 500, taken)
  one.awaitReader(true)
  one.awaitReader(false)
  clock.advance(5_000)
  hold({ account: 'prn_b', hasKey: true }, 500, recent).awaitReader(true)
  clock.advance(1_999)
  expect(reserve.open(OTHER, 100, response())).toMatchObject({ status: 503 })
  expect([taken.destroyed, recent.destroyed]).toEqual([false, false])
})

test('unknown callers do not have the connections of callers with a key closed', () => {
  const { clock, reserve, hold } = opened()
  const [keyed, keyless] = [response(), response()]
  hold(KEYED, 600, keyed).awaitReader(true)
  hold(STRANGER, 300, keyless).awaitReader(true)
  hold(OTHER, 100)
  clock.advance(5_000)
  const third = { account: 'address 192.0.2.3', hasKey: false }
  expect(reserve.open(third, 200, response())).not.toBeInstanceOf(AnswerFault)
  expect([keyed.destroyed, keyless.destroyed]).toEqual([false, true])
})
