// What the second pass sees of a message: how sure the first pass was of each token, of its neighbours, its clause, its
// sentence and the whole message. It corrects words that differ from everything around them.

import { hashOf } from '../../../lib/hash-bucket.ts'
import type { MessageFeatures } from './features.ts'
import { BORDERS, bordersOf, clausesOfTokens, sentencesOfTokens } from './parts.ts'
import { PRINTED_ROLES, ROLES } from './roles.ts'
import { normalised, type Token } from './tokens.ts'
import { featureBucket } from './word-hashes.ts'

export const SECOND_BUCKETS = 1 << 15

export function secondFeaturesOf(
  tokens: readonly Token[],
  marginals: ArrayLike<number>,
): MessageFeatures {
  const labels = ROLES.length
  const printable = tokens.map((_token, index) => {
    let sum = 0
    for (let label = 0; label < labels; label++) {
      if (IS_PRINTED[label]) sum += marginals[index * labels + label] as number
    }
    return sum
  })
  const likeliest = tokens.map((_token, index) => {
    let best = 0
    for (let label = 1; label < labels; label++) {
      if (
        (marginals[index * labels + label] as number) > (marginals[index * labels + best] as number)
      )
        best = label
    }
    return best
  })
  const clauses = clausesOfTokens(tokens)
  const sentences = sentencesOfTokens(tokens)
  const isWord = tokens.map(({ text }) => /[\p{L}\p{N}]/u.test(text))
  const summary = (from: number, to: number) => {
    let [sum, count, most, least] = [0, 0, 0, 1]
    for (let index = from; index < to; index++) {
      if (!isWord[index]) continue
      const one = printable[index] as number
      sum += one
      count++
      most = Math.max(most, one)
      least = Math.min(least, one)
    }
    return count === 0
      ? { mean: -1, most: -1, least: -1, count }
      : { mean: sum / count, most, least, count }
  }
  const ofClauses = clauses.map(({ from, to }) => summary(from, to))
  const ofSentences = sentences.map(({ from, to }) => summary(from, to))
  const whole = summary(0, tokens.length)
  const borders = bordersOf(tokens)
  const own: Uint32Array[] = []
  let clause = 0
  let sentence = 0
  for (let index = 0; index < tokens.length; index++) {
    while ((clauses[clause]?.to ?? 0) <= index) clause++
    while ((sentences[sentence]?.to ?? 0) <= index) sentence++
    const found: number[] = []
    const add = (name: string, a: number, b?: number, c?: number) =>
      found.push(featureBucket(SECOND_BUCKETS, name, a, b, c))
    const at = (place: number) =>
      place < 0 || place >= tokens.length ? -1 : stepOf(printable[place] as number)
    const role = likeliest[index] as number
    const c = ofClauses[clause]
    const s = ofSentences[sentence]
    const cm = coarse(c?.mean)
    const sm = coarse(s?.mean)
    const mm = coarse(whole.mean)
    const border = borders[index] as number
    const next = borders[index + 1] ?? BORDERS
    add('p', at(index))
    add('r', role)
    add('rp', role, at(index))
    add('p3', at(index - 1), at(index), at(index + 1))
    add('p-', at(index - 2), at(index - 1))
    add('p+', at(index + 1), at(index + 2))
    add('pc', at(index), cm)
    add('ps', at(index), sm)
    add('pcs', coarse(printable[index]), cm, sm)
    add('rcs', role, cm, sm)
    add('csm', cm, sm, mm)
    add('rm', role, mm)
    add('cx', cm, coarse(c?.most), coarse(c?.least))
    add('sx', sm, coarse(s?.most), coarse(s?.least))
    add('cn', coarse(ofClauses[clause - 1]?.mean), cm, coarse(ofClauses[clause + 1]?.mean))
    add('sn', coarse(ofSentences[sentence - 1]?.mean), sm, coarse(ofSentences[sentence + 1]?.mean))
    add('pb', at(index), border, next)
    add('rr', likeliest[index - 1] ?? -1, role, likeliest[index + 1] ?? -1)
    add('rb', role, border, next)
    add('sc', sm, Math.min(c?.count ?? 0, 6))
    add('ss', sm, Math.min(s?.count ?? 0, 8), Math.min(sentences.length, 4))
    const word = hashOf(normalised((tokens[index] as Token).text))
    add('w', word)
    add('wc', word, cm)
    own.push(Uint32Array.from(found))
  }
  return { own, shared: [], sharedBy: tokens.map(() => []), borders }
}

const IS_PRINTED = ROLES.map((role) => PRINTED_ROLES.has(role))

function stepOf(value: number): number {
  return Math.min(9, Math.floor(value * 10))
}

function coarse(value: number | undefined): number {
  if (value === undefined) return -2
  if (value < 0) return -1
  return value < 0.05
    ? 0
    : value < 0.2
      ? 1
      : value < 0.4
        ? 2
        : value < 0.6
          ? 3
          : value < 0.8
            ? 4
            : value < 0.95
              ? 5
              : 6
}
