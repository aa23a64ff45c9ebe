// The state of an activation, and the transitions (spec 3.3). There is one for each signal, target and principal; any
// code that changes one checks here first.
//
//   state \ event   begin        pending      live     fail     stop
//   none            activating   -            -        -        -
//   activating      -            activating   live     failed   inactive
//   live            -            -            -        -        inactive
//   failed          activating   -            -        -        -
//   inactive        activating   -            -        -        -
//
// `begin` creates an `activation_id`, which identifies this run to the platform; `pending`, `live` and `fail` are
// what the platform reports, and count only for the run they belong to. `stop` removes the signal from the platform,
// even before it was live.

import type { ActivationKey, DeploymentTarget } from '../protocol/schemas/deployment.ts'

export const ACTIVATION_STATES = ['none', 'activating', 'live', 'failed', 'inactive'] as const
/** @internal */
export type ActivationState = (typeof ACTIVATION_STATES)[number]

/**
 * What a run is based on. catalogue: the catalogue says that the signal is live there, so no platform was
 * notified of the run, and none is notified of its end.
 * @internal
 */
export const ACTIVATION_ORIGINS = ['platform', 'catalogue'] as const
export type ActivationOrigin = (typeof ACTIVATION_ORIGINS)[number]

/**
 * What ended a run. cancellation: its own task was canceled, so a task that followed it may start again. giving_up:
 * it was not live in time, or the caller is no longer allowed to have it.
 * @internal
 */
export const ACTIVATION_ENDINGS = [
  'platform',
  'giving_up',
  'cancellation',
  'deactivation',
  'principal_deletion',
] as const
export type ActivationEnding = (typeof ACTIVATION_ENDINGS)[number]

/** Times are in milliseconds by the database's clock. */
export interface Activation {
  principal_id: string
  signal_agent_segment_id: string
  target: DeploymentTarget
  state: ActivationState
  /** Identifies this run to a connector; empty before the first run. */
  activation_id: string
  origin: ActivationOrigin
  /** The task that runs it, or ran it last. */
  task_id: string
  started_at: number
  changed_at: number
  /** When it is expected to be live, while it is activating. */
  eta_at?: number | undefined
  deployed_at?: number | undefined
  activation_key?: ActivationKey | undefined
  /** What the connector requires for its next call, as a JSON value. */
  handle?: unknown
  /** For one that failed or was stopped. */
  ended_by?: ActivationEnding | undefined
  /** The same as a readable message: no code depends on it. */
  reason?: string | undefined
  pricing_option_id?: string | undefined
}

export type ActivationEvent = { at: number } & (
  | {
      type: 'begin'
      activation_id: string
      /** Default platform. */
      origin?: ActivationOrigin
      task_id: string
      eta_at?: number | undefined
      pricing_option_id?: string | undefined
    }
  | { type: 'pending'; activation_id: string; handle: unknown; eta_at?: number | undefined }
  | { type: 'live'; activation_id: string; activation_key?: ActivationKey | undefined }
  | { type: 'fail'; activation_id: string; by: 'platform' | 'giving_up'; reason: string }
  | {
      type: 'stop'
      by: 'cancellation' | 'deactivation' | 'principal_deletion'
      reason: string
      task_id?: string | undefined
    }
)

const MOVES: Readonly<
  Record<ActivationState, Partial<Record<ActivationEvent['type'], ActivationState>>>
> = {
  none: { begin: 'activating' },
  activating: { pending: 'activating', live: 'live', fail: 'failed', stop: 'inactive' },
  live: { stop: 'inactive' },
  failed: { begin: 'activating' },
  inactive: { begin: 'activating' },
}

export type Moved = { ok: true; activation: Activation } | { ok: false; message: string }

/** The activation after the event, or why the transition is not allowed. */
export function moveActivation(activation: Activation, event: ActivationEvent): Moved {
  const state = MOVES[activation.state][event.type]
  if (state === undefined) {
    return refused(`an activation that is ${activation.state} does not allow ${event.type}`)
  }
  const isOfRun = event.type === 'begin' || event.type === 'stop'
  if (!isOfRun && event.activation_id !== activation.activation_id) {
    return refused('this is about an earlier run of the activation')
  }
  return { ok: true, activation: { ...applied(activation, event), state, changed_at: event.at } }
}

function applied(activation: Activation, event: ActivationEvent): Activation {
  const { principal_id, signal_agent_segment_id, target, changed_at } = activation
  switch (event.type) {
    case 'begin': {
      // Nothing of the run before is left.
      const { activation_id, origin = 'platform', task_id, eta_at, pricing_option_id, at } = event
      const place = { principal_id, signal_agent_segment_id, target, changed_at }
      const run = { activation_id, origin, task_id, eta_at, pricing_option_id, started_at: at }
      return { ...place, ...run, state: 'activating' }
    }
    case 'pending':
      return { ...activation, handle: event.handle, eta_at: event.eta_at ?? activation.eta_at }
    case 'live': {
      const { activation_key, at } = event
      return { ...activation, activation_key, deployed_at: at, eta_at: undefined }
    }
    case 'fail':
      return { ...activation, ended_by: event.by, reason: event.reason, eta_at: undefined }
    case 'stop': {
      const { by: ended_by, reason, task_id = activation.task_id } = event
      const ended = { activation_key: undefined, deployed_at: undefined, eta_at: undefined }
      return { ...activation, ...ended, ended_by, reason, task_id }
    }
  }
}

/** Whole minutes until it is expected to be live; never negative, and undefined if unknown. */
export function remainingMinutes(
  { eta_at }: Pick<Activation, 'eta_at'>,
  now: number,
): number | undefined {
  return eta_at === undefined ? undefined : Math.max(0, Math.ceil((eta_at - now) / 60_000))
}

function refused(message: string): Moved {
  return { ok: false, message }
}
