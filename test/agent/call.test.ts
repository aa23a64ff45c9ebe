import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentPorts, CallRecord } from '../../src/agent/agent.ts'
import { createAgent } from '../../src/agent/call.ts'
import { createPrincipal } from '../../src/agent/principals.ts'
import { createTaskTable } from '../../src/agent/task-table.ts'
import { createRateLimit } from '../../src/lib/token-bucket.ts'
import { StorageUnavailable } from '../../src/lib/transaction.ts'
import { ManyErrors, ProtocolError, type TaskError, taskError } from '../../src/protocol/errors.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { createReleaseTable } from '../../src/protocol/releases/release-table.ts'
import { KNOWN_RELEASES } from '../../src/protocol/releases/releases.ts'
import { type AnyTask, defineTask } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { createIdempotencyStore } from '../../src/storage/stores/tasks/idempotency.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

let opened: TestDatabase
let key: string
beforeAll(async () => {
  opened = await testDatabase('sqlite')
  const { database } = opened
  const ports = { transact: database.transact, principals: createPrincipalStore(database) }
  const created = await createPrincipal(ports, { name: 'Buyer' })
  if (!created.ok) throw new Error(created.message)
  key = created.key
})
afterAll(() => opened.drop())

const clock = fakeClock()
const shapes = { request: z.looseObject({ n: z.number().optional() }), response: z.looseObject({}) }
const task = (over: Partial<AnyTask>): AnyTask =>
  defineTask({
    name: 'do_it',
    summary: 'Does it',
    area: 'signals',
    access: 'public',
    changes: false,
    cost: constantCost(10, 'nothing'),
    ...shapes,
    handle: async () => ({ done: true }),
    ...over,
  })

function agent(over: Partial<AnyTask> = {}, ports: Partial<AgentPorts> = {}) {
  const { database } = opened
  const identifiers = identifiersFor('proto')
  const records: CallRecord[] = []
  const faults: unknown[] = []
  const made = createAgent({
    tasks: createTaskTable([task(over)], identifiers),
    identifiers,
    transact: database.transact,
    principals: createPrincipalStore(database),
    idempotency: createIdempotencyStore(database),
    rateLimit: createRateLimit({ clock, perMinute: 1_000 }),
    timeoutMs: 5_000,
    onCall: (record) => records.push(record),
    onFault: (error) => faults.push(error),
    ...ports,
  })
  const call = async (args: unknown, { authorization = '', name = 'do_it' } = {}) => {
    const admitted = await made.admit({ authorization, account: 'address 127.0.0.1' })
    if (!admitted.ok) throw new Error(admitted.error.code)
    const answer = await made.call({
      task: name,
      arguments: args,
      transport: 'http',
      admitted,
      calledOn: 'http://127.0.0.1',
      signal: new AbortController().signal,
    })
    return answer as NonNullable<typeof answer>
  }
  return { call, records, faults }
}

test('an unknown task is the transport’s to refuse', async () => {
  expect(await agent().call({}, { name: 'other' })).toBeUndefined()
})

test('spec 6.1: context is echoed verbatim with a success and with an error', async () => {
  const context = { deep: { a: [1, null] } }
  expect((await agent().call({ context })).body).toMatchObject({ status: 'completed', context })
  expect((await agent().call({ context, n: 'x' })).body).toMatchObject({
    status: 'failed',
    context,
  })
  expect((await agent().call({ context: 'no object' })).body).not.toHaveProperty('context')
})

test('all failures of a request are reported together, by JSON pointers', async () => {
  const { call } = agent({
    request: z.looseObject({ a: z.string(), b: z.object({ c: z.number() }) }),
  })
  const { body } = await call({ b: { c: 'x' } })
  const [error] = body.errors as { code: string; issues: { pointer: string }[] }[]
  expect(error?.code).toBe('INVALID_REQUEST')
  expect(error?.issues.map(({ pointer }) => pointer)).toEqual(['/a', '/b/c'])
})

