// What goes into all slots of the target format (spec 2.3, 4.2), repetition by repetition for groups: parts that
// belong together are placed together, in the order of the group.

import { hasEnoughCards } from './card-count.ts'
import { fillSlot } from './fill-slot.ts'
import { offeringOfTurn, repetitionCount, repetitionsOf } from './repetitions.ts'
import type { Filling, SlotRun } from './slot-run.ts'
import type { BuildSlot } from './slots.ts'

interface FilledSlot {
  slot: BuildSlot
  filling: Filling
}

export function fillSlots(slots: readonly BuildSlot[], run: SlotRun): FilledSlot[] {
  const names = [...new Set(slots.map(({ name }) => name))]
  return names.flatMap((name) => {
    const parts = slots.filter((slot) => slot.name === name)
    const [first] = parts
    if (!first?.group) return parts.flatMap((slot) => fill(slot, run, 0))
    const { job, format, note } = run
    if (!hasEnoughCards(parts, { format, material: job.material })) {
      note(`${name}: omitted, the format requires at least ${first.group.min} or none`)
      return []
    }
    const count = repetitionCount(first, job.material)
    reportRepetitions(first, count, run)
    const turns = Array.from({ length: count }, (_, turn) => turn)
    return turns.flatMap((turn) => parts.flatMap((slot) => fill(slot, run, turn)))
  })
}

function fill(slot: BuildSlot, run: SlotRun, turn: number): FilledSlot[] {
  const filling = fillSlot(slot, run, turn)
  return filling ? [{ slot, filling }] : []
}

/** Notes facts about the cards that a reader of the answer would not expect. */
function reportRepetitions(group: BuildSlot, count: number, { job, note }: SlotRun): void {
  const { material } = job
  const own = repetitionsOf(material.assets, group.name).length
  const offered = material.promoted.offerings.length
  if (own > count || (own === 0 && offered > count && offered > 1)) {
    note(`${group.name}: the first ${count} of ${own || offered}, the maximum of the format`)
  }
  if (own > 0) return
  if (offeringOfTurn(group, material, count - 1) === undefined && count > 1) {
    note(
      `${group.name}: ${count} are needed, and some are identical: give an offering or a card for each`,
    )
  }
}
