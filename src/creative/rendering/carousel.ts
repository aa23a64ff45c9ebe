// Repeatable groups: their items side by side in a strip that scrolls, in the order of the manifest.

import type { Asset } from '../../protocol/schemas/assets.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { MAX_SHOWN_ITEMS } from '../limits.ts'
import { type Markup, markup } from './markup.ts'
import { imageOf, playableOf, videoOf } from './media.ts'
import { textList } from './mock-up.ts'
import { type Part, wordsOf } from './parts.ts'
import { addDetail, note, type Stage, textOf } from './stage.ts'

/** The items of one group, or cards that came alone. Texts are listed instead. */
export function carousel(items: readonly Part[], stage: Stage, limit = MAX_SHOWN_ITEMS): Markup {
  const shown = items.slice(0, Math.min(limit, MAX_SHOWN_ITEMS))
  if (items.length > shown.length) {
    note(stage, `${shown.length} of ${items.length} items are shown.`)
  }
  const isText = ({ type }: Part) => type === 'text' || type === 'markdown'
  const texts = shown.filter(isText)
  const others = shown.filter((item) => !isText(item))
  const strip = others.map((item, index) => itemOf(item, stage, `${index + 1}/${others.length}`))
  return markup`${strip.length > 0 && markup`<div class="strip">${strip}</div>`}${textList(texts, stage)}`
}

function itemOf(item: Part, stage: Stage, place: string): Markup {
  if (item.type === 'card') return cardOf(item, stage, place)
  const content =
    item.type === 'video' ? videoOf(playableOf(item, undefined), stage) : imageOf(item, stage)
  return markup`<figure>${content}<figcaption>${wordsOf(item.name)} ${place}</figcaption></figure>`
}

function cardOf({ name, asset }: Part, stage: Stage, place: string): Markup {
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

function mediaOf(media: unknown, name: string, stage: Stage): Markup | undefined {
  if (!isObject(media) || typeof media.url !== 'string') return undefined
  const asset = media as Asset
  const part = { name, asset, slotRole: undefined, isGrouped: true }
  return asset.asset_type === 'video'
    ? videoOf(playableOf({ ...part, type: 'video' }, undefined), stage)
    : imageOf({ ...part, type: 'image' }, stage)
}
