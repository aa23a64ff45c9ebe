// The slots of a format as a manifest fills them (spec 2.3): by name, alone or as a group.

import { isObject } from '../../protocol/schemas/checks.ts'
import type { IndividualSlot, RepeatableSlot } from '../../protocol/schemas/format.ts'

export type ManifestSlot = IndividualSlot | RepeatableSlot

export function isGroup(slot: ManifestSlot): slot is RepeatableSlot {
  return slot.item_type === 'repeatable_group'
}

export function nameOf(slot: ManifestSlot): string {
  return isGroup(slot) ? slot.asset_group_id : slot.asset_id
}

/** The value of an own property, ignoring what every object inherits. */
export function valueIn(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

type GroupMember = RepeatableSlot['assets'][number]

/** The member that an item names or has the type of; otherwise the first one. */
export function memberFor(item: unknown, { assets }: RepeatableSlot): GroupMember {
  const { asset_id, asset_type } = isObject(item) ? item : {}
  return (assets.find((member) => member.asset_id === asset_id) ??
    assets.find((member) => member.asset_type === asset_type) ??
    assets[0]) as GroupMember
}
