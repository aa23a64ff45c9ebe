// Texts that are sent again and again, kept as bytes too, and answers put together of them: a long text that many callers
// are sent is encoded once.

export interface SharedText {
  text: string
  bytes: Buffer
}

/** A part of an answer. */
export type TextPiece = string | SharedText

export function sharedText(text: string): SharedText {
  return { text, bytes: Buffer.from(text) }
}

export function joinText(pieces: readonly TextPiece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
}

export function joinBytes(pieces: readonly TextPiece[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes)),
  )
}

/** In characters: what it takes in memory and on the wire, within a small factor. */
export function lengthOf(pieces: readonly TextPiece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.bytes.length),
    0,
  )
}
