// The in-feed mock-up of a native creative: texts placed by the names of their slots, around the image, as a reader
// would see them.

import { tryJsonObject } from '../../lib/try-json.ts'
import { MAX_TEXT_CHARS } from '../limits.ts'
import { markdownOf } from './markdown.ts'
import { markdownLine } from './markdown-line.ts'
import { type Markup, markup } from './markup.ts'
import { imageOf, playableOf, videoOf } from './media.ts'
import { type ManifestPart, wordsOf } from './parts.ts'
import { cutText, type PageStage, textOf } from './stage.ts'
import { wordsOfValue } from './words-of-value.ts'

/** The words in a slot's name that decide its role, in the order in which slots are assigned. */
const PLACES = {
  sponsor: /sponsor|advertiser|brand|publisher_name/,
  cta: /cta|call_to_action|button/,
  rating: /rating|stars/,
  price: /price|pricing_amount|budget_recommended/,
  currency: /currency/,
  pricing: /pricing_model/,
  badge: /badge|disclosure|disclaimer/,
  headline: /headline|title|name/,
  body: /body|description|text|summary|content/,
} as const satisfies Record<string, RegExp>

type Place = keyof typeof PLACES

export interface MockUpParts {
  texts: readonly ManifestPart[]
  images: readonly ManifestPart[]
  videos: readonly ManifestPart[]
}

export function mockUp({ texts, images, videos }: MockUpParts, stage: PageStage): Markup {
  const { placed, others } = place(texts)
  const say = (where: Place) => {
    const part = placed.get(where)
    return part && wordsIn(part, stage)
  }
  const icon = images.find(({ name }) => /icon|logo/.test(name))
  const [main, ...more] = images.filter((image) => image !== icon)
  const [video] = videos
  const bodyPart = placed.get('body')
  const [headline, body, price, rating, badge, cta] = [
    say('headline'),
    bodyPart && bodyOf(bodyPart, stage),
    priceOf(say),
    ratingOf(placed.get('rating'), stage),
    say('badge'),
    say('cta'),
  ]
  return markup`<div class="feed"><div class="top">${icon && imageOf(icon, stage, { className: 'icon' })}<div><div class="sponsor">${say('sponsor') ?? 'Sponsored'}</div><div class="ad">${badge ?? 'Advertisement'}</div></div></div>${
    video ? videoOf(playableOf(video, undefined), stage, main) : main && imageOf(main, stage)
  }<div class="body">${headline && markup`<h2>${headline}</h2>`}${body}<div class="row">${rating}${price && markup`<span class="price">${price}</span>`}${cta && markup`<span class="cta">${cta}</span>`}</div></div></div>${textList(others, stage)}${more.map(
    (image) => labelled(image, imageOf(image, stage)),
  )}`
}

/** The amount with its currency and billing unit. */
function priceOf(say: (where: Place) => Markup | undefined): Markup | undefined {
  const [amount, currency, pricing] = [say('price'), say('currency'), say('pricing')]
  if (!amount && !currency && !pricing) return undefined
  return markup`${amount}${currency && markup` ${currency}`}${pricing && markup` ${pricing}`}`
}

/** Texts one below the other, each with the name of its slot. */
export function textList(parts: readonly ManifestPart[], stage: PageStage): Markup | undefined {
  if (parts.length === 0) return undefined
  const lines = parts.map(
    ({ name, type, asset }) =>
      markup`<li><span class="label">${wordsOf(name)}</span>${type === 'markdown' ? markdownOf(asset.content ?? '', stage) : textOf(stage, readable(asset.content ?? ''))}</li>`,
  )
  return markup`<ul class="texts">${lines}</ul>`
}

/** JSON objects, such as the format of a format card, are displayed member by member. */
function readable(text: string): string {
  if (!/^\s*\{/.test(text) || text.length > MAX_TEXT_CHARS) return text
  const read = tryJsonObject(text)
  return read ? wordsOfValue(read) : text
}

export function labelled({ name }: ManifestPart, content: Markup): Markup {
  return markup`<figure>${content}<figcaption>${wordsOf(name)}</figcaption></figure>`
}

/** In one line, which has no blocks. */
function wordsIn({ type, asset }: ManifestPart, stage: PageStage): Markup {
  const text = asset.content ?? ''
  if (type !== 'markdown') return textOf(stage, text)
  return markdownLine(cutText(text), stage)
}

/** A text of some length, as paragraphs. */
export function bodyOf({ type, asset }: ManifestPart, stage: PageStage): Markup {
  const text = asset.content ?? ''
  return type === 'markdown' ? markdownOf(text, stage) : markup`<p>${textOf(stage, text)}</p>`
}

function place(texts: readonly ManifestPart[]): {
  placed: Map<Place, ManifestPart>
  others: ManifestPart[]
} {
  const placed = new Map<Place, ManifestPart>()
  const others: ManifestPart[] = []
  for (const part of texts) {
    const where = (Object.keys(PLACES) as Place[]).find(
      (one) => !placed.has(one) && PLACES[one].test(part.name),
    )
    if (where) placed.set(where, part)
    else others.push(part)
  }
  return { placed, others }
}

/** As stars if it is a number up to five, otherwise as written. */
function ratingOf(part: ManifestPart | undefined, stage: PageStage): Markup | undefined {
  if (!part) return undefined
  const text = part.asset.content ?? ''
  const number = Number.parseFloat(text)
  if (!(number >= 0 && number <= 5)) return textOf(stage, text)
  const full = Math.round(number)
  return markup`<span class="stars" title="${textOf(stage, text)}">${'★'.repeat(full)}${'☆'.repeat(5 - full)}</span>`
}
