import { expect, test } from 'vitest'
import { createSlowReaderSweep } from '../../../src/transports/http/slow-readers.ts'
import { fakeClock } from '../../support/fake-clock.ts'

function reader(writableLength = 0) {
  const one = {
    writableLength,
    isCut: false,
    destroy: () => {
      one.isCut = true
      return one as never
    },
  }
  return one
}

const LIMITS = { answerMs: 60_000, maxUnread: 1_000, maxUnreadOfAll: 2_500 }

test('who takes nothing in time is cut, who takes all in between is not', () => {
  const clock = fakeClock()
  const sweep = createSlowReaderSweep({ clock, ...LIMITS })
  const [slow, steady, idle] = [reader(10), reader(10), reader(0)]
  const open = [slow, steady, idle]
  expect(sweep(open)).toBe(0)
  clock.advance(30_000)
  steady.writableLength = 0
  sweep(open)
  clock.advance(29_999)
  steady.writableLength = 10
  expect(sweep(open)).toBe(0)
  clock.advance(1)
  expect(sweep(open)).toBe(1)
  expect([slow, steady, idle].map(({ isCut }) => isCut)).toEqual([true, false, false])
})

test('who leaves too much is cut at once', () => {
  const sweep = createSlowReaderSweep({ clock: fakeClock(), ...LIMITS })
  const [greedy, modest] = [reader(1_001), reader(1_000)]
  expect(sweep([greedy, modest])).toBe(1)
  expect([greedy.isCut, modest.isCut]).toEqual([true, false])
})

test('of too much in all, those with most of it are cut', () => {
  const sweep = createSlowReaderSweep({ clock: fakeClock(), ...LIMITS })
  const readers = [reader(900), reader(300), reader(1_000), reader(800)]
  expect(sweep(readers)).toBe(1)
  expect(readers.map(({ isCut }) => isCut)).toEqual([false, false, true, false])
})
