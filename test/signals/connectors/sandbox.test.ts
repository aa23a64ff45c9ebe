import { expect, test } from 'vitest'
import { createSandbox, sandboxRuleFault } from '../../../src/signals/connectors/sandbox.ts'

const dsp = { type: 'platform', platform: 'sandbox' } as const

test('the sandbox counts from when the activation began, and fails the accounts it was configured to fail', async () => {
  const clock = { now: () => 10_000 }
  const sandbox = createSandbox({ clock, delayMs: 5_000, fail: ['fail*', 'x.y', '0'] })
  const run = (account: string | undefined, started_at: number) => ({
    activation_id: 'a',
    signal_agent_segment_id: 's',
    principal_id: 'p',
    started_at,
    target: { ...dsp, ...(account === undefined ? {} : { account }) },
  })
  const none = new AbortController().signal
  const poll = (account: string | undefined, at: number) => sandbox.poll?.(run(account, at), none)
  expect(await poll(undefined, 7_000)).toEqual({
    status: 'pending',
    etaMinutes: 2_000 / 60_000,
    pollAfterMs: 2_000,
  })
  expect(await poll(undefined, 5_000)).toMatchObject({
    status: 'live',
    key: { type: 'segment_id', segment_id: expect.stringMatching(/^sandbox_[0-9a-f]{20}$/) },
  })
  expect(await poll('failure-1', 5_000)).toMatchObject({ status: 'failed', retryable: false })
  expect(await poll('x.y', 5_000)).toMatchObject({ status: 'failed' })
  expect(await poll('xzy', 5_000)).toMatchObject({ status: 'live' })
  const share = createSandbox({ clock, delayMs: 0, fail: ['1'] })
  expect(await share.poll?.(run(undefined, 0), none)).toMatchObject({ status: 'failed' })
})

test.each([
  ['0', undefined],
  ['0.25', undefined],
  ['1', undefined],
  ['fail*', undefined],
  ['1.5', 'is neither a share'],
  ['-1', 'is neither a share'],
])('the rule %j is checked before the start', (rule, fault) => {
  expect(sandboxRuleFault(rule)).toEqual(
    fault === undefined ? undefined : expect.stringContaining(fault),
  )
})
