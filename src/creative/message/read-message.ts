// What a message in natural language says (spec 4.2), in any language: verbatim texts, copy in its own words, what
// people should be encouraged to do, what to avoid, the tone. The sequence model decides what is copy; anything else
// is not printed.

import { trimEnd } from '../../lib/trim-end.ts'
import { MAX_READ_CHARS } from '../limits.ts'
import { type Avoided, avoidedIn } from './avoid.ts'
import { withoutMarkup } from './clean.ts'
import { dictatedTexts } from './dictated-texts.ts'
import { withoutBullets } from './forms.ts'
import { withoutHashtags } from './hashtags.ts'
import { type Language, languageOf } from './language.ts'
import { folded } from './phrases.ts'
import type { FurtherText, Texts } from './quoted-texts.ts'
import { partsOfMessage } from './read-parts.ts'
import type { GivenReading } from './reading/given-roles.ts'
import { type MessageSpan, spansOf } from './reading/spans.ts'
import { type CopySentence, copyOf, type ReadPart, withAbout } from './said-copy.ts'
import { isPleasantry } from './talk.ts'
import { type Tone, toneOf } from './tone.ts'

export interface ReadMessage {
  /** Texts given word by word. */
  texts: Texts
  /** A second headline or button that is dictated as well. */
  further: readonly FurtherText[]
  /** Sentences that may be printed, in message order. */
  copy: readonly CopySentence[]
  /** What people are to be encouraged to do, in the words of the message. */
  actions: readonly string[]
  avoided: Avoided
  tone: Tone | undefined
  language: Language | undefined
  /** Clauses that say how it should look or sound. */
  manners: readonly string[]
  /** Text that was read as an instruction although no rule recognises it. */
  doubtful: readonly string[]
  /** Requests to avoid something that they do not name. */
  unclear: readonly string[]
  /** Text read as addressed to the creator of the ad: who it is for, what it may cost, when it is due. */
  asides: readonly string[]
  /** All of the message, span by span. */
  spans: readonly MessageSpan[]
}

/** Parts of the reader that can be disabled, to measure the value of each. */
const LAYERS = ['markup', 'dictated', 'avoiding', 'actions'] as const
export type ReaderLayer = (typeof LAYERS)[number]

const NOT_DICTATED = { texts: {}, further: [], taken: [] }

/** `given` is a language model's reading of it, or of the message it is part of. Default: the built-in reader. */
export function readMessage(
  message: string | undefined,
  without: readonly ReaderLayer[] = [],
  given?: GivenReading,
): ReadMessage {
  const has = (layer: ReaderLayer) => !without.includes(layer)
  const sent = (message ?? '').slice(0, MAX_READ_CHARS)
  const lines = tidyLines(has('markup') ? withoutMarkup(sent) : sent)
  const { text: untagged, hashtags } = withoutHashtags(lines)
  const text = withoutBullets(untagged)
  const { texts, further, taken } = has('dictated') ? dictatedTexts(text, given) : NOT_DICTATED
  const language = languageOf(text)
  const read = partsOfMessage(text, taken, given).map((part) => {
    const isOff =
      (part.kind === 'avoid' && !has('avoiding')) || (part.kind === 'action' && !has('actions'))
    return isOff ? { ...part, kind: 'talk' as const } : part
  })
  const avoided = avoidedIn(read.filter(({ kind }) => kind === 'avoid').map(({ text: one }) => one))
  const actions = read.filter(({ kind }) => kind === 'action').map(({ text: one }) => one)
  const said = folded(read.map(({ kind, text: one }) => (kind === 'copy' ? one : '')).join('\n'))
  const copy = copyOf(
    read.map((part) => withAbout(part, language, said)),
    avoided,
  )
  return {
    texts,
    further,
    copy,
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
    spans: spansOf(message ?? '', given),
  }
}

/** Everything except what must be avoided: a message that forbids the word luxury does not request luxury. */
function saidIn(read: readonly ReadPart[], texts: Texts): string {
  const parts = read.filter(({ kind }) => kind !== 'avoid').map(({ whole }) => whole)
  return [...parts, ...Object.values(texts)].join('\n')
}

/** With single spaces, and line ends unchanged. */
function tidyLines(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n')
    .replace(/[^\S\n]+|(?!\n)\p{Cc}/gu, ' ')
}

function isUnclear({ kind, text }: ReadPart): boolean {
  if (kind !== 'avoid') return false
  const { topics, terms, digits } = avoidedIn([text])
  return topics.size === 0 && terms.length === 0 && digits.length === 0
}

/** Greetings and the request itself do not count. */
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
