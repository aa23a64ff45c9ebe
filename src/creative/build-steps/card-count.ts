// Whether a request has enough for the repetitions of a group, such as the cards of a carousel (spec 2.3, 4.2):
// no card is drawn twice to reach the minimum of the format. Pure.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { pointerTo } from '../../protocol/manifest-issues.ts'
import { eachAsset } from '../../protocol/schemas/assets.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import { type Build, ownAsset } from './own-asset.ts'
import { repetitionsOf } from './repetitions.ts'
import { type BuildSlot, slotsOf } from './slots.ts'

/** Throws VALIDATION_ERROR for a required group that the request has too few different items for. */
export function refuseFewCards(request: BuildCreativeRequest, build: Build): void {
  for (const parts of requiredGroups(build.format)) {
    const [first] = parts
    if (!first?.group || hasEnoughCards(parts, build)) continue
    throw tooFewCards(request, first, build)
  }
}

/** `parts` are the slots of one group. A group that needs one item can always be filled. */
export function hasEnoughCards(parts: readonly BuildSlot[], build: Build): boolean {
  const min = parts[0]?.group?.min ?? 1
  return min <= 1 || cardCount(parts, build) >= min
}

/** Each offering once: offerings whose cards look the same count as one card, wherever a click leads. */
export function distinctOfferings(offerings: readonly Offering[]): Offering[] {
  const seen = new Map<string, Offering>()
  for (const one of offerings) {
    const key = lookOf(one)
    if (!seen.has(key)) seen.set(key, one)
  }
  return [...seen.values()]
}

/** Everything except its number and its click URLs. */
function lookOf(offering: Offering): string {
  const look = Object.entries(offering).filter(([member]) => !UNSEEN.has(member))
  return canonicalJson(
    Object.fromEntries(
      look.map(([member, value]) => [member, typeof value === 'string' ? value.trim() : value]),
    ),
  )
}

const UNSEEN: ReadonlySet<string> = new Set([
  'id',
  'offering_id',
  'sku',
  'landing_url',
  'landing_page_url',
  'click_url',
  'url',
])

function requiredGroups(format: Format): BuildSlot[][] {
  const slots = slotsOf(format).filter(({ group }) => group)
  const names = new Set(slots.filter(({ isRequired }) => isRequired).map(({ name }) => name))
  return [...names].map((name) => slots.filter((slot) => slot.name === name))
}

/** Items of the request under the name of the group, else its offerings or its other assets of the right type. */
function cardCount(parts: readonly BuildSlot[], build: Build): number {
  const { assets, promoted } = build.material
  const own = repetitionsOf(assets, parts[0]?.name ?? '').length
  if (own > 0) return own
  return Math.max(promoted.offerings.length, ...parts.map((part) => assetCount(part, build)))
}

function assetCount(part: BuildSlot, build: Build): number {
  const max = part.group?.max ?? 1
  let count = 0
  while (count < max && ownAsset(part, build, count)) count++
  return count
}

function tooFewCards(request: BuildCreativeRequest, { name, group }: BuildSlot, build: Build) {
  const { format, material } = build
  const { min = 1, max = 1 } = group ?? {}
  const own = repetitionsOf(material.assets, name).length
  const given = own || material.promoted.offerings.length
  const range = min === max ? `${min}` : `${min} to ${max}`
  const what = `${own > 0 ? 'item' : 'different offering'}${given === 1 ? '' : 's'}`
  const message = `${format.format_id.id} needs at least ${min} items in ${name}, and the request has ${given} ${what}: give ${range} offerings, one for each, or ${range} items in creative_manifest.assets.${name}`
  const pointer =
    own > 0 ? pointerTo(['creative_manifest', 'assets', name]) : offeringsPointer(request)
  return new ProtocolError('VALIDATION_ERROR', message, {
    field: pointer,
    issues: [{ pointer, message, keyword: 'minItems' }],
  })
}

/** Where the request contains its offerings, else where it should. */
function offeringsPointer({ creative_manifest, promoted_offerings }: BuildCreativeRequest): string {
  const places = [
    ...eachAsset(creative_manifest?.assets ?? {}).map(({ name, asset }) => ({
      path: ['creative_manifest', 'assets', name],
      members: asset as object,
    })),
    { path: ['promoted_offerings'], members: promoted_offerings ?? {} },
  ]
  for (const { path, members } of places) {
    const list = ['inline_offerings', 'offerings'].find((one) => Object.hasOwn(members, one))
    if (list !== undefined) return pointerTo([...path, list])
  }
  return '/creative_manifest/assets/promoted_offerings'
}
