// The states of a media buy and the transitions between them (spec 3.4); any code that changes one checks here first.
//
//   state \ event       supply         start   pause               resume              end        cancel    reject
//   pending_creatives   pending_start  -       pending_creatives*  pending_creatives*  canceled   canceled  rejected
//   pending_start       -              active  pending_start*      pending_start*      -          canceled  rejected
//   active              -              -       paused              active              completed  canceled  -
//   paused              -              -       paused              active              completed  canceled  -
//   the other three     -              -       -                   -                   -          -         -
//
// `supply`: every package has a creative. `start` and `end`: the flight, by the clock; a buy that never had its
// creatives is canceled by the seller at its end. (*) The request to pause is stored, and appears as `paused` as
// soon as the buy would be active. A buy that has ended stays ended.

import type { MediaBuyStatus } from '../protocol/schemas/media-buy.ts'

/** @internal */
export const BUY_EVENTS = ['supply', 'start', 'pause', 'resume', 'end', 'cancel', 'reject'] as const
export type BuyEvent = (typeof BUY_EVENTS)[number]

/** @internal */
export const MOVES: Readonly<Record<MediaBuyStatus, Partial<Record<BuyEvent, MediaBuyStatus>>>> = {
  pending_creatives: {
    supply: 'pending_start',
    pause: 'pending_creatives',
    resume: 'pending_creatives',
    end: 'canceled',
    cancel: 'canceled',
    reject: 'rejected',
  },
  pending_start: {
    start: 'active',
    pause: 'pending_start',
    resume: 'pending_start',
    cancel: 'canceled',
    reject: 'rejected',
  },
  active: { pause: 'paused', resume: 'active', end: 'completed', cancel: 'canceled' },
  paused: { pause: 'paused', resume: 'active', end: 'completed', cancel: 'canceled' },
  completed: {},
  rejected: {},
  canceled: {},
}

/** The fields of a buy that determine its state. */
export interface BuyStatus {
  status: MediaBuyStatus
  /** Whether the buyer has requested a pause. */
  is_held: boolean
  /** In milliseconds. */
  start_at: number
  end_at: number
}

export type Moved =
  | { ok: true; status: MediaBuyStatus; is_held: boolean }
  | { ok: false; code: 'INVALID_STATE' | 'NOT_CANCELLABLE'; message: string }

/** The state of the buy after the event, or why there is no such transition. */
export function moveBuy({ status, is_held }: BuyStatus, event: BuyEvent): Moved {
  const to = MOVES[status][event]
  if (to === undefined) {
    const code = event === 'cancel' && status === 'canceled' ? 'NOT_CANCELLABLE' : 'INVALID_STATE'
    const right = isEnded(status)
      ? 'it has ended: create a new buy'
      : `wait until it is not ${status}`
    return {
      ok: false,
      code,
      message: `a media buy that is ${status} does not allow ${event}: ${right}`,
    }
  }
  const holds = event === 'pause' || (event !== 'resume' && is_held)
  return { ok: true, status: to, is_held: isEnded(to) ? false : holds }
}

/** The minimum number of events that lead from one status to another; undefined if none do. */
export function pathTo(from: MediaBuyStatus, to: MediaBuyStatus): BuyEvent[] | undefined {
  const paths = new Map<MediaBuyStatus, BuyEvent[]>([[from, []]])
  for (const [status, path] of paths) {
    if (status === to) return path
    for (const [event, next] of Object.entries(MOVES[status]) as [BuyEvent, MediaBuyStatus][]) {
      if (!paths.has(next)) paths.set(next, [...path, event])
    }
  }
  return undefined
}

export function isEnded(status: MediaBuyStatus): boolean {
  return Object.keys(MOVES[status]).length === 0
}

/** The event that the clock or a pause request triggers now, if any. One event may be followed by another. */
export function dueEvent(buy: BuyStatus, now: number): BuyEvent | undefined {
  const { status, is_held, start_at, end_at } = buy
  if (isEnded(status)) return undefined
  if (status === 'pending_start') return start_at <= now ? 'start' : undefined
  if (end_at <= now) return 'end'
  return status === 'active' && is_held ? 'pause' : undefined
}

/** When the clock causes the next transition, in milliseconds; undefined if the buy has ended. */
export function nextMoveAt({ status, start_at, end_at }: BuyStatus): number | undefined {
  if (isEnded(status)) return undefined
  return status === 'pending_start' ? start_at : end_at
}

const CHANGES = ['update_budget', 'update_dates', 'update_packages', 'add_packages']

/** What a buyer can do now (`valid_actions`). */
export function validActions({ status, is_held }: Pick<BuyStatus, 'status' | 'is_held'>): string[] {
  if (isEnded(status)) return []
  const hold = is_held || status === 'paused' ? 'resume' : 'pause'
  return [hold, 'cancel', ...CHANGES, 'sync_creatives']
}
