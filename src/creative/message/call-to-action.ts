// What the button says: as the message asks for it, else by what the message is about, in its language.

import { tidy } from '../layout-engine/fit-words.ts'
import { sentenceCase } from './copy.ts'
import { factsIn } from './facts.ts'
import type { Language } from './language.ts'
import { BUTTONS, INTENT_WORDS, type Intent } from './lexicon/actions.ts'
import { folded, phrasesOf } from './phrases.ts'

const INTENT_PHRASES = INTENT_WORDS.map(([intent, words]) => [intent, phrasesOf(words)] as const)

/** Languages in which what people shall do, as it is asked for, can be put on a button. */
const AS_ASKED: ReadonlySet<Language> = new Set(
  'en de fr es it pt nl vi ko th ar zh-Hans zh-Hant'.split(' '),
)
/** Longer than ours, since it was asked for. */
const MAX_ASKED = 26

export function buttonFor(asked: readonly string[], language: Language): string | undefined {
  for (const action of asked) {
    const plain = withoutFigures(action)
    const fits = plain !== '' && plain.length <= MAX_ASKED
    if (fits && AS_ASKED.has(language) && !isThirdPerson(plain, language))
      return sentenceCase(plain)
    const intent = intentOf(action)
    if (intent) return wordsOf(language)[intent]
  }
  return undefined
}

/** Verbs that tell what others do are no words for a button. */
function isThirdPerson(text: string, language: Language): boolean {
  if (language === 'es' || language === 'pt')
    return !/^[\p{L}]{2,20}(?:r|rse|r-se)(?=\s|$)/u.test(text)
  if (language === 'fr') return !/^(?:s['’])?[\p{L}]{2,20}(?:r|re)(?=\s|$)/u.test(text)
  if (language === 'it') return !/^[\p{L}]{2,20}(?:re|rsi)(?=\s|$)/u.test(text)
  if (language === 'ar') return /^أن /.test(text)
  return false
}

function withoutFigures(text: string): string {
  let rest = text
  for (const { start, end } of factsIn(text).reverse())
    rest = rest.slice(0, start) + rest.slice(end)
  return tidy(rest.replace(/[.!,;:]{1,9}$/, ''))
}

function intentOf(text: string): Intent | undefined {
  const said = folded(text)
  return INTENT_PHRASES.find(([, words]) => words.find(said))?.[0]
}

/** Ours, for what a text is about. */
export function ownButton(about: string, language: Language): string {
  const words = wordsOf(language)
  return hasPhone(about) ? words.call : words[intentOf(about) ?? 'learn']
}

export function hasPhone(text: string): boolean {
  return factsIn(text).some(({ kind }) => kind === 'phone')
}

function wordsOf(language: Language): Readonly<Record<Intent, string>> {
  return BUTTONS.get(language) ?? (BUTTONS.get('en') as Readonly<Record<Intent, string>>)
}
