// Prevents sweeps from deleting by a clock that has just jumped: what a jump makes expire would be lost for good,
// although the clock may be corrected again. A jump is measured between the database's clock and either the time
// elapsed in this process or the last time recorded by an earlier process. The clock is trusted again when it is back
// to normal, or the jump has lasted.

export interface ClockGuard {
  /** Whether rows that expire by this time, of the database's clock, may be deleted. */
  isTrusted(now: number): boolean
}

export interface ClockGuardOptions {
  /** Called once when deletion has to wait, and once when it continues. */
  onChange: (change: { byMs: number; isTrusted: boolean }) => void
  /** The last time recorded by an earlier process. Default: none. */
  lastSeen?: number | undefined
  /** Monotonic clock in milliseconds. Default: that of the process. */
  monotonic?: () => number
}

/** Maximum difference that is not treated as a jump. */
const JUMP_MS = 60_000
/** How long a jump has to last. */
const LASTING_MS = 60 * 60_000
/** Maximum downtime of a server that is considered normal. */
const LONGEST_OFF_MS = 24 * 60 * 60_000

export function createClockGuard({
  onChange,
  lastSeen,
  monotonic = () => performance.now(),
}: ClockGuardOptions): ClockGuard {
  const startedAt = monotonic()
  /** A trusted time, and when it was read. */
  let base: { now: number; at: number } | undefined
  let jump: { byMs: number; since: number } | undefined

  /** The clock's offset from the expected time. */
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
