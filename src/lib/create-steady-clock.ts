// The time for decisions about our own state (leases, due times, sessions, expiry): the machine's time, but without
// its jumps. The machine's clock may be set wrong, by mistake or by a faulty time server, and corrected minutes
// later; what expired meanwhile would be lost. So a jump is only followed once it has lasted. A process that starts
// with a wrong clock follows the correction after the same time.

import { type Clock, systemClock } from './clock.ts'

export interface SteadyClock extends Clock {
  /**
   * Calls back when the machine's clock jumps, and when a jump is followed. Returns the function that unsubscribes.
   */
  onJump(listener: (jump: ClockJump) => void): () => void
}

interface ClockJump {
  /** How far the machine's clock is ahead of this clock, in milliseconds; negative if behind. */
  byMs: number
  /** False when the jump is detected, true when it has lasted and is followed. */
  isFollowed: boolean
}

interface SteadyClockOptions {
  /** Default: the machine's clock. */
  wall?: Clock
  /** Monotonic clock in milliseconds. Default: that of the process. */
  monotonic?: () => number
}

/** Maximum difference that is not treated as a jump. */
const JUMP_MS = 2_000
/** How long a jump has to last. */
const LASTING_MS = 10 * 60_000
/** How much faster or slower it runs to correct a small difference. */
const MOST_SLEW = 0.1

export function createSteadyClock({
  wall = systemClock,
  monotonic = () => performance.now(),
}: SteadyClockOptions = {}): SteadyClock {
  const listeners = new Set<(jump: ClockJump) => void>()
  let time = wall.now()
  let readAt = monotonic()
  let jump: { byMs: number; since: number } | undefined

  function notify(noticed: ClockJump): void {
    for (const listener of listeners) listener(noticed)
  }

  /** The correction to add now, if the machine's clock is ahead by `ahead` after `elapsed`. */
  function correction(ahead: number, elapsed: number): number {
    const most = elapsed * MOST_SLEW
    if (Math.abs(ahead) <= JUMP_MS) {
      jump = undefined
      return Math.max(-most, Math.min(most, ahead))
    }
    if (!jump || Math.abs(ahead - jump.byMs) > JUMP_MS) {
      jump = { byMs: ahead, since: readAt }
      notify({ byMs: ahead, isFollowed: false })
      return 0
    }
    if (readAt - jump.since < LASTING_MS) return 0
    jump = undefined
    notify({ byMs: ahead, isFollowed: true })
    return ahead
  }

  return {
    now: () => {
      const at = monotonic()
      const elapsed = at - readAt
      readAt = at
      time += elapsed
      time += correction(wall.now() - time, elapsed)
      return Math.floor(time)
    },
    onJump: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
