// Whether a manifest fits its format, with every error found at once (spec 2.4, 7.1): for tasks that build, preview,
// store or only check a creative. Nothing is fetched and nothing is run.

import { canonicalAgentUrl } from '../../protocol/agent-url.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format, IndividualSlot, RepeatableSlot } from '../../protocol/schemas/format.ts'
import { type FormatId, formatIdFault } from '../../protocol/schemas/format-id.ts'
import {
  isCard,
  isWords,
  misplacedCards,
  partsOfCard,
  rightShape,
  withCardsInPlace,
} from './cards.ts'
import { type AssetPlace, checkAsset } from './check-asset.ts'
import { collectFaults, type Faults, type ManifestFault } from './fault.ts'
import { isGroup, type ManifestSlot, memberFor, nameOf, valueIn } from './format-slots.ts'

export interface CheckOptions {
  /** The text of the request outside the manifest: it counts as `generation_prompt`. */
  message?: string | undefined
  /** Whether the request names the brand next to the manifest. Default false. */
  isBrandKnown?: boolean | undefined
  /**
   * Whether a format id means this format. Default: the same agent, name and parameters. A caller with the catalogue
   * also recognises an alias, and every name of this server.
   */
  isSameFormat?: ((formatId: FormatId) => boolean) | undefined
}

type Assets = Readonly<Record<string, unknown>>

/** Empty when it fits. Never throws, whatever the manifest holds. */
export function checkManifest(
  manifest: CreativeManifest,
  format: Format,
  options: CheckOptions = {},
): ManifestFault[] {
  const { faults, found } = collectFaults()
  checkAll(manifest, { ...options, format }, faults)
  return found()
}

/** What a manifest is checked against. */
interface Expected extends CheckOptions {
  format: Format
}

function checkAll(sent: unknown, expected: Expected, faults: Faults): void {
  if (!isObject(sent)) {
    faults.add('type', 'A manifest must be an object with format_id and assets.')
    return
  }
  const given = withCardsInPlace(sent as CreativeManifest, expected.format)
  checkFormatId(given.format_id, expected, faults.at('format_id'))
  const assets = given.assets ?? {}
  if (!isObject(assets)) {
    faults.at('assets').add('type', 'assets must be an object that maps slot names to assets.')
    return
  }
  const isBrandKnown = expected.isBrandKnown === true || isObject(given.brand)
  const known = { ...expected, isBrandKnown }
  checkSlots(assets, known, faults.at('assets'))
  checkNames(assets, known, faults.at('assets'))
}

function checkFormatId(
  formatId: unknown,
  { format, isSameFormat }: Expected,
  faults: Faults,
): void {
  // A manifest without one is assumed to be for the format it is checked against.
  if (formatId === undefined) return
  if (formatIdFault(formatId) !== undefined) {
    const message = 'Give format_id as an object with agent_url and id.'
    faults.add('format_id', message, { expected: format.format_id })
    return
  }
  const isSame = isSameFormat ?? ((id: FormatId) => areSame(id, format.format_id))
  if (isSame(formatId as FormatId)) return
  const message = `The manifest is for another format: this is ${format.format_id.id}.`
  faults.add('format_id', message, {
    expected: format.format_id,
    actual: formatId,
  })
}

function areSame(one: FormatId, other: FormatId): boolean {
  return (
    canonicalAgentUrl(one.agent_url) === canonicalAgentUrl(other.agent_url) &&
    one.id === other.id &&
    one.width === other.width &&
    one.height === other.height &&
    one.duration_ms === other.duration_ms
  )
}

type ExpectedSlots = Expected & { isBrandKnown: boolean }

function checkSlots(assets: Assets, expected: ExpectedSlots, faults: Faults): void {
  const { format, isBrandKnown, message } = expected
  for (const slot of format.assets) {
    const at = faults.at(nameOf(slot))
    const value = valueIn(assets, nameOf(slot))
    if (value === undefined)
      checkMissing(slot, { message, isBrandKnown, strays: strayNames(assets, format) }, at)
    else if (isGroup(slot)) checkGroup(value, { slot, format, isBrandKnown }, at)
    else checkIndividual(value, { slot, format, isBrandKnown }, at)
  }
}

/** Names that match no slot: if a slot is missing, they were probably meant for it. */
function strayNames(assets: Assets, format: Format): string[] {
  const slots = new Set(format.assets.map(nameOf))
  return Object.keys(assets).filter((name) => !slots.has(name) && ASSET_NAME.test(name))
}

const MAX_STRAYS = 5

interface MissingSlot extends Pick<ExpectedSlots, 'message' | 'isBrandKnown'> {
  strays: readonly string[]
}

function checkMissing(
  slot: ManifestSlot,
  { message, isBrandKnown, strays }: MissingSlot,
  faults: Faults,
): void {
  if (!slot.required) return
  if (isGroup(slot)) {
    const count = Math.max(slot.min_count, 1)
    const types = slot.assets.map(({ asset_type }) => asset_type).join(', ')
    const reported = `${slot.asset_group_id} is required: a list of at least ${count} (${types}). ${rightShape(slot)}`
    faults.add('required', reported, { expected: count, actual: 0 })
    return
  }
  if (slot.asset_id === 'generation_prompt' && message?.trim()) return
  if (slot.asset_id === 'promoted_offerings' && isBrandKnown) return
  const others = strays.slice(0, MAX_STRAYS).join(', ')
  const stray = others === '' ? '' : ` None of its slots: ${others}.`
  const reported = `${slot.asset_id} is required: an asset of type ${slot.asset_type}.${stray}`
  faults.add('required', reported, { expected: slot.asset_type })
}

