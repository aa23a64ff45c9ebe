// What a creative should be generated from (spec 2.4): the prompt, the brief, the brand and its offerings, for
// formats whose creative does not exist yet.

import { isObject } from '../../protocol/schemas/checks.ts'
import { photosOf } from '../brand/brand-context.ts'
import { priceWords } from '../brand/offering-price.ts'
import { readColour } from '../layout-engine/colours.ts'
import { MAX_SHOWN_ITEMS } from '../limits.ts'
import { EMPTY_MARKUP, type Markup, markup } from './markup.ts'
import { imageOf } from './media.ts'
import { type ManifestPart, wordsOf } from './parts.ts'
import { addressOf, note, type PageStage, textOf } from './stage.ts'
import { wordsOfValue } from './words-of-value.ts'

export const BRIEF_TYPES: ReadonlySet<string> = new Set(['brief', 'catalog', 'promoted_offerings'])

export function briefOf(part: ManifestPart, stage: PageStage, itemLimit: number): Markup {
  const { asset, type, name } = part
  if (type === 'brief') {
    const members = ['objective', 'tone', 'audience', 'territory', 'messaging', 'compliance']
    const title = String(asset.name ?? wordsOf(name))
    return card(stage, { title, rows: rowsOf(asset, members, stage) })
  }
  const brand = isObject(asset.brand_manifest) ? asset.brand_manifest : undefined
  const address = typeof asset.brand_manifest === 'string' ? asset.brand_manifest : undefined
  const title = brand?.name ?? address ?? asset.name ?? wordsOf(name)
  const rows = [
    ...rowsOf(brand ?? {}, ['tagline', 'tone', 'industry', 'target_audience', 'url'], stage),
    ...coloursOf(brand?.colors).slice(0, MAX_SHOWN_ITEMS),
    ...rowsOf(asset, ['catalog_id', 'product_selectors', 'asset_selectors'], stage),
    ...offeringsOf(asset, stage, itemLimit),
  ]
  return card(stage, { title: String(title), rows, logo: logoOf(brand?.logos, stage) })
}

interface CardContent {
  title: string
  rows: readonly Markup[]
  logo?: Markup
}

function card(stage: PageStage, { title, rows, logo = EMPTY_MARKUP }: CardContent): Markup {
  return markup`<div class="brief">${logo}<h2>${textOf(stage, title)}</h2><dl>${rows}</dl></div>`
}

function rowsOf(from: object, members: readonly string[], stage: PageStage): Markup[] {
  return Object.entries(from)
    .filter(([member, value]) => members.includes(member) && value !== undefined)
    .map(([member, value]) => row(wordsOf(member), spoken(value, stage)))
}

function row(label: string, value: Markup | string): Markup {
  return markup`<dt>${label}</dt><dd>${value}</dd>`
}

function spoken(value: unknown, stage: PageStage): Markup {
  return textOf(stage, wordsOfValue(value))
}

/** Drawn, because the policy of the page would refuse a style that is specific to it. */
function coloursOf(colours: unknown): Markup[] {
  if (!isObject(colours)) return []
  return Object.entries(colours).flatMap(([name, value]) => {
    const colour = readColour(value)
    if (colour === undefined || typeof value !== 'string') return []
    const swatch = markup`<svg class="swatch" width="16" height="16" aria-hidden="true"><rect width="16" height="16" fill="${colour}"/></svg>`
    return [row(wordsOf(name), markup`${swatch}${value}`)]
  })
}

function offeringsOf(asset: ManifestPart['asset'], stage: PageStage, limit: number): Markup[] {
  const lists = [asset.inline_offerings, asset.offerings, asset.items]
  const offerings = lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter(isObject)
  if (offerings.length > limit) note(stage, `${limit} of ${offerings.length} items are displayed.`)
  return offerings.slice(0, limit).map((offering, index) => {
    const { description, tagline } = offering
    const name = offering.name ?? offering.title ?? offering.item_id ?? `Item ${index + 1}`
    const words = [name, tagline, description, priceWords(offering)]
      .filter((one) => typeof one === 'string' || typeof one === 'number')
      .join('\n')
    const kind = asset.type === 'product' ? 'Product' : 'Offering'
    return row(
      `${kind} ${index + 1}`,
      markup`${pictureOf(offering, String(name), stage)}${textOf(stage, words)}`,
    )
  })
}

function pictureOf(offering: Record<string, unknown>, name: string, stage: PageStage): Markup {
  const [url] = photosOf(offering) ?? []
  if (url === undefined) return EMPTY_MARKUP
  const part = { name, type: 'image' as const, slotRole: undefined, isGrouped: false }
  const asset = { url: addressOf(stage, url), alt_text: name }
  return imageOf({ ...part, asset }, stage, { className: 'thumb' })
}

function logoOf(logos: unknown, stage: PageStage): Markup {
  const [logo] = Array.isArray(logos) ? logos.filter(isObject) : []
  if (!logo || typeof logo.url !== 'string') return EMPTY_MARKUP
  const asset = { url: addressOf(stage, logo.url), width: 120 }
  return imageOf(
    { name: 'logo', type: 'image', asset, slotRole: undefined, isGrouped: false },
    stage,
  )
}
