// The layers of matching, by name. Each can be left out, so that the bench can tell what it is worth and a
// test what the others do without it; a server always has all of them.

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
  /** Who wants a thing, has it, had it or resembles those who do are told apart. */
  'stages',
  /** The dear kind of a thing and the cheap one are told apart. */
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
