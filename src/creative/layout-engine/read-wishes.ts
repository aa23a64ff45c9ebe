// What a message in plain words asks for. It understands the phrases people use with such tasks
// (`headline: …`, quoted words, `mention …`, `promote …`, words of tone) and ignores the rest: an
// instruction must never be printed as if it were copy.

import { trimEnd } from '../../lib/trim-end.ts'
import { tidy } from './fit-words.ts'

export interface Wishes {
  headline?: string
  description?: string
  call_to_action?: string
  /** What shall be said as well, as a phrase each. */
  mentions: string[]
  /** What the advertisement is about, when the message says so. */
  subject?: string
  tone?: Tone
}

export const TONES = ['urgent', 'premium', 'playful', 'friendly'] as const
export type Tone = (typeof TONES)[number]

export function readMessage(message: string | undefined, brandTone?: string): Wishes {
  // Tidy, it has no blanks but single ones, and the expressions below look for no others.
  const text = tidy(message ?? '').slice(0, MAX_READ_CHARS)
  const named = {
    headline: slot(text, HEADLINE),
    description: slot(text, DESCRIPTION),
    call_to_action: slot(text, CALL_TO_ACTION),
  }
  const taken = Object.values(named)
  const quoted = [...text.matchAll(QUOTED)]
    .map((match) => tidy(match[1] as string))
    .filter((phrase) => phrase !== '' && phrase.length <= 200 && !taken.includes(phrase))
  const mentions = mentionsIn(text).map(phraseOf)
  const wishes = {
    headline: named.headline ?? quoted.shift(),
    description: named.description ?? quoted.shift(),
    call_to_action: named.call_to_action,
    subject: subjectOf(text),
    tone: toneOf(text) ?? toneOf(brandTone ?? ''),
  }
  const given = Object.entries(wishes).filter(([, value]) => value !== undefined)
  return { mentions: mentions.filter((phrase) => phrase !== ''), ...Object.fromEntries(given) }
}

/** Of a message: instructions are short, and what stands further down is no headline. */
const MAX_READ_CHARS = 4_000

const QUOTED = /["“„«]([^"“”„«»]+)["”“»]/g
const MENTION = /\b(?:mention|include|highlight|emphasi[sz]e|stress|feature|say that)(?:ing|s)? /gi
const NO_MENTION = /a\b|the (?:logo|brand)/iy
const PHRASE_END = /[.;,!?"“”]/
const MAX_PHRASE = 80

/** What follows the words that ask for it, up to the end of the phrase. */
function mentionsIn(text: string): string[] {
  const found: string[] = []
  let from = 0
  for (const { 0: verb, index } of text.matchAll(MENTION)) {
    const start = index + verb.length
    NO_MENTION.lastIndex = start
    if (index < from || NO_MENTION.test(text)) continue
    const phrase = text.slice(start, start + MAX_PHRASE).split(PHRASE_END)[0] as string
    if (phrase.length < 2) continue
    found.push(phrase)
    from = start + phrase.length
  }
  return found
}

const HEADLINE = /\b(?:headline|title)\b/gi
const DESCRIPTION = /\b(?:description|subline|subtitle|body|copy)\b/gi
const CALL_TO_ACTION = /\b(?:call[- ]to[- ]action|cta|button)\b/gi
/** What may stand between a label and its words. */
const SAYS =
  /(?: copy| text)? ?(?:[:=]|\bis\b|\bshould (?:be|say|read)\b|\bsays\b|\breads\b|(?=["“„«])) ?/iy
const OPENING: ReadonlySet<string> = new Set(['"', '“', '„', '«'])
const QUOTE = /["“”„«»]/g
const CLOSING: ReadonlySet<string> = new Set(['"', '”', '“', '»'])

/** `headline: Big sale`, `headline should be "Big sale"`; without quotes up to the sentence's end. */
function slot(text: string, label: RegExp): string | undefined {
  for (const { 0: name, index } of text.matchAll(label)) {
    SAYS.lastIndex = index + name.length
    if (!SAYS.test(text)) continue
    const value = saidAt(text, SAYS.lastIndex)
    const words = trimEnd(tidy(value?.slice(0, 300) ?? ''), ', ')
    if (words !== '') return words
  }
  return undefined
}

function saidAt(text: string, at: number): string | undefined {
  if (!OPENING.has(text.charAt(at))) {
    return (text.slice(at).split(/[.;"“”]/, 1)[0] as string).split(NEXT_SLOT, 1)[0]
  }
  QUOTE.lastIndex = at + 1
  const end = QUOTE.exec(text)
  return end && CLOSING.has(end[0]) ? text.slice(at + 1, end.index) : undefined
}

const NEXT_SLOT =
  /,? ?(?:\band )?\b(?:headline|title|description|subline|subtitle|body|copy|call[- ]to[- ]action|cta|button) ?(?:[:=]|\bis\b|\bshould\b)/i

const SUBJECT =
  /\b(?:promot(?:e|es|ing)|advertis(?:e|es|ing)|announc(?:e|es|ing)|launch(?:ing)?|(?:ad|banner|creative|campaign) (?:for|about)) (?:(?:our|the|an?|my|their) )?([^.;!?"“”]{3,80})/i
const SUBJECT_END =
  /,| (?:using|in an?|that|which|to (?:young|new|our)|mention|includ|highlight|emphasi)/i
const MANNER = /^(?:tone|look|style|feel)/i

function subjectOf(text: string): string | undefined {
  const phrase = SUBJECT.exec(text)?.[1]?.split(SUBJECT_END)[0]
  const subject = phrase === undefined ? '' : withoutManner(phrase).trim()
  return subject === '' ? undefined : sentenceCase(subject)
}

/** Without how it shall be told: "boots with a playful tone" are boots. */
function withoutManner(phrase: string): string {
  const words = phrase.split(' ')
  const isManner = (word = '') => MANNER.test(word)
  const at = words.findIndex(
    (word, index) =>
      /^with$/i.test(word) &&
      /^an?$/i.test(words[index + 1] ?? '') &&
      (isManner(words[index + 2]) || isManner(words[index + 3])),
  )
  return at < 0 ? phrase : words.slice(0, at).join(' ')
}

function phraseOf(words: string): string {
  const phrase = tidy(words)
    .replace(/^(?:that|the|our|we (?:have|offer)) /i, '')
    .split(/ (?:and use|and make|and keep|in the|as the|with the) /i)[0] as string
  return sentenceCase(phrase.trim())
}

function toneOf(text: string): Tone | undefined {
  return TONES.find((tone) => TONE_WORDS[tone].test(text))
}

const TONE_WORDS: Readonly<Record<Tone, RegExp>> = {
  urgent: /\b(?:urgent|urgency|hurry|limited[- ]time|last chance|ends soon|flash sale)\b/i,
  premium: /\bluxur|\b(?:premium|elegant|exclusive|sophisticated|refined|upscale)\b/i,
  playful: /\b(?:playful|fun|quirky|cheeky|whimsical|humorous|witty)\b/i,
  friendly: /\b(?:friendly|warm|approachable|caring|casual|welcoming)\b/i,
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
