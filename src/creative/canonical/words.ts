// A manifest in the terms of a canonical kind and of a named format (spec 2.4): the same assets, under the names of
// each side. A slot for which the kind has no name keeps its own name in both directions.

import type { z } from 'zod'
import { isObject } from '../../protocol/schemas/checks.ts'
import type {
  SentCreativeManifest,
  sentCreativeManifest,
} from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { type Renamed, withSlotNames } from '../manifest-check/slot-aliases.ts'
import { canonicalNames, declarationOf } from './declaration.ts'
import { asRenditions, inRenditionSlots, renditionsOf } from './renditions.ts'

type CanonicalManifest = z.infer<typeof sentCreativeManifest>
type Assets = Readonly<Record<string, unknown>>

/** By its canonical kind: slots by their canonical names, and no format_id. */
export function inCanonicalWords(
  { format_id: _id, assets, ...others }: SentCreativeManifest,
  format: Format,
): CanonicalManifest {
  const names = canonicalNames(format)
  const renditions = asRenditions(assets, format)
  const merged = new Set(renditions ? renditionsOf(format).map(({ slot }) => slot) : [])
  const renamed = Object.entries(assets).flatMap(([name, asset]) =>
    merged.has(name) ? [] : [[names.get(name) ?? name, asset]],
  )
  const { format_kind } = declarationOf(format) ?? { format_kind: 'custom' }
  const all = [...(renditions ? [['image_main', renditions]] : []), ...renamed]
  return { ...others, format_kind, assets: Object.fromEntries(all) } as CanonicalManifest
}

/** Assets under the names of the format's slots, whether they were sent under those, canonical or older names. */
export function inSlotWords<Given extends Assets>(assets: Given, format: Format): Renamed<Given> {
  const spread = inRenditionSlots(assets, format)
  const names = canonicalNames(format)
  if (Object.keys(spread).every((name) => names.has(name))) {
    return { assets: spread as Given, renamed: [] }
  }
  const canonical = new Map<string, string>()
  for (const [own, name] of names) {
    const isTaken = canonical.has(name) || Object.hasOwn(spread, own)
    if (own !== name && !names.has(name) && !isTaken) canonical.set(name, own)
  }
  const renamed: { from: string; to: string }[] = []
  const entries = Object.entries(spread).map(([name, asset]) => {
    const to = canonical.get(name)
    if (to === undefined) return [name, asset]
    renamed.push({ from: name, to })
    return [to, asset]
  })
  const named = renamed.length > 0 ? (Object.fromEntries(entries) as Assets) : spread
  const { assets: meant, renamed: others } = withSlotNames(named, format)
  return { assets: meant as Given, renamed: [...renamed, ...others] }
}

/** A manifest with its assets renamed in this way; anything with another form is left to the manifest check. */
export function manifestInSlotWords<Given>(manifest: Given, format: Format): Given {
  if (!isObject(manifest) || !isObject(manifest.assets)) return manifest
  const { assets } = inSlotWords(manifest.assets, format)
  return assets === manifest.assets ? manifest : { ...manifest, assets }
}
