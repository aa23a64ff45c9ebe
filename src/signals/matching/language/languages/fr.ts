// French briefs.

import { trimEnd } from '../../../../lib/trim-end.ts'
import { type BriefLanguage, wordsIn } from './brief-language.ts'

const words = wordsIn('fr')

export const fr: BriefLanguage = {
  get words() {
    return words()
  },
  isNounFirst: true,
  isVerbLast: false,
  hasCompounds: false,
  prepare: (text) => text,
  stem: (word) => trimEnd(word.replace(/[sx]$/, '').replace(/(?:euse|trice)$/, 'eur'), 'e'),
}
