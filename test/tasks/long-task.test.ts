import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProtocolError, taskError } from '../../src/protocol/errors.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import type { AnyTask, CallContext } from '../../src/protocol/task.ts'
import type { TaskStore } from '../../src/tasks/store.ts'
import { eventually } from '../support/eventually.ts'
import {
  callBy,
  gate,
  type Harness,
  type PaintOutcome,
  type PaintStep,
  taskHarness,
} from './task-harness.ts'

let harness: Harness
let stops: (() => Promise<void>)[] = []
beforeEach(async () => {
  harness = await taskHarness()
  stops = []
})
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await harness.close()
})

const KEY = 'key-0123456789abcdef'
const SECRET = 'a-secret-of-at-least-32-characters'
const CONFIG = {
  url: 'https://buyer.example/hook?k=1',
  operation_id: 'op-1',
  authentication: { schemes: ['Bearer'], credentials: SECRET },
}
const done = (painted = 'red'): PaintOutcome => ({ status: 'completed', result: { painted } })

function serve(
  step: (run: PaintStep) => Promise<PaintOutcome>,
  definition: Parameters<Harness['engine']>[2] = {},
  options: Parameters<Harness['engine']>[1] = {},
) {
  const { engine, paint } = harness.engine(step, options, definition)
  engine.runner.start()
  stops.push(engine.runner.stop)
  const call = (request: object, over: Partial<CallContext> = {}, name = 'alice') =>
    paint.handle(request, callBy(name, over)) as Promise<Record<string, unknown>>
  const ask = (task: string, request: object) => {
    const found = engine.tasks.find(({ name }) => name === task) as AnyTask
    return found.handle(request, callBy('alice')) as Promise<Record<string, unknown>>
  }
  return { call, ask, engine }
}
const listed = async () =>
  (await harness.database.read.all<{ task_id: string }>('SELECT task_id FROM tasks')).length
const codesOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: ProtocolError) => error.errors.map(({ code }) => code),
  )

test('spec 3.2: what ends in time is answered inline, without a task_id that anyone could request', async () => {
  const { call, ask } = serve(async ({ request }) => done(request.colour))
  expect(await call({ colour: 'blue' })).toEqual({ painted: 'blue' })
  expect(await ask('list_tasks', {})).toMatchObject({ tasks: [], pagination: { total_count: 0 } })
  expect(harness.recorded.registered).toEqual([])
})

test('spec 3.2: a caller that waits when the server stops gets the task_id, and so does a later caller', async () => {
  const hold = gate()
  const stop = new AbortController()
  const { call } = serve(
    async () => {
      await hold.opened
      return done()
    },
    {},
    { stopping: stop.signal },
  )
  const waiting = [call({ colour: 'red' }), call({ colour: 'blue' })]
  await eventually(async () => expect(await listed()).toBe(2))
  stop.abort()
  const late = call({ colour: 'green' })
  for (const answer of await Promise.all([...waiting, late])) {
    expect(answer).toEqual({ status: 'working', task_id: expect.any(String) })
    const { task_id } = answer as { task_id: string }
    expect(await harness.tasks.get({ owner: 'prn_alice', task_id })).toMatchObject({
      is_told: true,
    })
  }
  hold.open()
})

test('what takes longer is answered as working, reported before it was answered, and continues', async () => {
  const hold = gate()
  const reported: boolean[] = []
  const watched: TaskStore = {
    ...harness.tasks,
    report: async (tx, key) => {
      const task = await harness.tasks.report(tx, key)
      reported.push(task !== undefined)
      return task
    },
  }
  const slow = async () => {
    await hold.opened
    return done()
  }
  const { call, ask } = serve(slow, { inlineWaitMs: 20 }, { tasks: watched })
  const answer = await call({ colour: 'blue' })
  expect(reported).toEqual([true])
  expect(answer).toEqual({ status: 'working', task_id: expect.any(String) })
  const { task_id } = answer
  expect(await ask('get_task_status', { task_id })).toMatchObject({ task_id, status: 'working' })
  hold.open()
  await eventually(async () =>
    expect(await ask('get_task_status', { task_id })).toMatchObject({
      status: 'completed',
      result: { painted: 'red' },
    }),
  )
})

