// Sentences, clauses and lines of a message as ranges of its tokens, and what separates each token from the previous
// one.

import { endsClause, endsSentence, type Token } from './tokens.ts'

export function sentencesOfTokens(tokens: readonly Token[]): TokenRange[] {
  return partsOf(tokens, (index) => isSentenceStart(tokens, index))
}

export function clausesOfTokens(tokens: readonly Token[]): TokenRange[] {
  return partsOf(tokens, (index) => isClauseStart(tokens, index))
}

export function linesOfTokens(tokens: readonly Token[]): TokenRange[] {
  return partsOf(tokens, (index) => (tokens[index] as Token).isFirstOfLine)
}

/** The number of boundary kinds. */
export const BORDERS = 9

export function bordersOf(tokens: readonly Token[]): Uint8Array {
  return Uint8Array.from(tokens, (_token, index) => borderBefore(tokens, index))
}

export interface TokenRange {
  from: number
  to: number
}

function partsOf(tokens: readonly Token[], startsAt: (index: number) => boolean): TokenRange[] {
  const parts: TokenRange[] = []
  for (let index = 0; index < tokens.length; index++) {
    const last = parts.at(-1)
    if (last && !startsAt(index)) last.to = index + 1
    else parts.push({ from: index, to: index + 1 })
  }
  return parts
}

/** The index of the part of each token. */
export function numbersOf(parts: readonly TokenRange[], count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  for (const [number, { from, to }] of parts.entries()) numbers.fill(number, from, to)
  return numbers
}

function isSentenceStart(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index] as Token
  const before = tokens[index - 1]
  if (!before || token.isFirstOfLine) return true
  if (!endsSentence(before) || endsSentence(token)) return false
  return token.isSpaced || /[。！？]/.test(before.text)
}

function isClauseStart(tokens: readonly Token[], index: number): boolean {
  if (isSentenceStart(tokens, index)) return true
  const [before, token] = [tokens[index - 1] as Token, tokens[index] as Token]
  if (!endsClause(before) || endsClause(token)) return false
  return token.isSpaced || /[，、；：—]/.test(before.text)
}

/** What separates a token from the previous one, as a number below BORDERS. */
function borderBefore(tokens: readonly Token[], index: number): number {
  const token = tokens[index] as Token
  const before = tokens[index - 1]
  if (!before) return 0
  if (token.isFirstOfLine) return 1
  if (isSentenceStart(tokens, index)) return 2
  if (QUOTE.test(before.text)) return 3
  if (QUOTE.test(token.text)) return 4
  if (/^[:：=]$/.test(before.text)) return 5
  if (isClauseStart(tokens, index)) return 6
  return /^\p{P}$/u.test(token.text) ? 7 : 8
}

const QUOTE = /^["“”„«»「」『』《》‘’‹›]$/
