import { afterEach, describe, expect, test } from 'vitest'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import type {
  ActivationRun,
  Connector,
  ConnectorAnswer,
  Deactivated,
} from '../../src/signals/connectors/connector.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueSignal } from '../support/memory-signals.ts'
import { callBy, gate } from '../tasks/task-harness.ts'
import { type HarnessOptions, type Json, signalsHarness } from './signals-harness.ts'

const dsp = { type: 'platform', platform: 'dsp' } as const
const other = { type: 'platform', platform: 'other' } as const
const agent = { type: 'agent', agent_url: 'https://sales.example/agent' } as const
const KEY = { type: 'segment_id', segment_id: 'dsp-1' } as const
const alice = callBy('alice')
const bob = callBy('bob')

/** A platform that answers as the test specifies, and records the requests it received. */
function platform(
  answer: (
    run: ActivationRun,
    call: number,
  ) => ConnectorAnswer | Promise<ConnectorAnswer> = () => ({
    status: 'live',
    key: KEY,
  }),
  off: (run: ActivationRun, call: number) => Deactivated = () => ({ status: 'off' }),
) {
  const activated: ActivationRun[] = []
  const polled: ActivationRun[] = []
  const takenOff: ActivationRun[] = []
  const connector: Connector = {
    activate: async (run) => {
      activated.push(run)
      return answer(run, activated.length + polled.length)
    },
    poll: async (run) => {
      polled.push(run)
      return answer(run, activated.length + polled.length)
    },
    deactivate: async (run) => {
      takenOff.push(run)
      return off(run, takenOff.length)
    },
  }
  return { connector, activated, polled, takenOff }
}

const SIGNAL = catalogueSignal({
  deployments: [
    { ...dsp, is_live: false, estimated_activation_duration_minutes: 30 },
    { ...other, is_live: false },
    { ...agent, is_live: false },
  ],
})

let harness: Awaited<ReturnType<typeof signalsHarness>> | undefined
afterEach(async () => {
  await harness?.close()
  harness = undefined
})

async function start(options: HarnessOptions = {}, signal: CatalogueSignal = SIGNAL) {
  harness = await signalsHarness({ signals: [signal], ...options })
  harness.engine.runner.start()
  harness.takedowns.start()
  return harness
}

const request = (over: Json = {}): Json => ({
  signal_agent_segment_id: 'ev-intenders',
  deployments: [dsp],
  ...over,
})
const returnedAt = async (
  { get }: NonNullable<typeof harness>,
  call = alice,
  target: object = dsp,
) => {
  const { signals } = await get(
    { signal_spec: 'electric', deliver_to: { deployments: [target], countries: [] } },
    call,
  )
  return (signals as { deployments: unknown[] }[])[0]?.deployments[0]
}

