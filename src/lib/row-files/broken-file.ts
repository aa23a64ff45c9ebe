// A file that cannot be read on: what came before the place has been read, what follows is unknown.

export class BrokenFile extends Error {
  override readonly name = 'BrokenFile'
}

/** Longest row, in characters: what is longer is no row of a table, and would fill the memory. */
export const MAX_ROW_CHARS = 1_048_576

/** Parts of a text in their order, broken anywhere. */
export type Chunks = AsyncIterable<string> | Iterable<string>
