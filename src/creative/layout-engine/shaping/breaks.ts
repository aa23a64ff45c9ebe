// Where lines may end: what those who find such places and those who set lines share.

/** A line may end at `to`, with `mark` behind it (a hyphen); the next begins at `next`, behind the blanks. */
export interface Break {
  to: number
  next: number
  mark?: string
  /** The word that is parted here, if one is. */
  word?: { from: number; to: number }
}

/** Given with the writing of an advertisement, so that all its texts are parted alike. */
export interface Hyphens {
  /** In the order of the text. */
  breaksIn(text: string): readonly Break[]
}
