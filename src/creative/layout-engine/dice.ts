// Choices that look random but are deterministic: the same name gives the same choices on every machine.

import { hash } from 'node:crypto'

export interface Dice {
  /** From 0 up to, and without, 1. */
  roll(): number
  pick<T>(choices: readonly T[]): T
}

export function diceOf(name: string): Dice {
  let state = hash('sha256', name, 'buffer').readUInt32LE(0)
  // The mulberry32 sequence: 32 bits of state are plenty for decoration.
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return { roll, pick: (choices) => choices[Math.floor(roll() * choices.length)] as never }
}
