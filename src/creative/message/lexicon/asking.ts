// How people request an advertisement, and what it should say: the subject follows the words (or precedes them, where
// verbs come last). A star matches any ending.

import { listsOf } from '../languages/languages.ts'

/** What is to be made. */
export const ARTEFACTS = listsOf('artefacts')

/** What requests it. */
export const MAKE = listsOf('make')

/** Words allowed between it and its subject. */
export const ABOUT = listsOf('about')

/** The subject follows immediately. In scripts without spaces they are searched for anywhere. */
export const ASK_BEFORE = listsOf('askBefore')

/** Its subject precedes it. */
export const ASK_AFTER = listsOf('askAfter')

/** What the ad should say follows immediately. */
export const MENTION = listsOf('mention')

/** What the ad should say precedes it. */
export const MENTION_AFTER = listsOf('mentionAfter')

/** Followed by what people are to be encouraged to do. */
export const CTA_ASK = listsOf('ctaAsk')

/** Preceded by what people are to be encouraged to do. */
export const CTA_ASK_AFTER = listsOf('ctaAskAfter')
