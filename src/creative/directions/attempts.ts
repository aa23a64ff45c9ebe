// How a direction may be followed (spec 4.2): changes to the drawing, in the order in which they are tried. Which of
// them is used is decided by examining the result.

import type { AdInput, AdTexts, LayoutName } from '../layout-engine/ad-input.ts'
import { BLACK, type Colour, mix, readColour, WHITE } from '../layout-engine/colours.ts'
import type { Design } from '../layout-engine/design.ts'
import type { Wording } from '../layout-engine/wording.ts'
import { type Avoided, avoidedIn } from '../message/avoid.ts'
import { ownButton } from '../message/call-to-action.ts'
import type { AdPosition, Direction, Positive } from './direction.ts'

export interface Attempt {
  design?: Design
  wording?: Wording
  texts?: Partial<AdTexts>
  layout?: LayoutName
  isWithoutPhoto?: boolean
}

/** What the attempts start from. */
export interface Start {
  input: AdInput
  /** The layout without the direction first, then the other available ones. */
  layouts: readonly LayoutName[]
  /** The background of the words without it. */
  ground: Colour | undefined
  /** The price of the offering in readable form. */
  price: string | undefined
}

/** Empty if it cannot be followed in any way. */
export function attemptsFor(direction: Direction, start: Start): readonly Attempt[] {
  switch (direction.kind) {
    case 'not':
      return [{}, ...others(direction.of, start)]
    case 'not_supported':
      return []
    case 'greyscale':
      return [{ design: { isGreyscale: true } }]
    case 'background':
      return inLayouts(
        groundsFor(direction.colour, start).map((background) => ({ background })),
        start,
        direction.colour === 'darker' || direction.colour === 'lighter',
      )
    case 'main_colour':
      return inLayouts([{ primary: direction.colour }], start)
    case 'text_colour':
      return inLayouts([{ text: direction.colour }], start)
    case 'button_colour':
      return inLayouts([{ button: direction.colour }], start)
    case 'logo_size':
      return scaled(direction.change, (logoScale) => ({ logoScale }), start)
    case 'headline_size':
      return scaled(direction.change, (headlineScale) => ({ headlineScale }), start)
    case 'text_size':
      return scaled(
        direction.change,
        (scale) => ({ headlineScale: scale, bodyScale: scale }),
        start,
      )
    case 'logo_place':
      return inLayouts(LOGO_PLACES[direction.place], start)
    case 'text_place':
      return inLayouts(textPlaces(direction.place), start)
    case 'photo_place':
      return inLayouts(textPlaces(OPPOSITE[direction.place]), start)
    default:
      return attemptsAtWords(direction, start)
  }
}

/** For directions about words, and about what is drawn at all, for which there is only one way each. */
function attemptsAtWords(
  direction: Positive,
  { input, layouts, price }: Start,
): readonly Attempt[] {
  switch (direction.kind) {
    case 'logo':
      return [direction.isWanted ? {} : { design: { hasNoLogo: true } }]
    case 'button':
      return [direction.isWanted ? {} : { design: { hasNoButton: true } }]
    case 'photo':
      return [direction.isWanted ? {} : { isWithoutPhoto: true }]
    case 'price':
      if (!direction.isWanted) return [{ wording: { avoided: topic('price') } }]
      return [{}, ...(price === undefined ? [] : [{ wording: { price } }])]
    case 'letter_case':
      return layouts.map((layout) => ({ layout, wording: { letterCase: direction.letters } }))
    case 'avoid':
      return [{ wording: { avoided: avoidedIn([direction.text]) } }]
    case 'emoji':
      return [{ wording: { avoided: topic('emoji') } }]
    case 'exclamation_marks':
      return [{ wording: { avoided: topic('exclamation') } }]
    case 'text_length':
      return [{ wording: { length: direction.length } }]
    case 'tone':
      return [{ wording: { tone: direction.tone } }]
    case 'button_words':
      return [{ texts: { call_to_action: direction.words } }]
    case 'button_language':
      return [{ texts: { call_to_action: buttonIn(direction.language, input) } }]
    default:
      return [{}]
  }
}

