// The languages besides English in which briefs are understood. To add one, add its file and its words here.

import type { BriefLanguage } from './brief-language.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'

export const LANGUAGES = ['es', 'fr', 'de', 'it', 'pt', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

export const BRIEF_LANGUAGES: Readonly<Record<Language, BriefLanguage>> = { de, es, fr, it, nl, pt }
