import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { callAgent, resumeCall } from '../../src/client/call-agent.ts'
import { openAgent } from '../../src/client/open-agent.ts'
import type { CallReceiver, ReceivedWebhook } from '../../src/client/options.ts'
import type { OutcomeConflict } from '../../src/client/outcome.ts'
import { scriptedAgent } from './scripted-agent.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TRANSPORTS = [
  ['http', '/v3'],
  ['mcp', '/mcp'],
  ['a2a', '/a2a'],
] as const
const LOCAL = { allowPrivate: true, auth: 'adw_key', pollIntervalMs: 5 }
const submitted = { body: { status: 'submitted', task_id: 'task-1' } }
const record = (status: string, more = {}) => ({
  body: { task_id: 'task-1', task_type: 'do_it', status, ...more },
})

/** A receiver whose webhook comes when the test says so. */
function hook() {
  let report: (message: ReceivedWebhook | undefined) => void = () => {}
  const reported = new Promise<ReceivedWebhook | undefined>((resolve) => {
    report = resolve
  })
  const requested: string[] = []
  const receiver: CallReceiver = {
    urlFor: ({ task }) => `https://buyer.example/hooks/${task}`,
    waitFor: (operationId, { signal }) => {
      requested.push(operationId)
      return Promise.race([
        reported,
        new Promise<undefined>((resolve) => {
          signal.addEventListener('abort', () => resolve(undefined))
        }),
      ])
    },
  }
  const webhook = (status: string, data: unknown, task_id = 'task-1') => {
    report({ status, task_id, data, payload: { task_type: 'do_it', status, task_id } })
  }
  return { receiver, webhook, requested }
}