test('what ends between the waiting and the answer is answered inline', async () => {
  const hold = gate()
  const { call } = serve(
    async () => {
      await hold.opened
      return done()
    },
    { inlineWaitMs: 20 },
    {
      tasks: {
        ...harness.tasks,
        get: async (key, options) => {
          const before = await harness.tasks.get(key, options)
          hold.open()
          await eventually(() => expect(harness.steps).toHaveLength(1))
          return before
        },
      },
    },
  )
  expect(await call({})).toMatchObject({ painted: 'red' })
})

test('spec 3.2: a caller that gave a webhook is answered submitted at once and notified of each change', async () => {
  const { call, ask } = serve(async ({ state }) =>
    state.coats === 0
      ? { status: 'working', progress: { percentage: 50 }, state: { coats: 1 } }
      : done(),
  )
  const context = { order: 7 }
  const answer = await call({ colour: 'blue', context, push_notification_config: CONFIG })
  expect(answer).toEqual({ status: 'submitted', task_id: expect.any(String) })
  const task = { owner: 'prn_alice', task_id: answer.task_id }
  expect(harness.recorded.registered).toEqual([{ task, config: CONFIG }])
  await eventually(() =>
    expect(harness.recorded.reported).toMatchObject([
      { ...task, status: 'working', context },
      { ...task, status: 'completed', context, result: { painted: 'red' } },
    ]),
  )
  expect(await ask('get_task_status', { task_id: answer.task_id })).toMatchObject({
    has_webhook: true,
  })
  const rows = await harness.database.read.all('SELECT * FROM tasks, task_history')
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(SECRET)
  expect(JSON.stringify(rows)).not.toContain('buyer.example')
})

test('spec 9: the webhook of work that failed has its field as the call’s release writes it', async () => {
  const wrong = taskError('INVALID_REQUEST', 'no such card', { field: '/assets/cards/1' })
  const { call } = serve(async () => ({ status: 'failed', errors: [wrong] }))
  const request = { push_notification_config: CONFIG }
  await call(request, { version: RELEASES.version('3.2', { named: 'release' }) })
  await eventually(() => expect(harness.recorded.reported).toHaveLength(1))
  await call(request)
  await eventually(() => expect(harness.recorded.reported).toHaveLength(2))
  expect(harness.recorded.reported.map(({ result }) => result)).toMatchObject([
    { errors: [{ field: 'assets.cards[1]' }] },
    { errors: [{ field: '/assets/cards/1' }] },
  ])
})

test('a webhook that cannot be honoured refuses the call, and nothing was begun', async () => {
  harness.recorded.refuse(new ProtocolError('INVALID_REQUEST', 'the address is private'))
  const { call } = serve(async () => done())
  expect(await codesOf(call({ push_notification_config: CONFIG }))).toEqual(['INVALID_REQUEST'])
  expect(await listed()).toBe(0)
  expect(harness.steps).toEqual([])
})

test('a transport that named the work and has a webhook for it is answered submitted under that name', async () => {
  const { call, ask } = serve(async () => done())
  const deferred = { task_id: 'a2a-task-1', hasWebhook: true }
  expect(await call({}, { deferred })).toEqual({ status: 'submitted', task_id: 'a2a-task-1' })
  expect(harness.recorded.registered).toEqual([])
  expect(await ask('get_task_status', { task_id: 'a2a-task-1' })).toMatchObject({
    has_webhook: true,
  })
})

test('a transport that named the work and has no webhook is waited for, and may cancel by that name', async () => {
  const hold = gate()
  const { call, engine } = serve(async ({ signal }) => {
    await hold.orAborted(signal)
    return done()
  })
  const key = { owner: 'prn_alice', task_id: 'a2a-task-2' }
  const answer = call({}, { deferred: { task_id: key.task_id, hasWebhook: false } })
  await eventually(async () => expect(await listed()).toBe(1))
  await expect(engine.cancel(key)).rejects.toMatchObject({ errors: [{ code: 'TASK_NOT_FOUND' }] })
  await engine.cancel(key, { evenUntold: true })
  await expect(answer).rejects.toThrow('paint was canceled: canceled on request')
})

test('a task that fails while it is waited for refuses with all its errors', async () => {
  const errors = [
    taskError('ACTIVATION_FAILED', 'the first wall'),
    taskError('VALIDATION_ERROR', 'the second wall'),
  ] as const
  const { call } = serve(async () => ({ status: 'failed', errors }))
  const refusal = await call({}).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ProtocolError)
  expect((refusal as ProtocolError).errors).toEqual(errors)
})

