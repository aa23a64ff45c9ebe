// Whether a direction is visible in what was drawn (spec 4.2): the request must show as a property of the scene, or
// as a difference from the scene without the direction. The intention is not considered.

import { type Colour, contrast, isAlike, luminance } from '../layout-engine/colours.ts'
import type { Rect } from '../layout-engine/scene.ts'
import { isLoud } from '../layout-engine/worded.ts'
import { avoidedIn } from '../message/avoid.ts'
import { folded } from '../message/phrases.ts'
import { hasPrice, priceValuesIn } from '../message/price-values.ts'
import { isAvoidedIn } from '../message/unsaid.ts'
import type { AdPosition, Change, Direction, Positive } from './direction.ts'
import {
  coloursIn,
  type DrawnState,
  groundUnder,
  logoArea,
  partOf,
  textSizeOf,
  wordsBox,
} from './drawn.ts'

interface ComparedStates {
  returned: DrawnState
  /** The same without the direction. */
  before: DrawnState
}

/** `buttonWords`: those that a direction about a language requests. */
export function isDrawn(direction: Direction, compared: ComparedStates, buttonWords = ''): boolean {
  switch (direction.kind) {
    case 'not_supported':
      return false
    case 'not':
      return !isSeen(direction.of, compared, { buttonWords, isLoose: true })
    default:
      return isSeen(direction, compared, { buttonWords, isLoose: false })
  }
}

interface Look {
  buttonWords: string
  /** Whether a colour that only has the same name counts. */
  isLoose: boolean
}

function isSeen(direction: Positive, compared: ComparedStates, look: Look): boolean {
  return isInWords(direction, compared, look) ?? isInPicture(direction, compared, look)
}

/** Undefined if the words alone cannot decide it. */
function isInWords(
  direction: Positive,
  { returned, before }: ComparedStates,
  { buttonWords }: Look,
): boolean | undefined {
  const { headline, description, call_to_action } = returned.texts
  const texts = [headline, description, call_to_action]
  const all = texts.join(' ')
  switch (direction.kind) {
    case 'letter_case':
      return isInCase(direction.letters, texts, headline)
    case 'price':
      return hasPrice(all, priceValuesIn(Object.values(before.texts))) === direction.isWanted
    case 'avoid': {
      const avoided = avoidedIn([direction.text])
      return !texts.some((text) => isAvoidedIn(text, avoided))
    }
    case 'emoji':
      return !/\p{Emoji_Presentation}|\ufe0f/u.test(all)
    case 'exclamation_marks':
      return !/[!¡！]/.test(all)
    case 'text_length': {
      if (direction.length === 'headline_only') return description === ''
      const was = Object.values(before.texts).join(' ')
      return all.length < was.length
    }
    case 'button_words':
      return call_to_action === direction.words
    case 'button_language':
      return call_to_action !== '' && call_to_action === buttonWords
    case 'tone':
      return returned.ad?.svg !== before.ad?.svg || all !== Object.values(before.texts).join(' ')
    case 'mention':
      return plain(all).includes(plain(direction.words))
    case 'advertisement':
      return true
    default:
      return undefined
  }
}

function plain(text: string): string {
  return folded(text)
    .words.map(({ word }) => word)
    .join(' ')
}

function isInCase(letters: string, texts: readonly string[], headline: string): boolean {
  if (letters === 'no_capitals') return !texts.some(isLoud)
  if (!/\p{Lu}|\p{Ll}/u.test(headline)) return false
  const set = (text: string) => (letters === 'capitals' ? text.toUpperCase() : text.toLowerCase())
  return texts.every((text) => text === set(text))
}

