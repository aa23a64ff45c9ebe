import { expect, test } from 'vitest'
import { boundUnread, createSlowReaderSweep } from '../../../src/transports/http/slow-readers.ts'
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

test('a client that reads nothing in time is cut, one that reads everything in between is not', () => {
  const clock = fakeClock()
  const sweep = createSlowReaderSweep({ clock, answerMs: 60_000 })
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

test('a connection is closed in the moment in which its client has left too much, not at the next sweep', () => {
  let cut = 0
  const connection = {
    writableLength: 0,
    isClosed: false,
    write: (chunk: string) => {
      connection.writableLength += chunk.length
      return false
    },
    destroy: () => {
      connection.isClosed = true
      return connection as never
    },
  }
  boundUnread(connection as never, () => cut++, 1_000)
  connection.write('x'.repeat(1_000))
  expect([connection.isClosed, cut]).toEqual([false, 0])
  connection.write('x')
  expect([connection.isClosed, cut]).toEqual([true, 1])
})
