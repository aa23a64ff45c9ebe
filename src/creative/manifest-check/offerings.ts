// What a creative is generated from or lists (spec 2.4): the brand, what it offers, and catalogues of
// products. One slot accepts the shapes of both generations.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { checkAddress } from './address.ts'
import type { Faults } from './fault.ts'

type Members = Readonly<Record<string, unknown>>

/** `isBrandKnown`: whether the manifest or the request names the brand elsewhere. */
export function checkPromotedOfferings(
  asset: Members,
  { isBrandKnown }: { isBrandKnown: boolean },
  faults: Faults,
): void {
  const { brand_manifest: brand } = asset
  if (brand === undefined) {
    if (isBrandKnown) return
    const message =
      'brand_manifest is required: an object with url or name, or the URL of a brand.json.'
    faults.at('brand_manifest').add('required', message)
    return
  }
  if (typeof brand === 'string') {
    checkAddress(brand, faults.at('brand_manifest'))
    return
  }
  if (!isObject(brand)) return
  const at = faults.at('brand_manifest')
  if (brand.url === undefined && brand.name === undefined) {
    at.add('anyOf', 'url or name of the brand is required.')
  }
  checkAddress(brand.url, at.at('url'))
  for (const [index, logo] of listOf(brand.logos).entries()) {
    if (isObject(logo)) checkAddress(logo.url, at.at('logos', index, 'url'), { mayBeData: true })
  }
}

/** Members in which a catalogue may list its entries. */
const ENTRY_LISTS = ['items', 'offerings', 'inline_offerings'] as const
/** The members that refer to a catalogue elsewhere. */
const REFERENCES = ['catalog_id', 'url', 'feed_url', 'product_selectors'] as const

export function checkCatalog(
  asset: Members,
  requirements: AssetRequirements,
  faults: Faults,
): void {
  const lists = ENTRY_LISTS.filter((member) => asset[member] !== undefined)
  const isOutOfDomain = REFERENCES.some((member) => asset[member] !== undefined)
  if (lists.length === 0 && !isOutOfDomain) {
    const message = 'items, offerings or catalog_id is required.'
    faults.add('anyOf', message)
    return
  }
  checkAddress(asset.url, faults.at('url'))
  checkAddress(asset.feed_url, faults.at('feed_url'))
  const needed = listOf((requirements as Members).required_fields).map(String)
  for (const member of lists) {
    for (const [index, entry] of listOf(asset[member]).entries()) {
      checkEntry(entry, needed, faults.at(member, index))
    }
  }
}

function checkEntry(entry: unknown, needed: readonly string[], faults: Faults): void {
  if (!isObject(entry)) {
    faults.add('type', `This must be an object with ${needed.join(', ') || 'members'}.`)
    return
  }
  for (const field of needed) {
    if (isGiven(entry[field])) continue
    faults.at(field).add('required_fields', `Each entry of the catalogue needs ${field}.`)
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