interface SlotPlace<One extends ManifestSlot> extends Pick<AssetPlace, 'format' | 'isBrandKnown'> {
  slot: One
}

function checkIndividual(
  value: unknown,
  { slot, format, isBrandKnown }: SlotPlace<IndividualSlot>,
  faults: Faults,
): void {
  const { asset_type, requirements } = slot
  const place = { format, isBrandKnown, asset_type, requirements }
  if (!Array.isArray(value)) {
    checkAsset(value, place, faults)
    return
  }
  if (value.length === 1) {
    checkAsset(value[0], place, faults.at(0))
    return
  }
  const message = `The slot takes one asset of type ${asset_type}, not a list.`
  faults.add('type', message, { expected: 1, actual: value.length })
}

function checkGroup(value: unknown, place: SlotPlace<RepeatableSlot>, faults: Faults): void {
  const { slot, format, isBrandKnown } = place
  const isList = Array.isArray(value)
  const items: readonly unknown[] = isList ? value : [value]
  const counts = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const at = isList ? faults.at(index) : faults
    if (isCard(item)) {
      checkCard(item, { ...place, counts }, at)
      continue
    }
    const member = memberFor(item, slot)
    counts.set(member.asset_id, (counts.get(member.asset_id) ?? 0) + 1)
    const { asset_type, requirements } = member
    checkAsset(item, { format, isBrandKnown, asset_type, requirements }, at)
  }
  // Each member of the group appears once per repetition, so the most frequent one gives the number of repetitions.
  const count = Math.max(0, ...counts.values())
  if (!items.some(isCard)) checkParts(slot, { counts, count }, faults)
  const { min_count: least, max_count: most } = slot
  if (count < least) {
    const message = `The group must have at least ${least} items (got ${count}).`
    faults.add('min_count', message, { expected: least, actual: count })
  } else if (count > most) {
    const message = `The group must have at most ${most} items (got ${count}).`
    faults.add('max_count', message, { expected: most, actual: count })
  }
}

/** For single assets: whether each required part is present as often as the others. */
function checkParts(
  slot: RepeatableSlot,
  { counts, count }: { counts: ReadonlyMap<string, number>; count: number },
  faults: Faults,
): void {
  const scarce = slot.assets.filter(
    ({ asset_id, required }) => required === true && (counts.get(asset_id) ?? 0) < count,
  )
  if (scarce.length === 0) return
  const reported = scarce.map(
    ({ asset_id, asset_type }) =>
      `${asset_id} (${asset_type}, ${counts.get(asset_id) ?? 0} of ${count})`,
  )
  const message = `Each item of ${slot.asset_group_id} needs all its parts; some lack ${reported.join(', ')}.`
  faults.add('required', message, { expected: count })
}

/** One repetition of the group, with its parts by name. */
function checkCard(
  card: Readonly<Record<string, unknown>>,
  { slot, counts, ...place }: SlotPlace<RepeatableSlot> & { counts: Map<string, number> },
  faults: Faults,
): void {
  const there = new Set<string>()
  for (const part of partsOfCard(card, slot)) {
    if (!part.ok) {
      faults.at(part.name).add('card', part.message)
      continue
    }
    const { asset_type, requirements, asset_id } = memberFor(part.asset, slot)
    there.add(asset_id)
    counts.set(asset_id, (counts.get(asset_id) ?? 0) + 1)
    checkAsset(part.asset, { ...place, asset_type, requirements }, faults.at(part.name))
  }
  for (const { asset_id, asset_type, required } of slot.assets) {
    if (required !== true || there.has(asset_id)) continue
    const message = `A card of ${slot.asset_group_id} needs ${asset_id}: an asset of type ${asset_type}, or its ${isWords(asset_type) ? 'text' : 'address'}.`
    faults.at(asset_id).add('required', message, { expected: asset_type })
  }
}

const ASSET_NAME = /^[a-z0-9_]+$/

/** Names that match no slot are tolerated, unless displaying them would be dangerous. */
function checkNames(assets: Assets, { format, isBrandKnown }: ExpectedSlots, faults: Faults): void {
  const slots = new Set(format.assets.map(nameOf))
  for (const [name, value] of Object.entries(assets)) {
    if (slots.has(name) || value === undefined) continue
    const at = faults.at(name)
    if (!ASSET_NAME.test(name)) {
      at.add('pattern', 'Asset names may contain only a to z, digits and _.')
    }
    const misplaced = misplacedCards(name, value, format)
    if (misplaced !== undefined) {
      at.add('card', misplaced)
      continue
    }
    const place = { isBrandKnown }
    if (!Array.isArray(value)) checkAsset(value, place, at)
    else for (const [index, item] of value.entries()) checkAsset(item, place, at.at(index))
  }
}