function isInPicture(
  direction: Positive,
  { returned: { ad, texts }, before }: ComparedStates,
  look: Look,
): boolean {
  const was = before.ad
  if (!ad || !was) return false
  const textSizes = (role: 'headline' | 'description') => ({
    now: textSizeOf(ad, role),
    before: textSizeOf(was, role),
  })
  const near = (one: Colour | undefined, other: Colour) =>
    one !== undefined && (look.isLoose ? isAlike(one, other) : one === other)
  switch (direction.kind) {
    case 'greyscale':
      return (
        [...coloursIn(ad)].every(isGrey) && (!hasPictures(ad.svg) || ad.scene.isGreyscale === true)
      )
    case 'background':
      return isGround(direction.colour, { now: groundUnder(ad), before: groundUnder(was) }, near)
    case 'main_colour': {
      const colours = [...coloursIn(ad)]
      const isThere = colours.some((colour) => near(colour, direction.colour))
      return look.isLoose ? isThere : isThere && ad.colours.primary === direction.colour
    }
    case 'text_colour':
      return near(partOf(ad, 'headline')?.texts[0]?.fill, direction.colour)
    case 'button_colour':
      return near(
        hasButton(ad) ? partOf(ad, 'call_to_action')?.texts[0]?.ground : undefined,
        direction.colour,
      )
    case 'logo_size':
      return isChanged(direction.change, { now: logoArea(ad), before: logoArea(was) }, 1.2)
    case 'headline_size':
      return isChanged(direction.change, textSizes('headline'), 1.04)
    case 'text_size': {
      const role = texts.description === '' ? 'headline' : 'description'
      const isSecond = isChanged(direction.change, textSizes(role), 1.04)
      const { now, before: then } = textSizes('headline')
      return isSecond && (direction.change === 'larger' ? now >= then * 0.99 : now <= then * 1.01)
    }
    case 'logo_place':
      return isAt(direction.place, partOf(ad, 'brand')?.box, ad)
    case 'text_place':
      return isTextAt(direction.place, { texts, ad })
    case 'photo_place': {
      const box = ad.scene.photo?.box
      const isWhole = box && box.width >= ad.width && box.height >= ad.height
      return !isWhole && isAt(direction.place, box, ad)
    }
    case 'logo':
      return direction.isWanted ? logoArea(ad) > 0 : partOf(ad, 'brand') === undefined
    case 'photo':
      return (ad.scene.photo !== undefined) === direction.isWanted
    case 'button':
      return hasButton(ad) === direction.isWanted
    default:
      return false
  }
}

function hasPictures(svg: string): boolean {
  return svg.includes('<image')
}

function isGrey(colour: Colour): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => colour.slice(at, at + 2))
  return red === green && green === blue
}

/** On an outdoor screen an address replaces it. */
function hasButton(ad: {
  parts: readonly {
    role: string
    texts: readonly { ground: Colour }[]
    shapes: readonly string[]
  }[]
}): boolean {
  const part = ad.parts.find(({ role }) => role === 'call_to_action')
  const [text] = part?.texts ?? []
  return (
    text !== undefined &&
    (part?.shapes.some((shape) => shape.includes(`fill="${text.ground}"`)) ?? false)
  )
}

function isGround(
  wanted: string,
  { now: ground, before: was }: { now: Colour | undefined; before: Colour | undefined },
  near: (one: Colour | undefined, other: Colour) => boolean,
): boolean {
  if (ground === undefined) return false
  if (wanted !== 'darker' && wanted !== 'lighter') return near(ground, wanted)
  if (was === undefined || contrast(ground, was) < LEAST_STEP) return false
  return luminance(ground) < luminance(was) === (wanted === 'darker')
}

/** Between two backgrounds, so that one is visibly darker. */
export const LEAST_STEP = 1.15

function isChanged(
  change: Change,
  { now, before }: { now: number; before: number },
  least: number,
): boolean {
  if (now === 0 || before === 0) return false
  return change === 'larger' ? now >= before * least : now <= before / least
}

interface Canvas {
  width: number
  height: number
}

/** Whether the middle of the box is in that part of the canvas. */
function isAt(place: AdPosition, box: Rect | undefined, { width, height }: Canvas): boolean {
  if (!box) return false
  const [x, y] = [(box.x + box.width / 2) / width, (box.y + box.height / 2) / height]
  switch (place) {
    case 'left':
      return x < 0.45
    case 'right':
      return x > 0.55
    case 'top':
      return y < 0.45
    case 'bottom':
      return y > 0.55
    case 'centre':
      return Math.abs(x - 0.5) < 0.06
  }
}

/** Long lines that begin at the left edge count as being on the left. */
function isTextAt(place: AdPosition, { ad }: Required<DrawnState>): boolean {
  const box = wordsBox(ad)
  if (!box) return false
  const align = partOf(ad, 'headline')?.texts[0]?.align
  if (place === 'centre') return align === 'middle' && isAt(place, box, ad)
  const photo = ad.scene.photo?.box
  const isBeside = photo && photo.width < ad.width && photo.height >= ad.height * 0.6
  if (place === 'left' && !isBeside && align === 'start') return box.x < ad.width * 0.2
  return isAt(place, box, ad)
}