describe('spec 3.3: activate_signal', () => {
  test('makes a signal live with its key, for this caller alone', async () => {
    const { connector, activated } = platform()
    const on = await start({ platforms: { dsp: connector } })
    expect(await on.activate(request({ pricing_option_id: 'cpm' }))).toEqual({
      status: 'completed',
      deployments: [
        {
          ...dsp,
          is_live: true,
          activation_key: KEY,
          deployed_at: '2026-01-01T00:00:00.000Z',
          scope: 'platform-wide',
        },
      ],
    })
    expect(activated).toMatchObject([
      {
        activation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        signal_agent_segment_id: 'ev-intenders',
        principal_id: 'prn_alice',
        principal_name: 'alice',
        target: dsp,
        pricing_option_id: 'cpm',
        signal: { name: 'Electric Vehicle Intenders' },
      },
    ])
    expect(await returnedAt(on)).toMatchObject({ is_live: true, activation_key: KEY })
    expect(await returnedAt(on, bob)).toMatchObject({ is_live: false })
    expect(on.settled).toEqual(['live'])
  })

  test('spec 2.8: gives a sales agent a key-value pair at once', async () => {
    const on = await start()
    const body = await on.activate(request({ deployments: [agent] }))
    expect(body.deployments).toMatchObject([
      { ...agent, is_live: true, activation_key: { type: 'key_value', key: 'adwire_signal' } },
    ])
  })

  test('spec 2.8: gives any sales agent its key where the catalogue is open to all of them', async () => {
    const any = catalogueSignal({
      deployments: [{ type: 'agent', agent_url: '*', is_live: false }],
    })
    const on = await start({}, any)
    const elsewhere = { type: 'agent', agent_url: 'https://other.example/mcp' } as const
    const body = await on.activate(request({ deployments: [elsewhere] }))
    expect(body.deployments).toMatchObject([
      { ...elsewhere, is_live: true, activation_key: { type: 'key_value', key: 'adwire_signal' } },
    ])
    expect(await returnedAt(on, alice, elsewhere)).toMatchObject({ is_live: true })
    expect(await returnedAt(on, alice, agent)).toMatchObject({ is_live: false })
  })

  test('spec 2.7: a sales agent is the same however its URL is spelt', async () => {
    const on = await start()
    const spelt = { type: 'agent', agent_url: 'https://SALES.example:443/agent/' }
    const first = await on.activate(request({ deployments: [agent, spelt] }))
    expect(first.deployments).toHaveLength(1)
    const second = await on.activate(request({ deployments: [agent] }))
    expect(second).toMatchObject({
      deployments: [{ ...agent, is_live: true }],
      errors: [{ code: 'ALREADY_ACTIVATED' }],
    })
    const off = await on.activate(request({ deployments: [spelt], action: 'deactivate' }))
    expect(off.deployments).toMatchObject([{ ...spelt, is_live: false }])
    expect(await returnedAt(on, alice, agent)).toMatchObject({ is_live: false })
  })

  test('spec 7.2: repeated for a live target answers with it and warns', async () => {
    const { connector, activated } = platform()
    const on = await start({ platforms: { dsp: connector } })
    const first = await on.activate(request())
    expect(await on.activate(request())).toEqual({
      ...first,
      errors: [
        {
          code: 'ALREADY_ACTIVATED',
          message: 'the signal is already active on platform dsp',
          field: '/deployments/0',
          suggestion: expect.any(String),
          recovery: 'correctable',
          details: { target: dsp },
        },
      ],
    })
    expect(activated).toHaveLength(1)
    expect(on.recorded.reported).toHaveLength(2)
  })

  test('what the catalogue says is live needs no activation', async () => {
    const on = await start(
      {},
      catalogueSignal({ deployments: [{ ...dsp, is_live: true, activation_key: KEY }] }),
    )
    expect(await on.activate(request())).toMatchObject({
      deployments: [{ is_live: true, activation_key: KEY }],
      errors: [{ code: 'ALREADY_ACTIVATED' }],
    })
  })

  test('reports progress and the minutes that are left', async () => {
    let isReady = false
    const slow = platform(() =>
      isReady
        ? { status: 'live', key: KEY }
        : { status: 'pending', handle: { job: 1 }, etaMinutes: 12, pollAfterMs: 0 },
    )
    const on = await start({ platforms: { dsp: slow.connector, other: platform().connector } })
    const config = { url: 'https://buyer.example/hook', operation_id: 'op-1' }
    const { status, task_id, deployments } = await on.activate(
      request({ deployments: [dsp, other], push_notification_config: config }),
    )
    expect(status).toBe('submitted')
    const under = { ...dsp, is_live: false, estimated_activation_duration_minutes: 12 }
    const interim = [
      { ...under, scope: 'platform-wide' },
      expect.objectContaining({ ...other, is_live: true }),
    ]
    // spec 3.3: the platform said 12 minutes, whatever the catalogue says, to all alike.
    expect(deployments).toEqual(interim)
    const reported = () => on.recorded.reported.map((event) => [event.status, event.result])
    await eventually(() => {
      on.clock.advance(50)
      expect(slow.polled.length).toBeGreaterThan(1)
    })
    expect(await returnedAt(on)).toMatchObject({
      is_live: false,
      estimated_activation_duration_minutes: 12,
    })
    isReady = true
    await eventually(() => {
      // Nothing is due before the clock says so.
      on.clock.advance(1_000)
      expect(reported().at(-1)?.[0]).toBe('completed')
    })
    expect(reported()).toEqual([
      [
        'working',
        {
          percentage: 50,
          current_step: '1 of 2 targets done, about 12 min left',
          total_steps: 2,
          step_number: 2,
          deployments: interim,
        },
      ],
      [
        'completed',
        expect.objectContaining({ deployments: [expect.any(Object), expect.any(Object)] }),
      ],
    ])
    expect(on.recorded.reported.every((event) => event.task_id === task_id)).toBe(true)
    expect(slow.activated).toHaveLength(1)
    expect(slow.polled[0]).toMatchObject({
      handle: { job: 1 },
      activation_id: slow.activated[0]?.activation_id,
    })
  })

  test('spec 3.3: a caller that polls gets the time that is left, counting down, and the same as the first answer', async () => {
    const slow = platform(() => ({ status: 'pending', etaMinutes: 10, pollAfterMs: 900_000 }))
    const on = await start({ platforms: { dsp: slow.connector }, inlineWaitMs: 300 })
    const [, getStatus] = on.engine.tasks
    const poll = async (task_id: unknown) =>
      (await getStatus?.handle({ task_id }, alice)) as { result: Json }
    const { status, task_id, deployments } = await on.activate(request())
    const left = (minutes: number) => [
      {
        ...dsp,
        is_live: false,
        estimated_activation_duration_minutes: minutes,
        scope: 'platform-wide',
      },
    ]
    expect([status, deployments]).toEqual(['working', left(10)])
    expect((await poll(task_id)).result).toEqual({ deployments: left(10) })
    expect(await returnedAt(on)).toEqual(left(10)[0])
    on.clock.advance(4 * 60_000)
    expect((await poll(task_id)).result).toEqual({ deployments: left(6) })
    expect(await returnedAt(on)).toEqual(left(6)[0])
  })

  test('spec 7.2: a failure that is read by polling has all its errors', async () => {
    const refusing = platform(() => ({ status: 'failed', reason: 'no seat', retryable: false }))
    const on = await start({ platforms: { dsp: refusing.connector, other: refusing.connector } })
    const config = { url: 'https://buyer.example/hook', operation_id: 'op-1' }
    const { task_id } = await on.activate(
      request({ deployments: [dsp, other], push_notification_config: config }),
    )
    const [, getStatus] = on.engine.tasks
    await eventually(async () => {
      const body = (await getStatus?.handle({ task_id }, alice)) as Json
      expect(body).toMatchObject({
        status: 'failed',
        errors: ['/deployments/0', '/deployments/1'].map((field) => ({
          code: 'ACTIVATION_FAILED',
          field,
          suggestion: expect.any(String),
        })),
      })
    })
  })

  test('succeeds where it can and says what failed elsewhere', async () => {
    const refusing = platform(() => ({ status: 'failed', reason: 'no seat', retryable: false }))
    const on = await start({
      platforms: { dsp: platform().connector, other: refusing.connector },
    })
    const unknown = { type: 'platform', platform: 'nowhere' }
    const body = await on.activate(request({ deployments: [other, dsp, unknown] }))
    // What failed stands among the errors alone.
    expect(body.deployments).toMatchObject([{ ...dsp, is_live: true }])
    expect(body.errors).toMatchObject([
      { code: 'ACTIVATION_FAILED', field: '/deployments/0', message: 'platform other: no seat' },
      { code: 'DEPLOYMENT_UNAUTHORIZED', field: '/deployments/2' },
    ])
    expect(on.settled.sort()).toEqual(['failed', 'live'])
    expect(await returnedAt(on, alice, other)).toMatchObject({ is_live: false })
  })

  test('spec 7.2: fails when no target could be reached', async () => {
    const refusing = platform(() => ({ status: 'failed', reason: 'no seat', retryable: false }))
    const on = await start({ platforms: { dsp: refusing.connector } })
    await expect(on.activate(request())).rejects.toMatchObject({
      errors: [
        {
          code: 'ACTIVATION_FAILED',
          message: 'platform dsp: no seat',
          field: '/deployments/0',
          suggestion: expect.any(String),
          recovery: 'transient',
        },
      ],
    })
    // It may be tried again.
    await expect(on.activate(request())).rejects.toThrow('no seat')
    expect(new Set(refusing.activated.map(({ activation_id }) => activation_id)).size).toBe(2)
  })

  test('a platform without a connector is refused at once, with those that have one', async () => {
    const on = await start({ platforms: { dsp: platform().connector } })
    await expect(on.activate(request({ deployments: [other] }))).rejects.toMatchObject({
      errors: [
        {
          code: 'ACTIVATION_FAILED',
          recovery: 'terminal',
          message: 'platform other: no connector for platform other; configured are dsp',
        },
      ],
    })
    const body = await on.activate(request({ deployments: [other, dsp] }))
    expect(body.errors).toMatchObject([{ code: 'ACTIVATION_FAILED', field: '/deployments/0' }])
  })

  test('calls a platform again, with the same id, until it has answered', async () => {
    const flaky = platform((_run, call) => {
      if (call === 1) throw new Error('socket hang up')
      if (call === 2) return { status: 'failed', reason: 'busy', retryable: true }
      return { status: 'live', key: KEY }
    })
    const on = await start({ platforms: { dsp: flaky.connector } })
    const answered = on.activate(request())
    await eventually(() => {
      on.clock.advance(10)
      expect(flaky.activated).toHaveLength(3)
    })
    expect((await answered).deployments).toMatchObject([{ is_live: true }])
    expect(new Set(flaky.activated.map(({ activation_id }) => activation_id)).size).toBe(1)
  })

  test('abandons a platform that fails each time, and has it forget the run', async () => {
    const broken = platform(() => ({ status: 'failed', reason: 'busy', retryable: true }))
    const on = await start({ platforms: { dsp: broken.connector } })
    const answered = on.activate(request()).catch((error: unknown) => error)
    await eventually(() => {
      on.clock.advance(10)
      expect(broken.activated).toHaveLength(3)
    })
    expect(await answered).toMatchObject({ errors: [{ code: 'ACTIVATION_FAILED' }] })
    await eventually(() => {
      on.clock.advance(1_000)
      expect(broken.takenOff).toMatchObject([{ activation_id: broken.activated[0]?.activation_id }])
    })
  })

  test('two who want the same target share one call and its outcome', async () => {
    const opened = gate()
    const shared = platform(async () => {
      await opened.opened
      return { status: 'live', key: KEY }
    })
    const on = await start({ platforms: { dsp: shared.connector } })
    const both = [on.activate(request()), on.activate(request())]
    await eventually(() => expect(shared.activated).toHaveLength(1))
    opened.open()
    const answers = Promise.all(both)
    let isOver = false
    void answers.finally(() => {
      isOver = true
    })
    await eventually(() => {
      on.clock.advance(500)
      expect(isOver).toBe(true)
    })
    for (const { deployments } of await answers) {
      expect(deployments).toMatchObject([{ is_live: true, activation_key: KEY }])
    }
    expect(shared.activated).toHaveLength(1)
  })

  test('each principal has activations of its own', async () => {
    const { connector, activated } = platform()
    const on = await start({ platforms: { dsp: connector } })
    await on.activate(request())
    expect((await on.activate(request(), bob)).errors).toBeUndefined()
    expect(activated.map(({ principal_id }) => principal_id)).toEqual(['prn_alice', 'prn_bob'])
  })
})

