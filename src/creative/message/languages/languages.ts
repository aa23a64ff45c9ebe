// All languages of messages, and each of their lists for all of them. To add a language, add its file here.

import type { WordLists } from '../phrases.ts'
import { ar } from './ar.ts'
import { bg } from './bg.ts'
import { cs } from './cs.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { el } from './el.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { hi } from './hi.ts'
import { hu } from './hu.ts'
import { id } from './id.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import type { MessageLanguage, OwnTexts, ReadingLists } from './message-language.ts'
import { nb } from './nb.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ro } from './ro.ts'
import { ru } from './ru.ts'
import { sv } from './sv.ts'
import { th } from './th.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import { vi } from './vi.ts'
import { zh } from './zh.ts'

const LANGUAGES: Readonly<Record<string, MessageLanguage>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  pl,
  sv,
  tr,
  vi,
  el,
  ru,
  uk,
  hi,
  ar,
  he,
  th,
  ja,
  ko,
  zh,
  cs,
  id,
  da,
  fi,
  hu,
  nb,
  ro,
  bg,
}

/** By language tag. */
export const OWN_TEXTS: ReadonlyMap<string, OwnTexts> = new Map(
  Object.values(LANGUAGES).flatMap(({ texts }) => Object.entries(texts)),
)

/** One list of every language that has it. */
export function listsOf(list: keyof ReadingLists): WordLists {
  return Object.fromEntries(
    Object.entries(LANGUAGES).flatMap(([language, { reading }]) => {
      const words = reading?.[list] ?? null
      return words === null ? [] : [[language, words]]
    }),
  )
}
