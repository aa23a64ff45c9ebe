// The text of the button: as the message requests, else according to its subject, in its language.

import { tidy } from '../layout-engine/fit-words.ts'
import { sentenceCase } from './copy.ts'
import { isRequestedIn } from './denied-clauses.ts'
import { factsIn } from './facts.ts'
import type { Language } from './language.ts'
import { INTENT_WORDS, type Intent } from './lexicon/actions.ts'
import { BUTTONS, CALL_AT } from './lexicon/buttons.ts'
import { folded, phrasesOf } from './phrases.ts'
import { fitsButton } from './requested-button.ts'

const INTENT_PHRASES = INTENT_WORDS.map(([intent, words]) => [intent, phrasesOf(words)] as const)

export function buttonFor(requested: readonly string[], language: Language): string | undefined {
  for (const action of requested) {
    const plain = withoutFigures(action)
    if (fitsButton(plain, language)) return sentenceCase(plain)
    const intent = intentOf(action)
    if (intent) return wordsOf(language)[intent]
  }
  return undefined
}

function withoutFigures(text: string): string {
  let rest = text
  for (const { start, end } of factsIn(text).reverse())
    rest = rest.slice(0, start) + rest.slice(end)
  return tidy(rest.replace(/[.!,;:]{1,9}$/, ''))
}

function intentOf(text: string): Intent | undefined {
  const said = folded(text)
  return INTENT_PHRASES.find(
    ([, words]) => words.find(said) && isRequestedIn(text, (clause) => words.all(folded(clause))),
  )?.[0]
}

/** Ours, for what a text is about. */
export function ownButton(about: string, language: Language): string {
  const words = wordsOf(language)
  return hasPhone(about) ? words.call : words[intentOf(about) ?? 'learn']
}

export function hasPhone(text: string): boolean {
  return phoneIn(text) !== undefined
}

/** With the number, if the message wants people to call. */
export function callButton(about: string, language: Language): string | undefined {
  const phone = phoneIn(about)
  if (phone === undefined || !isCallRequested(about)) return undefined
  return `${CALL_AT.get(language) ?? `${wordsOf(language).call}:`} ${phone}`
}

function phoneIn(text: string): string | undefined {
  const found = factsIn(text).find(({ kind }) => kind === 'phone')
  return found && PREFIX.exec(text.slice(0, found.start))?.[0] + found.text
}

/** Of the country. */
const PREFIX = /\+?$/

function isCallRequested(text: string): boolean {
  return INTENT_PHRASES.some(
    ([intent, words]) =>
      intent === 'call' && isRequestedIn(text, (clause) => words.all(folded(clause))),
  )
}

function wordsOf(language: Language): Readonly<Record<Intent, string>> {
  return BUTTONS.get(language) ?? (BUTTONS.get('en') as Readonly<Record<Intent, string>>)
}
