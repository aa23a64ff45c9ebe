// Instructions with the directions that they hold (spec 4.2). One direction is one object, wherever it is tried.

import { conceptsIn } from '../message/concepts/concepts-in.ts'
import type { Direction } from './direction.ts'
import type { Instruction } from './instruction.ts'
import { readDirections } from './read-directions.ts'

export interface ReadInstruction {
  instruction: Instruction
  /** Empty if it requests nothing, such as thanks. */
  directions: readonly Direction[]
}

export function readInstructions(instructions: readonly Instruction[]): ReadInstruction[] {
  return instructions.map((instruction) => ({
    instruction,
    directions: readDirections(conceptsIn(instruction.text), instruction.text),
  }))
}
