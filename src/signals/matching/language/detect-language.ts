// Which of the lexicon's languages a text is in: determined by function words, or if it has none, by its subject
// words.

import { STOP_WORDS } from '../stop-words.ts'
import type { Vocabulary } from '../understood.ts'
import { tokensOf } from '../words.ts'
import { foreignWords } from './foreign-words.ts'
import { gloss, piecesOf } from './gloss.ts'
import { LANGUAGES, type Language } from './languages/languages.ts'

/** For a long text, this much is enough to determine its language. */
const LOOKED_AT = 400
/** If the scores of languages are this close, the language that recognises more of the words is chosen. */
const NEAR = 2

/** Undefined means English, or an unknown language. */
export function detectLanguage(text: string, vocabulary: Vocabulary): Language | undefined {
  const sample = text.slice(0, LOOKED_AT)
  const english = englishScore(sample, vocabulary)
  const scores = LANGUAGES.map((language) => ({
    language,
    score: foreignScore(sample, language, vocabulary),
  })).filter(({ score }) => score > english)
  const most = Math.max(...scores.map(({ score }) => score))
  const near = scores.filter(({ score }) => score >= most - NEAR)
  if (near.length < 2) return near[0]?.language
  const checked = near.map((one) => ({ ...one, known: gloss(sample, one.language).known }))
  checked.sort((a, b) => b.known - a.known || b.score - a.score)
  return checked[0]?.language
}

function englishScore(text: string, vocabulary: Vocabulary): number {
  let score = 0
  for (const { word } of tokensOf(text)) {
    if (ENGLISH_MARKS.has(word)) score += 2
    else if (STOP_WORDS.has(word)) score += 0.5
    else if (vocabulary.inCatalogue(word)) score += 1
    else if (vocabulary.has(word)) score += 0.4
  }
  return score
}

function foreignScore(text: string, language: Language, vocabulary: Vocabulary): number {
  const words = foreignWords(language)
  let score = 0
  let sure = 0
  for (const piece of piecesOf(text, language)) {
    if (piece.kind === 'unknown' || piece.kind === 'mark') continue
    const word = piece.words[0] as string
    const isPhrase = piece.words.length > 1
    if (!isPhrase && ENGLISH_MARKS.has(word)) continue
    if (!isPhrase && words.isMark(word)) {
      const isOthersToo = STOP_WORDS.has(word) || ALSO_ENGLISH.has(word) || word.length === 1
      score += isOthersToo ? 0.5 : 2
      sure += isOthersToo ? 0 : 0.5
      continue
    }
    // A word spelled the same in English says little.
    if (isPhrase) score += 1.5 * piece.words.length
    else if (vocabulary.inCatalogue(word)) score += 0.8
    else score += vocabulary.has(word) ? 0.4 : 1.5
    sure += isPhrase || !vocabulary.has(word) ? 1 : 0
  }
  // Names such as "Los Angeles" contain function words too, but hardly any that say whom to reach.
  return sure < 1 ? 0 : score
}

const ALSO_ENGLISH = new Set(
  'die den am men plus come son per solo par pour sur dos con war'.split(' '),
)

/** English words that are not spelled the same in any other language here. */
const ENGLISH_MARKS = new Set(
  (
    'the and who with for are that their they people looking want have has not but which from about ' +
    'like our we us you your this these those into buying buy new young first time shoppers owners ' +
    'buyers lovers interested love loves home'
  ).split(' '),
)
