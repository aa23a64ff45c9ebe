// Portuguese briefs.

import { type BriefLanguage, wordsIn } from './brief-language.ts'

const words = wordsIn('pt')

export const pt: BriefLanguage = {
  get words() {
    return words()
  },
  isNounFirst: true,
  isVerbLast: false,
  hasCompounds: false,
  prepare: (text) => text,
  stem: (word) =>
    word
      .replace(/(?:oes|aes)$/, 'ao')
      .replace(/([ae])is$/, '$1l')
      .replace(/s$/, '')
      .replace(/[aeo]$/, ''),
}
