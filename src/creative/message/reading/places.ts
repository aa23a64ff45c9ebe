// The position of each token of a message: its sentence, clause, line and quotation, and the label before it.

import { hashOf, mixed } from '../../../lib/hash-bucket.ts'
import { linesOfTokens, numbersOf, type TokenRange } from './parts.ts'
import { endsSentence, type Token } from './tokens.ts'
import { countStep, NONE, START, type Word } from './word-hashes.ts'

/** Words are given by their hashes. */
export interface TokenPlace {
  /** The sentence: its first word, its final mark, its length and its index. */
  first: number
  mark: number
  length: number
  number: number
  sentences: number
  /** The clause: its first word, the token's place in it and the first words of its neighbours. */
  clauseFirst: number
  inClause: number
  nextClause: number
  previousClause: number
  /** The words before the colon of the line. */
  label: number
  /** Whether it is within quotation marks, and the word before these. */
  quote: number
  beforeQuote: number
  messageFirst: number
  isMany: number
  lineFirst: number
}

export function placesOf(
  tokens: readonly Token[],
  words: readonly Word[],
  { sentences, clauses }: { sentences: readonly TokenRange[]; clauses: readonly TokenRange[] },
): TokenPlace[] {
  const lines = linesOfTokens(tokens)
  const quotes = quotesOf(tokens, words)
  const labels = labelsOf(tokens, words, lines)
  const size = mixed(countStep(tokens.length), Math.min(sentences.length, 5))
  const isMany = mixed(size, lines.length > 1 ? 1 : 0)
  const firstOf = (part: TokenRange) => wordIn(words, part, 0)
  const firsts = clauses.map(firstOf)
  const lineFirsts = lines.map(firstOf)
  const all: TokenRange = { from: 0, to: tokens.length }
  const messageFirst = mixed(firstOf(all), wordIn(words, all, 1))
  const clauseOf = numbersOf(clauses, tokens.length)
  const lineOf = numbersOf(lines, tokens.length)
  return sentences.flatMap((sentence, number) => {
    const { from, to } = sentence
    const isMarked = endsSentence(tokens[to - 1] as Token)
    const first = firstOf(sentence)
    const mark = isMarked ? (words[to - 1] as Word).hash : NONE
    // Member by member: a spread is slow, and this is done for each token.
    return tokens.slice(from, to).map((_token, offset) => {
      const index = from + offset
      const clause = clauseOf[index] as number
      return {
        first,
        mark,
        length: to - from,
        number,
        sentences: sentences.length,
        messageFirst,
        isMany,
        clauseFirst: firsts[clause] as number,
        inClause: index - (clauses[clause] as TokenRange).from,
        nextClause: firsts[clause + 1] ?? NONE,
        previousClause: firsts[clause - 1] ?? NONE,
        label: labels[index] as number,
        quote: quotes[index]?.state ?? NONE,
        beforeQuote: quotes[index]?.before ?? NONE,
        lineFirst: lineFirsts[lineOf[index] as number] as number,
      }
    })
  })
}

/** The word with this index within a part, not counting punctuation. */
function wordIn(words: readonly Word[], { from, to }: TokenRange, number: number): number {
  let left = number
  for (let index = from; index < to; index++) {
    const { isWord, hash } = words[index] as Word
    if (!isWord) continue
    if (left === 0) return hash
    left--
  }
  return NONE
}

/** The words before a colon near the start of a line, for the text that follows on the line. */
function labelsOf(
  tokens: readonly Token[],
  words: readonly Word[],
  lines: readonly TokenRange[],
): number[] {
  const labels: number[] = []
  for (const { from, to } of lines) {
    let label = NONE
    for (let index = from; index < to; index++) {
      const { text } = tokens[index] as Token
      const isNear = index - from < MAX_LABEL_TOKENS && index > from
      if (/^[:：=]$/.test(text) && isNear) {
        label = words
          .slice(Math.max(from, index - 3), index)
          .reduce((hash, word) => mixed(hash, word.hash), 0)
      }
      labels.push(label)
    }
  }
  return labels
}

const MAX_LABEL_TOKENS = 7
const OPENING = '"“„«「『《‘‹'
const CLOSING = '"”“»」』》’›'
const MAX_QUOTED_TOKENS = 60

const [OPEN, CLOSE, INSIDE] = [hashOf('open'), hashOf('close'), hashOf('in')]

interface QuoteState {
  state: number
  before: number
}

/** Which tokens are quotation marks, or within a quotation, and of what length. */
function quotesOf(tokens: readonly Token[], words: readonly Word[]): (QuoteState | undefined)[] {
  const states: (QuoteState | undefined)[] = tokens.map(() => undefined)
  const soughtTo = new Map<string, number>()
  for (let index = 0; index < tokens.length; index++) {
    const { text } = tokens[index] as Token
    const kind = text.length === 1 ? OPENING.indexOf(text) : -1
    if (kind < 0) continue
    const close = CLOSING.charAt(kind)
    const limit = Math.min(tokens.length, index + MAX_QUOTED_TOKENS)
    const from = Math.max(index + 1, soughtTo.get(close) ?? 0)
    const end = closingAt(tokens, close, { from, to: limit })
    if (end === undefined) {
      soughtTo.set(close, limit)
      continue
    }
    const before = words[index - 1]?.hash ?? START
    const inside = mixed(INSIDE, countStep(end - index))
    states.fill({ state: inside, before }, index + 1, end)
    states[index] = { state: OPEN, before }
    states[end] = { state: CLOSE, before }
    index = end
  }
  return states
}

function closingAt(
  tokens: readonly Token[],
  close: string,
  { from, to }: TokenRange,
): number | undefined {
  for (let at = from; at < to; at++) {
    const mark = (tokens[at] as Token).text
    if (mark === close || mark === '"' || (close === '“' && mark === '”')) return at
  }
  return undefined
}
