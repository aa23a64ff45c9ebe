import { expect, test } from 'vitest'
import { createCostBudget } from '../../src/agent/cost-budget.ts'

const signal = new AbortController().signal
const budget = () =>
  createCostBudget({ heavyUnits: 100, heavyAtOnce: 2, unitsPerCaller: 1_000, waitMs: 60_000 })

/** Whether it has started by now. */
async function hasStarted(start: Promise<unknown>): Promise<boolean> {
  let started = false
  void start.then(
    () => {
      started = true
    },
    () => {},
  )
  await new Promise((resolve) => setImmediate(resolve))
  return started
}

test('H3: heavy calls of one caller run one at a time, and its light ones at once', async () => {
  const { start } = budget()
  const end = await start('a', 500, signal)
  const second = start('a', 400, signal)
  expect(await hasStarted(second)).toBe(false)
  expect(await hasStarted(start('a', 10, signal))).toBe(true)
  expect(await hasStarted(start('b', 500, signal))).toBe(true)
  end()
  expect(await hasStarted(second)).toBe(true)
})

test('H3: beyond the heavy calls of all callers the next one waits, and callers take turns', async () => {
  const { start } = budget()
  const endA = await start('a', 200, signal)
  const endB = await start('b', 200, signal)
  const again = start('a', 200, signal)
  const other = start('c', 200, signal)
  endA()
  endB()
  expect(await hasStarted(again)).toBe(true)
  expect(await hasStarted(other)).toBe(true)
})

test('H3: a caller with too many calls in progress must retry later; others are not affected', async () => {
  const { start, underWay } = budget()
  const end = await start('a', 900, signal)
  await expect(start('a', 200, signal)).rejects.toMatchObject({
    errors: [{ code: 'RATE_LIMITED', retry_after: 2 }],
  })
  await expect(start('b', 900, signal)).resolves.toBeTypeOf('function')
  end()
  await expect(start('a', 200, signal)).resolves.toBeTypeOf('function')
  expect(underWay()).toBe(1_100)
})

test('a call that alone costs more than a caller may have under way is started when it is alone', async () => {
  const { start } = budget()
  await expect(start('a', 5_000, signal)).resolves.toBeTypeOf('function')
})

test('a heavy call whose caller has gone gives its place up', async () => {
  const { start, underWay } = budget()
  const end = await start('a', 200, signal)
  const gone = new AbortController()
  const waiting = start('a', 200, gone.signal)
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ errors: [{ code: 'RATE_LIMITED' }] })
  end()
  expect(underWay()).toBe(0)
})
