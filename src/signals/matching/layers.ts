// The layers of matching, by name. Each can be left out, so that the bench can measure what it is worth and a test
// what the others do without it; a server always has all of them.

/** @internal */
export const LAYERS = [
  /** Misspelt words are repaired. */
  'spelling',
  /** Slang, synonyms and brands are put into a catalogue's words. */
  'slang',
  /** Six languages are put into English. */
  'glosses',
  /** What is not wanted is held back. */
  'negation',
  /** Distinguishes people who want a thing, have it, had it or resemble those who do. */
  'stages',
  /** Distinguishes the expensive kind of a thing from the cheap one. */
  'tiers',
  /** The distilled table counts beside the model. */
  'table',
  /** The sentence model. */
  'model',
  /** What means a text that describes no audience finds nothing. */
  'elsewhere',
] as const

/** @internal */
export type Layer = (typeof LAYERS)[number]
export type Layers = ReadonlySet<Layer>

export const ALL_LAYERS: Layers = new Set(LAYERS)
