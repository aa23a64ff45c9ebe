// Words, and the features derived from them, as hashes.

import { hashOf, mixed } from '../../../lib/hash-bucket.ts'

/** A word and the hashes of its parts. */
export interface Word {
  text: string
  hash: number
  isWord: boolean
  hasDigit: boolean
  /** Its first three, four and five letters, and its last three and two; only for longer words. */
  parts: readonly number[]
  /** Its first four letters, whatever its length. */
  start: number
}

export function wordOf(text: string): Word {
  const isLong = text.length > 3
  return {
    text,
    hash: hashOf(text),
    isWord: /[\p{L}\p{N}]/u.test(text),
    hasDigit: text.includes('0'),
    parts: isLong
      ? [text.slice(0, 3), text.slice(0, 4), text.slice(0, 5), text.slice(-3), text.slice(-2)].map(
          hashOf,
        )
      : [],
    start: hashOf(text.slice(0, 4)),
  }
}

export const START = hashOf('<s>')
export const END = hashOf('</s>')
export const NONE = hashOf('-')

/** Hashes of the feature names, of which there are few. */
const names = new Map<string, number>()

function nameHash(name: string): number {
  let hash = names.get(name)
  if (hash === undefined) {
    hash = hashOf(name)
    names.set(name, hash)
  }
  return hash
}

/** For a feature of several values, `mixed` adds the others one by one. */
export function featureHash(name: string, value: number): number {
  return mixed(nameHash(name), value)
}

/** Counts as steps. */
export function countStep(count: number): number {
  if (count < 6) return count
  return count < 10 ? 6 : count < 16 ? 10 : count < 30 ? 16 : count < 60 ? 30 : 60
}
