// Judges the words of an ad by the label of the message it was made from: what is missing, what was
// to be avoided, which instructions were printed as copy, and what was invented. No I/O of its own.

import { fold, holds, lower } from './fold.mjs'
import { inventedIn } from './invented.mjs'
import { numbersIn } from './numbers.mjs'

const BASELINE_CHARACTERS = 90

/** `texts` is all that the ad shows: headline, description, button, disclaimer, the brand's name. */
export function scoreCreative(label, texts) {
  const returned = texts.map(fold)
  const isReturned = ({ any_of }) =>
    any_of.map(fold).some((way) => returned.some((text) => holds(text, way)))
  const said = (phrases = []) => phrases.filter((phrase) => isSaid(phrase, texts, returned))
  return {
    missing: wantedFacts(label).filter((fact) => !isReturned(fact)),
    avoided: [
      ...said(label.avoid),
      ...(label.avoid_numbers ?? []).filter((number) =>
        texts.some((text) => hasNumber(text, number)),
      ),
    ],
    printed: said(label.not_copy),
    invented: inventedIn(texts, sourcesOf(label), label.language),
  }
}

/** What counts: the facts that are not optional, and the call to action where one was requested. */
export function wantedFacts({ facts, call_to_action }) {
  const wanted = facts.filter(({ optional }) => !optional)
  return call_to_action ? [...wanted, { kind: 'call_to_action', ...call_to_action }] : wanted
}

/**
 * Shares of messages, from `{ label, score }` of each: over all, and by language, kind and split.
 * A share is of the messages that could fail: without anything to avoid, nothing was avoided well.
 */
export function summary(results) {
  const by = (field) => {
    const groups = new Map()
    for (const result of results) {
      const name = result.label[field]
      groups.set(name, [...(groups.get(name) ?? []), result])
    }
    return Object.fromEntries(
      [...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, group]) => [name, shares(group)]),
    )
  }
  return {
    all: shares(results),
    language: by('language'),
    kind: by('kind'),
    split: by('split'),
  }
}

/** The least that an ad could do: the brand's name over the beginning of the message. */
export function baselineTexts({ brand, message, language }) {
  return [brand.name, cutAtWord(message, language)]
}

/** Between slashes it is a pattern, which sees the punctuation too. */
function isSaid(phrase, texts, returned) {
  const pattern = /^\/(.+)\/$/s.exec(phrase)
  if (pattern) return texts.some((text) => new RegExp(pattern[1], 'u').test(lower(text)))
  const sought = fold(phrase)
  return returned.some((text) => holds(text, sought, { fromWordStart: true }))
}

function hasNumber(text, number) {
  const [{ values }] = numbersIn(number)
  return numbersIn(text).some((returned) => returned.values.some((value) => values.includes(value)))
}

/** A label's own spellings are sources too: it may say that half price is 50 %. */
function sourcesOf({ message, brand, offering, facts, call_to_action }) {
  const spellings = [...facts, call_to_action ?? { any_of: [] }].flatMap(({ any_of }) => any_of)
  return [message, ...stringsIn(brand), ...stringsIn(offering), ...spellings]
}

function stringsIn(value) {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return value && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : []
}

function shares(results) {
  const share = (canFail, isGood) => {
    const checked = results.filter(canFail)
    return checked.length === 0 ? null : checked.filter(isGood).length / checked.length
  }
  const avoids = ({ label }) => (label.avoid ?? []).length + (label.avoid_numbers ?? []).length > 0
  return {
    messages: results.length,
    allRight: share(
      () => true,
      ({ score }) => Object.values(score).every((faults) => faults.length === 0),
    ),
    factsDisplayed: share(
      ({ label }) => wantedFacts(label).length > 0,
      ({ score }) => score.missing.length === 0,
    ),
    nothingInvented: share(
      () => true,
      ({ score }) => score.invented.length === 0,
    ),
    nothingForbidden: share(avoids, ({ score }) => score.avoided.length === 0),
    noInstructions: share(
      ({ label }) => (label.not_copy ?? []).length > 0,
      ({ score }) => score.printed.length === 0,
    ),
  }
}

function cutAtWord(text, language) {
  let cut = ''
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    if (cut.length + segment.length > BASELINE_CHARACTERS) break
    cut += segment
  }
  return cut.trim()
}