describe.each(TRANSPORTS)('a call over %s', (transport, path) => {
  test('comes to its answer, with an idempotency key for what changes something', async () => {
    const agent = await scriptedAgent({ say: () => ({ body: { status: 'completed', made: 1 } }) })
    const options = { ...LOCAL, agentUrl: agent.url + path }
    const outcome = await callAgent({ ...options, task: 'do_it', params: { a: 1 } })
    const { idempotency_key, ...sent } = agent.requests('do_it')[0] ?? {}
    expect(sent).toEqual({ a: 1 })
    expect(idempotency_key).toMatch(UUID)
    expect(outcome).toEqual({
      ok: true,
      status: 'completed',
      by: 'answer',
      transport,
      body: { status: 'completed', made: 1 },
      idempotencyKey: idempotency_key,
    })
    await callAgent({ ...options, task: 'get_things', params: {}, version: '3.1' })
    expect(agent.requests('get_things')).toEqual([{ proto_version: '3.1' }])
  })

  test('spec 3.2: is followed by polls to its end', async () => {
    const agent = await scriptedAgent({
      say: (task, _request, attempt) => {
        if (task === 'do_it') return submitted
        const result = { made: 7 }
        return attempt < 3
          ? record('working', { progress: { percentage: 10 * attempt } })
          : record('completed', { result, message: 'done' })
      },
    })
    const progress: unknown[] = []
    const outcome = await callAgent({
      ...LOCAL,
      agentUrl: agent.url + path,
      task: 'do_it',
      onProgress: ({ by, status, progress: how }) => progress.push([by, status, how?.percentage]),
    })
    expect(outcome).toMatchObject({ ok: true, status: 'completed', by: 'poll', transport })
    expect(outcome).toMatchObject({ taskId: 'task-1', body: { made: 7, message: 'done' } })
    expect(agent.requests('get_task_status')[0]).toEqual({ task_id: 'task-1' })
    expect(progress).toEqual([
      ['answer', 'submitted', undefined],
      ['poll', 'working', 10],
      ['poll', 'working', 20],
    ])
  })

  test('spec 6.4: ends by the webhook that was registered, when it is first', async () => {
    const { receiver, webhook, requested } = hook()
    const agent = await scriptedAgent({
      say: (task) => {
        if (task === 'get_task_status') return record('working')
        setTimeout(() => webhook('completed', { made: 8 }), 20)
        return submitted
      },
    })
    const options = { ...LOCAL, pollIntervalMs: 60_000, receiver }
    const outcome = await callAgent({ ...options, agentUrl: agent.url + path, task: 'do_it' })
    expect(outcome).toMatchObject({ ok: true, by: 'webhook', body: { made: 8 }, taskId: 'task-1' })
    const [sent] = agent.requests('do_it')
    const operation_id = outcome.operationId
    const url = 'https://buyer.example/hooks/do_it'
    expect(sent?.push_notification_config).toEqual({ url, operation_id })
    expect(operation_id).toMatch(UUID)
    expect(requested).toEqual([operation_id])
  })

  test('spec 6.4: ends by the poll when that is first, though a webhook is registered', async () => {
    const { receiver } = hook()
    const agent = await scriptedAgent({
      say: (task) => (task === 'do_it' ? submitted : record('completed', { result: { made: 9 } })),
    })
    const options = { ...LOCAL, agentUrl: agent.url + path, receiver }
    expect(await callAgent({ ...options, task: 'do_it' })).toMatchObject({
      ok: true,
      by: 'poll',
      body: { made: 9 },
    })
  })

  test('has what a task requests answered, and continues with the same task', async () => {
    let given: unknown
    const agent = await scriptedAgent({
      say: (task, request) => {
        if (task === 'do_it') return submitted
        if (task === 'provide_task_input') {
          given = request
          return record('working')
        }
        return given
          ? record('completed', { result: { made: 10 } })
          : record('input-required', { input_required: { reason: 'APPROVAL_REQUIRED' } })
      },
    })
    const options = { ...LOCAL, agentUrl: agent.url + path, task: 'do_it' }
    const requested: unknown[] = []
    const outcome = await callAgent({
      ...options,
      onInputRequired: async ({ taskId, reason }) => {
        requested.push([taskId, reason])
        return { approved: true }
      },
    })
    expect(outcome).toMatchObject({ ok: true, status: 'completed', body: { made: 10 } })
    expect(requested).toEqual([['task-1', 'APPROVAL_REQUIRED']])
    expect(given).toMatchObject({ task_id: 'task-1', approved: true })
    if (transport === 'a2a') expect(given).toMatchObject({ native: 'native-1' })

    given = undefined
    expect(await callAgent(options)).toMatchObject({
      ok: true,
      status: 'input-required',
      taskId: 'task-1',
      body: { reason: 'APPROVAL_REQUIRED' },
    })
  })

  test('that failed later says why', async () => {
    const errors = [{ code: 'ACTIVATION_FAILED', message: 'no', recovery: 'transient' }]
    const agent = await scriptedAgent({
      say: (task) => (task === 'do_it' ? submitted : record('failed', { errors })),
    })
    const outcome = await callAgent({ ...LOCAL, agentUrl: agent.url + path, task: 'do_it' })
    expect(outcome).toMatchObject({
      ok: false,
      status: 'failed',
      taskId: 'task-1',
      body: { errors },
      error: { kind: 'failed', code: 'ACTIVATION_FAILED', message: 'no', recovery: 'transient' },
    })
    // What was begun and has failed is not begun again.
    expect(agent.requests('do_it')).toHaveLength(1)
  })

  test('can be left alone, and resumed by its task_id or its operation_id', async () => {
    const agent = await scriptedAgent({
      say: (task) => (task === 'do_it' ? submitted : record('completed', { result: { made: 11 } })),
    })
    const { receiver, webhook } = hook()
    const options = { ...LOCAL, agentUrl: agent.url + path, task: 'do_it', receiver }
    const left = await callAgent({ ...options, wait: false })
    expect(left).toMatchObject({ ok: true, status: 'submitted', taskId: 'task-1' })
    expect(agent.requests('get_task_status')).toEqual([])
    const { taskId, operationId } = left as { taskId: string; operationId: string }

    expect(await resumeCall({ ...options, taskId })).toMatchObject({ ok: true, by: 'poll' })
    // It came while no one waited.
    webhook('completed', { made: 11 })
    expect(await resumeCall({ ...options, operationId })).toMatchObject({
      ok: true,
      by: 'webhook',
      body: { made: 11 },
      operationId,
      taskId,
    })
    expect(agent.requests('get_task_status')).toHaveLength(1)
  })
})

