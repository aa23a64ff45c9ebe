// Repeatable groups: a carousel that scrolls from card to card without a script, in the order of the manifest. Each
// card shows its position; browsers that support it draw dots below.

import type { Asset } from '../../protocol/schemas/assets.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { MAX_SHOWN_ITEMS } from '../limits.ts'
import { type Markup, markup } from './markup.ts'
import { imageOf, playableOf, videoOf } from './media.ts'
import { bodyOf, textList } from './mock-up.ts'
import { type ManifestPart, wordsOf } from './parts.ts'
import { addDetail, note, type PageStage, textOf } from './stage.ts'

/**
 * The items of one group, or cards without a group. What belongs to one repetition of the group is one card: its
 * picture with its texts. Texts without a picture next to them are listed instead.
 */
export function carousel(
  items: readonly ManifestPart[],
  stage: PageStage,
  limit = MAX_SHOWN_ITEMS,
): Markup {
  if (items.every(isText)) return listOf(items, stage, limit)
  const slides = slidesOf(items)
  const returned = slides.slice(0, Math.min(limit, MAX_SHOWN_ITEMS))
  reportHidden(stage, returned.length, slides.length)
  const drawn = returned.map((slide, index) =>
    slideOf(slide, stage, `${index + 1}/${slides.length}`),
  )
  const label = `${wordsOf(items[0]?.name ?? '')}, ${returned.length} of ${slides.length}`
  // Users without a mouse scroll it with the arrow keys, so the scrolling element must be focusable.
  return markup`<div class="strip" role="region" aria-roledescription="carousel" aria-label="${label}" tabindex="0">${drawn}</div>`
}

function listOf(items: readonly ManifestPart[], stage: PageStage, limit: number): Markup {
  const returned = items.slice(0, Math.min(limit, MAX_SHOWN_ITEMS))
  reportHidden(stage, returned.length, items.length)
  return markup`${textList(returned, stage)}`
}

function reportHidden(stage: PageStage, returned: number, all: number): void {
  if (all > returned) note(stage, `${returned} of ${all} items are displayed.`)
}

function isText({ type }: ManifestPart): boolean {
  return type === 'text' || type === 'markdown'
}

/** A new one begins when an item arrives that the previous one already has. */
function slidesOf(items: readonly ManifestPart[]): ManifestPart[][] {
  const slides: ManifestPart[][] = []
  let had = new Set<string>()
  for (const item of items) {
    const member = item.member ?? item.type
    if (slides.length === 0 || had.has(member)) {
      slides.push([])
      had = new Set()
    }
    had.add(member)
    slides.at(-1)?.push(item)
  }
  return slides
}

function slideOf(slide: readonly ManifestPart[], stage: PageStage, place: string): Markup {
  const [first, ...others] = slide
  if (first && others.length === 0) return itemOf(first, stage, place)
  const media = slide.filter((part) => !isText(part)).map((part) => mediaPart(part, stage))
  const [headline, ...more] = slide.filter(isText)
  const words = (part: ManifestPart) => textOf(stage, part.asset.content ?? '')
  return markup`<div class="feed">${media}<div class="body">${headline && markup`<h2>${words(headline)}</h2>`}${more.map((part) => bodyOf(part, stage))}<div class="row"><span class="ad">${place}</span></div></div></div>`
}

function mediaPart(part: ManifestPart, stage: PageStage): Markup {
  return part.type === 'video' ? videoOf(playableOf(part, undefined), stage) : imageOf(part, stage)
}

function itemOf(item: ManifestPart, stage: PageStage, place: string): Markup {
  if (item.type === 'card') return cardOf(item, stage, place)
  const content = isText(item) ? bodyOf(item, stage) : mediaPart(item, stage)
  return markup`<figure>${content}<figcaption>${wordsOf(item.name)} ${place}</figcaption></figure>`
}

function cardOf({ name, asset }: ManifestPart, stage: PageStage, place: string): Markup {
  const say = (member: string) => {
    const value = asset[member]
    return typeof value === 'string' ? textOf(stage, value) : undefined
  }
  const [headline, description, cta] = [say('headline'), say('description'), say('cta')]
  const landing = asset.landing_page_url
  const url = isObject(landing) ? landing.url : landing
  if (typeof url === 'string') addDetail(stage, `${wordsOf(name)} ${place}`, url)
  return markup`<div class="feed">${mediaOf(asset.media, name, stage)}<div class="body">${headline && markup`<h2>${headline}</h2>`}${description && markup`<p>${description}</p>`}<div class="row">${cta && markup`<span class="cta">${cta}</span>`}<span class="ad">${place}</span></div></div></div>`
}

function mediaOf(media: unknown, name: string, stage: PageStage): Markup | undefined {
  if (!isObject(media) || typeof media.url !== 'string') return undefined
  const asset = media as Asset
  const part = { name, asset, slotRole: undefined, isGrouped: true }
  return asset.asset_type === 'video'
    ? videoOf(playableOf({ ...part, type: 'video' }, undefined), stage)
    : imageOf({ ...part, type: 'image' }, stage)
}
