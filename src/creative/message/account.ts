// The outcome of each part of a message (spec 4.2), based on the words that were drawn and not on what was intended:
// for `ext.message_reading`, and for the notes that list what is not in the advertisement.

import { trimEnd } from '../../lib/trim-end.ts'
import type { InstructionOutcome, Outcome } from '../directions/instruction.ts'
import { once } from '../layout-engine/shaping/once.ts'
import { type Avoided, avoidedIn } from './avoid.ts'
import { factsIn } from './facts.ts'
import { unprintedFacts } from './guard-drawn.ts'
import { readClause } from './instructions.ts'
import { COLOURS } from './lexicon/colours.ts'
import { folded, phrasesOf } from './phrases.ts'
import { hasPrice, priceValuesIn } from './price-values.ts'
import { missingIn, type PrintedMessage, printedMessage, quoted } from './printed-message.ts'
import { type MessageRole, PRINTED_ROLES } from './reading/roles.ts'
import type { MessageSpan } from './reading/spans.ts'
import { isPleasantry } from './talk.ts'
import {
  HINT,
  isShort,
  notFollowed,
  type Piece,
  piecesOf,
  readPiece,
  remarkNote,
} from './unfollowed.ts'
import { isAvoidedIn } from './unsaid.ts'

type PartOutcome = Outcome | 'drawn' | 'shortened' | 'omitted' | 'not_followed'

/** A part of the message; positions are in UTF-16 units. */
export interface MessagePart {
  start: number
  end: number
  text: string
  role: MessageRole
  /** None for what is only addressed to the creator of the advertisement. */
  outcome?: PartOutcome
  /** What was done, what is missing, or why. */
  detail?: string
}

/** Known facts about a preference that the words do not show: a crop, a colour, a button, motion. */
export interface Checked {
  outcome: Outcome
  detail?: string
}

export interface ToAccount {
  text: string
  /** All of the text, in order and without gaps. */
  spans: readonly MessageSpan[]
  /** What the creative shows, in reading order. */
  printed: readonly string[]
  /** Where a click leads. */
  clickUrl?: string | undefined
  /** The outcome of the instructions, if known. */
  outcomes?: readonly InstructionOutcome[] | undefined
  /** Undefined if nothing is known about it. */
  check?: ((preference: string) => Checked | undefined) | undefined
  /** Why copy of this role was replaced, if known. */
  reason?: ((role: MessageRole) => string | undefined) | undefined
}

export interface Account {
  /** One for each span. */
  parts: readonly MessagePart[]
  notes: readonly string[]
}

export function accountOf(reported: ToAccount): Account {
  const message = printedMessage(reported.text, reported.printed)
  const avoid = reported.spans.filter(({ role }) => role === 'avoid')
  const avoided = avoidedIn(avoid.map(({ start, end }) => reported.text.slice(start, end)))
  const prices = once(() => priceValuesIn([reported.text]))
  const notes: string[] = []
  const parts = reported.spans.map(({ start, end, role }, index): MessagePart => {
    const part = { start, end, text: reported.text.slice(start, end), role }
    if (role === 'chat') {
      notes.push(...remarkNotes(part, message))
      return part
    }
    const found = PRINTED_ROLES.has(role)
      ? accountForCopy(part, { reported, message, avoided })
      : role === 'avoid'
        ? accountForAvoided(part, reported, prices)
        : accountForPreference(part, { reported, message, index, avoided })
    notes.push(...found.notes)
    const { outcome, detail } = found
    return { ...part, outcome, ...(detail !== undefined && { detail }) }
  })
  return { parts, notes }
}

interface Found {
  outcome: PartOutcome
  detail?: string | undefined
  notes: readonly string[]
}

const FORBIDDEN = 'the message excludes it'

function isReadAsInstruction(text: string): boolean {
  const { kind } = readClause(text, { isInstructed: true })
  return kind !== 'copy' && kind !== 'subject' && kind !== 'mention'
}