test('a call over every transport gives the same', async () => {
  const agent = await scriptedAgent({
    say: (task) =>
      task === 'do_it' ? submitted : record('completed', { result: { made: { deep: [1] } } }),
  })
  const outcomes = []
  for (const [, path] of TRANSPORTS) {
    const options = { ...LOCAL, agentUrl: agent.url + path, idempotencyKey: 'k'.repeat(16) }
    const { transport: _transport, ...outcome } = await callAgent({ ...options, task: 'do_it' })
    outcomes.push(outcome)
  }
  expect(outcomes[1]).toEqual(outcomes[0])
  expect(outcomes[2]).toEqual(outcomes[0])
})

test('spec 6.4: a webhook may report the end before the response, and one that differs is a conflict', async () => {
  const { receiver, webhook } = hook()
  const agent = await scriptedAgent({
    say: async () => {
      webhook('completed', { made: 1 })
      await sleep(30)
      return { body: { status: 'completed', made: 2 } }
    },
  })
  const conflicts: OutcomeConflict[] = []
  const outcome = await callAgent({
    ...LOCAL,
    agentUrl: agent.url,
    task: 'do_it',
    receiver,
    onConflict: (conflict) => conflicts.push(conflict),
  })
  expect(outcome).toMatchObject({ ok: true, by: 'webhook', body: { made: 1 }, conflicts })
  expect(conflicts).toMatchObject([
    { settled: { by: 'webhook' }, other: { by: 'answer', body: { made: 2 } } },
  ])
})

test('spec 6.4: while the agent is open, a webhook that differs from the response is reported', async () => {
  const { receiver, webhook } = hook()
  const agent = await scriptedAgent({ say: () => ({ body: { status: 'completed', made: 2 } }) })
  const reported = new Promise<OutcomeConflict>((resolve) => {
    const options = { ...LOCAL, agentUrl: agent.url, receiver, onConflict: resolve }
    const opened = openAgent(options)
    void opened.call('do_it', {}).then(({ ok }) => {
      if (ok) webhook('failed', { errors: [] }, undefined)
    })
  })
  expect(await reported).toMatchObject({
    settled: { by: 'answer', status: 'completed' },
    other: { by: 'webhook', status: 'failed' },
  })
})

test('a webhook of the operation that reports another task does not count', async () => {
  const { receiver, webhook } = hook()
  const agent = await scriptedAgent({
    say: (task) => {
      if (task !== 'do_it') return record('completed', { result: { made: 1 } })
      setTimeout(() => webhook('failed', { errors: [] }, 'task-2'), 10)
      return submitted
    },
  })
  const faults: unknown[] = []
  const outcome = await callAgent({
    ...LOCAL,
    pollIntervalMs: 100,
    agentUrl: agent.url,
    task: 'do_it',
    receiver,
    onProgress: ({ fault }) => fault && faults.push(fault),
  })
  expect(outcome).toMatchObject({ ok: true, by: 'poll' })
  expect(faults).toEqual([expect.stringContaining('another task')])
})

test('a receiver that breaks leaves the polls', async () => {
  const agent = await scriptedAgent({
    say: (task) => (task === 'do_it' ? submitted : record('completed', { result: {} })),
  })
  const receiver: CallReceiver = {
    urlFor: () => ({ url: 'https://buyer.example/', token: 'a token of the buyer' }),
    waitFor: () => Promise.reject(new Error('the database is away')),
  }
  const faults: unknown[] = []
  const outcome = await callAgent({
    ...LOCAL,
    agentUrl: agent.url,
    task: 'do_it',
    receiver,
    onProgress: ({ fault }) => fault && faults.push(fault),
  })
  expect(outcome).toMatchObject({ ok: true, by: 'poll' })
  expect(faults).toEqual([expect.stringContaining('the database is away')])
  expect(agent.requests('do_it')[0]?.push_notification_config).toMatchObject({
    token: 'a token of the buyer',
  })
})

