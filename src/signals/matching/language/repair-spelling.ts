// Repairs the spelling of a buyer's words: a word unknown to the catalogue and to English becomes the most likely
// similar one; two words that belong together are joined, and one that should be two is split.

import { STOP_WORDS } from '../stop-words.ts'
import type { Vocabulary } from '../understood.ts'
import { type Token, tokensOf } from '../words.ts'
import { isKnownWord } from './known-word.ts'
import { lexiconWords, slangWords } from './lexicon.ts'
import { slipCost } from './slip-cost.ts'

export interface Repaired {
  text: string
  corrected: { from: string; to: string }[]
}

/** Maximum number of unknown words that are examined, which limits the time for a long text. */
const MAX_UNKNOWN = 24
const MIN_LENGTH = 4
/** From this length on, two edits are a typo; in shorter words they give a different word. */
const TWO_EDITS_FROM = 6
/** A joined word of this length is unlikely to resemble another by chance. */
const SURE_JOIN = 8

export function repairSpelling(text: string, vocabulary: Vocabulary): Repaired {
  const tokens = tokensOf(text)
  const namesAreCapital = !isTitleCase(tokens)
  const corrected: Repaired['corrected'] = []
  let out = ''
  let copied = 0
  let unknown = 0
  for (let at = 0; at < tokens.length && unknown < MAX_UNKNOWN; at++) {
    const token = tokens[at] as Token
    if (!isKnownWord(token.word, vocabulary)) unknown += 1
    const next = followedBySpace(text, token, tokens[at + 1]) ? tokens[at + 1] : undefined
    const isName = namesAreCapital && at > 0 && /^\p{Lu}/u.test(token.raw)
    const repair = repairOf({ token, next, isName }, vocabulary)
    if (repair === undefined) continue
    const last = repair.takesNext ? (next as Token) : token
    out += text.slice(copied, token.start) + repair.to
    copied = last.end
    corrected.push({ from: text.slice(token.start, last.end), to: repair.to })
    if (repair.takesNext) at += 1
  }
  return { text: out + text.slice(copied), corrected }
}

interface Repair {
  to: string
  takesNext?: boolean
}

interface TokenInText {
  token: Token
  /** The token after it, if only a space separates them. */
  next: Token | undefined
  isName: boolean
}

function repairOf(
  { token, next, isName }: TokenInText,
  vocabulary: Vocabulary,
): Repair | undefined {
  const { word } = token
  const joined = joinedWith(word, next, vocabulary)
  if (joined !== undefined && !isName) return { to: joined, takesNext: true }
  if (word.length < MIN_LENGTH || !/^[a-z]+$/.test(word) || isAcronym(token.raw)) return undefined
  const calm = calmed(word, vocabulary)
  if (calm !== undefined) return { to: calm }
  if (isKnownWord(word, vocabulary)) return undefined

  // Names are usually not in any list; only one that is a letter away from one of our words is a typo.
  if (isName) {
    const near = word.length < TWO_EDITS_FROM ? undefined : nearOf(word, 1, vocabulary)
    const isOurs = near !== undefined && (vocabulary.inCatalogue(near) || lexiconWords().has(near))
    return isOurs ? { to: near } : undefined
  }
  const to = slipOf(word, vocabulary)
  return to === undefined ? undefined : { to }
}

/** "sooo" means so, and "plannning" planning. */
function calmed(word: string, vocabulary: Vocabulary): string | undefined {
  if (!/(.)\1\1/.test(word)) return undefined
  const shorter = ['$1$1', '$1'].map((letters) => word.replace(/(.)\1{2,}/g, letters))
  if ((shorter[0] ?? '').length < MIN_LENGTH) shorter.reverse()
  return shorter.find((one) => isKnownWord(one, vocabulary))
}

function slipOf(word: string, vocabulary: Vocabulary): string | undefined {
  const close = nearOf(word, 1, vocabulary)
  if (close !== undefined) return close
  // Lists of words hold few plurals.
  const one =
    word.length > MIN_LENGTH && /[^s]s$/.test(word) && nearOf(word.slice(0, -1), 1, vocabulary)
  if (one) return /(?:s|sh|ch|x|z)$/.test(one) ? one : `${one}s`

  const parts = partsOf(word, vocabulary)
  const areOurs = parts?.every((part) => SHORT_PARTS.has(part) || vocabulary.inCatalogue(part))
  if (parts !== undefined && areOurs) return parts.join(' ')
  const far = word.length < TWO_EDITS_FROM ? undefined : nearOf(word, 2, vocabulary)
  return far ?? (parts?.every((part) => part.length >= MIN_LENGTH) ? parts.join(' ') : undefined)
}

