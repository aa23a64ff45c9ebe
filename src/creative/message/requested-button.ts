// Whether what people should do, in the words of a message, can be put on a button.

import type { Language } from './language.ts'

/** Languages in which the words of the message can be used. */
const AS_ASKED: ReadonlySet<Language> = new Set(
  'en de fr es it pt nl sv cs ru uk vi ko th ar zh-Hans zh-Hant'.split(' '),
)
/** Longer than built-in ones, because it was requested. */
const MAX_ASKED = 26

export function fitsButton(action: string, language: Language): boolean {
  const isShort = action !== '' && action.length <= MAX_ASKED
  return isShort && AS_ASKED.has(language) && !isThirdPerson(action, language)
}

/** Verbs for what others do, and things alone, are not words for a button. */
function isThirdPerson(text: string, language: Language): boolean {
  if (language === 'es' || language === 'pt')
    return !/^[\p{L}]{2,20}(?:r|rse|r-se)(?=\s|$)/u.test(text)
  if (language === 'fr') return !/^(?:s['’])?[\p{L}]{2,20}(?:r|re)(?=\s|$)/u.test(text)
  if (language === 'it') return !/^[\p{L}]{2,20}(?:re|rsi)(?=\s|$)/u.test(text)
  if (language === 'ru') return !/^[\p{L}]{2,20}(?:ть|ться|чь|ти)(?=\s|$)/u.test(text)
  if (language === 'uk') return !/^[\p{L}’']{2,20}(?:ти|тися|тись)(?=\s|$)/u.test(text)
  if (language === 'cs') return !/^[\p{L}]{2,20}[aeěiou]t(?=\s|$)/u.test(text)
  // `Send them to a quote form`: a thing, not a verb.
  if (language === 'en') return /^(?:an?|the|our|your) /i.test(text)
  if (language === 'ar') return /^(?:أن )?ي/.test(text)
  return false
}
