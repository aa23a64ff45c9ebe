// Dutch briefs.

import { type BriefLanguage, wordsIn } from './brief-language.ts'

const words = wordsIn('nl')

export const nl: BriefLanguage = {
  get words() {
    return words()
  },
  isNounFirst: false,
  isVerbLast: true,
  hasCompounds: true,
  // The apostrophe of a plural does not split a word.
  prepare: (text) => text.replace(/['’](?=s\b)/g, ''),
  stem: (word) => word.replace(/(?:en|s|n|e)$/, '').replace(/([bdfgklmnprst])\1$/, '$1'),
}
