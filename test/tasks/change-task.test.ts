import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskError } from '../../src/protocol/errors.ts'
import { isFinalStatus } from '../../src/protocol/final-status.ts'
import { createReleaseTable } from '../../src/protocol/releases/release-table.ts'
import { KNOWN_RELEASES } from '../../src/protocol/releases/releases.ts'
import type { TaskStatus } from '../../src/protocol/schemas/task-status.ts'
import { TASK_STATUSES } from '../../src/protocol/statuses.ts'
import { changeTask, type TaskChange } from '../../src/tasks/change-task.ts'
import { mayMove } from '../../src/tasks/status.ts'
import type { TaskKey } from '../../src/tasks/store.ts'
import { v3_3 } from '../support/next-release.ts'
import { DEADLINE_MS, type Harness, taskHarness } from './task-harness.ts'

const releases = createReleaseTable([...KNOWN_RELEASES, v3_3])

let harness: Harness
beforeAll(async () => {
  harness = await taskHarness()
})
afterAll(() => harness.close())

const error = taskError('ACTIVATION_FAILED', 'the platform refused')

function changeTo(status: TaskStatus): TaskChange {
  if (status === 'completed') return { status, result: { painted: 'red' } }
  if (status === 'failed' || status === 'rejected') return { status, errors: [error] }
  if (status === 'input-required') return { status, reason: 'APPROVAL_REQUIRED', errors: [error] }
  if (status === 'working') return { status, progress: { percentage: 40, total_steps: 2 } }
  return { status }
}

const change = ({ task_id }: TaskKey, to: TaskChange, next = {}) => {
  const { database, tasks, recorded } = harness
  return database.transact(async (tx) => {
    const task = await tasks.lock(tx, { task_id })
    if (!task) throw new Error('the task was begun')
    return changeTask({ tasks, events: recorded.events }, tx, { task, change: to, next })
  })
}
const eventsOf = ({ task_id }: TaskKey) =>
  harness.recorded.reported.filter((event) => event.task_id === task_id)

test('spec 3.2: any sequence of changes keeps to the table, and nothing follows the end', async () => {
  const { tasks, clock } = harness
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('submitted' as const, 'working' as const),
      fc.array(fc.tuple(fc.constantFrom(...TASK_STATUSES), fc.integer({ min: -5, max: 5 })), {
        maxLength: 12,
      }),
      async (first, wanted) => {
        const key = await harness.begin({ status: first })
        let status: TaskStatus = first
        const expected: TaskStatus[] = []
        for (const [to, ms] of wanted) {
          clock.advance(ms)
          const { ok } = await change(key, changeTo(to))
          expect(ok).toBe(mayMove(status, to))
          if (!ok) continue
          status = to
          expected.push(to)
        }
        const task = await tasks.get(key)
        expect(task?.status).toBe(status)
        const hasEnded = isFinalStatus(status)
        // What has not ended is always due some time, and what has ended never.
        expect([task?.due_at !== undefined, task?.completed_at !== undefined]).toEqual([
          !hasEnded,
          hasEnded,
        ])
        const reported = eventsOf(key)
        expect(reported.map((event) => event.status)).toEqual(
          expected.filter((each) => each !== 'submitted'),
        )
        expect(reported.findIndex((event) => isFinalStatus(event.status))).toBe(
          hasEnded ? reported.length - 1 : -1,
        )
        // Receivers order by the time: it grows although the clock may not.
        const times = reported.map(({ at }) => at)
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
        const said = (await tasks.history([key.task_id])).get(key.task_id) ?? []
        expect(said).toHaveLength(1 + expected.length)
      },
    ),
    { numRuns: 60 },
  )
})

test('spec 2.10: a webhook of work in progress, and of its end, always has a message', async () => {
  const key = await harness.begin({})
  for (const status of ['working', 'completed'] as const) await change(key, changeTo(status))
  expect(eventsOf(key)).toMatchObject([
    { status: 'working', message: 'paint is in progress' },
    { status: 'completed', message: 'paint completed' },
  ])
})

test('spec 3.2: beginning notifies no one, and each change carries what its status says', async () => {
  const context = { order: 7 }
  const key = await harness.begin({ context, context_id: 'c-1' })
  expect(eventsOf(key)).toEqual([])

  for (const status of ['working', 'input-required', 'submitted', 'completed'] as const) {
    expect(await change(key, { ...changeTo(status), message: `now ${status}` })).toMatchObject({
      ok: true,
    })
  }
  const shared = { ...key, task_type: 'paint', domain: 'creative', context, context_id: 'c-1' }
  const at = expect.any(Number)
  expect(eventsOf(key)).toEqual([
    {
      ...shared,
      at,
      status: 'working',
      message: 'now working',
      result: { percentage: 40, total_steps: 2 },
    },
    {
      ...shared,
      at,
      status: 'input-required',
      message: 'now input-required',
      result: { reason: 'APPROVAL_REQUIRED', errors: [error] },
    },
    {
      ...shared,
      at,
      status: 'completed',
      message: 'now completed',
      result: { painted: 'red' },
    },
  ])
})

