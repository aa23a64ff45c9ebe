// The ids that a caller probably meant by one that does not exist, as a suggestion. Only ids that the caller may see are
// compared or named, so that a suggestion says nothing about those of others.

import { nearNames } from '../lib/near-names.ts'

const MAX_COMPARED_CHARS = 100
const MOST_NAMED = 3

/** Within two edits; otherwise those with all words of the given one, if it has several. The nearest first. */
export function nearIds(given: string, known: Iterable<string>): string[] {
  if (given.length > MAX_COMPARED_CHARS) return []
  const ids = [...new Set(known)]
  const near = nearNames(given, ids)
  if (near.length > 0) return near
  const words = wordsOf(given)
  if (words.length < 2) return []
  return ids.filter((id) => {
    const others = new Set(wordsOf(id))
    return id !== given && words.every((word) => others.has(word))
  })
}

/** Returns the general advice if nothing is near. */
export function suggestNear(near: readonly string[], otherwise: string): string {
  if (near.length === 0) return otherwise
  return `Did you mean ${near.slice(0, MOST_NAMED).join(' or ')}? ${otherwise}`
}

/** More ids than this are not compared: only callers with typos pay for it, but they must not block others. */
const MOST_COMPARED = 5_000
const MOST_CANDIDATES = 20
const PAGE = 1_000

/** Of a list that is read in pages. The caller still has to check which of them may be named. */
export async function nearInPages(
  given: string,
  pageAfter: (after: string | undefined, limit: number) => Promise<readonly string[]>,
): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < MOST_COMPARED) {
    const page = await pageAfter(ids.at(-1), PAGE)
    ids.push(...page)
    if (page.length < PAGE) break
  }
  return nearIds(given, ids).slice(0, MOST_CANDIDATES)
}

function wordsOf(id: string): string[] {
  return id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2)
}
