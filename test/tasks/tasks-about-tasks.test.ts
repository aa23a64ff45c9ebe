import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { cursorOf } from '../../src/protocol/cursor.ts'
import { taskError } from '../../src/protocol/errors.ts'
import type { AnyTask } from '../../src/protocol/task.ts'
import { changeTask, type TaskChange } from '../../src/tasks/change-task.ts'
import type { TaskKey } from '../../src/tasks/store.ts'
import { callBy, type Harness, taskHarness } from './task-harness.ts'

let harness: Harness
let tasks: readonly AnyTask[]
beforeAll(async () => {
  harness = await taskHarness()
  // Without a runner: the tests make the changes.
  tasks = harness.engine(async () => ({ status: 'canceled' })).engine.tasks
})
afterAll(() => harness.close())

type Body = Record<string, unknown>

/** Calls a task as the table would: the request parsed, the answer checked. */
async function ask(name: string, request: object, caller = 'alice'): Promise<Body> {
  const task = tasks.find((each) => each.name === name) as AnyTask
  const answer = await task.handle(task.request.parse(request), callBy(caller))
  const checked = (task.response as z.ZodType<Body>).safeParse(answer)
  expect(checked.error).toBeUndefined()
  return answer as Body
}
const refusal = (name: string, request: object, caller?: string) =>
  ask(name, request, caller).then(
    () => undefined,
    (error: { errors: readonly [{ code: string; message: string }] }) => error.errors[0],
  )
const change = ({ task_id }: TaskKey, to: TaskChange) =>
  harness.database.transact(async (tx) => {
    const task = await harness.tasks.lock(tx, { task_id })
    if (!task) throw new Error('the task was begun')
    const ports = { tasks: harness.tasks, events: harness.recorded.events }
    return changeTask(ports, tx, { task, change: to })
  })

test('the four tasks need the scope tasks, and two of them change something', () => {
  const displayed = tasks.map(({ name, area, access, changes }) => [name, area, access, changes])
  expect(displayed).toEqual([
    ['list_tasks', 'tasks', 'tasks', false],
    ['get_task_status', 'tasks', 'tasks', false],
    ['cancel_task', 'tasks', 'tasks', true],
    ['provide_task_input', 'tasks', 'tasks', true],
  ])
})

test('spec 3.2: a task is returned with what belongs to its status', async () => {
  const key = await harness.begin({ has_webhook: true })
  const status = (more = {}) => ask('get_task_status', { task_id: key.task_id, ...more })
  const begun = await status()
  expect(begun).toEqual({
    task_id: key.task_id,
    task_type: 'paint',
    protocol: 'creative',
    domain: 'creative',
    status: 'submitted',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    has_webhook: true,
  })
  await change(key, { status: 'working', progress: { percentage: 10 }, message: 'painting' })
  expect(await status()).toMatchObject({
    status: 'working',
    message: 'painting',
    progress: { percentage: 10 },
  })
  await change(key, { status: 'input-required', reason: 'APPROVAL_REQUIRED' })
  expect(await status()).toMatchObject({ input_required: { reason: 'APPROVAL_REQUIRED' } })
  harness.clock.advance(1_000)
  await change(key, { status: 'completed', result: { painted: 'red' } })
  const ended = await status()
  expect(ended).toMatchObject({
    status: 'completed',
    result: { painted: 'red' },
    completed_at: '2026-01-01T00:00:01.000Z',
  })
  expect(ended).not.toHaveProperty('input_required')
  expect(ended).not.toHaveProperty('progress')
  expect(await status({ include_result: false })).not.toHaveProperty('result')
})

test('a failed task shows why, and the history what was said', async () => {
  const key = await harness.begin()
  const error = taskError('ACTIVATION_FAILED', 'the platform refused', { details: { at: 2 } })
  await change(key, { status: 'failed', errors: [error], message: 'over' })
  const displayed = await ask('get_task_status', { task_id: key.task_id, include_history: true })
  expect(displayed).toMatchObject({
    status: 'failed',
    error: { code: 'ACTIVATION_FAILED', message: 'the platform refused', details: { at: 2 } },
    history: [
      { type: 'request', data: { colour: 'red' } },
      { type: 'response', data: { status: 'failed', message: 'over', errors: [error] } },
    ],
  })
})