test('spec 7.1: a failed creative task carries error beside errors, another errors alone', async () => {
  const creative = await harness.begin()
  const signals = await harness.begin({ domain: 'signals' })
  await change(creative, changeTo('failed'))
  await change(signals, changeTo('rejected'))
  expect(eventsOf(creative)[0]?.result).toEqual({
    error: { code: 'ACTIVATION_FAILED', message: 'the platform refused' },
    errors: [error],
  })
  expect(eventsOf(signals)[0]).toMatchObject({ status: 'rejected', result: { errors: [error] } })
})

test('spec 9: what is wrong is reported in the terms of the call that began the task, by webhook and when requested', async () => {
  const wrong = taskError('INVALID_REQUEST', 'no such card', { field: '/assets/cards/1' })
  const rows = { creatives: [{ creative_id: 'c', errors: [wrong] }] }
  const reported = async (generation: '3.x' | undefined, to: TaskChange) => {
    const key = await harness.begin({ domain: 'signals', generation })
    await change(key, to)
    const { errors, result, input_required } = (await harness.tasks.get(key)) ?? {}
    const requested = result ?? input_required ?? { errors }
    expect(eventsOf(key)[0]?.result).toEqual(requested)
    return JSON.stringify(requested)
  }
  const changes: TaskChange[] = [
    { status: 'failed', errors: [wrong] },
    { status: 'input-required', reason: 'APPROVAL_REQUIRED', errors: [wrong] },
    { status: 'completed', result: rows },
  ]
  for (const to of changes) {
    expect(await reported('3.x', to)).toContain('"field":"assets.cards[1]"')
    expect(await reported(undefined, to)).toContain('"field":"/assets/cards/1"')
  }
})

test('spec 9: the end of a task is kept in the form of the release that its call spoke', async () => {
  const { database, tasks, recorded } = harness
  const ports = { tasks, events: recorded.events, releases }
  const products = [{ name: 'One', product_id: 'one' }]
  for (const [generation, name] of [['3.2', 'name'] as const, ['3.3', 'title'] as const]) {
    const key = await harness.begin({ task_type: 'get_products', generation })
    await database.transact(async (tx) => {
      const task = await tasks.lock(tx, key)
      const change = { status: 'completed' as const, result: { products } }
      if (task) await changeTask(ports, tx, { task, change })
    })
    const { result } = (await tasks.get(key)) ?? {}
    expect(result).toMatchObject({ products: [{ [name]: 'One', product_id: 'one' }] })
    expect(Object.hasOwn(result ?? {}, 'product_count')).toBe(name === 'title')
    expect(eventsOf(key)[0]?.result).toEqual(result)
  }
})

test('a canceled task has no result, and without a context none is invented', async () => {
  const key = await harness.begin()
  await change(key, { status: 'canceled' })
  expect(Object.keys(eventsOf(key)[0] ?? {}).sort()).toEqual(
    ['at', 'domain', 'owner', 'status', 'task_id', 'task_type'].sort(),
  )
})

test('a change that is rolled back notifies no one and leaves no trace', async () => {
  const { database, tasks, recorded } = harness
  const key = await harness.begin()
  await expect(
    database.transact(async (tx) => {
      const task = await tasks.lock(tx, key)
      if (!task) throw new Error('the task was begun')
      const change = changeTo('completed')
      await changeTask({ tasks, events: recorded.events }, tx, { task, change })
      throw new Error('the disk is full')
    }),
  ).rejects.toThrow('the disk is full')
  expect((await tasks.get(key))?.status).toBe('submitted')
  expect(eventsOf(key)).toEqual([])
  expect((await tasks.history([key.task_id])).get(key.task_id)).toHaveLength(1)
})

test('the next step is due after its pause, never later than the deadline', async () => {
  const { tasks, clock } = harness
  const start = clock.now()
  const key = await harness.begin()
  await change(key, changeTo('working'), { afterMs: 5_000, state: { coats: 1 } })
  expect(await tasks.get(key)).toMatchObject({ due_at: start + 5_000, state: { coats: 1 } })
  await change(key, changeTo('working'), { afterMs: 10 * DEADLINE_MS })
  expect(await tasks.get(key)).toMatchObject({ due_at: start + DEADLINE_MS, state: { coats: 1 } })
  await change(key, changeTo('input-required'))
  expect((await tasks.get(key))?.due_at).toBe(start + DEADLINE_MS)
})

test('the history repeats no long request', async () => {
  const key = await harness.begin({ request: { filler: 'x'.repeat(10_000) } })
  const said = (await harness.tasks.history([key.task_id])).get(key.task_id)
  expect(said).toEqual([
    { type: 'request', at: expect.any(Number), data: { omitted_characters: 10_013 } },
  ])
})