function accountForCopy(
  part: MessagePart,
  { reported, message, avoided }: Omit<PreferenceContext, 'index'>,
): Found {
  const { missing, hasPrinted, isEmpty } = missingIn(part, message)
  if (isEmpty) {
    const isThere = reported.printed.some((text) => text.includes(part.text.trim()))
    return { outcome: isThere ? 'drawn' : 'omitted', notes: [] }
  }
  if (missing.length === 0) return { outcome: 'drawn', notes: [] }
  const clicked = missing.filter((one) => isClickAddress(one, reported.clickUrl))
  const lost = missing.filter((one) => !clicked.includes(one))
  const isForbidden = lost.length > 0 && lost.every((one) => isAvoidedIn(one, avoided))
  const reason =
    lost.length === 0 ? undefined : isForbidden ? FORBIDDEN : reported.reason?.(part.role)
  const because = reason === undefined ? '' : `: ${reason}`
  const hint = reason === undefined && lost.some(isReadAsInstruction) ? `; ${HINT}` : ''
  const notes = [
    ...(lost.length > 0 ? [`omitted: ${lost.map(quoted).join(', ')}${because}${hint}`] : []),
    ...(clicked.length > 0
      ? [`not printed, but a click leads there: ${clicked.map(quoted).join(', ')}`]
      : []),
  ]
  if (!hasPrinted) return { outcome: 'omitted', notes, detail: clickDetail(clicked) ?? reason }
  return { outcome: 'shortened', notes, detail: notes.join('; ') }
}

function clickDetail(clicked: readonly string[]): string | undefined {
  return clicked.length > 0 ? 'a click leads there' : undefined
}

/** Whether the only figure in it is the click URL. */
function isClickAddress(text: string, clickUrl: string | undefined): boolean {
  const [link, ...others] = factsIn(text)
  if (clickUrl === undefined || link?.kind !== 'link' || others.length > 0) return false
  return bareAddress(link.text) === bareAddress(clickUrl)
}

function bareAddress(url: string): string {
  const bare = url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
  return trimEnd(bare.replace(/^www\./, ''), '/')
}

const COLOUR_WORDS = phrasesOf(COLOURS)

function accountForAvoided(
  part: MessagePart,
  { printed, check }: ToAccount,
  prices: () => ReadonlySet<string>,
): Found {
  const known = check?.(part.text)
  if (known) {
    const isFollowed = known.outcome === 'followed'
    return {
      outcome: isFollowed ? 'followed' : 'not_followed',
      detail: known.detail,
      notes: isFollowed ? [] : [notFollowed(part.text, known.detail)],
    }
  }
  if (!/[\p{L}\p{N}\p{S}]/u.test(part.text)) return { outcome: 'followed', notes: [] }
  const avoided = avoidedIn([part.text])
  if (isUnclear(avoided)) {
    const detail = 'it is not clear what to leave out'
    return {
      outcome: 'not_followed',
      detail,
      notes: [`not clear what to leave out: ${quoted(part.text)}`],
    }
  }
  const isPrice = avoided.topics.has('price')
  const has = printed.find(
    (text) => isAvoidedIn(text, avoided) || (isPrice && hasPrice(text, prices())),
  )
  if (has !== undefined) {
    const detail = `printed all the same: ${quoted(has)}`
    return { outcome: 'not_followed', detail, notes: [notFollowed(part.text, detail)] }
  }
  if (COLOUR_WORDS.find(folded(part.text))) {
    const detail = 'colours are those of the brand'
    return { outcome: 'not_followed', detail, notes: [notFollowed(part.text, detail)] }
  }
  return { outcome: 'followed', notes: [] }
}

function isUnclear({ topics, terms, digits }: Avoided): boolean {
  return topics.size === 0 && terms.length === 0 && digits.length === 0
}

interface PreferenceContext {
  reported: ToAccount
  message: PrintedMessage
  index: number
  avoided: Avoided
}

/** Longer ones may say more than that something follows. */
const MAX_SCAFFOLD = 80

function accountForPreference(part: MessagePart, context: PreferenceContext): Found {
  const isScaffold = context.reported.spans[context.index]?.isScaffold === true
  const isPlain = part.text.length <= MAX_SCAFFOLD && factsIn(part.text).length === 0
  if (isScaffold && isPlain && context.reported.check?.(part.text) === undefined) {
    return { outcome: 'followed', notes: [] }
  }
  const checked = merged(
    piecesOf(part).map((piece) => ({ piece, ...checkPiece(piece, part, context) })),
    { text: context.reported.text, isHinted: part.role === 'instruction' },
  )
  const failed = checked.filter(({ outcome }) => outcome !== 'followed')
  const [first] = failed
  if (!first) {
    const details = checked.flatMap(({ detail }) => detail ?? [])
    return { outcome: 'followed', notes: [], detail: details.join('; ') || undefined }
  }
  const isUnsupported = failed.some(({ outcome }) => outcome === 'not_supported')
  const isAll = failed.length === checked.length
  return {
    outcome: isUnsupported ? 'not_supported' : 'not_possible',
    detail:
      failed.length === 1 && isAll
        ? first.detail
        : failed
            .map(({ piece, detail }) => quoted(piece.text) + (detail ? `: ${detail}` : ''))
            .join('; '),
    notes: failed.flatMap(({ note }) => note ?? []),
  }
}

interface CheckedPiece extends Checked {
  note?: string
}

