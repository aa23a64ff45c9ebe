import { expect, test } from 'vitest'
import {
  createKeylessDraws,
  KEYLESS_DRAW_LIMITS,
} from '../../../src/creative/rendering/keyless-draws.ts'

const forever = new AbortController().signal

/** Draws that end when the test says so. */
function drawing(limits = KEYLESS_DRAW_LIMITS) {
  const draws = createKeylessDraws(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const draw = (account: string) =>
    draws.run(account, forever, () => {
      begun.push(account)
      return new Promise<string>((resolve) => ends.push(() => resolve('drawn')))
    })
  const endNext = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    ends.shift()?.()
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { draw, begun, endNext }
}

test('one is drawn at a time, and addresses take turns', async () => {
  const { draw, begun, endNext } = drawing()
  const all = ['a', 'a', 'a', 'b'].map(draw)
  await endNext()
  expect(begun).toEqual(['a', 'a'])
  await endNext()
  expect(begun).toEqual(['a', 'a', 'b'])
  await endNext()
  await endNext()
  expect(await Promise.all(all)).toEqual(['drawn', 'drawn', 'drawn', 'drawn'])
})

test('what one address waits for is bounded, and what all wait for', async () => {
  const { draw } = drawing({
    ...KEYLESS_DRAW_LIMITS,
    waitingOfOne: { ...KEYLESS_DRAW_LIMITS.waitingOfOne, value: 2 },
    waiting: { ...KEYLESS_DRAW_LIMITS.waiting, value: 3 },
  })
  void draw('a')
  void draw('a')
  expect(await draw('a')).toBe('own_full')
  void draw('b')
  expect(await draw('c')).toBe('all_full')
})

test('who has gone is not drawn for, and its place is free again', async () => {
  const draws = createKeylessDraws()
  const gone = new AbortController()
  const first = draws.run('a', forever, () => new Promise((resolve) => setTimeout(resolve, 20)))
  const second = draws.run('b', gone.signal, async () => 'drawn')
  gone.abort()
  expect(await second).toBe('late')
  await first
  expect(await draws.run('b', forever, async () => 'drawn')).toBe('drawn')
})
