// What was actually drawn, for comparison with a direction (spec 4.2): boxes, colours and words of a scene.

import type { AdSetting, AdTexts } from '../layout-engine/ad-input.ts'
import { type Colour, contrast } from '../layout-engine/colours.ts'
import type { ComposedAd } from '../layout-engine/compose.ts'
import { type Part, type Rect, type SceneRole, saidIn } from '../layout-engine/scene.ts'
import { touch } from '../layout-engine/shapes.ts'

export interface DrawnState {
  /** As they can be read. */
  texts: AdTexts
  /** Undefined if only words were written. */
  ad?: ComposedAd
}

/** An outdoor screen has an address in place of the button, and its text cannot be chosen. */
export function drawnIn(ad: ComposedAd, setting: AdSetting | undefined): DrawnState {
  const read = (role: SceneRole) => saidIn(ad.parts, role)
  return {
    texts: {
      headline: read('headline'),
      description: read('description'),
      call_to_action: setting === 'screen' ? '' : read('call_to_action'),
    },
    ad,
  }
}

export function partOf({ parts }: Pick<ComposedAd, 'parts'>, role: SceneRole): Part | undefined {
  return parts.find((part) => part.role === role)
}

/** Pixels of the logo itself, without its plate. */
export function logoArea(ad: ComposedAd): number {
  const image = partOf(ad, 'brand')?.shapes.find((shape) => shape.includes('<image'))
  const [, width, height] = SIZE.exec(image?.slice(image.indexOf('<image')) ?? '') ?? []
  return Number(width ?? 0) * Number(height ?? 0)
}

const SIZE = / width="([\d.]{1,12})" height="([\d.]{1,12})"/

/** Pixels of the type. */
export function textSizeOf(ad: ComposedAd, role: SceneRole): number {
  const part = partOf(ad, role) ?? (role === 'description' ? partOf(ad, 'offer') : undefined)
  return part?.texts.at(-1)?.set.size ?? 0
}

/** What the words are on, or the mark of the brand if there are no words. */
export function groundUnder(ad: ComposedAd): Colour | undefined {
  const [text] = partOf(ad, 'headline')?.texts ?? []
  // A card lies on the background.
  if (ad.layout === 'card') return ad.colours.primary
  return text ? text.ground : ad.parts.length > 0 ? ad.colours.primary : undefined
}

/** Every colour that is drawn, except in pictures. */
export function coloursIn({ scene }: ComposedAd): ReadonlySet<Colour> {
  const { shapes, under = [], parts, photo, products = [] } = scene
  const markup = [...shapes, ...under, ...parts.flatMap((part) => part.shapes)]
    .map((shape) => shape.replace(/href="data:[^"]*"/g, ''))
    .join('')
  const fills = parts.flatMap(({ texts }) => texts.map(({ fill }) => fill))
  const backdrops = [photo, ...products].flatMap((one) => one?.backdrop ?? [])
  return new Set([...(markup.match(/#[0-9a-f]{6}\b/g) ?? []), ...fills, ...backdrops])
}

/** The headline with its description. */
export function wordsBox(ad: ComposedAd): Rect | undefined {
  const boxes = (['headline', 'offer', 'description'] as const).flatMap(
    (role) => partOf(ad, role)?.box ?? [],
  )
  if (boxes.length === 0) return undefined
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** Whether the change cost more than was requested: words, readability, or room. */
export function isWorse(ad: ComposedAd, before: ComposedAd): boolean {
  return losesWords(ad, before) || isHarderToRead(ad, before) || isCrowded(ad) || isTiny(ad, before)
}

function losesWords(ad: ComposedAd, before: ComposedAd): boolean {
  return ad.shortened.some((role) => {
    if (!before.shortened.includes(role)) return true
    const [now, then] = [ad, before].map((one) => saidIn(one.parts, role))
    return wordsWanted(ad, role) === wordsWanted(before, role) && now!.length < then!.length
  })
}

function wordsWanted({ texts }: ComposedAd, role: SceneRole): string {
  if (role === 'headline') return texts.headline
  if (role === 'description') return texts.description
  return role === 'call_to_action' ? texts.call_to_action : ''
}

/** Pixels: smaller type is not read. */
const LEAST_SIZE = 6
/** Contrast of small text on its background (WCAG 1.4.3), with a margin for rounding. */
const LEAST_CONTRAST = 4.4

function isHarderToRead(ad: ComposedAd, before: ComposedAd): boolean {
  const worst = ({ parts }: ComposedAd) =>
    Math.min(
      21,
      ...parts.flatMap(({ texts }) => texts.map((one) => contrast(one.fill, one.ground))),
    )
  const smallest = ({ parts }: ComposedAd) =>
    Math.min(Infinity, ...parts.flatMap(({ texts }) => texts.map(({ set }) => set.size)))
  return (
    worst(ad) < Math.min(LEAST_CONTRAST, worst(before)) ||
    smallest(ad) < Math.min(LEAST_SIZE, smallest(before))
  )
}

/** Relative to the previous size of the headline, unless smaller type was requested. */
const LEAST_KEPT = 0.6

function isTiny(ad: ComposedAd, before: ComposedAd): boolean {
  // An offer that was not there before is larger than the headline.
  if (partOf(ad, 'offer') && !partOf(before, 'offer')) return false
  return textSizeOf(ad, 'headline') < textSizeOf(before, 'headline') * LEAST_KEPT
}

const HAIR = 0.5

function isCrowded({ parts, width, height }: ComposedAd): boolean {
  const isOut = ({ box }: Part) =>
    box.x < -HAIR ||
    box.y < -HAIR ||
    box.x + box.width > width + HAIR ||
    box.y + box.height > height + HAIR
  const boxes = parts.map(({ box }) => box)
  return (
    parts.some(isOut) ||
    boxes.some((box, index) => boxes.slice(index + 1).some((other) => touch(box, other, -HAIR)))
  )
}