describe('spec 7.2: refused at once are', () => {
  const refusal = async (over: Json, options: HarnessOptions = {}, signal = SIGNAL) => {
    const on = await start({ platforms: { dsp: platform().connector }, ...options }, signal)
    const error = await on.activate(request(over)).catch((thrown: unknown) => thrown)
    expect(
      (
        await on.tasks.list('prn_alice', {
          filter: {},
          sort: { field: 'created_at', direction: 'asc' },
          limit: 1,
        })
      ).total,
    ).toBe(0)
    return (error as { errors: Json[] }).errors
  }

  test('a segment that is not there', async () => {
    expect(await refusal({ signal_agent_segment_id: 'none' })).toMatchObject([
      {
        code: 'SIGNAL_AGENT_SEGMENT_NOT_FOUND',
        field: '/signal_agent_segment_id',
        suggestion: expect.any(String),
      },
    ])
  })

  test('one that is not for the caller, in the very same words', async () => {
    const missing = await refusal({ signal_agent_segment_id: 'none' })
    await harness?.close()
    const hidden = await refusal({}, {}, { ...SIGNAL, visibility: { principals: ['bob'] } })
    expect(hidden).toEqual(missing)
  })

  test('targets that the caller may not use, each with its place', async () => {
    const nowhere = { type: 'platform', platform: 'nowhere' }
    expect(await refusal({ deployments: [nowhere, { ...nowhere, account: 'a' }] })).toMatchObject([
      { code: 'DEPLOYMENT_UNAUTHORIZED', field: '/deployments/0', details: { target: nowhere } },
      { code: 'DEPLOYMENT_UNAUTHORIZED', field: '/deployments/1' },
    ])
  })

  test('spec 7.2: an account that was not granted, unless the server is open to any', async () => {
    const poolSlot = { ...dsp, account: 'seat-9' }
    const platforms = { dsp: platform().connector }
    expect(await refusal({ deployments: [poolSlot] }, { platforms })).toMatchObject([
      { code: 'DEPLOYMENT_UNAUTHORIZED', field: '/deployments/0', details: { target: poolSlot } },
    ])
    await harness?.close()
    const open = await start({ platforms, accounts: 'any' })
    expect((await open.activate(request({ deployments: [poolSlot] }))).deployments).toMatchObject([
      { ...poolSlot, is_live: true },
    ])
  })

  test('someone else’s account, in the same words as a platform it never goes to', async () => {
    const poolSlot = { ...dsp, account: 'seat-1' }
    const owned = { ...SIGNAL, deployments: [{ ...poolSlot, is_live: false }] }
    const [named] = await refusal({ deployments: [poolSlot] }, {}, owned)
    await harness?.close()
    const [unnamed] = await refusal(
      { deployments: [poolSlot] },
      {},
      {
        ...SIGNAL,
        deployments: [{ ...other, is_live: false }],
      },
    )
    expect(named).toEqual(unnamed)
    await harness?.close()
    const on = await start({ platforms: { dsp: platform().connector } }, owned)
    await on.grant('prn_alice', 'dsp', 'seat-1')
    expect((await on.activate(request({ deployments: [poolSlot] }))).deployments).toMatchObject([
      { ...poolSlot, is_live: true, scope: 'account-specific' },
    ])
  })

  test('a pricing option that the signal does not have', async () => {
    expect(await refusal({ pricing_option_id: 'free' })).toMatchObject([
      {
        code: 'VALIDATION_ERROR',
        field: '/pricing_option_id',
        message: expect.stringContaining('it has cpm'),
      },
    ])
  })

  test('callers of an agent that is private, or not open to them', async () => {
    const access = { access: 'private' as const, principals: ['bob'] }
    expect(await refusal({}, { agentAccess: access })).toMatchObject([{ code: 'AGENT_NOT_FOUND' }])
    expect(await harness?.activate(request(), bob)).toMatchObject({ status: 'completed' })
    await harness?.close()
    const open = { access: 'open' as const, principals: ['prn_bob'] }
    expect(await refusal({}, { agentAccess: open })).toMatchObject([
      { code: 'AGENT_ACCESS_DENIED' },
    ])
    expect(await harness?.activate(request(), bob)).toMatchObject({ status: 'completed' })
  })
})

