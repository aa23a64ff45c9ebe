// Translates a brief in another language into English word by word: good enough to be matched, not to be read.

import { editDistance } from '../../../lib/edit-distance.ts'
import {
  type ForeignWord,
  type ForeignWords,
  foreignTokens,
  foreignWords,
} from './foreign-words.ts'
import { BRIEF_LANGUAGES, type Language } from './languages/languages.ts'
import { partsOfCompound } from './split-compound.ts'
import { inPieces, tidy } from './tidy.ts'

export interface Gloss {
  text: string
  /** Share of the content words that were known, 0 to 1. */
  known: number
}

/** A word or phrase and its meaning. */
export interface Piece {
  english: string
  /** The words it was, folded. */
  words: readonly string[]
  kind: ForeignWord['kind'] | 'unknown' | 'mark'
}

const MIN_REPAIRED = 5
/** Maximum number of unknown words that are examined, which limits the time for a long text. */
const MAX_REPAIRED = 24
/** Longer texts are translated in parts: patterns that reorder words look no further ahead than this. */
const MAX_PART = 400

export function gloss(text: string, language: Language): Gloss {
  const tried = { left: MAX_REPAIRED }
  const parts = inPieces(text, MAX_PART).map((part) => glossPart(part, language, tried))
  const counted = parts.reduce((sum, part) => sum + part.counted, 0)
  const known = parts.reduce((sum, part) => sum + part.known, 0)
  return {
    text: tidy(parts.map((part) => part.text).join(' ')),
    known: counted === 0 ? 0 : known / counted,
  }
}

function glossPart(text: string, language: Language, tried: { left: number }) {
  const pieces: Piece[] = []
  for (const piece of piecesOf(text, language)) {
    const isTried = piece.kind === 'unknown' && tried.left-- > 0
    const meant = isTried ? (repaired(piece, language) ?? piece) : piece
    if (meant.english !== '') place(meant, pieces, language)
  }
  const counted = pieces.filter(({ kind }) => kind !== 'small' && kind !== 'mark')
  return {
    text: smooth(pieces.map(({ english }) => english).join(' '), language),
    counted: counted.length,
    known: counted.filter(({ kind }) => kind !== 'unknown').length,
  }
}

/** Splits a text into the longest known phrases and the text between them. */
export function piecesOf(text: string, language: Language): Piece[] {
  const source = { words: foreignWords(language), language }
  const tokens = foreignTokens(text, language)
  const pieces: Piece[] = []
  for (let at = 0; at < tokens.length; ) {
    const piece = pieceAt(tokens, at, source)
    pieces.push(piece)
    at += piece.words.length
  }
  return pieces
}

function pieceAt(
  tokens: readonly string[],
  at: number,
  { words, language }: { words: ForeignWords; language: Language },
): Piece {
  const token = tokens[at] as string
  if (!/[\p{L}\p{N}]/u.test(token)) return { english: token, words: [token], kind: 'mark' }
  for (let length = Math.min(words.longest, tokens.length - at); length >= 1; length--) {
    const phrase = tokens.slice(at, at + length)
    const found = words.find(phrase)
    if (found !== undefined) return { ...found, words: phrase }
  }
  const parts = partsOfCompound(token, words, language)
  return parts === undefined
    ? { english: token, words: [token], kind: 'unknown' }
    : { english: parts.join(' '), words: [token], kind: 'word' }
}

function repaired(piece: Piece, language: Language): Piece | undefined {
  const token = piece.words[0] as string
  if (token.length < MIN_REPAIRED) return undefined
  const words = foreignWords(language)
  const near = words.keys.find((key) => key[0] === token[0] && editDistance(token, key, 1) === 1)
  const found = near === undefined ? undefined : words.find([near])
  return found && { ...found, words: piece.words }
}

/** Moves an adjective before its noun, as in English. */
function place(piece: Piece, pieces: Piece[], language: Language): void {
  const follows = pieces.at(-1)?.kind === 'word' && BRIEF_LANGUAGES[language].isNounFirst
  if (piece.kind === 'adjective' && follows) pieces.splice(-1, 0, piece)
  else pieces.push(piece)
}

const LAST_VERB =
  /\bwho ([^,.;]+?) ((?:want to )?buy|want to|bought|own|looking for|interested in|drive|love|like|use|drink|eat|need|play|read)(?=$|[,.;])/g

function smooth(text: string, language: Language): string {
  const ordered = BRIEF_LANGUAGES[language].isVerbLast ? text.replace(LAST_VERB, 'who $2 $1') : text
  return tidy(
    ordered
      .replace(
        /\b(looking for|interested in|thinking of|about to) (?:(?:of|to|for|in|at|are) )+/g,
        '$1 ',
      )
      .replace(/\binterested (?:to|of|for|on)\b/g, 'interested in')
      .replace(
        /\bwho (?=(?:looking|planning|thinking|considering|interested|living|switching)\b)/g,
        '',
      )
      .replace(/\b(of|to|for|in) (?:of|to|for|in)\b/g, '$1')
      .replace(/\ba (?=[aeio])/g, 'an '),
  )
}