test('a task of another caller and one that was never reported look like no task', async () => {
  const key = await harness.begin()
  const untold = await harness.begin({ is_told: false })
  for (const name of ['get_task_status', 'cancel_task', 'provide_task_input']) {
    const request = (task_id: string) => ({ task_id, message: 'hello' })
    const answers = [
      await refusal(name, request(key.task_id), 'bob'),
      await refusal(name, request(untold.task_id)),
      await refusal(name, request('no-such-task')),
    ]
    expect(answers.map((error) => error?.code)).toEqual(Array(3).fill('TASK_NOT_FOUND'))
    const words = answers.map((error) => error?.message.replace(/"[^"]*"/, '""'))
    expect(new Set(words).size).toBe(1)
  }
  expect((await harness.tasks.get(key))?.status).toBe('submitted')
})

test('spec 3.2: a task is canceled once, and what has ended is not', async () => {
  const key = await harness.begin()
  const { task_id } = key
  expect(await ask('cancel_task', { task_id, reason: 'too red' })).toMatchObject({
    status: 'canceled',
    message: 'canceled: too red',
    completed_at: expect.any(String),
  })
  const reported = harness.recorded.reported.filter((event) => event.task_id === task_id)
  expect(reported).toMatchObject([{ status: 'canceled', message: 'canceled: too red' }])
  expect(await refusal('cancel_task', { task_id })).toMatchObject({
    code: 'NOT_CANCELLABLE',
    message: expect.stringContaining('canceled'),
  })
  const said = (await ask('get_task_status', { task_id, include_history: true })).history
  expect(said).toMatchObject([
    { type: 'request' },
    { type: 'request', data: { cancel: true, reason: 'too red' } },
    { type: 'response', data: { status: 'canceled' } },
  ])
})

test('input is taken only while the task waits for it, and must say something', async () => {
  const key = await harness.begin()
  const { task_id } = key
  const provide = { task_id, approved: false }
  expect(await refusal('provide_task_input', provide)).toMatchObject({
    code: 'INVALID_STATE',
    message: expect.stringContaining('wait until'),
  })
  await change(key, { status: 'input-required', reason: 'APPROVAL_REQUIRED' })
  expect((await refusal('provide_task_input', { task_id }))?.code).toBe('INVALID_REQUEST')
  expect(await ask('provide_task_input', provide)).toMatchObject({ status: 'working' })
  expect(await harness.tasks.get(key)).toMatchObject({
    input: { approved: false },
    due_at: harness.clock.now(),
  })
  expect((await refusal('provide_task_input', provide))?.code).toBe('INVALID_STATE')
  await change(key, { status: 'completed', result: {} })
  expect((await refusal('provide_task_input', provide))?.message).toContain('send a new request')
})

test('spec 3.2: the list is filtered, sorted, counted and cut into pages', async () => {
  const owner = 'prn_carol'
  const list = (request: object) => ask('list_tasks', request, 'carol')
  const keys: TaskKey[] = []
  for (const [index, domain] of ['creative', 'signals', 'creative'].entries()) {
    keys.push(
      await harness.begin({
        owner,
        domain,
        context: { index: `no. ${index}` },
        has_webhook: index === 1,
      }),
    )
    harness.clock.advance(1_000)
  }
  await change(keys[2] as TaskKey, { status: 'completed', result: { painted: 'red' } })
  const ids = keys.map(({ task_id }) => task_id)
  const [first, second, third] = ids

  expect(await list({})).toMatchObject({
    query_summary: {
      total_matching: 3,
      returned: 3,
      domain_breakdown: { creative: 2, signals: 1 },
      status_breakdown: { submitted: 2, completed: 1 },
      filters_applied: [],
      sort_applied: { field: 'created_at', direction: 'desc' },
    },
    tasks: [{ task_id: third }, { task_id: second }, { task_id: first }],
    pagination: { has_more: false, total_count: 3 },
  })
  const found = async (filters: object) =>
    ((await list({ filters })).tasks as TaskKey[]).map(({ task_id }) => task_id)
  expect(await found({ protocol: 'signals' })).toEqual([second])
  expect(await found({ domains: ['creative'], status: 'submitted' })).toEqual([first])
  expect(await found({ protocol: 'signals', domain: 'creative' })).toEqual([])
  expect(await found({ status: ['completed', 'failed'], statuses: ['completed'] })).toEqual([third])
  expect(await found({ statuses: ['auth-required'] })).toEqual([])
  expect(await found({ task_types: ['paint'], task_type: 'build_creative' })).toEqual([])
  expect(await found({ task_ids: [first, second], has_webhook: false })).toEqual([first])
  expect(await found({ context_contains: 'no. 2' })).toEqual([third])
  const created = (await harness.tasks.get(keys[1] as TaskKey))?.created_at ?? 0
  const at = new Date(created).toISOString()
  expect(await found({ created_after: at })).toEqual([third])
  expect(await found({ created_before: at, updated_before: at })).toEqual([first])
  expect(await found({ updated_after: at.replace('Z', '+00:00') })).toEqual([third])

  const sort = { field: 'protocol', direction: 'asc' }
  const pages: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ sort, pagination: { max_results: 1, ...(cursor && { cursor }) } })
    pages.push(...(page.tasks as TaskKey[]).map(({ task_id }) => task_id))
    cursor = (page.pagination as { cursor?: string }).cursor
  } while (cursor !== undefined && pages.length < 5)
  expect([...pages].sort()).toEqual([...ids].sort())
  expect(pages[2]).toBe(second)

  const [displayed] = (await list({ include_history: true, filters: { task_ids: [third] } }))
    .tasks as Body[]
  expect(displayed?.history).toMatchObject([{ type: 'request' }, { data: { status: 'completed' } }])
  expect(JSON.stringify(displayed)).not.toContain('painted')
})

test('a cursor of another order, or none at all, is refused and not guessed at', async () => {
  const owner = 'prn_dave'
  await harness.begin({ owner })
  await harness.begin({ owner })
  const page = await ask('list_tasks', { pagination: { max_results: 1 } }, 'dave')
  const { cursor } = page.pagination as { cursor: string }
  const byTime = 'list_tasks created_at desc'
  for (const request of [
    { pagination: { cursor }, sort: { direction: 'asc' } },
    { pagination: { cursor }, sort: { field: 'status' } },
    { pagination: { cursor: 'x' } },
    { pagination: { cursor: cursorOf(byTime, ['yesterday', 'id']) } },
    { pagination: { cursor: cursorOf(byTime, [1, 'i\0d']) } },
    {
      pagination: { cursor: cursorOf('list_tasks status desc', [1, 'id']) },
      sort: { field: 'status' },
    },
  ]) {
    expect((await refusal('list_tasks', request, 'dave'))?.code).toBe('INVALID_REQUEST')
  }
  expect((await ask('list_tasks', { pagination: { cursor } }, 'dave')).tasks).toHaveLength(1)
})