test('an A2A agent without get_task_status is polled with the native method of A2A', async () => {
  let requested = 0
  const agent = await scriptedAgent({
    tools: [{ name: 'do_it' }],
    say: () => ({ body: { status: 'submitted', message: 'later' } }),
    getTask: () => {
      requested += 1
      return requested < 2 ? { status: 'working' } : { status: 'completed', made: 12 }
    },
  })
  const options = { ...LOCAL, agentUrl: `${agent.url}/a2a`, task: 'do_it' }
  expect(await callAgent(options)).toMatchObject({ ok: true, by: 'poll', body: { made: 12 } })
  expect(agent.requests('GetTask')).toEqual([{ id: 'native-1' }, { id: 'native-1' }])

  const left = await callAgent({ ...options, wait: false })
  expect(left.taskId).toBe('native-1')
  expect(await resumeCall({ ...options, taskId: 'native-1' })).toMatchObject({ ok: true })
})

test('a question about a task is answered as it is: its status is another task’s', async () => {
  const agent = await scriptedAgent({ say: () => record('working', { check: 'none' }) })
  const opened = openAgent({ ...LOCAL, agentUrl: agent.url, check: 'none' })
  const outcome = await opened.getTaskStatus({ task_id: 'task-1' })
  expect(outcome).toMatchObject({ ok: true, status: 'completed', body: { status: 'working' } })
  expect(agent.requests('get_task_status')).toHaveLength(1)
  await opened.close()
})

test('a call that was begun by no one cannot be resumed', async () => {
  const options = { ...LOCAL, agentUrl: 'http://127.0.0.1:1/mcp', task: 'do_it' }
  await expect(resumeCall({ ...options, operationId: 'op' })).rejects.toThrow('taskId')
})

test('a response that hangs does not long delay an end that a webhook reported', async () => {
  const { receiver, webhook } = hook()
  const agent = await scriptedAgent({
    say: () => {
      webhook('completed', { made: 1 })
      return new Promise(() => {})
    },
  })
  const options = { ...LOCAL, agentUrl: `${agent.url}/v3`, receiver, check: 'none' as const }
  expect(await callAgent({ ...options, task: 'activate_signal' })).toMatchObject({
    ok: true,
    by: 'webhook',
    taskId: 'task-1',
    body: { made: 1 },
  })
}, 20_000)

test('a listener that throws changes nothing of the call, and is warned of', async () => {
  const warned = new Promise((resolve) => process.once('warning', resolve))
  const agent = await scriptedAgent({
    say: (task) => (task === 'do_it' ? submitted : record('completed', { result: { made: 1 } })),
  })
  const outcome = await callAgent({
    ...LOCAL,
    agentUrl: agent.url,
    task: 'do_it',
    onProgress: () => {
      throw new Error('a listener that throws')
    },
  })
  expect(outcome).toMatchObject({ ok: true, by: 'poll' })
  expect(await warned).toMatchObject({ message: 'a listener that throws' })
})

test('a call is resumed by the webhook that has come, though the agent is away by now', async () => {
  const { receiver, webhook } = hook()
  webhook('completed', { made: 3 })
  const options = { ...LOCAL, agentUrl: 'http://127.0.0.1:1', task: 'do_it', receiver }
  for (const more of [{}, { taskId: 'task-1' }]) {
    expect(await resumeCall({ ...options, operationId: 'op-1', ...more })).toMatchObject({
      ok: true,
      by: 'webhook',
      body: { made: 3 },
      operationId: 'op-1',
      taskId: 'task-1',
    })
  }
})
