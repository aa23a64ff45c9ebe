// The lexicon of audience slang, synonyms and brands (`lexicon/*.json`): which of its phrases a text contains, and
// their meaning in catalogue terms.

import { readFileSync } from 'node:fs'
import { singularOf, type Token, tenselessOf, tokensOf } from '../words.ts'

interface LexiconEntry {
  /** Ways to express it, in any number and tense. */
  phrase: readonly string[]
  /** The same in catalogue terms; each is a separate rewrite. */
  means: readonly string[]
  /** What a caller who uses this phrase wants to exclude. */
  avoids?: readonly string[] | undefined
}

export interface LexiconHit {
  /** First and last token of the phrase. */
  first: number
  last: number
  entry: LexiconEntry
}

interface Pattern {
  stems: readonly string[]
  entry: LexiconEntry
}

const SLANG_FILES = ['people', 'money-home', 'leisure', 'shopping', 'turns']
const FILES = [...SLANG_FILES, 'brands']

interface Patterns {
  /** By their first stem, the longest first. */
  phrases: ReadonlyMap<string, readonly Pattern[]>
  /** A single word must match exactly, in singular or plural: somebody who expects a discount is not expecting. */
  words: ReadonlyMap<string, LexiconEntry>
}

let patterns: Patterns | undefined
let words: ReadonlySet<string> | undefined
let slang: ReadonlySet<string> | undefined

/** The lexicon phrases in a text, from left to right; the longest if several start at the same position. */
export function findPhrases(tokens: readonly Token[]): LexiconHit[] {
  patterns ??= compile(readEntries(FILES))
  const stems = tokens.map((token) => tenselessOf(token.word))
  const hits: LexiconHit[] = []
  for (let at = 0; at < stems.length; at++) {
    const candidates = patterns.phrases.get(stems[at] as string)
    const found = candidates?.find((one) => one.stems.every((stem, i) => stems[at + i] === stem))
    const entry = found?.entry ?? patterns.words.get(singularOf(tokens[at]?.word ?? ''))
    if (entry === undefined) continue
    const last = at + (found?.stems.length ?? 1) - 1
    hits.push({ first: at, last, entry })
    at = last
  }
  return hits
}

/** Every word of the lexicon: none of them is treated as a typo. */
export function lexiconWords(): ReadonlySet<string> {
  words ??= wordsOf(readEntries(FILES))
  return words
}

/** The same without brands, which resemble too many words to be a likely correction. */
export function slangWords(): ReadonlySet<string> {
  slang ??= wordsOf(readEntries(SLANG_FILES))
  return slang
}

function wordsOf(entries: readonly LexiconEntry[]): Set<string> {
  const texts = entries.flatMap((entry) => [...entry.phrase, ...entry.means])
  return new Set(texts.flatMap((text) => tokensOf(text).map((token) => token.word)))
}

function readEntries(files: readonly string[]): LexiconEntry[] {
  return files.flatMap((file) => readLexiconFile<LexiconEntry[]>(file))
}

/** A file of the lexicon; these files are part of the program, so their contents are not validated here. */
export function readLexiconFile<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./lexicon/${name}.json`, import.meta.url), 'utf8'))
}

function compile(entries: readonly LexiconEntry[]): Patterns {
  const phrases = new Map<string, Pattern[]>()
  const alone = new Map<string, LexiconEntry>()
  for (const entry of entries) {
    for (const phrase of entry.phrase) {
      const tokens = tokensOf(phrase)
      const first = tokens[0]?.word
      if (first === undefined) continue
      if (tokens.length === 1) {
        if (!alone.has(singularOf(first))) alone.set(singularOf(first), entry)
        continue
      }
      const pattern = { stems: tokens.map(({ word }) => tenselessOf(word)), entry }
      const known = phrases.get(tenselessOf(first))
      if (known === undefined) phrases.set(tenselessOf(first), [pattern])
      else known.push(pattern)
    }
  }
  for (const known of phrases.values()) known.sort((a, b) => b.stems.length - a.stems.length)
  return { phrases, words: alone }
}
