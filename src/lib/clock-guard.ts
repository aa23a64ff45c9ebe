// Keeps sweeps from deleting by a clock that has just jumped: what a jump makes old is gone for good, although the clock
// may be set right again. A jump is one of the database's clock against the time that passed in this process, or against
// the last time that an earlier process noted. It is trusted again when it is back, or has lasted.

export interface ClockGuard {
  /** Whether what is over by this time, of the database's clock, may be deleted. */
  isTrusted(now: number): boolean
}

export interface ClockGuardOptions {
  /** Called once when deletion has to wait, and once when it continues. */
  onChange: (change: { byMs: number; isTrusted: boolean }) => void
  /** The last time noted by a process before this one. Default: none. */
  lastSeen?: number | undefined
  /** Milliseconds of a clock that never jumps. Default: that of the process. */
  monotonic?: () => number
}

/** Differences up to this are no jump. */
const JUMP_MS = 60_000
/** How long a jump has to last. */
const LASTING_MS = 60 * 60_000
/** A server may have been off for this long without anybody wondering. */
const LONGEST_OFF_MS = 24 * 60 * 60_000

export function createClockGuard({
  onChange,
  lastSeen,
  monotonic = () => performance.now(),
}: ClockGuardOptions): ClockGuard {
  const startedAt = monotonic()
  /** A time that is trusted, and when it was. */
  let base: { now: number; at: number } | undefined
  let jump: { byMs: number; since: number } | undefined

  /** How far the clock is from where it should be. */
  function awayBy(now: number, at: number): number {
    if (base) return now - base.now - (at - base.at)
    if (lastSeen === undefined) return 0
    const earliest = lastSeen + (at - startedAt)
    return now < earliest ? now - earliest : Math.max(0, now - earliest - LONGEST_OFF_MS)
  }

  function trust(now: number, at: number): true {
    if (jump) onChange({ byMs: jump.byMs, isTrusted: true })
    jump = undefined
    base = { now, at }
    return true
  }

  return {
    isTrusted: (now) => {
      const at = monotonic()
      const byMs = awayBy(now, at)
      if (Math.abs(byMs) <= JUMP_MS) return trust(now, at)
      if (!jump || Math.abs(byMs - jump.byMs) > JUMP_MS) {
        if (!jump) onChange({ byMs, isTrusted: false })
        jump = { byMs, since: at }
        return false
      }
      return at - jump.since >= LASTING_MS && trust(now, at)
    },
  }
}