test.each([[[]], ['text'], [5]])('%j is refused: a request is an object', async (args) => {
  expect(await agent().call(args)).toMatchObject({ ok: false, code: 'INVALID_REQUEST' })
})

test('spec 9: a version that is not served is refused with those that are', async () => {
  const refused = await agent().call({ proto_version: '4.0' })
  expect(refused).toMatchObject({ ok: false, code: 'VERSION_UNSUPPORTED' })
  expect(refused.body.errors).toMatchObject([
    { details: { supported_versions: ['3.0', '3.1', '3.2'] } },
  ])
  expect((await agent().call({ proto_version: '3.0' })).body.proto_version).toBe('3.0')
  expect((await agent().call({ proto_version: '3.9' })).body.proto_version).toBe('3.2')
  for (const proto_version of ['3.3-beta.0', '2.9-rc.1', '3.2.0-beta.5', '03.1', '3.1.4', '2.9']) {
    expect(await agent().call({ proto_version })).toMatchObject({ code: 'VERSION_UNSUPPORTED' })
  }
  const contradiction = { proto_version: '3.1', proto_major_version: 4 }
  expect(await agent().call(contradiction)).toMatchObject({ code: 'VERSION_UNSUPPORTED' })
})

test.each([
  ['3.2-beta.5', '3.2'],
  ['3.2-rc.1', '3.2'],
  ['3.1-beta.5', '3.1'],
  ['3.0-rc.3', '3.0'],
])(
  'spec 9: %s is served as %s, and named in the answer as it was requested',
  async (pin, release) => {
    const levels: string[] = []
    const { call } = agent({
      handle: async (_request, { version }) => {
        levels.push(version.level)
        return {}
      },
    })
    expect((await call({ proto_version: pin })).body.proto_version).toBe(pin)
    expect((await call({ proto_version: pin, proto_major_version: 3 })).body.proto_version).toBe(
      pin,
    )
    expect(levels).toEqual([release, release])
    const refused = await call({ proto_version: pin, n: 'x' })
    expect(refused.body).toMatchObject({ proto_version: pin, errors: [{ field: 'n' }] })
  },
)

test('spec 9: a major version alone is answered as 3.1, or as the operator says', async () => {
  const request = { proto_major_version: 3 }
  expect((await agent().call(request)).body.proto_version).toBe('3.1')
  for (const majorOnly of ['3.0', '3.2']) {
    const releases = createReleaseTable(KNOWN_RELEASES, { majorOnly })
    expect((await agent({}, { releases }).call(request)).body.proto_version).toBe(majorOnly)
  }
})

test('a key is needed, and must have the scope', async () => {
  const needed = agent({ access: 'tasks' })
  expect(await needed.call({})).toMatchObject({ code: 'AUTH_MISSING' })
  expect(await needed.call({}, { authorization: `Bearer ${key}` })).toMatchObject({ ok: true })
  const operator = agent({ access: 'operator' })
  expect(await operator.call({}, { authorization: `Bearer ${key}` })).toMatchObject({
    code: 'PERMISSION_DENIED',
  })
})

test('spec 5: what is refused for want of a key sends nothing of the request back', async () => {
  const request = { context: { large: 'x'.repeat(10_000) }, context_id: 'c1', proto_version: '3.0' }
  const refused = await agent({ access: 'tasks' }).call(request)
  expect(Object.keys(refused.body).sort()).toEqual(['error', 'errors', 'proto_error', 'status'])
})

test('a handler that says RATE_LIMITED sends nothing of the request back', async () => {
  const { call } = agent({
    handle: async () => {
      throw new ProtocolError('RATE_LIMITED', 'later', { retry_after: 9 })
    },
  })
  const refused = await call({ context: { a: 1 } })
  expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 9 })
  expect(refused.body).not.toHaveProperty('context')
})

