// The clocks of this process. `steadyClock` is for decisions about our own state.
//
// Values that are compared with other parties' clocks, such as the time of a signature, use `laterClock`: after a
// jump back an expired signature stays expired, and after the machine slept, when its clock is right, that clock
// counts. Replay protection expires by `earlierClock`, so never before the signature itself is refused for its age.

import { type Clock, systemClock } from './clock.ts'
import { createSteadyClock, type SteadyClock } from './create-steady-clock.ts'

/** The machine's time without its jumps. */
export const steadyClock: SteadyClock = createSteadyClock()

/** What has expired by this clock has expired by both the machine's clock and the steady one. */
export const earlierClock: Clock = {
  now: () => Math.min(systemClock.now(), steadyClock.now()),
}

/** What has expired by this clock has expired by either the machine's clock or the steady one. */
export const laterClock: Clock = {
  now: () => Math.max(systemClock.now(), steadyClock.now()),
}
