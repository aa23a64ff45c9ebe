// The words used for spelling repair: those of the catalogue, of the lexicon, and of English.

import { editDistance } from '../../../lib/edit-distance.ts'
import { GENERIC_WORDS, STOP_WORDS } from '../stop-words.ts'
import type { Vocabulary } from '../understood.ts'
import { foldWord } from '../words.ts'
import { lexiconWords, readLexiconFile } from './lexicon.ts'
import { slipCost } from './slip-cost.ts'

/** Limits memory and the time of a lookup; rarer words of the catalogue are left out. */
const MAX_WORDS = 60_000
const MAX_NEAR = 8
const MAX_LENGTH = 32
/** Base words with a lower prior than this, roughly rank 10,000, count as known but are not suggested. */
const RARE = 0.13

/**
 * A vocabulary of catalogue words with their counts, over a base of known words, the most common first. Similar words
 * are found by scanning those of a similar length: a bit mask of their letters rules out nearly all, so that no index
 * has to be built and a lookup takes a fraction of a millisecond.
 */
export function createVocabulary(
  words: Iterable<readonly [word: string, count: number]>,
  base: Iterable<string> = [],
): Vocabulary {
  const catalogue = countWords(words)
  const priors = priorsOf(catalogue, base)
  const byLength = groupByLength(priors)

  return {
    has: (word) => priors.has(word),
    inCatalogue: (word) => catalogue.has(word),
    near(word, maxEdits) {
      if (maxEdits < 1 || word.length > MAX_LENGTH) return []
      const found: { word: string; cost: number }[] = []
      const mask = lettersOf(word)
      for (let length = word.length - maxEdits; length <= word.length + maxEdits; length++) {
        const group = byLength.get(length)
        if (group === undefined) continue
        for (let i = 0; i < group.masks.length; i++) {
          // One edit adds at most one letter to the set, and removes at most one.
          const other = group.masks[i] as number
          if (bitsOf(other & ~mask) > maxEdits || bitsOf(mask & ~other) > maxEdits) continue
          const candidate = group.words[i] as string
          if (candidate === word || editDistance(word, candidate, maxEdits) > maxEdits) continue
          const prior = priors.get(candidate) as number
          found.push({ word: candidate, cost: slipCost(word, candidate) - prior })
        }
      }
      found.sort((a, b) => a.cost - b.cost || (a.word < b.word ? -1 : 1))
      return found.slice(0, MAX_NEAR).map((one) => one.word)
    },
  }
}

function countWords(words: Iterable<readonly [string, number]>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word, count] of words) {
    const folded = foldWord(word)
    if (folded === '' || folded.length > MAX_LENGTH) continue
    counts.set(folded, (counts.get(folded) ?? 0) + count)
  }
  if (counts.size <= MAX_WORDS / 2) return counts
  const commonest = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return new Map(commonest.slice(0, MAX_WORDS / 2))
}

/** How likely a word is meant, as a discount on its cost: the catalogue's own words have priority. */
function priorsOf(catalogue: Map<string, number>, base: Iterable<string>): Map<string, number> {
  const priors = new Map<string, number>()
  let most = 1
  for (const count of catalogue.values()) most = Math.max(most, count)
  for (const [word, count] of catalogue) {
    priors.set(word, 0.5 + (0.3 * Math.log1p(count)) / Math.log1p(most))
  }
  for (const word of lexiconWords()) if (!priors.has(word)) priors.set(word, 0.5)
  let rank = 0
  for (const word of base) {
    if (priors.size >= MAX_WORDS) break
    const folded = foldWord(word)
    rank += 1
    if (folded === '' || folded.length > MAX_LENGTH || priors.has(folded)) continue
    priors.set(folded, 0.4 / (1 + rank / 5000))
  }
  // Words that the patterns here match are never typos, whatever the base is.
  const known = [...readLexiconFile<string[]>('known-words'), ...STOP_WORDS, ...GENERIC_WORDS]
  for (const word of known) if (!priors.has(word)) priors.set(word, 0)
  return priors
}

interface LengthGroup {
  words: string[]
  masks: Uint32Array
}

function groupByLength(priors: ReadonlyMap<string, number>): Map<number, LengthGroup> {
  const grouped = new Map<number, string[]>()
  for (const [word, prior] of priors) {
    if (prior < RARE) continue
    // Shorter words and numbers are never repaired, nor suggested as a repair.
    if (word.length < 3 || /[^a-z]/.test(word)) continue
    const group = grouped.get(word.length)
    if (group === undefined) grouped.set(word.length, [word])
    else group.push(word)
  }
  const groups = new Map<number, LengthGroup>()
  for (const [length, group] of grouped) {
    groups.set(length, { words: group, masks: Uint32Array.from(group, lettersOf) })
  }
  return groups
}

function lettersOf(word: string): number {
  let mask = 0
  for (let i = 0; i < word.length; i++) mask |= 1 << ((word.charCodeAt(i) - 97) & 31)
  return mask >>> 0
}

function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