test('of ten thousand errors a hundred are reported, and the last says how many more there are', async () => {
  const { call } = agent({ request: z.looseObject({ list: z.array(z.string()) }) })
  const { body } = await call({ list: Array.from({ length: 10_000 }, (_, n) => n) })
  const [error] = body.errors as [{ message: string; issues: { message: string }[] }]
  expect(error.issues).toHaveLength(100)
  expect(error.issues.at(-1)?.message).toBe('9901 more errors not shown.')
  expect(error.message.length).toBeLessThanOrEqual(2_000)
})

test('of names as long as a book only the beginning is reported', async () => {
  const { call } = agent({ request: z.looseObject({ map: z.record(z.string(), z.string()) }) })
  const answer = await call({ map: { ['x'.repeat(1_000_000)]: 1 } })
  expect(answer).toMatchObject({ ok: false, code: 'INVALID_REQUEST' })
  expect(answer.json().length).toBeLessThan(10_000)
})

test('of a thousand errors that a handler throws a hundred are reported', async () => {
  const errors = Array.from({ length: 1_000 }, (_, n) => taskError('VALIDATION_ERROR', `no ${n}`))
  const { call } = agent({
    handle: async () => {
      throw new ManyErrors(errors as [TaskError, ...TaskError[]])
    },
  })
  const { body } = await call({})
  expect(body.errors).toHaveLength(100)
  expect((body.errors as TaskError[]).at(-1)).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: '901 more errors not shown.',
  })
})

test('an answer that is too large to send is an error that says so, without what was sent', async () => {
  const { call, records } = agent({ handle: async () => ({ text: 'x'.repeat(20_000_000) }) })
  const answer = await call({ context: { a: 1 } })
  expect(answer).toMatchObject({ ok: false, code: 'UNSUPPORTED_FEATURE' })
  expect(answer.body).not.toHaveProperty('context')
  expect(answer.json()).toContain('larger than 16777216 bytes')
  expect(records).toMatchObject([{ outcome: 'UNSUPPORTED_FEATURE' }])
})

test('spec 3.2: a read under a key is replayed as well, and another request conflicts', async () => {
  let runs = 0
  const { call } = agent({ area: 'creative', handle: async () => ({ runs: ++runs }) })
  const ask = (more = {}) =>
    call({ idempotency_key: 'read-0123456789abcdef', ...more }, { authorization: `Bearer ${key}` })
  expect((await ask()).body).toMatchObject({ runs: 1 })
  expect((await ask()).body).toMatchObject({ runs: 1, replayed: true })
  expect(await ask({ n: 1 })).toMatchObject({ ok: false, code: 'IDEMPOTENCY_CONFLICT' })
})

test('spec 3.2: what asks how a task stands is run each time, whatever key it carries', async () => {
  let runs = 0
  const { call } = agent({ area: 'tasks', handle: async () => ({ runs: ++runs }) })
  const request = { idempotency_key: 'read-0123456789abcdef' }
  await call(request, { authorization: `Bearer ${key}` })
  const again = await call(request, { authorization: `Bearer ${key}` })
  expect(again.body).toMatchObject({ runs: 2 })
  expect(again.body).not.toHaveProperty('replayed')
})

test('spec 8: the answer of a read that is too long to keep is made again', async () => {
  let runs = 0
  const text = 'x'.repeat(300_000)
  const { call } = agent({ area: 'creative', handle: async () => ({ runs: ++runs, text }) })
  const request = { idempotency_key: 'long-0123456789abcdef' }
  await call(request, { authorization: `Bearer ${key}` })
  expect((await call(request, { authorization: `Bearer ${key}` })).body).toMatchObject({ runs: 2 })
})

test('spec 7.3: a conflict has neither field nor suggestion', async () => {
  const { call } = agent({ changes: true, handle: async () => ({}) })
  const ask = (n: number) =>
    call({ idempotency_key: 'conflict-0123456789abcdef', n }, { authorization: `Bearer ${key}` })
  await ask(1)
  const { body } = (await ask(2)) as unknown as { body: { errors: object[] } }
  expect(Object.keys(body.errors[0] ?? {}).sort()).toEqual(['code', 'message', 'recovery'])
})