export function buttonIn(language: string, { offering, message }: AdInput): string {
  return ownButton(`${message ?? ''} ${offering?.name ?? ''}`, language)
}

function topic(name: Parameters<Avoided['topics']['has']>[0]): Avoided {
  return { topics: new Set([name]), terms: [], digits: [] }
}

/**
 * Whether words are on something other than the background of the canvas. A card may be on a background that is only
 * darker or lighter.
 */
function hasOwnGround(layout: LayoutName, isShade: boolean): boolean {
  return layout === 'bleed' || (layout === 'card' && !isShade)
}

/** Every design in the current layout, then in the others. */
function inLayouts(designs: readonly Design[], { layouts }: Start, isShade = false): Attempt[] {
  return layouts.flatMap((layout) =>
    designs
      .filter(({ background }) => background === undefined || !hasOwnGround(layout, isShade))
      .map((design) => ({ design, layout })),
  )
}

const SCALES = { larger: [1.5, 1.3, 1.18], smaller: [0.75, 0.66, 0.61] } as const

function scaled(
  change: 'larger' | 'smaller',
  designOf: (scale: number) => Design,
  start: Start,
): Attempt[] {
  return inLayouts(SCALES[change].map(designOf), start)
}

function groundsFor(colour: string, { ground }: Start): Colour[] {
  if (colour !== 'darker' && colour !== 'lighter') return [colour]
  if (ground === undefined) return []
  const to = colour === 'darker' ? BLACK : WHITE
  return [0.4, 0.6, 0.8].map((share) => mix(ground, to, share))
}

/** In a mirrored scene, `start` is on the right. */
const LOGO_PLACES: Readonly<Record<AdPosition, readonly Design[]>> = {
  left: [{}, { logoAlign: 'start' }, { logoAlign: 'end' }, { flip: 'across' }],
  right: [{}, { logoAlign: 'end' }, { logoAlign: 'start' }, { flip: 'across' }],
  top: [{}, { isLogoLow: false }, { flip: 'down' }],
  bottom: [{}, { isLogoLow: true }, { flip: 'down' }],
  centre: [{}, { logoAlign: 'middle' }],
}

const OPPOSITE: Readonly<Record<AdPosition, AdPosition>> = {
  left: 'right',
  right: 'left',
  top: 'bottom',
  bottom: 'top',
  centre: 'centre',
}

function textPlaces(place: AdPosition): readonly Design[] {
  switch (place) {
    case 'left':
    case 'right':
      return [{}, { flip: 'across' }, { side: place }]
    case 'top':
      return [{}, { at: 0 }, { flip: 'down' }, { side: place }]
    case 'bottom':
      return [{}, { at: 1 }, { flip: 'down' }, { side: place }]
    default:
      return [{}, { align: 'middle' }, { align: 'middle', at: 0.5 }]
  }
}

/** What to draw instead of something that must not be drawn. */
function others(direction: Positive, start: Start): readonly Attempt[] {
  switch (direction.kind) {
    case 'background':
      return inLayouts([{ background: WHITE }, { background: DARK }], start)
    case 'main_colour': {
      const { secondary, accent } = start.input.brand.colors ?? {}
      const known = [readColour(secondary), readColour(accent), DARK]
      const colours = known.filter((colour) => colour !== undefined)
      return colours.map((primary) => ({ design: { primary, ...without(direction.colour) } }))
    }
    case 'logo_place':
      return inLayouts(LOGO_PLACES[OPPOSITE[direction.place]], start)
    case 'text_place':
      return inLayouts(textPlaces(OPPOSITE[direction.place]), start)
    case 'photo_place':
      return inLayouts(textPlaces(direction.place), start)
    default:
      return []
  }
}

const DARK: Colour = '#1f2933'

function without(colour: Colour): Pick<Design, 'without'> {
  return { without: colour }
}
