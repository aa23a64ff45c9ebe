import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ACTIVATION_STATES,
  type Activation,
  type ActivationEvent,
  type ActivationState,
  moveActivation,
  remainingMinutes,
} from '../../src/signals/activation-state.ts'

const KEY = { type: 'segment_id', segment_id: 'seg-1' } as const

const activation = (over: Partial<Activation> = {}): Activation => ({
  principal_id: 'prn_a',
  signal_agent_segment_id: 'ev-intenders',
  target: { type: 'platform', platform: 'sandbox' },
  state: 'none',
  activation_id: '',
  origin: 'platform',
  task_id: '',
  started_at: 0,
  changed_at: 0,
  ...over,
})

const EVENTS = {
  begin: { type: 'begin', at: 5, activation_id: 'run-2', task_id: 't2' },
  pending: { type: 'pending', at: 5, activation_id: 'run-1', handle: { job: 7 } },
  live: { type: 'live', at: 5, activation_id: 'run-1', activation_key: KEY },
  fail: { type: 'fail', at: 5, activation_id: 'run-1', by: 'platform', reason: 'away' },
  stop: { type: 'stop', at: 5, by: 'deactivation', reason: 'no' },
} as const satisfies Record<ActivationEvent['type'], ActivationEvent>

/** The table of spec 3.3, written once more: a state that is not there refuses the event. */
const TABLE: Record<ActivationState, Partial<Record<ActivationEvent['type'], ActivationState>>> = {
  none: { begin: 'activating' },
  activating: { pending: 'activating', live: 'live', fail: 'failed', stop: 'inactive' },
  live: { stop: 'inactive' },
  failed: { begin: 'activating' },
  inactive: { begin: 'activating' },
}

describe.each(ACTIVATION_STATES)('spec 3.3: an activation that is %s', (state) => {
  test.each(Object.keys(EVENTS) as ActivationEvent['type'][])('takes or refuses %s', (type) => {
    const moved = moveActivation(activation({ state, activation_id: 'run-1' }), EVENTS[type])
    const wanted = TABLE[state][type]
    if (wanted === undefined) {
      expect(moved).toEqual({
        ok: false,
        message: expect.stringContaining(`${state} does not allow ${type}`),
      })
    } else expect(moved).toMatchObject({ ok: true, activation: { state: wanted, changed_at: 5 } })
  })
})

test('what a platform says of an earlier run changes nothing', () => {
  const now = activation({ state: 'activating', activation_id: 'run-2' })
  for (const type of ['pending', 'live', 'fail'] as const) {
    expect(moveActivation(now, EVENTS[type])).toEqual({
      ok: false,
      message: expect.stringContaining('earlier run'),
    })
  }
})

test('a new run has nothing of the one before', () => {
  const old = activation({
    state: 'failed',
    activation_id: 'run-1',
    handle: { job: 7 },
    reason: 'away',
    origin: 'catalogue',
    ended_by: 'platform',
    started_at: 1,
    pricing_option_id: 'cpm',
  })
  const moved = moveActivation(old, { ...EVENTS.begin, eta_at: 65 })
  expect(moved.ok && moved.activation).toEqual(
    activation({
      state: 'activating',
      activation_id: 'run-2',
      task_id: 't2',
      started_at: 5,
      changed_at: 5,
      eta_at: 65,
      pricing_option_id: undefined,
    }),
  )
})

test('spec 3.3: whatever happens, a key is there only while it is live, and an estimate only before', () => {
  const ids = fc.constantFrom('run-1', 'run-2', 'run-3')
  const at = fc.nat(1_000)
  const event: fc.Arbitrary<ActivationEvent> = fc.oneof(
    fc.record({
      type: fc.constant('begin' as const),
      at,
      activation_id: ids,
      task_id: fc.constantFrom('t1', 't2'),
      eta_at: fc.option(at, { nil: undefined }),
    }),
    fc.record({
      type: fc.constant('pending' as const),
      at,
      activation_id: ids,
      handle: fc.jsonValue(),
      eta_at: fc.option(at, { nil: undefined }),
    }),
    fc.record({
      type: fc.constant('live' as const),
      at,
      activation_id: ids,
      activation_key: fc.constant(KEY),
    }),
    fc.record({
      type: fc.constant('fail' as const),
      at,
      activation_id: ids,
      by: fc.constantFrom('platform', 'giving_up'),
      reason: fc.string(),
    }),
    fc.record({
      type: fc.constant('stop' as const),
      at,
      reason: fc.string(),
      by: fc.constantFrom('cancellation', 'deactivation', 'principal_deletion'),
    }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let now = activation()
      for (const one of events) {
        const moved = moveActivation(now, one)
        const wanted = TABLE[now.state][one.type]
        const isOfRun = 'activation_id' in one && one.type !== 'begin'
        const isStale = isOfRun && one.activation_id !== now.activation_id
        expect(moved.ok).toBe(wanted !== undefined && !isStale)
        if (!moved.ok) continue
        now = moved.activation
        expect(now.state).toBe(wanted)
        expect(now.activation_key !== undefined).toBe(now.state === 'live')
        expect(now.deployed_at !== undefined).toBe(now.state === 'live')
        if (now.state !== 'activating') expect(now.eta_at).toBeUndefined()
        expect(now.ended_by !== undefined).toBe(now.state === 'failed' || now.state === 'inactive')
        if ('by' in one) expect(now.ended_by).toBe(one.by)
      }
    }),
  )
})

test.each([
  [undefined, undefined],
  [0, 0],
  [1, 1],
  [60_000, 1],
  [60_001, 2],
  [-5, 0],
])('spec 2.8: with %s ms to go %s minutes remain', (left, minutes) => {
  const eta_at = left === undefined ? undefined : 1_000 + left
  expect(remainingMinutes({ eta_at }, 1_000)).toBe(minutes)
})
