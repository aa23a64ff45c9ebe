// A file that is corrupt from some position on: everything before it has been read, the rest is unknown.

export class BrokenFile extends Error {
  override readonly name = 'BrokenFile'
}

/** Maximum row length, in characters: a longer one is not a table row, and would fill the memory. */
export const MAX_ROW_CHARS = 1_048_576

/** Chunks of a text in order, split anywhere. */
export type Chunks = AsyncIterable<string> | Iterable<string>
