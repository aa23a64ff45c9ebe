// What a message in plain words says (spec 4.2), in whatever language: texts given word by word, copy in
// its own words, what people shall be asked to do, what to avoid, the tone. Instructions never become
// copy; when in doubt the message itself is the copy.

import { trimEnd } from '../../lib/trim-end.ts'
import { MAX_READ_CHARS } from '../limits.ts'
import { type Avoided, avoidedIn } from './avoid.ts'
import { withoutMarkup } from './clean.ts'
import { dictatedIn } from './dictated.ts'
import { hasOffer } from './facts.ts'
import { isForm, isHeading, isLabel, isPeriod, isPoint, withoutBullets } from './forms.ts'
import { withoutHashtags } from './hashtags.ts'
import {
  type Before,
  beginsInstruction,
  type ClauseKind,
  readClause,
  sectionOf,
} from './instructions.ts'
import { judgeParts } from './judge-parts.ts'
import { type Language, languageOf } from './language.ts'
import { isAboutTone } from './manner.ts'
import { folded } from './phrases.ts'
import type { Texts } from './quoted-texts.ts'
import { quotedIn } from './quotes.ts'
import { asCopy, type CopySentence, copyOf, type ReadPart, withAbout } from './said-copy.ts'
import { type Clause, clausesOf, joinedParts, sentencesOf, withoutJoin } from './sentences.ts'
import { isBriefing, isPleasantry, isSignature, isSignOff } from './talk.ts'
import { type Tone, toneOf } from './tone.ts'
import { isOnlyWishing, wishIn } from './wishes.ts'

export interface ReadMessage {
  /** Texts given word by word. */
  texts: Texts
  /** Sentences that may be printed, in the order of the message. */
  copy: readonly CopySentence[]
  /** What people shall be asked to do, as the message has it. */
  actions: readonly string[]
  avoided: Avoided
  tone: Tone | undefined
  language: Language | undefined
  /** Clauses that say how it shall look or sound. */
  manners: readonly string[]
  /** What was read as an instruction although no rule knows it. */
  doubtful: readonly string[]
  /** What asks to leave something out that is not said by name. */
  unclear: readonly string[]
  /** What was taken as said to who makes it: who it is for, what it may cost, when it is due. */
  asides: readonly string[]
}

/** Parts of the reader that can be switched off, to measure what each is worth. */
const LAYERS = ['markup', 'dictated', 'instructions', 'avoiding', 'actions', 'learned'] as const
export type Layer = (typeof LAYERS)[number]

export function readMessage(
  message: string | undefined,
  without: readonly Layer[] = [],
): ReadMessage {
  const has = (layer: Layer) => !without.includes(layer)
  const sent = (message ?? '').slice(0, MAX_READ_CHARS)
  const lines = tidyLines(has('markup') ? withoutMarkup(sent) : sent)
  const { text: untagged, hashtags } = withoutHashtags(lines)
  const text = withoutBullets(untagged)
  const { texts, rest } = has('dictated') ? dictatedIn(text) : { texts: {}, rest: text }
  const isDictated = Object.keys(texts).length > 0
  const language = languageOf(text)
  const byRules = readParts(sentencesOf(rest), { isDictated, isForm: isForm(text) })
  const judged = has('learned') ? judgeParts(text, byRules, language) : byRules
  const read = judged.map((part) => {
    const isOff =
      part.kind === 'avoid'
        ? !has('avoiding')
        : part.kind === 'action'
          ? !has('actions')
          : !has('instructions')
    return isOff ? { ...part, kind: 'copy' as const, text: part.whole } : part
  })
  const avoided = avoidedIn(read.filter(({ kind }) => kind === 'avoid').map(({ text: one }) => one))
  const actions = read.filter(({ kind }) => kind === 'action').map(({ text: one }) => one)
  const said = folded(read.map(({ kind, text: one }) => (kind === 'copy' ? one : '')).join('\n'))
  const copy = copyOf(
    read.map((part) => withAbout(part, language, said)),
    avoided,
  )
  const isSaid = copy.some(({ clauses }) =>
    clauses.some(({ text: said }) => /\p{L}{2}/u.test(said)),
  )
  return {
    texts,
    // Where it only says what people shall do, that is what there is to say.
    copy: isSaid || isDictated ? copy : copyOf(read.map(asCopy), avoided),
    actions,
    avoided,
    tone: toneOf(saidIn(read, texts)),
    language,
    manners: read
      .filter(({ kind, isDoubtful }) => kind === 'manner' && !isDoubtful)
      .map(({ text: one }) => one),
    doubtful: bySentence(read.filter(({ isDoubtful }) => isDoubtful)),
    unclear: read.filter(isUnclear).map(({ whole }) => whole),
    asides: [...asidesIn(read), ...(hashtags.length > 0 ? [hashtags.join(' ')] : [])],
  }
}