test('spec 3.2: a task that waits for its caller is answered at once, and says how to continue', async () => {
  const { call, ask } = serve(async ({ input }) =>
    input
      ? done(input.message)
      : { status: 'input-required', reason: 'CREATIVE_DIRECTION_NEEDED', state: { coats: 0 } },
  )
  const answer = await call({})
  expect(answer).toEqual({
    status: 'input-required',
    task_id: expect.any(String),
    message: expect.stringContaining('provide_task_input'),
  })
  const { task_id } = answer
  await ask('provide_task_input', { task_id, message: 'violet' })
  await eventually(async () =>
    expect(await ask('get_task_status', { task_id })).toMatchObject({
      result: { painted: 'violet' },
    }),
  )
})

test('spec 3.2: what is answered immediately has no task and no webhook', async () => {
  const { call } = serve(async () => done(), {
    immediately: async ({ colour }) => {
      if (colour === 'black') throw new ProtocolError('VALIDATION_ERROR', 'black is out')
      return colour === 'white' ? { painted: 'already' } : undefined
    },
  })
  const push_notification_config = CONFIG
  expect(await call({ colour: 'white', push_notification_config })).toEqual({ painted: 'already' })
  expect(await codesOf(call({ colour: 'black', push_notification_config }))).toEqual([
    'VALIDATION_ERROR',
  ])
  expect(await listed()).toBe(0)
  expect(harness.recorded.registered).toEqual([])
  expect(await call({ colour: 'red' })).toEqual({ painted: 'red' })
})

test('a call that is repeated under its key after a crash finds the work that was begun', async () => {
  let checks = 0
  const { call } = serve(async ({ request }) => done(request.colour), {
    immediately: async () => {
      checks += 1
      return undefined
    },
  })
  const request = { colour: 'blue', idempotency_key: KEY }
  expect(await call({ ...request, context: { try: 1 } })).toEqual({ painted: 'blue' })
  expect(await call({ ...request, context: { try: 2 } })).toEqual({ painted: 'blue' })
  expect([await listed(), harness.steps.length, checks]).toEqual([1, 1, 1])

  expect(await codesOf(call({ ...request, colour: 'red' }))).toEqual(['IDEMPOTENCY_CONFLICT'])
  await call(request, {}, 'bob')
  expect(await listed()).toBe(2)
  harness.clock.advance(24 * 3_600_000)
  expect(await call({ ...request, colour: 'red' })).toEqual({ painted: 'red' })
})

test('a repeated call with a webhook is answered alike, with one registration and one set of events', async () => {
  const { call } = serve(async () => done())
  const request = { idempotency_key: KEY, push_notification_config: CONFIG }
  const first = await call(request)
  await eventually(() => expect(harness.recorded.reported).toHaveLength(1))
  expect(await call(request)).toEqual(first)
  expect(harness.recorded.registered).toHaveLength(1)
  expect(harness.steps).toHaveLength(1)
})

test('a call that was answered with its failure may be repeated under its key', async () => {
  let count = 0
  const { call } = serve(async () => {
    count += 1
    if (count === 1) throw new ProtocolError('ACTIVATION_FAILED', 'the platform hung up')
    return done()
  })
  const request = { idempotency_key: KEY }
  expect(await codesOf(call(request))).toEqual(['ACTIVATION_FAILED'])
  expect(await call(request)).toEqual({ painted: 'red' })
})

test('when the caller has gone, waiting ends and the work continues', async () => {
  const hold = gate()
  const { call } = serve(async () => {
    await hold.opened
    return done()
  })
  const gone = new AbortController()
  const answer = call({}, { signal: gone.signal })
  await eventually(async () => expect(await listed()).toBe(1))
  gone.abort()
  expect(await answer).toMatchObject({ status: 'working' })
  hold.open()
  await eventually(() => expect(harness.recorded.reported).toMatchObject([{ status: 'completed' }]))
})

test('a waiting caller is notified of the end at once, not at the next poll', async () => {
  const { call } = serve(async () => done(), {}, { pollMs: 60_000 })
  expect(await call({})).toEqual({ painted: 'red' })
})

test('without a wake-up a waiting caller finds the end by polling', async () => {
  const { call } = serve(async () => done(), {}, { onWake: () => () => {} })
  expect(await call({})).toEqual({ painted: 'red' })
})

test('a long task needs someone it belongs to', async () => {
  const { call } = serve(async () => done())
  expect(await codesOf(call({}, { principal: undefined }))).toEqual(['AUTH_MISSING'])
})
