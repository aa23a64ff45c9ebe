// The time for decisions about our own state (leases, due times, sessions, expiry): that of the machine, but it does not
// jump with it. The machine's clock may be set wrong, by mistake or by a faulty time server, and set right again minutes
// later; what expired meanwhile would be gone. So a jump is followed only once it has lasted. A process that starts with
// a wrong clock follows the correction after the same time.

import { type Clock, systemClock } from './clock.ts'

export interface SteadyClock extends Clock {
  /** Calls back when the machine's clock jumped, and when a jump is followed. Returns the way to stop listening. */
  onJump(listener: (jump: ClockJump) => void): () => void
}

interface ClockJump {
  /** How far ahead of this clock the machine's is, in milliseconds; below zero: behind. */
  byMs: number
  /** False when it was noticed, true when it has lasted and is followed. */
  isFollowed: boolean
}

interface SteadyClockOptions {
  /** Default: the machine's clock. */
  wall?: Clock
  /** Milliseconds of a clock that never jumps. Default: that of the process. */
  monotonic?: () => number
}

/** Differences up to this are no jump. */
const JUMP_MS = 2_000
/** How long a jump has to last. */
const LASTING_MS = 10 * 60_000
/** How much faster or slower it runs to make up for a small difference. */
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

  /** What to add now, for a machine's clock that is ahead by `ahead` after `elapsed`. */
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
