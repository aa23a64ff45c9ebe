// Why a signal was found, as a short human-readable message: which of the words it has and where, or how similar it
// is if it has none; and how it differs from the request.

import type { MatchTier } from './query.ts'
import type { Question } from './question.ts'
import type { Ranked } from './rank.ts'
import type { SignalIndex } from './signal-index.ts'
import { stageOfNumber } from './signal-stage.ts'
import type { Stage } from './understood.ts'
import { contentWords, stemOf, wordsOf } from './words.ts'

const MAX_WORDS = 3

export interface RequestedIntent {
  /** The caller's own first. */
  wordings: readonly Question[]
  stage?: Stage | undefined
}

export interface Why {
  /** In a few words, for people. */
  reason: string
  tier: MatchTier
}

export function reasonFor(
  index: SignalIndex,
  { id, wording, relevance }: Pick<Ranked, 'id' | 'wording' | 'relevance'>,
  { wordings, stage }: RequestedIntent,
): Why {
  const question = wordings[wording]!
  const place = index.placeOf(id)
  if (place === undefined) return { reason: 'is close in meaning', tier: 'meaning' }
  const { block, row } = index.rowOf(place)
  const name = block.names.get(row)
  if (wordsOf(name).join(' ') === wordsOf(question.text).join(' ') && wording === 0) {
    return { reason: 'name matches', tier: 'name' }
  }
  const inName = new Set(contentWords(name).map(stemOf))
  const common = question.words
    .filter(({ terms }) => terms.some((term) => hasRow(block.postings.of(term)?.rows, row)))
    .sort((a, b) => b.weight - a.weight)
  const named = common.filter(({ stem }) => inName.has(stem)).slice(0, MAX_WORDS)
  const described = common.filter(({ stem }) => !inName.has(stem)).slice(0, MAX_WORDS)
  const read =
    wording > 0 ? `‘${returned(wordings[0]!.text)}’ read as ‘${returned(question.text)}’: ` : ''
  const why =
    common.length > 0
      ? [inPlace(named, 'name'), inPlace(described, 'description')].filter(Boolean).join(', ')
      : `‘${name}’ is ${nearness(relevance)} in meaning, without a word in common`
  return {
    reason: `${read}${why}${unlike(stage, stageOfNumber(block.stage[row]!))}`,
    tier: common.length > 0 ? 'words' : 'meaning',
  }
}

function inPlace(words: readonly { word: string }[], where: string): string {
  return words.length === 0
    ? ''
    : `${enumerated(words.map(({ word }) => `‘${word}’`))} in its ${where}`
}

function nearness(relevance: number): string {
  if (relevance >= 0.7) return 'very close'
  return relevance >= 0.5 ? 'close' : 'related'
}

/** For the requested thing, with the people in the signal instead. */
const HOLDERS: Readonly<Record<Stage, string>> = {
  owner: 'people who have it',
  intender: 'people who want it',
  lapsed: 'people who had it',
  lookalike: 'people like those who have it',
}

function unlike(requested: Stage | undefined, offered: Stage | undefined): string {
  if (requested === undefined || offered === undefined || requested === offered) return ''
  return `; holds ${HOLDERS[offered]}, not ${HOLDERS[requested]}`
}

const MAX_SHOWN = 80

function returned(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).trimEnd()}…`
}

function hasRow(rows: ArrayLike<number> | undefined, row: number): boolean {
  return rows !== undefined && Array.prototype.includes.call(rows, row)
}

function enumerated(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
