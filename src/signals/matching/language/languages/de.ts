// German briefs.

import { type BriefLanguage, wordsIn } from './brief-language.ts'

const words = wordsIn('de')

export const de: BriefLanguage = {
  get words() {
    return words()
  },
  isNounFirst: false,
  isVerbLast: true,
  hasCompounds: true,
  // A comma before `die` continues the same thought instead of starting a new one.
  prepare: (text) => text.replace(/,\s+(?:die|der|das)\b/gi, ' welche'),
  stem: (word) => umlautless(word).replace(/(?:erinnen|ern|en|er|em|es|e|n|s)$/, ''),
}

/** `Kaeufer` is the spelling without umlauts of a word that folds to `kaufer`. */
function umlautless(word: string): string {
  return word.replace(/([aou])e(?!$)/g, '$1')
}
