// The parts of an instruction, and how the notes of a build list those that were not followed (spec 4.2): nobody
// should believe that something was done when it was not, or miss words that were read as addressed to the creator of
// the ad.

import { trimEnd } from '../../lib/trim-end.ts'
import { readClause } from './instructions.ts'
import { LABELS } from './lexicon/labels.ts'
import { folded, phrasesOf, type Span } from './phrases.ts'
import { quoted } from './printed-message.ts'

/** A clause of an instruction. */
export interface Piece extends Span {
  text: string
  isFirst: boolean
  isLast: boolean
  /** Whether its sentence continues after it. */
  hasMore: boolean
  /** Whether it names a part of the advertisement: `Headline:`. */
  hasLabel: boolean
  /** Whether a colon ends it. */
  hasColon: boolean
}

const ANY_LABEL = phrasesOf(...Object.values(LABELS))
const MARK = /[.!?…。！？;；\n,，、]/u

/** In order; text with neither letters nor digits does not count. */
export function piecesOf({ start, text }: { start: number; text: string }): Piece[] {
  const spans: Span[] = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    const isEnd = at === text.length
    const isMark = !isEnd && MARK.test(text.charAt(at)) && isBetween(text, at)
    if (!isEnd && !isMark) continue
    const end = Math.min(at + 1, text.length)
    if (/[\p{L}\p{N}]/u.test(text.slice(from, end))) spans.push({ start: from, end })
    from = end
  }
  return spans.map((span, index) => {
    const words = text.slice(span.start, span.end)
    const isLast = index === spans.length - 1
    return {
      start: start + span.start,
      // Text after the last one, such as an opening quotation mark, belongs to it.
      end: start + (isLast ? text.length : span.end),
      text: trimmed(words),
      isFirst: index === 0,
      isLast,
      hasMore: /[,，、]\s*$/u.test(words),
      hasColon: /[:：=]["“„«「『\s]*$/u.test(words),
      hasLabel: ANY_LABEL.find(folded(words)) !== undefined,
    }
  })
}

/** Not a mark within an address or a number. */
function isBetween(text: string, at: number): boolean {
  const next = text.charAt(at + 1)
  return next === '' || /[\s"”»“«)]/.test(next) || /[。！？；，、\n]/u.test(text.charAt(at))
}

function trimmed(text: string): string {
  return trimEnd(
    text.replace(/^[\s"“”„«»「」『』.,;:!?)–—-]+/u, ''),
    ' \n\t.,;:!?。、，；：！？"“„«»「」『』(',
  )
}

export interface ReadPiece {
  /** Introduces the copy next to it: a label, `mention`, `banner for`. */
  isLeadIn: boolean
  /** Requests an advertisement, and nothing else. */
  isRequest: boolean
  /** What of it is to be printed. */
  said?: string
}

const LEADING: ReadonlySet<string> = new Set(['subject', 'mention', 'talk', 'action'])

export function readPiece({ text, hasLabel, hasColon }: Piece, isBeside: boolean): ReadPiece {
  const { kind, text: said } = readClause(text, { isInstructed: true })
  const isRequest = kind === 'talk' && said === ''
  const hasSaid = kind === 'subject' || kind === 'mention'
  return {
    isLeadIn:
      isBeside &&
      (((hasLabel || hasColon) && isShort(text)) || LEADING.has(kind) || isShortVerb(text)),
    isRequest,
    ...(hasSaid && said !== '' && { said }),
  }
}

const MOST_LABEL_WORDS = 6

export function isShort(text: string): boolean {
  return folded(text).words.length <= MOST_LABEL_WORDS
}

/** `Promote`, `Ad for`: with the text that follows, they request an advertisement. */
function isShortVerb(text: string): boolean {
  const { kind } = readClause(`${text} boots`, { isInstructed: true })
  return kind === 'subject' || kind === 'mention'
}

export function notFollowed(preference: string, detail?: string, isHinted = false): string {
  const hint = isHinted ? `; ${HINT}` : ''
  return `not followed: ${quoted(preference)}${detail === undefined ? '' : `: ${detail}`}${hint}`
}

export const HINT = 'to print it, put it in quotes or in `copy`'

export function remarkNote(text: string): string {
  return `read as a remark, not printed: ${quoted(trimmed(text))}; ${HINT}`
}
