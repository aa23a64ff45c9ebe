// Why a signal was found, in a few words for people.

import type { Question } from './question.ts'
import type { Ranked } from './rank.ts'
import type { SignalIndex } from './signal-index.ts'
import { contentWords, stemOf, wordsOf } from './words.ts'

const MAX_WORDS = 3

export function reasonFor(
  index: SignalIndex,
  { id, wording }: Pick<Ranked, 'id' | 'wording'>,
  wordings: readonly Question[],
): string {
  const question = wordings[wording]!
  const place = index.placeOf(id)
  if (place === undefined) return 'is close in meaning'
  const { block, row } = index.rowOf(place)
  const name = block.names.get(row)
  if (wordsOf(name).join(' ') === wordsOf(question.text).join(' ')) return 'name matches'
  const inName = new Set(contentWords(name).map(stemOf))
  const common = [...question.words]
    .filter(({ terms }) => terms.some((term) => hasRow(block.postings.of(term)?.rows, row)))
    .sort((a, b) => Number(inName.has(b.stem)) - Number(inName.has(a.stem)) || b.weight - a.weight)
    .slice(0, MAX_WORDS)
    .map(({ word }) => `‘${word}’`)
  const isRewrite = wording > 0
  if (isRewrite) return `‘${wordings[0]!.text}’ read as ‘${question.text}’`
  if (common.length === 0) return `is close in meaning to ‘${question.text}’`
  return `matches ${enumerated(common)}`
}

function hasRow(rows: ArrayLike<number> | undefined, row: number): boolean {
  return rows !== undefined && Array.prototype.includes.call(rows, row)
}

function enumerated(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