/** All but what is to be left out: who forbids the word luxury asks for no luxury. */
function saidIn(read: readonly ReadPart[], texts: Texts): string {
  const parts = read.filter(({ kind }) => kind !== 'avoid').map(({ whole }) => whole)
  return [...parts, ...Object.values(texts)].join('\n')
}

/** With single blanks, and line ends as they were. */
function tidyLines(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n')
    .replace(/[^\S\n]+|(?!\n)\p{Cc}/gu, ' ')
}

/** Where there is an instruction others are likely, and read as such. */
function readParts(sentences: readonly string[], { isDictated, isForm }: Shape): ReadPart[] {
  const first = readAll(sentences, { isInstructed: isDictated, isForm })
  const isInstructed = isDictated || first.some(({ kind }) => kind !== 'copy')
  return isInstructed ? readAll(sentences, { isInstructed, isForm }) : first
}

interface Shape {
  /** Whether it gives texts word by word. */
  isDictated: boolean
  /** Whether its lines are labels with what they say. */
  isForm: boolean
}

function isUnclear({ kind, text }: ReadPart): boolean {
  if (kind !== 'avoid') return false
  const { topics, terms, digits } = avoidedIn([text])
  return topics.size === 0 && terms.length === 0 && digits.length === 0
}

/** Greetings and the request itself are none. */
function asidesIn(read: readonly ReadPart[]): string[] {
  return bySentence(
    read.filter(
      ({ kind, text, isLabel: isOnlyLabel }) =>
        kind === 'talk' && text !== '' && !isOnlyLabel && !isPleasantry(text),
    ),
  )
}

/** The parts of one sentence in one text. */
function bySentence(parts: readonly ReadPart[]): string[] {
  const texts = new Map<number, string>()
  for (const { text, mark, sentence } of parts) {
    texts.set(sentence, `${texts.get(sentence) ?? ''}${text}${mark}`)
  }
  return [...texts.values()].map((text) => trimEnd(text.trim(), ',;:.!? '))
}

interface Reading {
  isInstructed: boolean
  isForm: boolean
}

function readAll(sentences: readonly string[], reading: Reading): ReadPart[] {
  const { isInstructed } = reading
  const isBrief = sentences.length > 1 || isInstructed
  const parts = sentences.flatMap((sentence, index) => {
    const clauses = wholeWishes(clausesOf(sentence))
    const section = readSection(clauses, index, reading)
    if (section) return section
    const toned = tonedClauses(clauses, sentences.length)
    const from = isBrief
      ? Math.max(toned, afterBriefing(sentence, clauses, sentences.length))
      : toned
    const dropped = clauses.slice(0, from)
    return [
      ...dropped.flatMap(({ text, mark }) => [
        {
          ...talkPart(text, mark, index),
          kind: toned > 0 ? ('manner' as const) : ('talk' as const),
        },
        ...bannedIn(text, index),
      ]),
      ...readClauses(clauses.slice(from), index, isInstructed),
    ]
  })
  return unsigned(parts)
}

/** Words in quotation marks that talk about the work forbids as well. */
function bannedIn(text: string, sentence: number): ReadPart[] {
  const [first] = quotedIn(text)
  if (!first || readClause(text, TOLD).kind !== 'avoid') return []
  return [{ ...talkPart(text.slice(first.start), '', sentence), kind: 'avoid' }]
}

/** A wish that a comma parts from what is wished, in one. */
function wholeWishes(clauses: readonly Clause[]): Clause[] {
  const [first, second, ...rest] = clauses
  if (!first || !second || !isOnlyWishing(first.text)) return [...clauses]
  return [{ text: `${first.text} ${second.text}`, mark: second.mark }, ...rest]
}

/** Without the name of who signs it: what little follows the last greeting. */
function unsigned(parts: ReadPart[]): ReadPart[] {
  const isLetter = parts.some(({ kind }) => kind !== 'copy')
  const signOff = parts.findLastIndex(({ kind, whole }) => {
    const isAlone = kind === 'talk' || (isLetter && folded(whole).words.length < 3)
    return isAlone && isSignOff(whole)
  })
  const after = signOff < 1 ? [] : parts.slice(signOff + 1)
  if (after.length === 0 || after.length > 2) return parts
  if (!after.every(({ whole }) => isSignature(whole))) return parts
  return parts.map((part, index) =>
    index >= signOff ? { ...part, kind: 'talk', isLabel: true } : part,
  )
}

