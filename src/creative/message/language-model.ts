// Identifies the language of a text in Latin letters by the letters of its words: a linear classifier that
// `npm run messages:train` generates from data/messages and data/concepts.

import { readFileSync } from 'node:fs'
import { hashOf } from '../../lib/hash-bucket.ts'

/**
 * The number of buckets that letter sequences are hashed into; a power of two.
 * @internal
 */
export const LANGUAGE_BUCKETS = 1 << 13
/** Later words in a text add no information. */
const MAX_WORDS = 60

interface LanguageModel {
  languages: readonly string[]
  /** A weight for each bucket and language, bucket by bucket. */
  weights: Int8Array
  scale: number
}

let loaded: LanguageModel | undefined

function languageModel(): LanguageModel {
  loaded ??= languageModelOf(readFileSync(new URL('./weights/language.bin', import.meta.url)))
  return loaded
}

/** The length of the header, the header as JSON, then the weights. */
function languageModelOf(file: Uint8Array): LanguageModel {
  const { buffer } = new Uint8Array(file)
  const [length] = new Uint32Array(buffer, 0, 1) as unknown as [number]
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)))
  return { ...head, weights: new Int8Array(buffer, 4 + length) }
}

interface LanguageShare {
  language: string
  /** How likely it is, from 0 to 1. */
  share: number
}

/** Most likely first; empty for a text without Latin words. */
export function languageShares(text: string): LanguageShare[] {
  const { languages, weights, scale } = languageModel()
  const features = languageFeatures(text)
  if (features.length === 0) return []
  const scores = new Float64Array(languages.length)
  for (const bucket of features) {
    const from = bucket * languages.length
    for (let at = 0; at < scores.length; at++) scores[at]! += weights[from + at]! * scale
  }
  const most = Math.max(...scores)
  const worth = [...scores].map((score) => Math.exp((score - most) * evidence(features)))
  const total = worth.reduce((sum, one) => sum + one, 0)
  return languages
    .map((language, at) => ({ language, share: (worth[at] as number) / total }))
    .sort((a, b) => b.share - a.share)
}

/** Scores are means over the features, as in training. */
function evidence({ length }: readonly number[]): number {
  return 1 / Math.sqrt(length)
}

/**
 * Whole words of one to six letters, and all sequences of two to four letters of words with their boundaries.
 * @internal
 */
export function languageFeatures(text: string): number[] {
  const found: number[] = []
  let count = 0
  for (const [word] of text
    .toLowerCase()
    .normalize('NFC')
    .matchAll(/[\p{sc=Latin}\p{M}'’]+/gu)) {
    if (++count > MAX_WORDS) break
    const marked = `^${word.replaceAll('’', "'")}$`
    if (word.length <= 6) found.push(bucketOf(`=${marked}`))
    for (let size = 2; size <= 4; size++) {
      for (let at = 0; at + size <= marked.length; at++) {
        found.push(bucketOf(marked.slice(at, at + size)))
      }
    }
  }
  return found
}

function bucketOf(text: string): number {
  return hashOf(text) & (LANGUAGE_BUCKETS - 1)
}
