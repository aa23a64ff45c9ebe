// Assets with other names than their slots (spec 2.4): callers of 3.x know slots by the names of the canonical
// formats, and by older ones. A name that can only mean one slot is assigned to it, and that is reported.

import { isObject } from '../../protocol/schemas/checks.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { isGroup, type ManifestSlot, nameOf } from './format-slots.ts'

/** Names of one thing. */
const ALIASES: readonly ReadonlySet<string>[] = [
  new Set(['image_main', 'image', 'banner_image', 'hero_image', 'main_image', 'generated_image']),
  new Set(['landing_page_url', 'click_url', 'link', 'final_url']),
  new Set(['video_main', 'video', 'video_file']),
  new Set(['audio_main', 'audio', 'audio_file']),
  new Set(['cta', 'cta_text']),
  new Set(['body_text', 'text', 'description']),
]

export interface Renamed<Assets> {
  assets: Assets
  /** Each name that was replaced by another. */
  renamed: readonly { from: string; to: string }[]
}

export function withSlotNames<Assets extends Readonly<Record<string, unknown>>>(
  assets: Assets,
  format: Pick<Format, 'assets'>,
): Renamed<Assets> {
  const slots = format.assets as readonly ManifestSlot[]
  const names = new Set(slots.map(nameOf))
  const strange = Object.keys(assets).filter((name) => !names.has(name))
  if (strange.length === 0) return { assets, renamed: [] }
  const free = new Set(slots.filter((slot) => !Object.hasOwn(assets, nameOf(slot))))
  const renamed: { from: string; to: string }[] = []
  for (const from of strange) {
    const slot = slotFor(from, assets[from], [...free])
    if (!slot) continue
    free.delete(slot)
    renamed.push({ from, to: nameOf(slot) })
  }
  if (renamed.length === 0) return { assets, renamed }
  const to = new Map(renamed.map((one) => [one.from, one.to]))
  const entries = Object.entries(assets).map(([name, asset]) => [to.get(name) ?? name, asset])
  return { assets: Object.fromEntries(entries) as Assets, renamed }
}

/** For who sent the asset. */
export function renamedNote({ from, to }: { from: string; to: string }): string {
  return `assets.${from} was used as ${to} of the format`
}

/** The slot that the name is an alias of; otherwise the one with its type, required slots first. */
function slotFor(
  name: string,
  asset: unknown,
  free: readonly ManifestSlot[],
): ManifestSlot | undefined {
  const aliases = ALIASES.find((one) => one.has(name))
  const named = free.filter((slot) => aliases?.has(nameOf(slot)))
  if (named.length > 0) return only(named)
  const given = isObject(asset) ? asset.asset_type : undefined
  const typed = free.filter((slot) => !isGroup(slot) && slot.asset_type === given)
  return only(typed.filter(({ required }) => required)) ?? only(typed)
}

function only(slots: readonly ManifestSlot[]): ManifestSlot | undefined {
  return slots.length === 1 ? slots[0] : undefined
}
