// The parsed contents of a brief (spec 4.3): its intents, what it excludes, and the words that were meant. Created by
// the language layer; the ranking scores each intent separately.

export interface Understood {
  /** One for each requested audience; at least one unless the text has nothing left. */
  intents: readonly Intent[]
  /** What the caller excludes: signals with this meaning are held back. */
  avoided: readonly string[]
  corrected: readonly { from: string; to: string }[]
}

export interface Intent {
  /** The original text, in English and with spelling repaired. */
  text: string
  /** The same in catalogue terms: slang and synonyms replaced. Often empty. */
  rewrites: readonly string[]
  /** Whether people who have it, want it, had it, or resemble those who do are meant. */
  stage?: Stage | undefined
  /** It repeats all the others together, for signals about the combination. */
  isWhole?: boolean | undefined
}

export type Stage = 'owner' | 'intender' | 'lapsed' | 'lookalike'

/** The vocabulary for spelling repair: words of the catalogue with their frequencies. */
export interface Vocabulary {
  has(word: string): boolean
  /** Whether signals use the word; the others are only known to be spelled correctly. */
  inCatalogue(word: string): boolean
  /** Words within that many edits, the most likely first. */
  near(word: string, maxEdits: number): readonly string[]
}
