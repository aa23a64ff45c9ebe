// What a language must define so that messages in it are read, and advertisements in it are complete. Every member is
// required, so a language without one of its lists does not compile; null says that it has none, on purpose.

import type { Intent } from '../lexicon/actions.ts'

export interface MessageLanguage {
  /** By the language tag (BCP 47) of the advertisement: a language with two scripts has two. */
  texts: Readonly<Record<string, OwnTexts>>
  /** Null for languages whose messages are read without word lists. */
  reading: ReadingLists | null
}

/** Texts that no message supplies. They contain no claim. */
export interface OwnTexts {
  /** By what a click is for; at most 20 characters. */
  buttons: Readonly<Record<Intent, string>>
  /** Precedes a telephone number on a button. Null: the button for a call, and a colon. */
  callAt: string | null
  /** Precedes the advertiser’s name where an advertisement is marked as one. Null: in English. */
  sponsored: string | null
}

/** Phrases separated by `|`; a star matches any ending. Null where the language expresses it in another way. */
export interface ReadingLists {
  /** Words that occur in almost every sentence; they distinguish languages. */
  stopWords: string | null
  /** What is to be made. */
  artefacts: string | null
  /** What requests it. */
  make: string | null
  /** Words allowed between it and its subject. */
  about: string | null
  /** The subject follows immediately. In scripts without spaces they are searched for anywhere. */
  askBefore: string | null
  /** Its subject precedes it. */
  askAfter: string | null
  /** What the ad should say follows immediately. */
  mention: string | null
  /** What the ad should say precedes it. */
  mentionAfter: string | null
  /** Followed by what people are to be encouraged to do. */
  ctaAsk: string | null
  /** Preceded by what people are to be encouraged to do. */
  ctaAskAfter: string | null
  /** The author of a preference, and the marker that it is one. The preference itself follows. */
  weWant: string | null
  /** Marks a preference, where verbs come last: the preference itself precedes it. */
  wantAfter: string | null
  /** A clause that contains one of these says what to avoid. */
  avoid: string
  /** A clause that contains one of these says how it should be. */
  manner: string
  /** A clause with only these and small words states a tone. */
  toneWords: string
  /** A clause with only this, perhaps with the person addressed, is a greeting. */
  greetings: string
  /** A clause that contains one of these is talk, and is omitted. */
  talk: string
  /** A sentence that contains one of these is about the work, from beginning to end. */
  briefing: string
}
