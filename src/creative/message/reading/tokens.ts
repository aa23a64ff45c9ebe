// Splits a message into tokens for the sequence model: words, numbers and punctuation marks; single letters in
// unspaced scripts. Does not use the dictionaries of the platform, whose versions differ.

import { trimEnd } from '../../../lib/trim-end.ts'
import { isLink } from '../facts.ts'

export interface Token {
  text: string
  start: number
  end: number
  /** Whether whitespace precedes it. */
  isSpaced: boolean
  /** Whether a line break precedes it, or it is the first. */
  isFirstOfLine: boolean
}

const CHUNK = /\S+/gu
/** Letters of unspaced scripts; words; numbers; everything else. */
const PIECE =
  /[\p{sc=Han}\p{sc=Hira}]|[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}]\p{M}*|[\p{sc=Kana}ー]+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])[\p{L}\p{M}])+(?:['’](?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}])\p{L})+)?|\p{N}+(?:[.,:]\p{N}+)*|\S/gu

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let last = 0
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    const gap = text.slice(last, index)
    const isFirstOfLine = tokens.length === 0 || /[\n\r\u2028\u2029]/.test(gap)
    const length = addressLength(chunk)
    if (length > 0) {
      tokens.push({
        text: chunk.slice(0, length),
        start: index,
        end: index + length,
        isSpaced: gap !== '',
        isFirstOfLine,
      })
    }
    for (const { 0: piece, index: at } of chunk.slice(length).matchAll(PIECE)) {
      const isFirst = length === 0 && at === 0
      const start = index + length + at
      tokens.push({
        text: piece,
        start,
        end: start + piece.length,
        isSpaced: isFirst && gap !== '',
        isFirstOfLine: isFirst && isFirstOfLine,
      })
    }
    last = index + chunk.length
  }
  return tokens
}

/** The length of a web address, an email address, a hashtag or a handle at its start; 0 if there is none. */
function addressLength(chunk: string): number {
  const tag = /^[@#][\p{L}\p{N}_]+/u.exec(chunk)?.[0]
  if (tag !== undefined) return tag.length
  const address = trimEnd(chunk, '.,;:!?)]"”»’')
  const at = address.indexOf('@')
  const isMail = at > 0 && address.indexOf('.', at) > 0
  return isMail || isLink(address) ? address.length : 0
}

/** A word normalised for the model: lower case, without accents, digits as zeros. */
export function normalised(text: string): string {
  if (text.length > 1 && /^[@#]/.test(text)) return `${text.charAt(0)}<tag>`
  if (text.length > 3 && /[.@]/.test(text) && /\p{L}/u.test(text))
    return text.includes('@') ? '<mail>' : '<url>'
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/g, '')
    .normalize('NFC')
    .replace(/\p{N}/gu, '0')
}

const SENTENCE_END = /^[.!?。！？؟।…‼⁉]$/u
const CLAUSE_END = /^[,;:、，；：،–—-]$/u

export function endsSentence({ text }: Token): boolean {
  return SENTENCE_END.test(text)
}

export function endsClause(token: Token): boolean {
  return CLAUSE_END.test(token.text) || endsSentence(token)
}
