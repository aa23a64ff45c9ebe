// What is said of how long the sandbox takes: by the sandbox, whatever the catalogue says, and the same in the
// answer, in a poll and in a webhook (spec 3.3).

import { afterEach, expect, test } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import { createSandbox } from '../../src/signals/connectors/sandbox.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueSignal } from '../support/memory-signals.ts'
import { callBy } from '../tasks/task-harness.ts'
import { type Json, signalsHarness } from './signals-harness.ts'

const sandbox = { type: 'platform', platform: 'sandbox' } as const
const alice = callBy('alice')
let harness: Awaited<ReturnType<typeof signalsHarness>> | undefined

afterEach(async () => {
  await harness?.close()
  harness = undefined
})

/** A sandbox that takes so long for a signal of which the catalogue says five minutes. */
async function start(delayMs: number) {
  const clock: Clock = { now: () => harness?.clock.now() ?? 0 }
  harness = await signalsHarness({
    signals: [
      catalogueSignal({
        deployments: [{ ...sandbox, is_live: false, estimated_activation_duration_minutes: 5 }],
      }),
    ],
    platforms: { sandbox: createSandbox({ clock, delayMs, fail: [] }) },
  })
  harness.engine.runner.start()
  return harness
}

const minutesIn = (body: unknown) =>
  (body as { deployments: Json[] }).deployments[0]?.estimated_activation_duration_minutes

async function begun(on: Awaited<ReturnType<typeof start>>) {
  const answer = await on.activate({
    signal_agent_segment_id: 'ev-intenders',
    deployments: [sandbox],
    push_notification_config: { url: 'https://buyer.example/hook', operation_id: 'op-1' },
  })
  const reported = (status: string) => on.recorded.reported.find((event) => event.status === status)
  const [, getStatus] = on.engine.tasks
  const { task_id } = answer
  return {
    answered: minutesIn(answer),
    reported: await eventually(() => {
      const event = reported('working')
      expect(event).toBeDefined()
      return minutesIn(event?.result)
    }),
    polled: async () => {
      const status = (await getStatus?.handle({ task_id }, alice)) as { result: Json } | undefined
      return minutesIn(status?.result)
    },
    completed: () => reported('completed')?.result as { deployments: Json[] } | undefined,
  }
}

test('a sandbox of 5 seconds says at most a minute to all, not the 5 of the catalogue', async () => {
  const on = await start(5_000)
  const { answered, reported, polled, completed } = await begun(on)
  expect([answered, reported, await polled()]).toEqual([1, 1, 1])
  await eventually(() => {
    on.clock.advance(1_000)
    expect(completed()?.deployments).toMatchObject([{ is_live: true }])
  })
  expect(await polled()).toBeUndefined()
})

test('what is left counts down by the sandbox’s own time', async () => {
  const on = await start(150_000)
  const { answered, reported, polled } = await begun(on)
  expect([answered, reported, await polled()]).toEqual([3, 3, 3])
  for (const left of [2, 1]) {
    on.clock.advance(60_000)
    expect(await polled()).toBe(left)
  }
})
