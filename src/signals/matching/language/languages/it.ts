// Italian briefs.

import { type BriefLanguage, wordsIn } from './brief-language.ts'

const words = wordsIn('it')

export const it: BriefLanguage = {
  get words() {
    return words()
  },
  isNounFirst: true,
  isVerbLast: false,
  hasCompounds: false,
  prepare: (text) => text,
  stem: (word) => word.replace(/h?[aeio]$/, ''),
}
