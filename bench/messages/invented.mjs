// What an ad says that it was not given: numbers, dates, codes, addresses, names and claims that are neither in the
// message nor in the brand or offering. Connecting words and calls to action are the agent's own.

import { claimsIn } from './claims.mjs'
import { datesIn } from './dates.mjs'
import { fold, holds, lower } from './fold.mjs'
import { bare, datePartsOf, isAmong, numbersIn } from './numbers.mjs'

/** One superlative does not license another; a sale may be called a discount. */
const WORD_BY_WORD = new Set(['superlative', 'quality', 'occasion'])

const LINK =
  /(?:https?:\/\/)?(?:[\w.+-]+@)?(?:[\p{sc=Latin}\d-]+\.)+[a-z]{2,24}(?![\p{sc=Latin}\d])(?:\/[^\s"'<>)]*)?/giu
const PHONE = /\+?\d[\d ()./-]{5,}\d/g
const CODE = /(?<![\p{sc=Latin}\d])[a-z]+\d[a-z\d]*/giu
const MONEY_BEFORE_NUMBER =
  /^(?:kr|rs|usd|us|nt|hk|eur|chf|gbp|tl|r|aed|sar|egp|pln|thb|vnd|inr|sek|nok|dkk)\d+$/i
/** Languages in which a Latin word is a name; in German all nouns have a capital. */
const OTHER_SCRIPT = /^(?:el|ru|uk|ar|he|hi|th|zh|ja|ko)/
/** Latin words that people put on buttons and price tags in every language. */
const COMMON = new Set(
  `a all and at buy click contact details discover explore find for from get go here hk in info it join
  learn more new now nt of ok on online order our register rs sale see shop sign start store the to today
  up us view visit web with you your`.split(/\s+/),
)

/** Each as `{ kind, text }`, in the order of the texts. `sources` are all the words that were given. */
export function inventedIn(texts, sources, language) {
  const known = knownFrom(sources, language)
  return texts.flatMap((text) => [
    ...newFigures(figuresIn(text), known),
    ...[...datesIn(text, language)]
      .filter((date) => !known.dates.has(date))
      .map((date) => ({ kind: 'date', text: date })),
    ...claimsIn(text, language)
      .filter(({ claim, word }) => !known.claims.has(WORD_BY_WORD.has(claim) ? word : claim))
      .map(({ claim, word }) => ({ kind: claim, text: word })),
    ...namesIn(text, language)
      .filter((name) => !holds(known.folded, fold(name)))
      .map((name) => ({ kind: 'name', text: name })),
  ])
}

function knownFrom(sources, language) {
  const all = sources.join(' | ')
  const plain = lower(all)
  const dates = datesIn(all, language, { withShort: true })
  const months = [...dates].filter((date) => date.startsWith('month')).map((date) => date.slice(6))
  // 24.12., 12/24 and 12月24日 name December too.
  for (const [, first, second] of plain.matchAll(/(\d{1,2})[./月월](?:\D?(\d{1,2}))?(?!\d)/g))
    for (const month of [first, second]) dates.add(`month ${Number(month)}`)
  const { links, codes, phones, numbers: rest } = figuresIn(all)
  const written = [...rest, ...codes.flatMap(numbersIn)]
  const numbers = [...written, ...written.flatMap(datePartsOf), ...months.map(bare)]
  const claims = new Set(claimsIn(all, language).flatMap(({ claim, word }) => [claim, word]))
  // Who names a percentage or a price has made an offer.
  if (written.some(({ units }) => units.length > 0)) claims.add('offer')
  return { folded: fold(all), plain, links, codes, phones, numbers, dates, claims }
}

/** What a text has of links, codes and numbers. Numbers within a link or a code are not its own. */
function figuresIn(text) {
  const links = []
  const codes = []
  const rest = lower(text)
    .replace(LINK, (link) => {
      links.push(link.replace(/[.,;:!?/]+$/, '').replace(/^(?:https?:\/\/)?(?:www\.)?/, ''))
      return ' | '
    })
    .replace(CODE, (code) => {
      if (MONEY_BEFORE_NUMBER.test(code)) return code
      codes.push(code)
      return ' | '
    })
  const phones = (rest.match(PHONE) ?? [])
    .map((phone) => phone.replace(/\D/g, '').replace(/^0/, ''))
    .filter((digits) => digits.length >= 6)
  return { links, codes, phones, numbers: numbersIn(rest) }
}

function newFigures({ links, codes, phones, numbers }, known) {
  // A phone number may be grouped in another way, or come without its country.
  const isKnownPhone = (digits) =>
    known.phones.some((phone) => phone.endsWith(digits) || digits.endsWith(phone))
  const reached = phones.filter(isKnownPhone)
  const isOfPhone = ({ raw }) => {
    const part = raw.replace(/\D/g, '').replace(/^0/, '')
    return part.length >= 3 && reached.some((digits) => digits.includes(part))
  }
  return [
    ...links
      .filter((link) => !known.plain.includes(link) && !known.links.includes(link))
      .map((text) => ({ kind: 'link', text })),
    ...codes
      .filter((code) => !known.codes.includes(code) && !holds(known.folded, fold(code)))
      .map((text) => ({ kind: 'code', text })),
    ...numbers
      .filter((number) => !isAmong(number, known.numbers) && !isOfPhone(number))
      .map(({ raw, units }) => ({ kind: 'number', text: [raw, ...units].join(' ') })),
  ]
}

/**
 * What looks like the name of a product: words with a capital inside, Latin words in another
 * script, and, where nouns are not capitalised, a capital within a sentence that is not a title.
 */
function namesIn(text, language) {
  const written = text.normalize('NFKC').replace(LINK, ' | ')
  const words = [...written.matchAll(/\p{sc=Latin}[\p{sc=Latin}\p{M}]+/gu)]
  const capitals = words.filter(([word]) => /^\p{Lu}/u.test(word)).length
  const isTitle = capitals * 2 > words.length
  return words
    .filter(({ 0: word, index }) => {
      if (COMMON.has(lower(word))) return false
      if (OTHER_SCRIPT.test(language) || /\p{Ll}\p{Lu}/u.test(word)) return true
      if (language === 'de' || isTitle || !/^\p{Lu}\p{Ll}/u.test(word)) return false
      return /[\p{Ll},] $/u.test(written.slice(Math.max(0, index - 2), index))
    })
    .map(([word]) => word)
}
