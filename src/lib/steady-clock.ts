// The clocks of this process. `steadyClock` is for decisions about our own state.
//
// What is compared with the clocks of others, such as the time of a signature, goes by `laterClock`: after a jump back an
// expired signature stays expired, and after the machine slept, when its clock is right, that clock counts. What protects
// against replays is forgotten by `earlierClock`, so never before a signature is refused for its age.

import { type Clock, systemClock } from './clock.ts'
import { createSteadyClock, type SteadyClock } from './create-steady-clock.ts'

/** The machine's time without its jumps. */
export const steadyClock: SteadyClock = createSteadyClock()

/** What is over by this one is over by the machine's clock and by the steady one. */
export const earlierClock: Clock = {
  now: () => Math.min(systemClock.now(), steadyClock.now()),
}

/** What is over by this one is over by the machine's clock or by the steady one. */
export const laterClock: Clock = {
  now: () => Math.max(systemClock.now(), steadyClock.now()),
}