/** A label with what it says, or a heading that says nothing; undefined where it is neither. */
function readSection(
  clauses: readonly Clause[],
  sentence: number,
  { isInstructed, isForm }: Reading,
): ReadPart[] | undefined {
  const [label, ...rest] = clauses
  if (!label || !isColon(label.mark)) return undefined
  if (rest.length === 0) {
    return isHeading(label.text) ? [labelPart(label.text, sentence)] : undefined
  }
  const section = sectionOf(label.text)
  const whole = clauses.map(({ text, mark }) => text + mark).join('')
  if (section === 'manner' && !rest.some(({ text }) => hasOffer(text))) {
    return [{ ...talkPart(trimEnd(whole, '. '), '', sentence), kind: 'manner' }]
  }
  if (section === 'avoid') {
    return rest.map(({ text, mark }) => ({ ...talkPart(text, mark, sentence), kind: 'avoid' }))
  }
  if (isInstructed && isPoint(label.text)) {
    return [labelPart(label.text, sentence), ...readClauses(rest, sentence, isInstructed)]
  }
  const isUnknown = section === undefined && isForm && isLabel(label.text)
  if (!isUnknown) return undefined
  return [labelPart(label.text, sentence), ...readClauses(rest, sentence, isInstructed)]
}

/** How many clauses say how it shall sound: those before a colon, or all of a sentence beside others. */
function tonedClauses(clauses: readonly Clause[], sentences: number): number {
  const colon = clauses.findIndex(({ mark }) => isColon(mark))
  const count = colon >= 0 ? colon + 1 : sentences > 1 ? clauses.length : 0
  const phrase = clauses.slice(0, count).map(({ text }) => text)
  if (count === 0 || !isAboutTone(phrase.join(' '))) return 0
  // `No prices, in a light tone` says two things.
  const isMore = count > 1 && phrase.some((text) => readClause(text, TOLD).kind === 'avoid')
  return isMore ? 0 : count
}

const TOLD: Before = { isInstructed: true }

/** How many clauses of the sentence are about the work: all, or those before a colon, or none. */
function afterBriefing(sentence: string, clauses: readonly Clause[], sentences: number): number {
  // Thai sentences have no mark between them: there each clause is judged alone.
  if (!isBriefing(sentence) || (THAI.test(sentence) && clauses.length > 1)) return 0
  const wish = wishIn(folded(clauses[0]?.text ?? ''))
  if (wish !== undefined && wish.kind !== 'talk') return 0
  if (sentences < 3 && hasOffer(sentence) && !clauses.some(({ mark }) => isColon(mark))) return 0
  const colon = clauses.findIndex(({ mark }) => isColon(mark))
  if (colon < 0) return clauses.length
  const rest = clauses.slice(colon + 1).map(({ text }) => text)
  // `Target group: families` is a label with what it says.
  if (colon === 0 && !rest.some(hasOffer)) return clauses.length
  return rest.some((text) => isBriefing(text)) ? clauses.length : colon + 1
}

const THAI = /\p{sc=Thai}/u

function isColon(mark: string): boolean {
  return /[:：]/.test(mark)
}

function readClauses(
  clauses: readonly Clause[],
  sentence: number,
  isInstructed: boolean,
): ReadPart[] {
  const parts: ReadPart[] = []
  let before: Before = { isInstructed, isFirst: sentence === 0 }
  for (const [index, clause] of clauses.entries()) {
    const section = isColon(clause.mark) ? sectionOf(clause.text) : undefined
    const rest = clauses.slice(index + 1).map(({ text, mark }) => text + mark)
    const isOffered = section === 'talk' && isPeriod(rest.join(''))
    if (section === 'copy' || isOffered) {
      parts.push(labelPart(clause.text, sentence))
      continue
    }
    if (section === 'talk') {
      const whole = clause.text + clause.mark + rest.join('')
      return [...parts, talkPart(whole, '', sentence)]
    }
    for (const { text, mark } of partsOf(clause, before)) {
      const read = readClause(text, before)
      parts.push({ ...read, whole: text, mark, sentence })
      before = { kind: read.kind, isInstructed: isInstructed || read.kind !== 'copy' }
    }
  }
  return parts
}

function talkPart(text: string, mark: string, sentence: number): ReadPart {
  return { kind: 'talk', text, whole: text, mark, sentence }
}

function labelPart(text: string, sentence: number): ReadPart {
  return { ...talkPart(text, '', sentence), isLabel: true }
}

/** Torn at a word that joins clauses, where an instruction begins or ends. */
function partsOf(clause: Clause, before: Before): Clause[] {
  const parts: string[] = []
  let kind: ClauseKind = 'copy'
  for (const part of joinedParts(clause.text)) {
    const bare = parts.length === 0 ? part : withoutJoin(part)
    const isCopyAgain = (kind === 'manner' || kind === 'talk') && hasOffer(bare)
    if (parts.length === 0 || isCopyAgain || beginsInstruction(bare, before)) {
      parts.push(bare)
      kind = readClause(bare, before).kind
    } else parts.push(`${parts.pop()} ${part}`)
  }
  return parts.map((text, index) => ({
    text,
    mark: index === parts.length - 1 ? clause.mark : ', ',
  }))
}