function nearOf(word: string, edits: number, vocabulary: Vocabulary): string | undefined {
  const search = { edits, vocabulary }
  return vocabulary.near(word, edits).find((near) => isLikely(word, near, search))
}

/** "hous hold" means household. Two words that signals use stay separate, whatever they would form together. */
function joinedWith(
  word: string,
  next: Token | undefined,
  vocabulary: Vocabulary,
): string | undefined {
  if (next === undefined || STOP_WORDS.has(word) || STOP_WORDS.has(next.word)) return undefined
  const joined = word + next.word
  if (joined.length < 6 || !/^[a-z]+$/.test(joined)) return undefined
  if (vocabulary.inCatalogue(word) && vocabulary.inCatalogue(next.word)) return undefined
  const areBothKnown = isKnownWord(word, vocabulary) && isKnownWord(next.word, vocabulary)
  if (vocabulary.inCatalogue(joined)) return joined
  if (areBothKnown) return undefined
  if (vocabulary.has(joined)) return joined
  if (joined.length < SURE_JOIN) return undefined
  const near = vocabulary.near(joined, 1)[0]
  const isSure = near !== undefined && near.length >= SURE_JOIN && vocabulary.inCatalogue(near)
  return isSure && near.length > Math.max(word.length, next.word.length) + 1 ? near : undefined
}

/**
 * Whether a similar word is what was meant. For one of our words any typo counts; there are that many other words that
 * one of them resembles nearly everything, so only typical typing and hearing mistakes count.
 */
function isLikely(
  word: string,
  near: string,
  { edits, vocabulary }: { edits: number; vocabulary: Vocabulary },
): boolean {
  const isSwappedStart = near[0] === word[1] && near[1] === word[0]
  const isCutStart = word.length >= TWO_EDITS_FROM && near.slice(1) === word
  if (near[0] !== word[0] && !isSwappedStart && !isCutStart) return false
  const cost = slipCost(word, near)
  const isOurs = vocabulary.inCatalogue(near) || slangWords().has(near)
  if (edits === 2) {
    if (!isOurs) return word.length >= 9 && cost <= 1.6
    return cost <= (word.length <= TWO_EDITS_FROM ? 1.5 : 2.1)
  }
  if (vocabulary.inCatalogue(near)) return true
  return near.length > word.length || cost < 0.9
}

/** Splits a word without its spaces: the fewest known words that form it. */
function partsOf(word: string, vocabulary: Vocabulary): string[] | undefined {
  if (word.length < 6 || word.length > 28) return undefined
  for (const count of [2, 3, 4]) {
    const parts = splitInto(word, count, vocabulary)
    if (parts !== undefined) return parts
  }
  return undefined
}

function splitInto(word: string, count: number, vocabulary: Vocabulary): string[] | undefined {
  if (count === 1) return isPart(word, vocabulary) ? [word] : undefined
  // From the right: a longer first word is usually the one that was meant.
  for (let at = word.length - 2; at >= 2; at--) {
    const first = word.slice(0, at)
    if (!isPart(first, vocabulary)) continue
    const rest = splitInto(word.slice(at), count - 1, vocabulary)
    if (rest !== undefined) return [first, ...rest]
  }
  return undefined
}

/** English word lists contain many short entries that are not words; of those, only words that signals use count. */
function isPart(word: string, vocabulary: Vocabulary): boolean {
  if (word.length >= 4) return vocabulary.has(word) || vocabulary.has(word.replace(/s$/, ''))
  if (word.length === 3) return SHORT_PARTS.has(word) || vocabulary.inCatalogue(word)
  return SHORT_PARTS.has(word)
}

const SHORT_PARTS = new Set(
  (
    'air all and app art bag bar bed bet big bus buy car cat dad day dog eat egg eye fan fit for fun ' +
    'gas gym hot ice job kid law low man men mom mum new not off old one out own pay pet pub red run ' +
    'sea ski spa sun tax tea the top toy two use van vet war web win with yes zoo in of on to ev tv'
  ).split(' '),
)

function isAcronym(raw: string): boolean {
  return raw.length <= 5 && /^[A-Z]+$/.test(raw)
}

function isTitleCase(tokens: readonly Token[]): boolean {
  const long = tokens.filter(({ word }) => word.length > 3 && !STOP_WORDS.has(word))
  const capital = long.filter(({ raw }) => /^\p{Lu}/u.test(raw))
  return capital.length * 2 > long.length
}

function followedBySpace(text: string, token: Token, next: Token | undefined): boolean {
  return next !== undefined && /^[ \t]$/.test(text.slice(token.end, next.start))
}
