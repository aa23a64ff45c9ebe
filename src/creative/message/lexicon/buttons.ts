// The texts that an advertisement adds to a message, each by language.

import { OWN_TEXTS } from '../languages/languages.ts'
import type { OwnTexts } from '../languages/message-language.ts'
import type { Intent } from './actions.ts'

/** Contains no claim, at most 20 characters. */
export const BUTTONS: ReadonlyMap<string, Readonly<Record<Intent, string>>> = textsOf('buttons')

/** Before a telephone number; in other languages it comes after the words for a call and a colon. */
export const CALL_AT: ReadonlyMap<string, string> = textsOf('callAt')

/** The text before an advertiser's name where an advertisement is marked as one. */
export const SPONSORED: ReadonlyMap<string, string> = textsOf('sponsored')

function textsOf<K extends keyof OwnTexts>(member: K): Map<string, NonNullable<OwnTexts[K]>> {
  const texts = new Map<string, NonNullable<OwnTexts[K]>>()
  for (const [language, own] of OWN_TEXTS) {
    const text = own[member]
    if (text !== null) texts.set(language, text as NonNullable<OwnTexts[K]>)
  }
  return texts
}