describe('deactivation', () => {
  const off = { action: 'deactivate', idempotency_key: undefined }

  test('takes a signal off its platform, and its key with it; then it can be activated again', async () => {
    const { connector, activated, takenOff } = platform()
    const on = await start({ platforms: { dsp: connector } })
    await on.activate(request())
    expect(await on.activate(request(off))).toEqual({
      status: 'completed',
      deployments: [
        {
          ...dsp,
          is_live: false,
          estimated_activation_duration_minutes: 30,
          scope: 'platform-wide',
        },
      ],
    })
    expect(takenOff).toMatchObject([{ activation_id: activated[0]?.activation_id, target: dsp }])
    expect(await returnedAt(on)).toMatchObject({ is_live: false })
    expect((await on.activate(request())).deployments).toMatchObject([{ is_live: true }])
    expect(activated[1]?.activation_id).not.toBe(activated[0]?.activation_id)
  })

  test('of what is off already changes nothing', async () => {
    const { connector, takenOff } = platform()
    const on = await start({ platforms: { dsp: connector } })
    expect(await on.activate(request(off))).toMatchObject({ deployments: [{ is_live: false }] })
    expect(takenOff).toEqual([])
  })

  test('works although the signal has left the catalogue', async () => {
    const { connector, takenOff } = platform()
    const on = await start({ platforms: { dsp: connector } })
    await on.activate(request())
    on.signals.remove('ev-intenders')
    const gone = request({ ...off, pricing_option_id: 'of-old' })
    expect(await on.activate(gone)).toMatchObject({ deployments: [{ is_live: false }] })
    expect(takenOff).toHaveLength(1)
    await expect(on.activate(request(off), bob)).rejects.toThrow(
      'no signal with this signal_agent_segment_id',
    )
  })

  test('of what the catalogue says is live is for the caller alone', async () => {
    const place = { ...dsp, is_live: true, activation_key: KEY }
    const on = await start({}, catalogueSignal({ deployments: [place] }))
    await on.activate(request(off))
    expect(await returnedAt(on)).toMatchObject({ is_live: false })
    expect(await returnedAt(on, bob)).toMatchObject({ is_live: true })
    expect((await on.activate(request())).deployments).toMatchObject([
      { is_live: true, activation_key: KEY },
    ])
  })

  test('holds although the platform does not answer, and is sent to it again later', async () => {
    const deaf = platform(undefined, (_run, call) =>
      call <= 4 ? { status: 'failed', reason: 'busy', retryable: true } : { status: 'off' },
    )
    const on = await start({ platforms: { dsp: deaf.connector } })
    await on.activate(request())
    const answered = on.activate(request(off))
    await eventually(() => {
      on.clock.advance(10_000)
      expect(deaf.takenOff).toHaveLength(4)
    })
    expect(await answered).toMatchObject({
      deployments: [{ is_live: false }],
      errors: [{ code: 'ACTIVATION_FAILED', message: expect.stringContaining('notified again') }],
    })
    await eventually(() => {
      on.clock.advance(60_000)
      expect(deaf.takenOff).toHaveLength(5)
    })
  })

  test('ends an activation that is under way', async () => {
    const endless = platform(() => ({ status: 'pending', pollAfterMs: 0 }))
    const on = await start({ platforms: { dsp: endless.connector } })
    const answered = on.activate(request()).catch((error: unknown) => error)
    await eventually(() => expect(endless.activated).toHaveLength(1))
    await on.activate(request(off))
    await eventually(async () => {
      on.clock.advance(1_000)
      expect(on.recorded.reported.map(({ status }) => status)).toContain('failed')
    })
    expect(await answered).toMatchObject({
      errors: [{ code: 'ACTIVATION_FAILED', message: 'platform dsp: it was deactivated' }],
    })
    expect(endless.takenOff).toHaveLength(1)
  })
})

