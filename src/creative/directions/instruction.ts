// An instruction to the maker of the ad, and what became of it (spec 4.2).

export interface Instruction {
  text: string
  /** Where it is: a span of the message, or its place in the list `instructions` of the request. */
  origin: { start: number; end: number } | { index: number }
}

/** not_supported: this server cannot do that. not_possible: it can, but not in this format or with this input. */
export type Outcome = 'followed' | 'not_supported' | 'not_possible'

export interface InstructionOutcome {
  instruction: Instruction
  outcome: Outcome
  /** What was done, or why it was not. */
  detail?: string
}
