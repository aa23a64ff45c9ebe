// The words of an advertisement: the texts that the message dictates, else its own words, else what the offering and
// the brand say about themselves (spec 4.2). Nothing is claimed that none of these sources said.

import { buttonFor, callButton, hasPhone, ownButton } from '../message/call-to-action.ts'
import { layCopy, sentenceCase, sentenceText } from '../message/copy.ts'
import { isRequestedIn } from '../message/denied-clauses.ts'
import { languageOf, languageOfCopy } from '../message/language.ts'
import {
  CALL_BUTTON,
  ENGLISH_BUTTONS,
  OPENINGS,
  PLAIN_BUTTONS,
  PLAIN_HEADLINE,
  TONE_BUTTONS,
} from '../message/lexicon/own-words.ts'
import { type ReaderLayer, type ReadMessage, readMessage } from '../message/read-message.ts'
import { readOnce } from '../message/read-once.ts'
import type { CopyClause, CopySentence } from '../message/said-copy.ts'
import { type Tone, toneOf } from '../message/tone.ts'
import type { AdInput, AdTexts, TextLimits } from './ad-input.ts'
import { emphasised } from './emphasis.ts'
import { fitWords, tidy } from './fit-words.ts'
import { worded } from './worded.ts'

const DEFAULT_LIMITS: Required<TextLimits> = { headline: 60, description: 140, call_to_action: 20 }
/** For a given headline, or that of an offering: it may be set smaller before its end is cut off. */
const LONGEST_NAME = 90
/** A requested button text may be longer than a built-in one. */
const ASKED_BUTTON = 30

export type TextInput = Pick<
  AdInput,
  'brand' | 'offering' | 'message' | 'read' | 'texts' | 'limits' | 'variant' | 'wording'
>

export interface WrittenTexts {
  texts: AdTexts
  /** What the message says and did not fit. */
  omitted: readonly string[]
}

/** Each text fits its limit; a description may be empty. */
export function textsOf(input: TextInput): AdTexts {
  return writeTexts(input).texts
}

/** `without` disables parts of the reader, to measure their effect. */
export function writeTexts(input: TextInput, without: readonly ReaderLayer[] = []): WrittenTexts {
  const { brand, offering, wording } = input
  const read = without.length === 0 ? readOf(input) : readMessage(input.message, without)
  const message = wording?.tone ? { ...read, tone: wording.tone } : read
  const given = { ...tidied(message.texts), ...tidied(input.texts ?? {}) }
  const limits = { ...DEFAULT_LIMITS, ...input.limits }
  const words: Words = { ...input, message, limits, given }
  const { headline, description, omitted } = bodyOf(words)
  const body = {
    headline: fitWords(headline, input.limits?.headline ?? LONGEST_NAME),
    description: fitWords(description, limits.description),
  }
  const isFree = given.headline === undefined && given.description === undefined
  const said = isFree ? emphasised(body, input.variant ?? 0, limits) : body
  const call_to_action = callToAction(words, input.limits?.call_to_action)
  const texts = { ...said, call_to_action }
  if (!wording) return { texts, omitted }
  const { language = languageOf(`${said.headline} ${said.description}`) } = message
  const by = {
    wording,
    language,
    headlines: [offering?.name, brand.tagline, brand.name],
    button: ownButton('', language ?? 'en'),
    longest: limits.description,
  }
  return { texts: worded(texts, by), omitted }
}

/** The requested tone, from the message or elsewhere, else the brand's. */
export function toneFor({ brand, message, read, wording }: TextInput): Tone | undefined {
  return wording?.tone ?? readOf({ message, read }).tone ?? toneOf(brand.tone ?? '')
}

interface Readable {
  message?: string | undefined
  read?: ReadMessage | undefined
}

function readOf({ message, read }: Readable): ReadMessage {
  return read ?? readOnce(message)
}

interface Words extends Pick<AdInput, 'brand' | 'offering'> {
  message: ReadMessage
  given: Partial<AdTexts>
  limits: Required<TextLimits>
}

/** Each on one line; empty ones are omitted. */
function tidied(texts: Partial<AdTexts>): Partial<AdTexts> {
  const entries = Object.entries(texts).map(([role, text]) => [role, tidy(text)] as const)
  return Object.fromEntries(entries.filter(([, text]) => text !== ''))
}

interface Body {
  headline: string
  description: string
  omitted: string[]
}

function bodyOf(words: Words): Body {
  const { given, limits, message } = words
  const { headline, description } = given
  const said = copyFor(words)
  const named = headline ?? (isOwnCopy(said) ? undefined : offeringName(words))
  if (description !== undefined && named !== undefined) {
    return { headline: named, description, omitted: said.map(sentenceText) }
  }
  const room = {
    headline: named === undefined ? limits.headline : 0,
    description: description === undefined ? limits.description : 0,
  }
  const laid = layCopy(said, room)
  const first = named ?? (laid.headline === '' ? fallback(words) : laid.headline)
  const rest = description ?? withOffering(laid.description, first, words)
  const omitted = message.copy.length > 0 ? laid.omitted : []
  return { headline: first, description: rest, omitted }
}

