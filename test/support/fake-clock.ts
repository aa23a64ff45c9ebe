import type { Clock } from '../../src/lib/clock.ts'

export interface FakeClock extends Clock {
  advance(ms: number): void
  set(ms: number): void
}

/** A clock that moves only on command. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start
  return {
    now: () => now,
    advance: (ms) => {
      now += ms
    },
    set: (ms) => {
      now = ms
    },
  }
}
