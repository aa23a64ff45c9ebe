// The brand of a request, from the documents that describe it (spec 2.4, 4.2). The request itself takes precedence.
// Runs in the worker pool, since the documents come from third parties.

import { parseStrictJson } from '../../lib/strict-json.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { parseManifest } from '../../protocol/read-manifest.ts'
import type { BrandRef } from '../../protocol/schemas/common.ts'
import { type BrandContext, mergeBrands, NO_BRAND, readBrand } from './brand-context.ts'

export interface BrandDocuments {
  /** What the request itself contains about it. */
  described: BrandContext | undefined
  /** What its brand_manifest led to. */
  manifest: Uint8Array | undefined
  /** The brand by its domain, and its brand.json; undefined when it cannot be fetched. */
  brand: BrandRef | undefined
  published: Uint8Array | undefined
  /** Whether a missing brand is an error if the request refers to one. Default false. */
  isRequired?: boolean
}

export interface ReadBrand {
  brand: BrandContext
  /** What was shortened or left out. */
  notes: string[]
}

/** Throws a ProtocolError for a document that cannot be used. */
export function readBrands({
  described,
  manifest,
  brand,
  published,
  isRequired = false,
}: BrandDocuments): ReadBrand {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const own = described ?? (manifest ? readManifest(manifest, note) : undefined)
  if (!brand) return { brand: own ?? NO_BRAND, notes }
  const parsed = published && parseManifest(published)
  const found = readBrand(parsed?.ok ? parsed.value : undefined, { brandId: brand.brand_id, note })
  if (!found && !own) {
    if (isRequired) throw unknownBrand(brand)
    note(`${noBrand(brand)}: the name was taken from the domain, and the colours are neutral`)
  }
  const named = found || own ? {} : { name: nameOf(brand.domain) }
  const home = { ...NO_BRAND, ...named, url: `https://${brand.domain}` }
  const both = mergeBrands(own ?? NO_BRAND, found ?? NO_BRAND)
  return { brand: mergeBrands(both, home), notes }
}

function readManifest(bytes: Uint8Array, note: (text: string) => void): BrandContext {
  const json = parseStrictJson(Buffer.from(bytes))
  const brand = json.ok ? readBrand(json.value, { note }) : undefined
  if (brand) return brand
  throw inaccessibleBrand('it is not a JSON brand manifest')
}

export function inaccessibleBrand(reason: string): ProtocolError {
  const message = `the brand_manifest cannot be read: ${reason}`
  return new ProtocolError('CREATIVE_INACCESSIBLE', message, {
    suggestion: 'Send the brand manifest as an object, or as a public https URL.',
  })
}

function unknownBrand(brand: BrandRef): ProtocolError {
  const message = `${noBrand(brand)}: publish one, or describe the brand in brand_manifest`
  return new ProtocolError('REFERENCE_NOT_FOUND', message, { field: '/brand' })
}

function noBrand({ domain, brand_id }: BrandRef): string {
  const which = brand_id === undefined ? '' : ` with the brand ${brand_id}`
  return `no brand.json${which} was found for ${domain}`
}

/** `acme-outdoor.example` becomes Acme Outdoor. */
function nameOf(domain: string): string {
  const [label = domain] = domain.replace(/^www\./, '').split('.')
  return label
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}
