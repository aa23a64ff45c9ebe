// Spanish briefs.

import { type BriefLanguage, wordsIn } from './brief-language.ts'

const words = wordsIn('es')

export const es: BriefLanguage = {
  get words() {
    return words()
  },
  isNounFirst: true,
  isVerbLast: false,
  hasCompounds: false,
  prepare: (text) => text,
  stem: (word) => word.replace(/s$/, '').replace(/[aeo]$/, ''),
}
