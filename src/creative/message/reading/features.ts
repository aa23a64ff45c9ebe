// The sequence model's features for a message: hashed features of each token and its neighbours, shared features of
// its clause, its sentence and the whole message, and the kind of boundary between neighbours. Training and reading
// use this one function.

import { hashOf, mixed } from '../../../lib/hash-bucket.ts'
import type { ConceptSpan } from '../concepts/concepts-in.ts'
import { numbersOf, type TokenRange } from './parts.ts'
import type { TokenPlace } from './places.ts'
import { seenTokens } from './seen-tokens.ts'
import type { Token } from './tokens.ts'
import { countStep, END, featureHash, NONE, START, type Word } from './word-hashes.ts'

/**
 * The number of buckets that features are hashed into; a power of two.
 * @internal
 */
export const BUCKETS = 1 << 17

export interface MessageFeatures {
  /** Of each token. */
  own: readonly Uint32Array[]
  /** For clauses, sentences and the message. */
  shared: readonly Uint32Array[]
  /** For each token, which of the shared features are also its own. */
  sharedBy: readonly (readonly number[])[]
  /** For each token, what separates it from the previous one. */
  borders: Uint8Array
}

export function featuresOf(tokens: readonly Token[], seen = seenTokens(tokens)): MessageFeatures {
  const { words, concepts, sentences, clauses, places } = seen
  const shapes = tokens.map(({ text }) => hashOf(shapeOf(text)))
  const shared = [
    ...clauses.map((part) => clauseFeatures('c', words, part)),
    ...sentences.map((part) => clauseFeatures('s', words, part)),
    ...conceptFeaturesOf('c', concepts, clauses),
    ...conceptFeaturesOf('s', concepts, sentences),
    tokens.length > MAX_BAG_TOKENS
      ? new Uint32Array()
      : bagOf('m', words, { from: 0, to: words.length }),
  ]
  const clauseOf = numbersOf(clauses, tokens.length)
  const sentenceOf = numbersOf(sentences, tokens.length)
  const ids = conceptIds(concepts, tokens.length)
  return {
    own: tokens.map((token, index) =>
      ownFeatures({ token, index, words, shapes, ids, place: places[index] as TokenPlace }),
    ),
    shared,
    sharedBy: tokens.map((_token, index) => [
      clauseOf[index] as number,
      clauses.length + (sentenceOf[index] as number),
      clauses.length + sentences.length + (clauseOf[index] as number),
      2 * clauses.length + sentences.length + (sentenceOf[index] as number),
      shared.length - 1,
    ]),
    borders: seen.borders,
  }
}

/** In a longer message, the words together say little about each part. */
const MAX_BAG_TOKENS = 40

interface Own {
  token: Token
  index: number
  words: readonly Word[]
  shapes: readonly number[]
  ids: ConceptIds
  place: TokenPlace
}

const PART_NAMES = ['p3', 'p4', 'p5', 's3', 's2']

function ownFeatures({ token, index, words, shapes, ids, place }: Own): Uint32Array {
  const found: number[] = []
  const add = (name: string, a: number, b?: number) => found.push(bucketOf(name, a, b))
  /** For features of three values: the first is in the hash. */
  const addTo = (first: number, b: number, c: number) =>
    found.push(mixed(mixed(first, b), c) & (BUCKETS - 1))
  const word = (at: number) => words[at]?.hash ?? (at < 0 ? START : END)
  const shape = (at: number) => shapes[at] ?? NONE
  const own = words[index] as Word
  const w = own.hash
  const [before, after] = [word(index - 1), word(index + 1)]
  add('w', w)
  add('-1', before)
  add('+1', after)
  add('-2', word(index - 2))
  add('+2', word(index + 2))
  add('-10', before, w)
  add('+10', w, after)
  add('-11', before, after)
  addTo(featureHash('-210', word(index - 2)), before, w)
  addTo(featureHash('+210', w), after, word(index + 2))
  add('-21', word(index - 2), before)
  add('+21', after, word(index + 2))
  addTo(featureHash('-3', word(index - 3)), word(index - 2), before)
  for (const [number, part] of own.parts.entries()) add(PART_NAMES[number] as string, part)
  add('-p', words[index - 1]?.start ?? START)
  add('+p', words[index + 1]?.start ?? END)
  add('sh', shape(index))
  add('sh-', shape(index - 1), shape(index))
  add('sh+', shape(index), shape(index + 1))
  addTo(featureHash('sp', token.isSpaced ? 1 : 0), token.isFirstOfLine ? 1 : 0, shape(index))
  add('cn', place.clauseFirst, countStep(place.inClause))
  add('cw', place.clauseFirst, w)
  add('fw', place.first, w)
  add('lb', place.label)
  add('q', place.quote, shape(index))
  add('ql', place.quote, place.label)
  add('qb', place.quote, place.beforeQuote)
  add('n', Math.min(place.number, 4), Math.min(place.sentences, 6))
  add('m', place.mark, countStep(place.length))
  add('mm', place.messageFirst)
  add('mn', place.isMany, place.first)
  add('lf', place.lineFirst)
  add('nc', place.nextClause)
  add('pc', place.previousClause, place.clauseFirst)
  const { at, before: last, after: next } = ids
  const concept = at[index] as number
  const [left, right] = [at[index - 1] ?? 0, at[index + 1] ?? 0]
  add('k', concept)
  add('k-', left, concept)
  add('k+', concept, right)
  addTo(featureHash('k-+', left), concept, right)
  add('kp', last[index] as number, concept)
  add('kn', concept, next[index] as number)
  add('kpn', last[index] as number, next[index] as number)
  add('kw', w, last[index] as number)
  add('kv', w, next[index] as number)
  return new Uint32Array(found)
}

