// What a buyer's text requests (spec 4.3), without a model: spelling corrected, other languages translated into
// English, campaign jargon left out, and each audience separately with its alternative names.

import { ALL_LAYERS, type Layers } from '../layers.ts'
import { isContentWord } from '../stop-words.ts'
import type { Intent, Understood, Vocabulary } from '../understood.ts'
import { tokensOf } from '../words.ts'
import { detectLanguage } from './detect-language.ts'
import { findStage } from './find-stage.ts'
import { gloss } from './gloss.ts'
import { findPhrases, type LexiconHit } from './lexicon.ts'
import { takeNegation } from './negation.ts'
import { readBrief } from './read-brief.ts'
import { repairSpelling } from './repair-spelling.ts'
import { rewriteIntent } from './rewrite-intent.ts'
import { splitIntents } from './split-intents.ts'
import { stripCountries } from './strip-countries.ts'
import { tidy } from './tidy.ts'

/** Longer briefs state the audience at the beginning; limits the time whatever is sent. */
const MAX_SPEC = 4_000
const MAX_INTENTS = 6
const MAX_AVOIDED = 8
const MAX_WHOLE = 400
/** A gloss that recognises a smaller share of words than this is a guess at the language. */
const MIN_KNOWN = 0.5

/** Never throws, and always gives the same result for the same words. */
export function understandSpec(
  spec: string,
  vocabulary: Vocabulary,
  layers: Layers = ALL_LAYERS,
): Understood {
  const cleaned = clean(spec)
  const foreign = layers.has('glosses') ? glossOf(cleaned, vocabulary) : undefined
  const { text, corrected } =
    foreign === undefined && layers.has('spelling')
      ? repairSpelling(cleaned, vocabulary)
      : { text: foreign ?? cleaned, corrected: [] }

  const avoided = new Set<string>()
  const wanted = readBrief(text)
    .map((topic) => {
      const bare = stripCountries(topic)
      if (!layers.has('negation')) return bare
      const negated = takeNegation(bare)
      for (const one of negated.avoided) avoided.add(one)
      return negated.text
    })
    .filter((topic) => topic !== '')
  const intents = intentsOf(wanted, avoided.size > 0, layers)
  const [only] = intents
  if (foreign !== undefined && intents.length === 1 && only !== undefined && avoided.size === 0) {
    intents[0] = { ...only, rewrites: [...only.rewrites, cleaned.slice(0, MAX_WHOLE)] }
  }
  return { intents, avoided: [...avoided].slice(0, MAX_AVOIDED), corrected }
}

/** Longer sequences are not words, and no punctuation character is repeated more often. */
const LONG_WORD = /([\p{L}\p{N}]{48})[\p{L}\p{N}]+/gu
const LONG_ROW = /([^\p{L}\p{N}\s])\1{3,}/gu

/**
 * Expands contractions and simplifies typography, so that the patterns that follow need to handle one form only; and
 * shortens long repetitions, so that the time of each pattern stays linear in the length of the text.
 */
function clean(spec: string): string {
  return spec
    .slice(0, MAX_SPEC)
    .normalize('NFC')
    .replace(LONG_WORD, '$1')
    .replace(LONG_ROW, '$1$1$1')
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»"]/g, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]/gu, ' ')
    .replace(/\bcan'?t\b/gi, 'cannot')
    .replace(/\bnot (?:only|just|merely) /gi, '')
    .replace(/\bwon't\b/gi, 'will not')
    .replace(/\b(do|does|did|is|are|was|were|have|has|had|would|could|should)n'?t\b/gi, '$1 not')
    .replace(/(?<=[a-z])'(re|ve|ll|d|m)\b/gi, (_, end: string) => ` ${IN_FULL[end.toLowerCase()]}`)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

const IN_FULL: Readonly<Record<string, string>> = {
  re: 'are',
  ve: 'have',
  ll: 'will',
  d: 'would',
  m: 'am',
}

function glossOf(text: string, vocabulary: Vocabulary): string | undefined {
  const language = detectLanguage(text, vocabulary)
  if (language === undefined) return undefined
  const { text: english, known } = gloss(text, language)
  return known >= MIN_KNOWN && english !== '' ? english : undefined
}

function intentsOf(
  wanted: readonly string[],
  isSomethingAvoided: boolean,
  layers: Layers,
): Intent[] {
  const texts = distinct(wanted.flatMap((topic) => splitIntents(topic)))
  const update = texts.filter(saysSomething)
  // "people", with nobody to exclude, is at least what the text said.
  const said = update.length > 0 || isSomethingAvoided ? update : texts
  const intents = said.slice(0, MAX_INTENTS).map((text) => intentOf(text, layers))
  if (said.length < 2) return intents
  const whole = tidy(wanted.join('. ')).slice(0, MAX_WHOLE)
  return [...intents, { ...intentOf(whole, layers), rewrites: [], isWhole: true }]
}

function intentOf(text: string, layers: Layers): Intent {
  const stage = layers.has('stages') ? findStage(text) : undefined
  const phrases = layers.has('slang') ? findPhrases(tokensOf(text)) : []
  const rewrites = rewriteIntent(text, stage, phrases)
  const left = withoutLacks(text, phrases)
  const said = saysSomething(left) ? left : (rewrites[0] ?? text)
  return stage === undefined ? { text: said, rewrites } : { text: said, rewrites, stage }
}

/** "couples without kids" are couples; that they have none is part of the rewrites and the exclusions. */
function withoutLacks(text: string, phrases: readonly LexiconHit[]): string {
  const tokens = tokensOf(text)
  let left = text
  for (const { first, last, entry } of [...phrases].reverse()) {
    if (entry.avoids === undefined) continue
    left = left.slice(0, tokens[first]?.start) + left.slice(tokens[last]?.end ?? left.length)
  }
  return tidy(left)
}

function saysSomething(text: string): boolean {
  const tokens = tokensOf(text)
  return tokens.some(({ word }) => isContentWord(word)) || findPhrases(tokens).length > 0
}

function distinct(texts: readonly string[]): string[] {
  const byKey = new Map(texts.map((text) => [text.toLowerCase(), text]))
  return [...byKey.values()]
}
