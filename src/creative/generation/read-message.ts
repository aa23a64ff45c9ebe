// What a message in plain words asks for. It understands the phrases people use with such tasks
// (`headline: …`, quoted words, `mention …`, `promote …`, words of tone) and ignores the rest: an
// instruction must never be printed as if it were copy.

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
  const text = tidy(message ?? '').slice(0, 4000)
  const named = {
    headline: slot(text, 'headline|title'),
    description: slot(text, 'description|subline|subtitle|body(?: copy| text)?|copy'),
    call_to_action: slot(text, 'call[- ]to[- ]action|cta|button(?: text)?'),
  }
  const taken = Object.values(named)
  const quoted = [...text.matchAll(QUOTED)]
    .map((match) => tidy(match[1] as string))
    .filter((phrase) => phrase !== '' && !taken.includes(phrase))
  const mentions = [...text.matchAll(MENTION)].map((match) => phraseOf(match[1] as string))
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

const QUOTED = /["“„«]([^"“”„«»]{1,200})["”“»]/g
const MENTION =
  /\b(?:mention|include|highlight|emphasi[sz]e|stress|feature|say that)(?:ing|s)?\s+(?!a\b|the\s+(?:logo|brand))([^.;,!?"“”\n]{2,80})/gi

/** `headline: Big sale`, `headline should be "Big sale"`; without quotes up to the sentence's end. */
function slot(text: string, names: string): string | undefined {
  const found = text.match(
    new RegExp(
      `\\b(?:${names})\\s*(?::|=|\\bis\\b|\\bshould (?:be|say|read)\\b|\\bsays\\b|\\breads\\b|(?=["“„«]))\\s*(?:["“„«]([^"“”„«»]{1,300})["”“»]|([^.;"“”]{1,300}))`,
      'i',
    ),
  )
  const value = found?.[1] ?? found?.[2]?.split(NEXT_SLOT)[0]
  const words = tidy(value ?? '').replace(/[,\s]+$/, '')
  return words === '' ? undefined : words
}

const NEXT_SLOT =
  /,?\s*(?:\band\b\s*)?\b(?:headline|title|description|subline|subtitle|body|copy|call[- ]to[- ]action|cta|button)\b\s*(?::|=|\bis\b|\bshould\b)/i

function subjectOf(text: string): string | undefined {
  const found = text.match(
    /\b(?:promot(?:e|es|ing)|advertis(?:e|es|ing)|announc(?:e|es|ing)|launch(?:ing)?|(?:ad|banner|creative|campaign)\s+(?:for|about))\s+(?:our|the|a|an|my|their)?\s*([^.;!?"“”\n]{3,80})/i,
  )
  const phrase = found?.[1]?.split(
    /,|\s+(?:using|in an?|that|which|to (?:young|new|our)|mention|includ|highlight|emphasi|with an? (?:\w+ )?(?:tone|look|style|feel))/i,
  )[0]
  return phrase === undefined || phrase.trim() === '' ? undefined : sentenceCase(phrase.trim())
}

function phraseOf(words: string): string {
  const phrase = tidy(words)
    .replace(/^(?:that|the|our|we (?:have|offer))\s+/i, '')
    .split(/\s+(?:and use|and make|and keep|in the|as the|with the)\s/i)[0] as string
  return sentenceCase(phrase.trim())
}

function toneOf(text: string): Tone | undefined {
  return TONES.find((tone) => TONE_WORDS[tone].test(text))
}

const TONE_WORDS: Readonly<Record<Tone, RegExp>> = {
  urgent: /\b(?:urgent|urgency|hurry|limited[- ]time|last chance|ends soon|flash sale)\b/i,
  premium: /\b(?:premium|luxur\w*|elegant|exclusive|sophisticated|refined|upscale)\b/i,
  playful: /\b(?:playful|fun|quirky|cheeky|whimsical|humorous|witty)\b/i,
  friendly: /\b(?:friendly|warm|approachable|caring|casual|welcoming)\b/i,
}

export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