type Clause = CheckedPiece & { piece: Piece }

/** Clauses of one sentence about which nothing is known are listed together. */
function merged(
  clauses: readonly Clause[],
  { text: message, isHinted }: { text: string; isHinted: boolean },
): Clause[] {
  const found: Clause[] = []
  const isUnknown = ({ outcome, detail }: Clause) =>
    outcome === 'not_supported' && detail === undefined
  for (const clause of clauses) {
    const last = found.at(-1)
    if (last && isUnknown(last) && isUnknown(clause) && last.piece.hasMore) {
      const from = message.indexOf(last.piece.text, last.piece.start)
      const to = message.indexOf(clause.piece.text, clause.piece.start) + clause.piece.text.length
      const text = message.slice(from, to)
      const piece = { ...clause.piece, start: last.piece.start, text }
      found[found.length - 1] = { ...clause, piece, note: notFollowed(text, undefined, isHinted) }
    } else found.push(clause)
  }
  return found
}

function checkPiece(piece: Piece, part: MessagePart, context: PreferenceContext): CheckedPiece {
  const { reported, message } = context
  const given = reported.outcomes?.find(({ instruction: { origin } }) => {
    return 'start' in origin && origin.start < piece.end && origin.end > piece.start
  })
  const isKnown = given !== undefined && given.outcome !== 'not_supported'
  const known = isKnown ? given : reported.check?.(piece.text)
  if (known) {
    const { outcome, detail } = known
    const note = outcome === 'followed' ? undefined : notFollowed(piece.text, detail)
    return { outcome, ...(detail !== undefined && { detail }), ...(note && { note }) }
  }
  const whole = missingIn(piece, message)
  if (piece.hasLabel && whole.hasPrinted) return { outcome: 'followed' }
  const beside = besidePrinted(piece, part, context)
  const read = readPiece(piece, beside !== undefined)
  if (beside && read.isLeadIn) {
    const { hasPrinted, isEmpty } = missingIn(beside, message)
    return hasPrinted || isEmpty ? { outcome: 'followed' } : unprintedLead(piece, whole.words)
  }
  if (read.isRequest || isPleasantry(piece.text)) return { outcome: 'followed' }
  if (whole.isEmpty) return { outcome: 'followed' }
  if (whole.missing.length === 0) return printedPiece(piece, whole.words)
  if (read.said !== undefined && isSaid(read.said, reported.printed)) return { outcome: 'followed' }
  const text = whole.hasPrinted ? whole.missing.join(' … ') : piece.text
  const note = notFollowed(text, undefined, part.role === 'instruction')
  return { outcome: 'not_supported', note }
}

/** Introduces copy that is not printed, which has its own note. */
function unprintedLead(piece: Piece, words: number): CheckedPiece {
  const detail = 'what it names is not printed'
  const isLabel = piece.hasLabel || piece.hasColon || words < LEAST_NEWS
  const note = isLabel ? undefined : notFollowed(piece.text, detail)
  return { outcome: 'not_possible', detail, ...(note !== undefined && { note }) }
}

/** What was read as an instruction but is printed in the advertisement. */
function printedPiece(piece: Piece, words: number): CheckedPiece {
  const detail = 'printed as copy'
  if (words < LEAST_NEWS) return { outcome: 'followed', detail }
  const note = `printed, although it may be an instruction: ${quoted(piece.text)}`
  return { outcome: 'not_supported', detail, note }
}

/** Shorter texts are not instructions that anybody would miss. */
const LEAST_NEWS = 3

function isSaid(text: string, printed: readonly string[]): boolean {
  const { words, missing } = missingIn(
    { start: 0, end: text.length },
    printedMessage(text, printed),
  )
  return words > 0 && missing.length === 0 && unprintedFacts(text, printed).length === 0
}

/** The copy that a label or a verb introduces, or that a label follows. */
function besidePrinted(
  piece: Piece,
  part: MessagePart,
  { reported, index }: PreferenceContext,
): MessageSpan | undefined {
  const next = piece.isLast && piece.end >= part.end ? reported.spans[index + 1] : undefined
  if (next && PRINTED_ROLES.has(next.role)) return next
  const before = piece.isFirst ? reported.spans[index - 1] : undefined
  // `… as the headline`: a longer text says something else.
  const isLabel = piece.hasLabel && isShort(piece.text)
  return before && PRINTED_ROLES.has(before.role) && isLabel ? before : undefined
}

function remarkNotes({ start, end, text }: MessagePart, message: PrintedMessage): string[] {
  const { missing, words } = missingIn({ start, end }, message)
  if (words < LEAST_NEWS || missing.length === 0 || isPleasantry(text)) return []
  return [remarkNote(text)]
}
