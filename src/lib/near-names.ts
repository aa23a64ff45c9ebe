// Finds the known names that a misspelt one was probably meant to be.

import { editDistance } from './edit-distance.ts'

/** Shorter names are similar to too many others. */
const MIN_CHARS = 5
const MAX_EDITS = 2

/** The known names within two edits, the nearest first; none for names of less than five characters. */
export function nearNames(given: string, known: Iterable<string>): string[] {
  if (given.length < MIN_CHARS) return []
  const found: { name: string; edits: number }[] = []
  for (const name of known) {
    if (name.length < MIN_CHARS) continue
    const edits = editDistance(given, name, MAX_EDITS)
    if (edits > 0 && edits <= MAX_EDITS) found.push({ name, edits })
  }
  return found.sort((a, b) => a.edits - b.edits).map(({ name }) => name)
}
