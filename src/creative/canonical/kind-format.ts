// A creative that gives a canonical kind instead of a format (spec 4.5, as in 3.1 and 3.2): the named format that it
// fits, under which the library stores it, and the same creative by its kind again for callers of 3.2.

import type {
  CreativeManifest,
  SentCreativeManifest,
} from '../../protocol/schemas/creative-manifest.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import type { FindFormat } from '../manifest-check/find-format.ts'
import { takesDimensions } from '../renders.ts'
import { capabilitiesOf, formatIdOf } from './capabilities.ts'
import { fittingCapability } from './fitting.ts'
import { inCanonicalWords } from './words.ts'

/** Undefined when no format of this server fits its size, length and slots. */
export type KindFormat = (
  manifest: Pick<CreativeManifest, 'format_kind' | 'assets'>,
) => FormatId | undefined

export function kindFormats(catalogue: FormatCatalogue, publicUrl: () => string): KindFormat {
  return (manifest) => {
    const found = fittingCapability(capabilitiesOf(catalogue), manifest, 'validate')
    if (!found) return undefined
    const id = formatIdOf(found, publicUrl())
    const size = takesDimensions(found.format) ? sizeOf(manifest.assets) : undefined
    return size ? { ...id, ...size } : id
  }
}

/** Of the first asset that has one. */
function sizeOf(assets: CreativeManifest['assets']): { width: number; height: number } | undefined {
  for (const asset of Object.values(assets ?? {}).flat()) {
    const { width, height } = (asset ?? {}) as { width?: unknown; height?: unknown }
    if (typeof width === 'number' && typeof height === 'number') return { width, height }
  }
  return undefined
}

/** Its kind and canonical slots; undefined when its format does not exist any more. */
export function byKind(
  manifest: Pick<SentCreativeManifest, 'format_id' | 'assets'>,
  findFormat: FindFormat,
  calledOn: string,
): { format_kind: string; assets: SentCreativeManifest['assets'] } | undefined {
  const found = findFormat(manifest.format_id, calledOn)
  if (!found.ok) return undefined
  const { format_kind, assets } = inCanonicalWords(manifest, found.format)
  return format_kind === undefined ? undefined : { format_kind, assets }
}
