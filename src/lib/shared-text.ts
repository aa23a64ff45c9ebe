// Caches the bytes of texts that are sent repeatedly, and builds responses from them: a long text that is sent to
// many callers is encoded once.

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

/** In characters: proportional to its memory and transfer size, within a small factor. */
export function lengthOf(pieces: readonly TextPiece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.bytes.length),
    0,
  )
}
