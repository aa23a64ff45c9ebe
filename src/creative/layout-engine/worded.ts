// Texts as requested: without forbidden words, shorter, or in other letter case. Nothing is claimed that the texts
// did not say.

import { type Avoided, withoutAvoided } from '../message/avoid.ts'
import { factsIn } from '../message/facts.ts'
import { sentencesOf } from '../message/sentences.ts'
import type { AdTexts } from './ad-input.ts'
import { tidy } from './fit-words.ts'
import type { LetterCase, Wording } from './wording.ts'

export interface WordedBy {
  wording: Wording
  /** To replace a headline with nothing left, in order of preference. */
  headlines: readonly (string | undefined)[]
  /** To replace a button text with nothing left. */
  button: string
  /** BCP 47. */
  language: string | undefined
  /** Maximum length of a description, in characters. */
  longest: number
}

export function worded(texts: AdTexts, by: WordedBy): AdTexts {
  const { wording, language } = by
  const { avoided, letterCase, verbatim } = wording
  const isVerbatim = (role: keyof AdTexts) => verbatim?.has(role) ?? false
  const kept = avoided ? without(texts, avoided, { ...by, isVerbatim }) : texts
  const priced = wording.price === undefined ? kept : withPrice(kept, wording.price, by.longest)
  const said = { ...priced, description: shortened(priced.description, wording) }
  if (letterCase === undefined) return said
  const set = (text: string) => inCase(text, letterCase, language)
  return {
    headline: set(said.headline),
    description: set(said.description),
    call_to_action: set(said.call_to_action),
  }
}

function without(
  texts: AdTexts,
  avoided: Avoided,
  by: WordedBy & { isVerbatim: (role: keyof AdTexts) => boolean },
): AdTexts {
  const kept = (role: keyof AdTexts) =>
    by.isVerbatim(role) ? texts[role] : keptOf(texts[role], avoided)
  const description = kept('description')
  const [first = '', ...rest] = sentencesOf(description)
  const own = kept('headline')
  if (own !== '') {
    const button = kept('call_to_action')
    return { headline: own, description, call_to_action: button || by.button }
  }
  // The rest of the description becomes the headline, else the offering or the brand.
  const others = by.headlines.map((text) => keptOf(tidy(text ?? ''), avoided))
  const headline = [first, ...others].find((text) => text !== '') ?? ''
  return {
    headline: headline.replace(/\.$/, ''),
    description: headline === first ? rest.join(' ') : description,
    call_to_action: kept('call_to_action') || by.button,
  }
}

/** Sentence by sentence: a sentence that needs the word is omitted. */
function keptOf(text: string, avoided: Avoided): string {
  if (withoutAvoided(text, avoided) === text) return text
  return sentencesOf(text)
    .map((sentence) => ended(withoutAvoided(sentence, avoided), sentence, avoided))
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function ended(sentence: string, before: string, { topics }: Avoided): string {
  const isLoud = topics.has('exclamation') && /[!！]$/.test(before)
  return isLoud && /[\p{L}\p{N}]$/u.test(sentence) ? `${sentence}.` : sentence
}

function withPrice(texts: AdTexts, price: string, longest: number): AdTexts {
  const said = `${texts.headline} ${texts.description}`
  if (said.includes(price) || factsIn(said).some(({ kind }) => kind === 'price')) return texts
  const { description } = texts
  const joined = description === '' ? price : `${description.replace(/[.。]$/, '')}. ${price}`
  return joined.length > longest ? texts : { ...texts, description: joined }
}

function shortened(description: string, { length }: Wording): string {
  if (length === undefined) return description
  const [first = '', ...rest] = sentencesOf(description)
  return length === 'shorter' && rest.length > 0 ? first : ''
}

function inCase(text: string, letterCase: LetterCase, language: string | undefined): string {
  if (letterCase === 'capitals') return text.toLocaleUpperCase(language)
  if (letterCase === 'lowercase') return text.toLocaleLowerCase(language)
  if (!isLoud(text)) return text
  return text
    .toLocaleLowerCase(language)
    .replace(/(?:^|[.!?] )\p{L}/gu, (letter) => letter.toLocaleUpperCase(language))
}

/** More than an abbreviation in capitals, and no lower-case letters. */
export function isLoud(text: string): boolean {
  const letters = text.replace(/\P{L}/gu, '')
  return letters.length > 4 && /\p{Lu}/u.test(letters) && !/\p{Ll}/u.test(letters)
}