test('a changing task under one key has one effect, and the repeated answer says so', async () => {
  let runs = 0
  const { call } = agent({ changes: true, handle: async () => ({ runs: ++runs }) })
  const ask = (more = {}) =>
    call({ idempotency_key: 'once-0123456789abcdef', ...more }, { authorization: `Bearer ${key}` })
  expect((await ask({ context: { a: 1 } })).body).toMatchObject({ runs: 1, context: { a: 1 } })
  expect((await ask({ context: { b: 2 } })).body).toMatchObject({
    runs: 1,
    replayed: true,
    context: { b: 2 },
  })
  expect(await ask({ n: 1 })).toMatchObject({ ok: false, code: 'IDEMPOTENCY_CONFLICT' })
})

test('a handler that refuses frees the key', async () => {
  let refuse = true
  const { call } = agent({
    changes: true,
    cost: constantCost(10, 'nothing'),
    handle: async () => {
      if (refuse) throw new ProtocolError('INVALID_STATE', 'not now')
      return { done: true }
    },
  })
  const ask = () =>
    call({ idempotency_key: 'free-0123456789abcdef' }, { authorization: `Bearer ${key}` })
  expect(await ask()).toMatchObject({ code: 'INVALID_STATE' })
  refuse = false
  expect(await ask()).toMatchObject({ ok: true })
})

test('a caller that stops waiting does not free the key: the work continues and its response is kept', async () => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const { call } = agent(
    {
      changes: true,
      cost: constantCost(10, 'nothing'),
      handle: async () => {
        await ended
        return { done: true }
      },
    },
    // Long enough that the second call is validated within it on a busy machine.
    { timeoutMs: 2_000 },
  )
  const ask = () =>
    call({ idempotency_key: 'slow-0123456789abcdef' }, { authorization: `Bearer ${key}` })
  expect(await ask()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await ask()).toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
  end()
  await expect.poll(async () => (await ask()).body).toMatchObject({ done: true, replayed: true })
})

test('an error that a handler throws is reported to the operator and not to the caller', async () => {
  const { call, faults } = agent({
    handle: async () => {
      throw new Error('password is hunter2')
    },
  })
  const answer = await call({})
  expect(answer).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE' })
  expect(answer.json()).not.toContain('hunter2')
  expect(faults).toHaveLength(1)
})

test('a database that is away says that nothing was accepted', async () => {
  const { call } = agent({
    handle: async () => {
      throw new StorageUnavailable('gone')
    },
  })
  expect((await call({})).json()).toContain('nothing was changed')
})

test('every call is recorded with its task, transport, outcome and caller', async () => {
  const { call, records } = agent()
  await call({}, { authorization: `Bearer ${key}` })
  await call({ n: 'x' })
  expect(records).toMatchObject([
    {
      task: 'do_it',
      transport: 'http',
      outcome: 'completed',
      principal_id: expect.stringMatching(/^prn_/),
    },
    { task: 'do_it', transport: 'http', outcome: 'INVALID_REQUEST', principal_id: undefined },
  ])
})

test('H1: a call that would cost more than its task allows is refused before its handler runs', async () => {
  let handled = 0
  const cost = {
    grows: 'rows × columns',
    limit: 1_000,
    estimate: ({ n = 0 }: { n?: number }) => n,
    reduce: { field: '/n', advice: 'Send a smaller n.' },
  }
  const { call } = agent({
    cost,
    handle: async () => {
      handled += 1
      return {}
    },
  })
  const refused = await call({ n: 1_234_567 })
  expect(refused).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' })
  expect(refused?.body.errors).toMatchObject([
    {
      message:
        'do_it would cost about 1,200,000 units (rows × columns); at most 1,000 are allowed per call. Send a smaller n.',
      field: '/n',
      details: { cost: 1_234_567, cost_limit: 1_000 },
    },
  ])
  expect(handled).toBe(0)
  expect(await call({ n: 1_000 })).toMatchObject({ ok: true })
  expect(handled).toBe(1)
})
