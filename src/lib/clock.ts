// The time, as an argument: whoever needs it is handed a clock, so tests can hold it still.

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
