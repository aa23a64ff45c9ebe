// The copy of a message that was read: its sentences without instructions, without what must be avoided, and with
// what does not fit on a button.

import { trimEnd } from '../../lib/trim-end.ts'
import { type Avoided, withoutAvoided } from './avoid.ts'
import { factsIn } from './facts.ts'
import type { ClauseKind } from './instructions.ts'
import type { Language } from './language.ts'
import { type FoldedText, folded } from './phrases.ts'
import type { ReadRole } from './reading/roles.ts'
import { fitsButton } from './requested-button.ts'

export interface CopySentence {
  clauses: readonly CopyClause[]
  /** Its ending: a full stop, an exclamation mark, nothing. */
  end: string
}

export interface CopyClause {
  text: string
  /** What joins the next clause to it. */
  mark: string
  kind: 'copy' | 'subject' | 'mention'
}

export interface ReadPart {
  kind: ClauseKind
  text: string
  /** The clause verbatim, as in the message. */
  whole: string
  mark: string
  sentence: number
  /** The object of the action, if the message states it as a preference. */
  about?: string
  /** A label, a heading or a signature, which has no content of its own. */
  isLabel?: boolean
  /** The sequence model recognises it as an instruction, but no rule does. */
  isDoubtful?: boolean
  /** What the model takes it for. */
  role?: ReadRole
}

const COPY_KINDS: ReadonlySet<ClauseKind> = new Set(['copy', 'subject', 'mention'])

export function copyOf(read: readonly ReadPart[], avoided: Avoided): CopySentence[] {
  const sentences = new Map<number, { clauses: CopyClause[]; end: string }>()
  /** Sentences that began with an instruction. */
  const led = new Set<number>()
  for (const { kind, text, mark, sentence } of read) {
    if (kind !== 'copy') led.add(sentence)
    const said = kind === 'action' ? figuresOf(text) : COPY_KINDS.has(kind) ? text : ''
    const kept = withoutAvoided(said, avoided)
    if (!isSaying(kept)) continue
    const own = sentences.get(sentence) ?? { clauses: [], end: '' }
    const copyKind = kind === 'action' ? 'mention' : (kind as CopyClause['kind'])
    const isLed = own.clauses.length === 0 && led.has(sentence)
    own.clauses.push({
      text: isLed ? tidied(kept).replace(THAT, '') : tidied(kept),
      mark,
      kind: copyKind,
    })
    sentences.set(sentence, own)
  }
  const lasts = new Map(read.map((part) => [part.sentence, part]))
  for (const [index, sentence] of sentences) {
    const last = lasts.get(index)
    const isRequested = sentence.clauses.some(({ kind }) => kind === 'subject')
    const end = endOf(last?.mark ?? '', avoided)
    // The message asked whether it can be made.
    sentence.end = isRequested && end.startsWith('?') ? '' : end
  }
  return [...sentences.values()]
}

/** The words between an instruction and what should be said. */
const THAT = /^(?:dass|daß|that|que|che|dat|że|ότι|πως|что|що) /i

/** Telephone numbers and addresses within a call to action. */
function figuresOf(action: string): string {
  return factsIn(action)
    .filter(({ kind }) => kind !== 'number')
    .map(({ text }) => text)
    .join(', ')
}

function isSaying(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** Without hashtags, which are labels for a social network, and without dangling words. */
function tidied(text: string): string {
  return trimEnd(text.trim(), ',;: ').replace(/^(?:[,;:\s]|[–—-](?!\p{Nd})){1,9}/u, '')
}

function endOf(mark: string, { topics }: Avoided): string {
  const end = mark.trim()
  if (topics.has('exclamation') && /[!！]/.test(end)) return '.'
  return /^[.!?…。！？؟।॥]/.test(end) ? end : ''
}

/** What does not fit on a button is said next to it. */
export function withAbout(
  part: ReadPart,
  language: Language | undefined,
  said: FoldedText,
): ReadPart {
  if (part.kind !== 'action' || part.about === undefined) return part
  if (isSaidIn(said, part.about)) return part
  return fitsButton(part.text, language ?? 'en')
    ? part
    : { ...part, kind: 'mention', text: part.about }
}

/** By the beginnings of their last words: languages inflect. */
function isSaidIn({ words }: FoldedText, about: string): boolean {
  const last = folded(about).words.at(-1)?.word ?? ''
  const stem = last.slice(0, Math.max(4, last.length - 2))
  return last.length > 3 && words.some(({ word }) => word.startsWith(stem))
}
