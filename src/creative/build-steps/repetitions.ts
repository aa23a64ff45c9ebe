// The repetitions of a group, such as the cards of a carousel: those in the request, each with the parts that belong
// together, else one for each offering. Pure.

import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import type { BuildSources, SourceAsset } from './build-sources.ts'
import type { BuildSlot } from './slots.ts'

/** How often a group appears in what is built. */
export function repetitionCount({ name, group }: BuildSlot, material: BuildSources): number {
  if (!group) return 1
  const own = repetitionsOf(material.assets, name).length
  const offered = own === 0 ? cardOfferings(material).length : 0
  return Math.min(Math.max(group.min, own, offered), group.max)
}

/** The offering for the repetition of a group that the request does not provide itself. */
export function offeringOfTurn(
  slot: BuildSlot,
  material: BuildSources,
  turn: number,
): Offering | undefined {
  if (!slot.group || repetitionsOf(material.assets, slot.name).length > 0) return undefined
  return cardOfferings(material)[turn]
}

/**
 * The subject of a slot: the offering of its repetition, else the promoted one; undefined for a repetition of the
 * request.
 */
export function offeringFor(
  slot: BuildSlot,
  material: BuildSources,
  turn: number,
): Offering | undefined {
  if (slot.group && repetitionsOf(material.assets, slot.name).length > 0) return undefined
  const cards = slot.group ? cardOfferings(material) : []
  return cards.length > 0 ? cards[turn] : material.promoted.offerings[0]
}

/** A single offering is what the whole creative is about. */
function cardOfferings({ promoted: { offerings } }: BuildSources): readonly Offering[] {
  return offerings.length > 1 ? offerings : []
}

/**
 * The request's asset for a part in a repetition: by its name, else the one of its type without the name of any part.
 */
export function partOfRepetition(
  assets: readonly SourceAsset[],
  slot: BuildSlot,
  { parts, turn }: { parts: readonly string[]; turn: number },
): SourceAsset | undefined {
  const repetition = repetitionsOf(assets, slot.name)[turn] ?? []
  const isPart = ({ asset }: SourceAsset) => parts.includes(String(asset.asset_id))
  return (
    repetition.find(({ asset }) => asset.asset_id === slot.group?.part) ??
    repetition.find((one) => one.type === slot.type && !isPart(one))
  )
}

/**
 * A new repetition begins when a part occurs that the current one already has; parts that are sorted by name are
 * distributed.
 */
export function repetitionsOf(assets: readonly SourceAsset[], name: string): SourceAsset[][] {
  const inTurn: SourceAsset[][] = []
  const dealt: SourceAsset[][] = []
  const counts = new Map<unknown, number>()
  let had = new Set<unknown>()
  for (const source of assets.filter((one) => one.name === name)) {
    const part = source.asset.asset_id ?? source.type
    if (inTurn.length === 0 || had.has(part)) {
      inTurn.push([])
      had = new Set()
    }
    had.add(part)
    inTurn.at(-1)?.push(source)
    const turn = counts.get(part) ?? 0
    counts.set(part, turn + 1)
    dealt[turn] = [...(dealt[turn] ?? []), source]
  }
  return inTurn.length > dealt.length ? dealt : inTurn
}
