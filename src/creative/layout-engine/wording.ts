// What can be requested for the words of one advertisement (spec 4.2), besides what they say.

import type { Avoided } from '../message/avoid.ts'
import type { Tone } from '../message/tone.ts'

export interface Wording {
  /** What must not be said. */
  avoided?: Avoided
  letterCase?: LetterCase
  length?: TextLength
  /** Counts before that of the message and the brand. */
  tone?: Tone
  /** Said where no text says a price. */
  price?: string
  /** Texts that are printed as they were given, whatever must not be said. */
  verbatim?: ReadonlySet<string>
}

/** no_capitals: nothing is set in capitals throughout. */
export type LetterCase = 'capitals' | 'lowercase' | 'no_capitals'

/** headline_only: without a description. shorter: of the description its first sentence, or nothing. */
export type TextLength = 'headline_only' | 'shorter'
