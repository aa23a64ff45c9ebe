// Which asset of a request goes into a slot (spec 4.2), and which one is material for what is made for the slot.

import type { Format } from '../../protocol/schemas/format.ts'
import type { BuildSources, SourceAsset } from './build-sources.ts'
import { partOfRepetition, repetitionsOf } from './repetitions.ts'
import { type BuildSlot, type PixelSize, pictureSize, slotsOf } from './slots.ts'

export interface Build {
  format: Format
  material: BuildSources
}

/** The asset of the request for this slot: by its name, else by its purpose. */
export function ownAsset(
  slot: BuildSlot,
  { format, material }: Build,
  turn: number,
): SourceAsset | undefined {
  if (slot.group) {
    const own = repetitionsOf(material.assets, slot.name)
    const parts = slotsOf(format).flatMap(({ name, group }) =>
      group && name === slot.name ? [group.part] : [],
    )
    if (own.length > 0) return partOfRepetition(material.assets, slot, { parts, turn })
  }
  const candidates = material.assets.filter((source) => {
    const { type, name } = source
    const isTag = name === slot.name && (type === 'vast' || type === 'daast')
    if (type !== slot.type && !isTag) return false
    return name === slot.name || !isForLayout(source, { format, material })
  })
  const named = candidates.filter(({ name }) => name === slot.name)
  const alike = candidates.filter(({ role }) => role === slot.role)
  const isPlayable = ['video', 'audio', 'vast', 'daast', 'javascript', 'html'].includes(slot.type)
  const isReported = slot.role !== 'other' || isPlayable
  const found = named.length > 0 ? named : isReported ? alike : []
  if (slot.group) return found[turn]
  return slot.type === 'image' ? closest(found, pictureSize(slot, format)) : found[0]
}

/**
 * Of several pictures, the one with the closest proportions: it loses the least. The first, if none states its size.
 */
function closest(sources: readonly SourceAsset[], size: PixelSize): SourceAsset | undefined {
  const wanted = size.width / size.height
  const far = ({ asset: { width, height } }: SourceAsset) =>
    width && height ? Math.abs(Math.log(width / height / wanted)) : Number.POSITIVE_INFINITY
  return [...sources].sort((a, b) => (far(a) < far(b) ? -1 : far(a) > far(b) ? 1 : 0))[0]
}

/**
 * Whether a picture should appear next to words: neither the target format nor the format that the manifest was made
 * for has a slot with its name, there are words without their own slot, and the message does not say how to resize
 * the picture.
 */
function isForLayout({ name, type, role }: SourceAsset, { format, material }: Build): boolean {
  const { sourceFormat, manifest, preferences } = material
  if (type !== 'image' || role !== 'picture' || !hasWords(material)) return false
  if (!sourceFormat && manifest.format_id !== undefined) return false
  const { focus, keepsWhole, background } = preferences
  if (focus !== undefined || keepsWhole || background !== undefined) return false
  const slots = slotsOf(format)
  if (slots.some((slot) => slot.type === 'text' && slot.role === 'headline')) return false
  const others = sourceFormat ? slotsOf(sourceFormat) : []
  return ![...slots, ...others].some((slot) => slot.name === name)
}

function hasWords({ assets, promoted, read }: BuildSources): boolean {
  const isWritten = assets.some(({ type, role }) => type === 'text' && role === 'headline')
  return (
    isWritten ||
    promoted.offerings.length > 0 ||
    read.copy.length > 0 ||
    Object.keys(read.texts).length > 0
  )
}
