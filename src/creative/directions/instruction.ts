// An instruction to the creator of the ad, and its outcome (spec 4.2).

export interface Instruction {
  text: string
  /** Its location: a span of the message, or its index in the list `instructions` of the request. */
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
