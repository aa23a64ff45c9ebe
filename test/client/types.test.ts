import { describe, expectTypeOf, test } from 'vitest'
import { callAgent, resumeCall } from '../../src/client/call-agent.ts'
import type { KNOWN_TASKS } from '../../src/client/known-tasks.ts'
import { type AgentHandle, openAgent } from '../../src/client/open-agent.ts'
import type { CallReceiver } from '../../src/client/options.ts'
import type { AgentError, CallOutcome } from '../../src/client/outcome.ts'
import type { ActivateSignalResponse } from '../../src/protocol/schemas/activate-signal.ts'
import type { GetSignalsResponse } from '../../src/protocol/schemas/get-signals.ts'
import type { Receiver } from '../../src/webhooks/receiver/receiver.ts'

/** Never called: its types are what is tested, by the compiler. */
async function useOf(agent: AgentHandle) {
  const found = await agent.getSignals({ signal_spec: 'cars' })
  const activated = await agent.call('activate_signal', { signal_agent_segment_id: 's' })
  const other = await agent.call('something_else', { whatever: 1 })
  // @ts-expect-error A specification is a text.
  await agent.getSignals({ signal_spec: 7 })
  // @ts-expect-error The id of a signal is a text.
  await agent.call('activate_signal', { signal_agent_segment_id: 7 })
  // @ts-expect-error A task id is required to get its status.
  await agent.getTaskStatus({})
  // @ts-expect-error `listTasks` returns which tasks there are.
  await agent.listTasks({ filters: {} })
  const once = await callAgent({
    agentUrl: '',
    task: 'get_signals',
    params: { signal_spec: 'cars' },
  })
  const resumed = await resumeCall({ agentUrl: '', task: 'activate_signal', taskId: 't' })
  // @ts-expect-error A specification is a text.
  await callAgent({ agentUrl: '', task: 'get_signals', params: { signal_spec: 7 } })
  await callAgent({ agentUrl: '', task: 'something_else', params: { whatever: 1 } })
  return { found, activated, other, once, resumed }
}

describe('an agent is typed by the schemas of the protocol', () => {
  type Used = Awaited<ReturnType<typeof useOf>>

  test('a completed call has the answer of its task', () => {
    type Completed = Extract<Used['found'], { status: 'completed'; ok: true }>
    expectTypeOf<Completed['body']['signals']>().toEqualTypeOf<GetSignalsResponse['signals']>()
    expectTypeOf<Completed['body']['message']>().toEqualTypeOf<string | undefined>()
    type Activated = Extract<Used['activated'], { status: 'completed'; ok: true }>
    expectTypeOf<Activated['body']['deployments']>().toEqualTypeOf<
      ActivateSignalResponse['deployments']
    >()
  })

  test('so has one that is called once, or followed later', () => {
    expectTypeOf<Used['once']>().toEqualTypeOf<Used['found']>()
    expectTypeOf<Used['resumed']>().toEqualTypeOf<Used['activated']>()
  })

  test('one that was only accepted need not have it, and one that failed has an error', () => {
    type Accepted = Exclude<Extract<Used['found'], { ok: true }>, { status: 'completed' }>
    expectTypeOf<undefined>().toExtend<Accepted['body']['signals']>()
    type Failed = Extract<Used['found'], { ok: false }>
    expectTypeOf<Failed['error']>().toEqualTypeOf<AgentError>()
  })

  test('a task that the protocol has not takes and gives anything', () => {
    expectTypeOf<Used['other']>().toEqualTypeOf<CallOutcome<Record<string, unknown>>>()
  })

  test('there is a method for every task', () => {
    expectTypeOf<AgentHandle>().toHaveProperty('createMediaBuy')
    expectTypeOf<AgentHandle>().toHaveProperty('getMediaBuyDelivery')
    expectTypeOf<keyof typeof KNOWN_TASKS>().toExtend<string>()
  })

  test('a receiver of `adwire/receiver` is what a call wants', () => {
    expectTypeOf<Receiver['waitFor']>().toExtend<CallReceiver['waitFor']>()
  })
})

test('the methods exist when an agent is opened, though nothing has been requested yet', ({
  expect,
}) => {
  const agent = openAgent({ agentUrl: 'https://agent.example/mcp' })
  const names = Object.keys(agent).sort()
  expect(names).toContain('getSignals')
  expect(names).toContain('createMediaBuy')
  expect(names).toContain('provideTaskInput')
  expect(typeof agent.buildCreative).toBe('function')
})
