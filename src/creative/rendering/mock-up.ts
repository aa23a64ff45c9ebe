// The in-feed mock-up of a native creative: texts by what their slots are called, around the image, as
// a reader would meet them.

import { type Markup, markup } from './markup.ts'
import { imageOf, playableOf, videoOf } from './media.ts'
import { type Part, wordsOf } from './parts.ts'
import { type Stage, textOf } from './stage.ts'

/** Which words of a slot's name make it what, in the order in which slots are given away. */
const PLACES = {
  sponsor: /sponsor|advertiser|brand|publisher_name/,
  cta: /cta|call_to_action|button/,
  rating: /rating|stars/,
  price: /price|pricing_amount|budget_recommended/,
  badge: /badge|disclosure|disclaimer/,
  headline: /headline|title|name/,
  body: /body|description|text|summary|content/,
} as const satisfies Record<string, RegExp>

type Place = keyof typeof PLACES

export interface MockUpParts {
  texts: readonly Part[]
  images: readonly Part[]
  videos: readonly Part[]
}

export function mockUp({ texts, images, videos }: MockUpParts, stage: Stage): Markup {
  const { placed, others } = place(texts)
  const say = (where: Place) => {
    const part = placed.get(where)
    return part && textOf(stage, part.asset.content ?? '')
  }
  const icon = images.find(({ name }) => /icon|logo/.test(name))
  const [main, ...more] = images.filter((image) => image !== icon)
  const [video] = videos
  const [headline, body, price, rating, badge, cta] = [
    say('headline'),
    say('body'),
    say('price'),
    ratingOf(placed.get('rating'), stage),
    say('badge'),
    say('cta'),
  ]
  return markup`<div class="feed"><div class="top">${icon && imageOf(icon, stage, { className: 'icon' })}<div><div class="sponsor">${say('sponsor') ?? 'Sponsored'}</div><div class="ad">${badge ?? 'Advertisement'}</div></div></div>${
    video ? videoOf(playableOf(video, undefined), stage, main) : main && imageOf(main, stage)
  }<div class="body">${headline && markup`<h2>${headline}</h2>`}${body && markup`<p>${body}</p>`}<div class="row">${rating}${price && markup`<span class="price">${price}</span>`}${cta && markup`<span class="cta">${cta}</span>`}</div></div></div>${textList(others, stage)}${more.map(
    (image) => labelled(image, imageOf(image, stage)),
  )}`
}

/** Texts one below the other, each with the name of its slot. */
export function textList(parts: readonly Part[], stage: Stage): Markup | undefined {
  if (parts.length === 0) return undefined
  const lines = parts.map(
    ({ name, asset }) =>
      markup`<li><span class="label">${wordsOf(name)}</span>${textOf(stage, asset.content ?? '')}</li>`,
  )
  return markup`<ul class="texts">${lines}</ul>`
}

export function labelled({ name }: Part, content: Markup): Markup {
  return markup`<figure>${content}<figcaption>${wordsOf(name)}</figcaption></figure>`
}

function place(texts: readonly Part[]): { placed: Map<Place, Part>; others: Part[] } {
  const placed = new Map<Place, Part>()
  const others: Part[] = []
  for (const part of texts) {
    const where = (Object.keys(PLACES) as Place[]).find(
      (one) => !placed.has(one) && PLACES[one].test(part.name),
    )
    if (where) placed.set(where, part)
    else others.push(part)
  }
  return { placed, others }
}

/** As stars where it is a number up to five, otherwise as it was written. */
function ratingOf(part: Part | undefined, stage: Stage): Markup | undefined {
  if (!part) return undefined
  const text = part.asset.content ?? ''
  const number = Number.parseFloat(text)
  if (!(number >= 0 && number <= 5)) return textOf(stage, text)
  const full = Math.round(number)
  return markup`<span class="stars" title="${textOf(stage, text)}">${'★'.repeat(full)}${'☆'.repeat(5 - full)}</span>`
}
