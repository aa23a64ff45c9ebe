// The layers of matching, by name. Each can be switched off, so that the benchmark can measure its effect and a test
// can check the others without it; a server always uses all of them.

/** @internal */
export const LAYERS = [
  /** Misspelt words are repaired. */
  'spelling',
  /** Slang, synonyms and brands are rewritten in catalogue terms. */
  'slang',
  /** Six languages are translated into English. */
  'glosses',
  /** What is not wanted is held back. */
  'negation',
  /** Distinguishes people who want a thing, have it, had it or resemble those who do. */
  'stages',
  /** Distinguishes the expensive kind of a thing from the cheap one. */
  'tiers',
  /** The distilled table is used in addition to the model. */
  'table',
  /** The sentence model. */
  'model',
  /** A query that is closest to a text that describes no audience finds nothing. */
  'elsewhere',
] as const

/** @internal */
export type Layer = (typeof LAYERS)[number]
export type Layers = ReadonlySet<Layer>

export const ALL_LAYERS: Layers = new Set(LAYERS)
