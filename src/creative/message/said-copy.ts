// The copy of a message that was read: its sentences without instructions, without what is to be left out, and
// with what a button has no room for.

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
  /** What ends it: a full stop, an exclamation mark, nothing. */
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
  /** The object of the action, where the message expresses it as a preference. */
  about?: string
  /** A label, a heading or a signature, which says nothing of its own. */
  isLabel?: boolean
  /** No rule knows it as an instruction, and the sequence model does. */
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
    // The question was whether it can be made.
    sentence.end = isRequested && end.startsWith('?') ? '' : end
  }
  return [...sentences.values()]
}

/** What leads from an instruction to what shall be said. */
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

/** Without hashtags, which are addresses of a network, and what is left hanging. */
function tidied(text: string): string {
  return trimEnd(text.trim(), ',;: ').replace(/^(?:[,;:\s]|[–—-](?!\p{Nd})){1,9}/u, '')
}

function endOf(mark: string, { topics }: Avoided): string {
  const end = mark.trim()
  if (topics.has('exclamation') && /[!！]/.test(end)) return '.'
  return /^[.!?…。！？؟।॥]/.test(end) ? end : ''
}

/** What a button has no room for is said beside it. */
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
