// What the concepts of an instruction mean for an advertisement: things, qualities of things, and words that negate
// the meaning. The concept names are those of data/concepts.

import type { Colour } from '../layout-engine/colours.ts'
import type { Language } from '../message/language.ts'
import type { Tone } from '../message/tone.ts'
import type { AdPosition, Change, Shade } from './direction.ts'

/** A thing in an advertisement. other: a thing that no direction is about. */
export type Thing =
  | 'logo'
  | 'background'
  | 'photo'
  | 'text'
  | 'headline'
  | 'body'
  | 'button'
  | 'price'
  | 'emoji'
  | 'exclamation_marks'
  | 'colour'
  | 'everything'
  | 'other'

export type Quality =
  | { of: 'size'; change: Change }
  | { of: 'shade'; shade: Shade }
  | { of: 'colour'; colour: Colour | 'brand' }
  | { of: 'place'; place: AdPosition }
  | { of: 'letters'; letters: 'capitals' | 'lowercase' }
  | { of: 'language'; language: Language }
  | { of: 'length' }

const THINGS_BY_NAME: Readonly<Record<Thing, string>> = {
  logo: 'logo',
  background: 'background',
  photo: 'photo',
  text: 'text font sentence',
  headline: 'headline',
  body: 'subline paragraph',
  button: 'button',
  price: 'price',
  emoji: 'emoji',
  exclamation_marks: 'exclamation-mark',
  colour: 'colour',
  everything: 'everything',
  other:
    'illustration icon border shadow gradient layout space line carousel video animation sound qr-code contrast pixel ' +
    'resolution phone-number address date website full-stop question-mark bold italic letter slogan small-print ' +
    'people template list pastel colourful rotate crop align bolder busy readable modern minimal vintage young ' +
    'cleaner simpler warmer cooler professional serious formal casual clear natural',
}

export const THINGS: ReadonlyMap<string, Thing> = new Map(
  Object.entries(THINGS_BY_NAME).flatMap(([thing, names]) =>
    names.split(' ').map((name) => [name, thing as Thing] as const),
  ),
)

/** Things that only a few words refer to: they are ignored next to another thing. */
export const WEAK_THINGS: ReadonlySet<Thing> = new Set(['colour', 'everything'])

const COLOURS: Readonly<Record<string, Colour>> = {
  red: '#d32f2f',
  blue: '#1565c0',
  green: '#2e7d32',
  yellow: '#fdd835',
  orange: '#ef6c00',
  purple: '#6a1b9a',
  pink: '#ec407a',
  black: '#000000',
  white: '#ffffff',
  grey: '#9e9e9e',
  brown: '#6d4c41',
  gold: '#c9a227',
  silver: '#c0c0c0',
  beige: '#f5f0e1',
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  English: 'en',
  French: 'fr',
  German: 'de',
  Spanish: 'es',
  Italian: 'it',
  Japanese: 'ja',
  Chinese: 'zh-Hans',
  Arabic: 'ar',
}

const PLACES: Readonly<Record<string, AdPosition>> = {
  left: 'left',
  right: 'right',
  top: 'top',
  bottom: 'bottom',
  centre: 'centre',
}

export const QUALITIES: ReadonlyMap<string, Quality> = new Map<string, Quality>([
  ['bigger', { of: 'size', change: 'larger' }],
  ['enlarge', { of: 'size', change: 'larger' }],
  ['smaller', { of: 'size', change: 'smaller' }],
  ['shrink', { of: 'size', change: 'smaller' }],
  ['darker', { of: 'shade', shade: 'darker' }],
  ['lighter', { of: 'shade', shade: 'lighter' }],
  ['brighter', { of: 'shade', shade: 'lighter' }],
  ['capitals', { of: 'letters', letters: 'capitals' }],
  ['lowercase', { of: 'letters', letters: 'lowercase' }],
  ['shorter', { of: 'length' }],
  ['shorten', { of: 'length' }],
  ...Object.entries(COLOURS).map(([name, colour]): [string, Quality] => [
    name,
    { of: 'colour', colour },
  ]),
  ...Object.entries(LANGUAGES).map(([name, language]): [string, Quality] => [
    name,
    { of: 'language', language },
  ]),
  ...Object.entries(PLACES).map(([name, place]): [string, Quality] => [
    name,
    { of: 'place', place },
  ]),
])

export const TONES: ReadonlyMap<string, Tone> = new Map<string, Tone>([
  ['playful', 'playful'],
  ['luxurious', 'premium'],
  ['elegant', 'premium'],
  ['friendly', 'friendly'],
  ['urgent', 'urgent'],
])

export const NEGATIONS: ReadonlySet<string> = new Set([
  'not',
  'do-not',
  'without',
  'avoid',
  'remove',
  'leave-out',
  'nothing',
  'hate',
])
/** They request what they refer to. */
export const WANTING: ReadonlySet<string> = new Set([
  'add',
  'show',
  'mention',
  'put',
  'use',
  'want',
  'need',
  'give',
  'must',
  'would-like',
  'write',
])
export const MAKING: ReadonlySet<string> = new Set([
  'make',
  'create',
  'write',
  'want',
  'need',
  'would-like',
  'give',
  'send',
])
export const ADVERTISEMENTS: ReadonlySet<string> = new Set([
  'ad',
  'banner',
  'poster',
  'post',
  'design',
  'draft',
  'campaign',
])
export const VARIANTS: ReadonlySet<string> = new Set(['version'])
export const FORMATS: ReadonlySet<string> = new Set([
  'format',
  'size',
  'square',
  'portrait-format',
  'landscape-format',
  'resize',
  'file',
])