/** The bucket of a feature of one or two values. */
function bucketOf(name: string, a: number, b?: number): number {
  const first = featureHash(name, a)
  return (b === undefined ? first : mixed(first, b)) & (BUCKETS - 1)
}

/** For each token, its concept and the nearest ones before and after it; 0 if there is none. */
interface ConceptIds {
  at: Uint16Array
  before: Uint16Array
  after: Uint16Array
}

function conceptIds(concepts: readonly ConceptSpan[], length: number): ConceptIds {
  const [at, before, after] = [0, 0, 0].map(() => new Uint16Array(length)) as [
    Uint16Array,
    Uint16Array,
    Uint16Array,
  ]
  let from = 0
  let last = 0
  for (const { from: start, to, id } of concepts) {
    at.fill(id + 1, start, to)
    after.fill(id + 1, from, start)
    before.fill(last, from, to)
    for (let index = start; index < to; index++) after[index] = 0
    last = id + 1
    from = to
  }
  before.fill(last, from)
  // Within a concept, the next one is the first after its end.
  let next = 0
  for (let index = length - 1; index >= 0; index--) {
    if (at[index] !== 0 && at[index + 1] !== at[index])
      next = at[index + 1] || (after[index + 1] ?? 0)
    if (at[index] !== 0) after[index] = next
  }
  return { at, before, after }
}

/** For consecutive parts, as the concepts are. */
function conceptFeaturesOf(
  name: string,
  concepts: readonly ConceptSpan[],
  parts: readonly TokenRange[],
): Uint32Array[] {
  let next = 0
  return parts.map((part) => {
    const first = next
    while (next < concepts.length && (concepts[next] as ConceptSpan).from < part.to) next++
    return conceptFeatures(name, concepts.slice(first, next), part)
  })
}

/** The concepts of a clause or sentence, pairs of them in order, and its first two. */
function conceptFeatures(
  name: string,
  concepts: readonly ConceptSpan[],
  { from, to }: TokenRange,
): Uint32Array {
  const own = concepts.map(({ id }) => id + 1)
  const found = new Set<number>()
  const add = (kind: string, a: number, b?: number) => found.add(bucketOf(`${name}k${kind}`, a, b))
  for (const [index, id] of own.entries()) {
    add('', id)
    if (index > 0) add('2', own[index - 1] as number, id)
    if (index > 1) add('3', own[index - 2] as number, id)
  }
  const isFirst = concepts[0]?.from === from
  add('f', isFirst ? (own[0] ?? 0) : 0)
  add('ff', own[0] ?? 0, own[1] ?? 0)
  add('n', countStep(own.length), countStep(to - from))
  return Uint32Array.from(found)
}

/** The words of a clause or sentence, pairs of them, their beginnings, and its first and last words. */
function clauseFeatures(name: string, words: readonly Word[], part: TokenRange): Uint32Array {
  const { from, to } = part
  const own = words.slice(from, to).filter(({ isWord }) => isWord)
  const found = new Set(bagOf(name, words, part))
  const add = (kind: string, a: number, b?: number) => found.add(bucketOf(`${name}${kind}`, a, b))
  const first = own[0]?.hash ?? NONE
  const end = words[to - 1]?.hash ?? NONE
  add('f', first)
  add('f2', first, own[1]?.hash ?? NONE)
  add('l', own.at(-1)?.hash ?? NONE)
  add('n', countStep(own.length))
  add('e', end)
  add('fe', first, end)
  add('0', own.some(({ hasDigit }) => hasDigit) ? 1 : 0)
  return Uint32Array.from(found)
}

function bagOf(name: string, words: readonly Word[], { from, to }: TokenRange): Uint32Array {
  const found = new Set<number>()
  for (let index = from; index < to; index++) {
    const { isWord, text, hash, start } = words[index] as Word
    if (!isWord) continue
    found.add(bucketOf(`${name}b`, hash))
    if (text.length > 4) found.add(bucketOf(`${name}b4`, start))
    const next = words[index + 1]
    if (next !== undefined && index + 1 < to) {
      found.add(bucketOf(`${name}b2`, hash, next.hash))
    }
  }
  return Uint32Array.from(found)
}

function shapeOf(text: string): string {
  if (/^\p{N}/u.test(text)) return text.length > 4 ? '0000' : '0'.repeat(text.length)
  if (/^\p{Sc}$/u.test(text)) return '$'
  if (/\p{Extended_Pictographic}/u.test(text)) return 'emoji'
  if (!/\p{L}/u.test(text)) return text
  const script = SCRIPTS.find(([, pattern]) => pattern.test(text))?.[0]
  if (script !== undefined) return script
  if (text.length > 1 && text === text.toUpperCase()) return 'XX'
  const [first = ''] = text
  return first !== first.toLowerCase() ? 'Xx' : text.length < 3 ? 'x' : 'xx'
}

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['han', /\p{sc=Han}/u],
  ['hira', /\p{sc=Hira}/u],
  ['kana', /\p{sc=Kana}/u],
  ['hang', /\p{sc=Hang}/u],
  ['thai', /\p{sc=Thai}/u],
  ['arab', /\p{sc=Arab}/u],
  ['hebr', /\p{sc=Hebr}/u],
  ['deva', /\p{sc=Deva}/u],
]
