// Splits a streamed file into lines. Only line feeds end a line: a JSON text may contain every other character that
// some readers treat as a line break.

import { type Chunks, MAX_ROW_CHARS } from './broken-file.ts'

/** Yields the lines in order; undefined for one that is too long. */
export async function* textLines(chunks: Chunks): AsyncGenerator<string | undefined> {
  let held = ''
  let isTooLong = false
  for await (const chunk of chunks) {
    const parts = chunk.split('\n')
    for (const part of parts.slice(0, -1)) {
      yield isTooLong ? undefined : lineOf(held + part)
      held = ''
      isTooLong = false
    }
    held += parts.at(-1)
    if (held.length <= MAX_ROW_CHARS) continue
    isTooLong = true
    held = ''
  }
  if (isTooLong) yield undefined
  else if (held !== '') yield lineOf(held)
}

function lineOf(text: string): string | undefined {
  if (text.length > MAX_ROW_CHARS) return undefined
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