/** Without sentences that only name the brand or the offering, which the advertisement names anyway. */
function copyFor({ message, brand, offering }: Words): CopySentence[] {
  const names = [brand.name, offering?.name].map((name) => plain(name ?? '')).filter(Boolean)
  const reported = plain(`${offering?.name ?? ''} ${offering?.description ?? ''}`)
  const isNew = ({ kind, text }: CopyClause) =>
    kind === 'copy' || !(names.includes(plain(text)) || reported.includes(plain(text)))
  const said = message.copy
    .map((sentence) => ({ ...sentence, clauses: sentence.clauses.filter(isNew) }))
    .filter(({ clauses }) => clauses.length > 0)
  const others = said.filter((sentence) => !names.includes(plain(sentenceText(sentence))))
  return others.length > 0 ? others : said
}

function plain(text: string): string {
  return tidy(text)
    .toLowerCase()
    .replace(/^(?:the|der|die|das|le|la|les|el|los|las|il|lo|o|a) |[.!?]$/g, '')
}

/** Whether the message has its own copy, and does not only say what to write about. */
function isOwnCopy(sentences: readonly CopySentence[]): boolean {
  return sentences.some(({ clauses }) => clauses.some(({ kind }) => kind === 'copy'))
}

function offeringName({ offering, message, brand, limits }: Words): string | undefined {
  const name = tidy(offering?.name ?? '')
  if (name === '') return undefined
  if (name.length > limits.headline && SUBTITLE.test(name)) return name.split(SUBTITLE)[0]
  const isEnglish = languageOf(`${offering?.description ?? ''} ${name}`) === 'en'
  const tone = message.tone ?? toneOf(brand.tone ?? '')
  return isEnglish ? withTone(name, tone, limits.headline) : name
}

function fallback({ offering, brand }: Words): string {
  const names = [offering?.name, brand.tagline, brand.name].map((text) => tidy(text ?? ''))
  return names.find((text) => text !== '') ?? PLAIN_HEADLINE
}

/** The part before it can be used alone. */
const SUBTITLE = /(?::| [–—-]) /

/** A short name becomes a sentence; a long name, or one that is already a sentence, is unchanged. */
function withTone(name: string, tone: Tone | undefined, limit: number): string {
  if (tone === undefined || name.split(' ').length > 4 || STARTS_AS_SENTENCE.test(name)) return name
  const sentence = `${OPENINGS[tone]} ${name}`
  return sentence.length <= Math.min(limit, 42) ? sentence : name
}

const STARTS_AS_SENTENCE =
  /^(?:get|buy|shop|save|try|discover|meet|say|don.?t|enjoy|find|join|start|make|your|our|up to|free|\d)|[!?.:]/i

/** What the message says comes first, because a limit cuts off the end. */
function withOffering(
  said: string,
  headline: string,
  { offering, brand, limits, message }: Words,
): string {
  const received = `${headline} ${said}`.toLowerCase()
  const more = [offering?.name, offering?.description, brand.tagline]
    .map((text) => tidy(text ?? ''))
    .filter((text) => text !== '' && !received.includes(text.toLowerCase()))
    .slice(0, offering?.description ? 2 : 1)
  const isBare = said === '' && message.copy.length === 0
  const parts = isBare || offering ? [said, ...more] : [said]
  const kept = parts.filter((text) => text !== '' && text !== headline)
  const sentences = kept.map((text, index) => (index < kept.length - 1 ? sentence(text) : text))
  return said === '' ? sentences.join(' ') : fitWords(sentences.join(' '), limits.description)
}

function sentence(phrase: string): string {
  return /[.!?…。！？]$/.test(phrase) ? phrase : `${sentenceCase(phrase)}.`
}

function isRequestedFor(about: string, said: RegExp): boolean {
  return isRequestedIn(about, (clause) =>
    [...clause.matchAll(said)].map(({ 0: found, index }) => {
      return { start: index, end: index + found.length }
    }),
  )
}

/** What is not given has no words. */
function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('. ')
}

function callToAction(words: Words, stated: number | undefined): string {
  const { given, message, offering, brand } = words
  const limit = stated ?? ASKED_BUTTON
  if (given.call_to_action !== undefined && given.call_to_action.length <= limit)
    return given.call_to_action
  const { headline, description } = given
  const copy = joined([headline, description, ...message.copy.map(sentenceText)])
  const offered = joined([offering?.name, offering?.description, brand.tagline])
  const about = joined([...message.actions, copy, offered])
  const language = languageOfCopy(copy || offered, message.language) ?? languageOf(about) ?? 'en'
  const ours = stated ?? DEFAULT_LIMITS.call_to_action
  const call = callButton(about, language)
  if (call !== undefined && call.length <= limit) return call
  const requested = buttonFor(message.actions, language)
  if (requested !== undefined && requested.length <= limit) return requested
  const choices =
    language === 'en'
      ? [
          hasPhone(about) ? CALL_BUTTON : undefined,
          ENGLISH_BUTTONS.find(
            ([said]) => about.search(said) !== -1 && isRequestedFor(about, said),
          )?.[1],
          message.tone && TONE_BUTTONS[message.tone],
          ...PLAIN_BUTTONS,
        ]
      : [ownButton(about, language)]
  const choice = choices.find((text) => text !== undefined && text.length <= ours)
  return choice ?? fitWords(given.call_to_action ?? choices.at(-1) ?? 'Go', ours)
}
