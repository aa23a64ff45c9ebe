// Wording requests for one advertisement (spec 4.2), apart from the content of the words.

import type { Avoided } from '../message/avoid.ts'
import type { Tone } from '../message/tone.ts'

export interface Wording {
  /** What must not be said. */
  avoided?: Avoided
  letterCase?: LetterCase
  length?: TextLength
  /** Overrides that of the message and the brand. */
  tone?: Tone
  /** Said where no text says a price. */
  price?: string
  /** Texts that are printed as given, even if they contain forbidden words. */
  verbatim?: ReadonlySet<string>
}

/** no_capitals: nothing is set in all capitals. */
export type LetterCase = 'capitals' | 'lowercase' | 'no_capitals'

/** headline_only: no description. shorter: only the first sentence of the description, or none. */
export type TextLength = 'headline_only' | 'shorter'
