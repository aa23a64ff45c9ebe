import { afterAll, beforeAll, expect, test } from 'vitest'
import { LARGE_CALLS } from '../../bench/support/large-calls.mjs'
import { servedTasks } from '../../src/app/served-tasks.ts'
import type { AnyTask } from '../../src/protocol/task.ts'

let served: Awaited<ReturnType<typeof servedTasks>>
let tasks: readonly AnyTask[]
beforeAll(async () => {
  served = await servedTasks()
  tasks = served.tasks.entries
    .filter(({ name, task }) => name === task.name)
    .map(({ task }) => task)
})
afterAll(() => served.close())

test('H1: every task declares what its work grows with, and the most that one call may cost', () => {
  expect(tasks.length).toBeGreaterThan(20)
  for (const { name, cost } of tasks) {
    expect(cost?.grows, name).toMatch(/\w/)
    expect(cost.limit, name).toBeGreaterThan(0)
    expect(cost.limit, name).toBeLessThanOrEqual(200_000)
    expect(cost.estimate, name).toBeTypeOf('function')
  }
})

test('H1: the largest calls of every task are part of the measurement of what others notice', () => {
  const measured = Object.keys(LARGE_CALLS)
  expect(tasks.map(({ name }) => name).filter((name) => !measured.includes(name))).toEqual([])
})
