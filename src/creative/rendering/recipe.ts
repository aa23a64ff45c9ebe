// The data of a preview's interactive page: the creative, its format and its variants, so that every instance can
// draw it again with other values.

import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { PreviewInput } from '../../protocol/schemas/preview.ts'
import { macrosIn } from '../macros/substitute-macros.ts'
import { isKnownMacro } from '../macros/universal-macros.ts'
import type { FindTag } from './resolve-tag.ts'

export interface Recipe {
  format: Format
  manifest: CreativeManifest
  inputs: readonly PreviewInput[]
  /** Documents of tags when the preview was created, by their URL as written. */
  tags: KeptTags
  itemLimit: number | undefined
}

export type KeptTags = ReadonlyMap<string, string>

/** Contains only the drawn part of the format, since every preview has a copy. */
export function writeRecipe({ format, tags, ...others }: Recipe): string {
  const own = JSON.stringify({ tags: [...tags], ...others })
  return `{"format":${writtenFormat(format)},${own.slice(1)}`
}

const written = new WeakMap<Format, string>()

/** Serialized once: many creatives have the same format. */
function writtenFormat(format: Format): string {
  const json = written.get(format) ?? JSON.stringify(drawnOf(format))
  written.set(format, json)
  return json
}

function drawnOf({ format_id, name, type, renders, assets, ...others }: Format): Format {
  const { supported_macros, output_format_ids } = others
  const slots = assets.map((slot) =>
    slot.item_type === 'individual' ? { ...slot, requirements: undefined } : slot,
  )
  return {
    format_id,
    name,
    type,
    renders,
    supported_macros,
    output_format_ids,
    assets: slots,
    assets_required: [],
  }
}

type WrittenTags = [string, string][] | Record<string, string>

export function readRecipe(text: string): Recipe {
  const { tags, ...others } = JSON.parse(text) as Recipe & { tags: WrittenTags }
  // Recipes from an earlier version have them as an object.
  return { ...others, tags: new Map(Array.isArray(tags) ? tags : Object.entries(tags)) }
}

/** Responds from the stored documents, and requests nothing else. */
export function keptTags(kept: KeptTags): FindTag {
  return ({ given }) => {
    const text = kept.get(given)
    if (text !== undefined) return { ok: true, text }
    return { ok: false, reason: 'the tag was not fetched when the preview was made' }
  }
}

/**
 * The macros of the creative that can change what is displayed: known ones, and those that a variant has a value for.
 */
export function macrosOf({ manifest, format, inputs, tags }: Recipe): string[] {
  const used = macrosIn(JSON.stringify([manifest, [...tags]]))
  const given = new Set(inputs.flatMap(({ macros = {} }) => Object.keys(macros)))
  // Code may contain capitals in braces that are not macros: without a value this cannot be known.
  return used.filter((name) => given.has(name) || isKnownMacro(name, format))
}
