// The time as a dependency: code that needs it receives a clock, so tests can stop it.

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
