// The hyphenation patterns of each language, as files beside this one; a file is read when a word of its language is
// first hyphenated. The authors are listed in patterns/LICENSES.txt.

import { readFileSync } from 'node:fs'

export interface Patterns {
  /** The letters of a pattern: `abl` for `ab3l`. */
  byLetters: ReadonlyMap<string, string>
  /** Letters of the longest. */
  longest: number
  /** The number of letters kept together at the beginning of a word, and at its end. */
  left: number
  right: number
}

/** Undefined for a language without patterns. */
export function patternsOf(language: string): Patterns | undefined {
  const least = LEAST.get(language)
  if (least === undefined) return undefined
  let patterns = known.get(language)
  if (patterns === undefined) {
    patterns = readPatterns(language, least)
    known.set(language, patterns)
  }
  return patterns
}

/** The number of letters kept together at both ends, by language; a short remainder looks like a mistake. */
const LEAST: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['bg', [2, 3]],
  ['cs', [2, 3]],
  ['da', [2, 3]],
  ['de', [2, 3]],
  ['el', [2, 3]],
  ['en', [3, 3]],
  ['es', [2, 3]],
  ['fi', [2, 3]],
  ['fr', [2, 3]],
  ['hu', [2, 3]],
  ['it', [2, 3]],
  ['nb', [2, 3]],
  ['nl', [2, 3]],
  ['pl', [2, 3]],
  ['pt', [2, 3]],
  ['ru', [2, 3]],
  ['sv', [2, 3]],
  ['tr', [2, 3]],
  ['uk', [2, 3]],
])

/** @internal */
export const HYPHENATED_LANGUAGES: readonly string[] = [...LEAST.keys()]

const known = new Map<string, Patterns>()

function readPatterns(language: string, [left, right]: readonly [number, number]): Patterns {
  const file = new URL(`./patterns/${language}.txt`, import.meta.url)
  const byLetters = new Map<string, string>()
  let longest = 0
  for (const pattern of readFileSync(file, 'utf8').split('\n')) {
    if (pattern === '') continue
    const letters = pattern.replace(/[0-9]/g, '')
    byLetters.set(letters, pattern)
    longest = Math.max(longest, letters.length)
  }
  return { byLetters, longest, left, right }
}
