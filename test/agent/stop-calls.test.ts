import { expect, test } from 'vitest'
import type { Agent, TaskCall } from '../../src/agent/agent.ts'
import { stopCalls } from '../../src/agent/stop-calls.ts'
import { createTaskTable } from '../../src/agent/task-table.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'

const identifiers = identifiersFor('proto')
const CALL = { task: 'do_it', arguments: { context: { trace: 1 } } } as unknown as TaskCall
const DONE = { ok: true } as unknown as Awaited<ReturnType<Agent['call']>>

function stoppable(call: Agent['call']) {
  const stop = new AbortController()
  const agent = { tasks: createTaskTable([], identifiers), call } as Agent
  const stopped = stopCalls(agent, { lastCall: stop.signal, identifiers })
  return { call: () => stopped.call(CALL), stop: () => stop.abort() }
}

test('a call is answered as ever while no one stops the server', async () => {
  expect(await stoppable(async () => DONE).call()).toBe(DONE)
  const failing = stoppable(async () => {
    throw new Error('broken')
  })
  await expect(failing.call()).rejects.toThrow('broken')
})

test('a call that has not ended when the stop waits no longer hears that it should be repeated', async () => {
  const { call, stop } = stoppable(() => new Promise(() => {}))
  const answer = call()
  stop()
  expect(await answer).toMatchObject({
    ok: false,
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 5,
    body: { status: 'failed', context: { trace: 1 } },
  })
})

test('a call that comes after that is not begun', async () => {
  let begun = 0
  const { call, stop } = stoppable(async () => {
    begun += 1
    return DONE
  })
  stop()
  expect(await call()).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE' })
  expect(begun).toBe(0)
})
