// What one instruction requests for an advertisement, as far as it can be read (spec 4.2). `attempts.ts` defines how
// each direction is followed, and `is-drawn.ts` how it is recognised in what was drawn.

import type { Colour } from '../layout-engine/colours.ts'
import type { LetterCase, TextLength } from '../layout-engine/wording.ts'
import type { Language } from '../message/language.ts'
import type { Tone } from '../message/tone.ts'

export type Change = 'larger' | 'smaller'
export type AdPosition = 'left' | 'right' | 'top' | 'bottom' | 'centre'
export type Shade = 'darker' | 'lighter'

/** What an advertisement may do. */
export type Positive =
  | { kind: 'greyscale' }
  /** brand: the first colour of the brand. */
  | { kind: 'background'; colour: Colour | Shade | 'brand' }
  | { kind: 'main_colour'; colour: Colour }
  | { kind: 'text_colour'; colour: Colour }
  | { kind: 'button_colour'; colour: Colour }
  | { kind: 'logo_size' | 'text_size' | 'headline_size'; change: Change }
  | { kind: 'logo_place' | 'text_place' | 'photo_place'; place: AdPosition }
  | { kind: 'logo' | 'photo' | 'button' | 'price'; isWanted: boolean }
  | { kind: 'letter_case'; letters: LetterCase }
  | { kind: 'avoid'; text: string }
  | { kind: 'emoji' | 'exclamation_marks' }
  | { kind: 'text_length'; length: TextLength }
  | { kind: 'button_words'; words: string }
  | { kind: 'button_language'; language: Language }
  | { kind: 'tone'; tone: Tone }
  | { kind: 'mention'; words: string }
  | { kind: 'advertisement' }

export type Direction =
  | Positive
  /** What must not be. */
  | { kind: 'not'; of: Positive }
  | { kind: 'not_supported'; reason: string }

export type DirectionKind = Positive['kind']

/** Directions that only the words can follow. */
export const OF_WORDS: ReadonlySet<DirectionKind> = new Set([
  ...(['avoid', 'price', 'emoji', 'exclamation_marks', 'text_length', 'tone'] as const),
  ...(['button_words', 'button_language', 'letter_case'] as const),
])

/** Followed if they appear in any one of several texts or pictures. */
export const ANYWHERE: ReadonlySet<string> = new Set<DirectionKind>(['mention', 'price'])

/** For the capabilities: what can be followed, with words that request it. */
export const DIRECTIONS = [
  { direction: 'greyscale', example: 'black and white' },
  { direction: 'background', example: 'darker background' },
  { direction: 'main_colour', example: 'main colour #1565c0' },
  { direction: 'text_colour', example: 'white text' },
  { direction: 'button_colour', example: 'red button' },
  { direction: 'logo_size', example: 'larger logo' },
  { direction: 'logo_place', example: 'logo at the top right' },
  { direction: 'logo', example: 'without a logo' },
  { direction: 'text_size', example: 'smaller text' },
  { direction: 'headline_size', example: 'larger headline' },
  { direction: 'text_place', example: 'text on the left' },
  { direction: 'photo_place', example: 'photo on the right' },
  { direction: 'photo', example: 'no photo' },
  { direction: 'letter_case', example: 'headline in capitals' },
  { direction: 'price', example: 'show the price' },
  { direction: 'avoid', example: 'do not use the word "cheap"' },
  { direction: 'emoji', example: 'no emojis' },
  { direction: 'exclamation_marks', example: 'no exclamation marks' },
  { direction: 'text_length', example: 'headline only' },
  { direction: 'button', example: 'without a button' },
  { direction: 'button_words', example: 'button: "Book now"' },
  { direction: 'button_language', example: 'button in French' },
  { direction: 'tone', example: 'playful tone' },
] as const satisfies readonly { direction: DirectionKind; example: string }[]
