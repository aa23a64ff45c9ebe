import type { StrangerMessage } from './strangers.d.mts'

export interface Drawn {
  texts: readonly string[]
  notes: readonly string[]
}

export interface Checked {
  isInstructed: boolean
  isBare: boolean
  isPrinting: boolean
  units: number
  drawnUnits: number
  lostFacts: string[]
  lostCopy: string[]
  invented: string[]
  falseNotes: string[]
  isRight: boolean
}

/** Shares of messages from 0 to 1, of copy drawn of its words; null where none of them could fail. */
export interface UsageQuota {
  messages: number
  printsInstruction: number | null
  printsBare: number | null
  copyDrawn: number | null
  losesFact: number | null
  losesCopy: number | null
  invents: number | null
  falseNotes: number | null
  right: number | null
}

export function checkDrawn(
  message: Pick<StrangerMessage, 'message' | 'segments'>,
  drawn: Drawn,
  known?: readonly string[],
): Checked
export function sharesOf(checked: readonly Checked[]): UsageQuota
