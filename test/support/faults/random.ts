// Random choices that a seed repeats, so that a failure can be looked at again.

import { randomInt } from 'node:crypto'

export interface Dice {
  seed: number
  /** A whole number from 0 to below `end`. */
  below(end: number): number
}

/** ADWIRE_FAULT_SEED repeats the choices of an earlier run. */
export function createDice(
  seed = Number(process.env.ADWIRE_FAULT_SEED ?? randomInt(2 ** 31)),
): Dice {
  let state = seed >>> 0
  return {
    seed,
    below: (end) => {
      // A linear congruential generator: its high bits are random enough for moments to kill at.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * end)
    },
  }
}
