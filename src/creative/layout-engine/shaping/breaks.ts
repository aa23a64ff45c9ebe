// Where lines may end: types shared by the code that finds breaks and the code that sets lines.

/** A line may end at `to`, followed by `mark` (a hyphen); the next begins at `next`, after the spaces. */
export interface Break {
  to: number
  next: number
  mark?: string
  /** The word that is hyphenated here, if any. */
  word?: { from: number; to: number }
}

/** Passed with the writing of an advertisement, so that all its texts are hyphenated alike. */
export interface Hyphens {
  /** In the order of the text. */
  breaksIn(text: string): readonly Break[]
}
