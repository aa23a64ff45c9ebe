// What a brief says, taken apart (spec 4.3): its intents, what it wants to avoid, and the words that
// were meant. Filled in by the language layer; the ranking scores each intent by itself.

export interface Understood {
  /** One for each requested audience; at least one unless none of the text is left. */
  intents: readonly Intent[]
  /** What the caller does not want: signals that mean this are held back. */
  avoided: readonly string[]
  corrected: readonly { from: string; to: string }[]
}

export interface Intent {
  /** As it was said, spelling repaired, in English. */
  text: string
  /** The same in the catalogue's kind of words: slang and synonyms replaced. Often empty. */
  rewrites: readonly string[]
  /** Whether people who have it, want it, had it, or resemble those who do are meant. */
  stage?: Stage | undefined
  /** It repeats all the others together, for signals that are about the combination. */
  isWhole?: boolean | undefined
}

export type Stage = 'owner' | 'intender' | 'lapsed' | 'lookalike'

/** What spelling is repaired against: words of the catalogue with how often they occur. */
export interface Vocabulary {
  has(word: string): boolean
  /** Whether signals use the word; the others are only known not to be misspelt. */
  inCatalogue(word: string): boolean
  /** Words within that many edits, the likeliest first. */
  near(word: string, maxEdits: number): readonly string[]
}
