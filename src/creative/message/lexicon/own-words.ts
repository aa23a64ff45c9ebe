// What an advertisement may say that no source supplied: buttons, openings of a headline by its tone, and the label
// that marks it as an advertisement. None of them makes a claim.

import { BUTTON_VERBS } from '../they-shall.ts'
import type { Tone } from '../tone.ts'

import { BUTTONS, CALL_AT, SPONSORED } from './buttons.ts'

/** Before the name of an offering, in English. */
export const OPENINGS: Readonly<Record<Tone, string>> = {
  urgent: 'Don’t miss',
  playful: 'Say hello to',
  premium: 'Discover',
  friendly: 'Meet',
}

export const TONE_BUTTONS: Readonly<Record<Tone, string>> = {
  urgent: 'Get it now',
  premium: 'Explore now',
  playful: 'Check it out',
  friendly: 'Take a look',
}

/** For any advertisement, the longest first. */
export const PLAIN_BUTTONS = ['Learn more', 'See more', 'More', 'Go'] as const
export const CALL_BUTTON = 'Call us'
/** If nothing is known about what is advertised. */
export const PLAIN_HEADLINE = 'Discover more'

/** The first whose words are said. */
export const ENGLISH_BUTTONS: readonly (readonly [RegExp, string])[] = [
  [/\bfree trial\b/gi, 'Start free trial'],
  [/\b(?:tickets?|concert|festival|(?:live|comedy|magic|fashion|the|our) show)\b/gi, 'Get tickets'],
  [/\b(?:hiring|vacanc(?:y|ies)|join our team|your cv)\b/gi, 'Apply now'],
  [/\bcharity\b|\b(?:donat|fundrais)/gi, 'Donate now'],
  [/\b(?:download|mobile app|the app|ios|android)\b/gi, 'Get the app'],
  [/\b(?:hotels?|flights?|travel|holidays?|vacations?|resort|getaway|trips?)\b/gi, 'Book now'],
  [/\b(?:restaurant|pizza|burger|delivery|menu|takeaway|meal kits?)\b/gi, 'Order now'],
  [/\bsubscri|\b(?:newsletter|members?hip|webinar|sign[- ]?up)\b/gi, 'Sign up'],
  [/(?<!-)\b(?:courses?|degree|class(?:es)?|bootcamp|training)\b/gi, 'Enrol now'],
  [/\btest drive\b/gi, 'Book a test drive'],
  [/\b(?:quote|insurance|mortgage|loan)\b/gi, 'Get a quote'],
  [/\b(?:demo|platform|software|saas|api)\b/gi, 'See how it works'],
  [
    /\b(?:sale|shop|stores?|shipping|off|discount|buy|collection|products?|food|shoes?|wear|coffee|gifts?|deals?|price|order)\b/gi,
    'Shop now',
  ],
]

/** All of them, the longest first. */
export const OWN_PHRASES: readonly string[] = [
  ...Object.values(OPENINGS),
  ...Object.values(TONE_BUTTONS),
  ...PLAIN_BUTTONS,
  CALL_BUTTON,
  PLAIN_HEADLINE,
  'Sponsored by',
  'Sponsored',
  ...ENGLISH_BUTTONS.map(([, button]) => button),
  ...[...BUTTONS.values()].flatMap((buttons) => Object.values(buttons)),
  ...CALL_AT.values(),
  ...SPONSORED.values(),
  ...BUTTON_VERBS.map((verb) => verb.charAt(0).toUpperCase() + verb.slice(1)),
].sort((a, b) => b.length - a.length)