describe('a task that ends before its targets are live', () => {
  const pending = () => platform(() => ({ status: 'pending', handle: 7, pollAfterMs: 0 }))
  const push = { push_notification_config: { url: 'https://buyer.example/hook' } }
  const begun = async (on: NonNullable<typeof harness>, over: Json = {}) =>
    (await on.activate(request({ ...push, ...over }))).task_id as string

  test('canceled: what is not live yet is undone, and what is live stays', async () => {
    const slow = pending()
    const on = await start({ platforms: { dsp: slow.connector, other: platform().connector } })
    const task_id = await begun(on, { deployments: [dsp, other] })
    await eventually(async () => {
      expect(await returnedAt(on, alice, other)).toMatchObject({ is_live: true })
    })
    await on.engine.cancel({ owner: 'prn_alice', task_id })
    expect(await on.activations.find('prn_alice', ['ev-intenders'])).toMatchObject([
      { state: 'inactive', target: dsp },
      { state: 'live', target: other },
    ])
    await eventually(() => {
      on.clock.advance(1_000)
      expect(slow.takenOff).toMatchObject([{ handle: 7 }])
    })
  })

  test('canceled: a caller that followed it begins again', async () => {
    let isReady = false
    const slow = platform(() =>
      isReady ? { status: 'live', key: KEY } : { status: 'pending', pollAfterMs: 0 },
    )
    const on = await start({ platforms: { dsp: slow.connector } })
    const task_id = await begun(on)
    await eventually(() => expect(slow.activated).toHaveLength(1))
    const follower = on.activate(request())
    await eventually(() => {
      on.clock.advance(50)
      expect(slow.polled.length).toBeGreaterThan(1)
    })
    await on.engine.cancel({ owner: 'prn_alice', task_id })
    isReady = true
    await eventually(() => {
      on.clock.advance(500)
      expect(slow.activated).toHaveLength(2)
    })
    expect((await follower).deployments).toMatchObject([{ is_live: true }])
  })

  test('overdue after three days: it has failed, and is taken off', async () => {
    const slow = platform(() => ({ status: 'pending', pollAfterMs: 600_000 }))
    const on = await start({ platforms: { dsp: slow.connector } })
    await begun(on)
    await eventually(() => expect(slow.activated).toHaveLength(1))
    on.clock.advance(72 * 3_600_000 + 1)
    await eventually(() => {
      expect(on.recorded.reported.at(-1)?.status).toBe('failed')
    })
    expect(await on.activations.find('prn_alice', ['ev-intenders'])).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('in time') },
    ])
    await eventually(() => {
      on.clock.advance(1_000)
      expect(slow.takenOff).toHaveLength(1)
    })
  })

  test('because the signal has left the catalogue: nothing of it is left behind', async () => {
    const slow = pending()
    const on = await start({ platforms: { dsp: slow.connector } })
    await begun(on)
    await eventually(() => expect(slow.activated).toHaveLength(1))
    on.signals.remove('ev-intenders')
    await eventually(() => {
      on.clock.advance(100)
      expect(on.recorded.reported.at(-1)?.status).toBe('failed')
    })
    expect(await on.activations.find('prn_alice', ['ev-intenders'])).toMatchObject([
      { state: 'failed' },
    ])
  })
})
