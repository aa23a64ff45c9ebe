// A build by capabilities (spec 4.2, of 3.2): they are mapped to formats of this server, and the results are reported
// by canonical kind.

import type {
  BuildCreativeRequest,
  BuildCreativeResponse,
} from '../../protocol/schemas/build-creative.ts'
import type { SentCreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import { capabilitiesOf, formatIdOf } from './capabilities.ts'
import { fittingCapability } from './fitting.ts'
import { inCanonicalWords, manifestInSlotWords } from './words.ts'

/** Throws FORMAT_NOT_SUPPORTED for a capability that does not exist here. */
export function withFormatTargets(
  request: BuildCreativeRequest,
  catalogue: FormatCatalogue,
  publicUrl: string,
): BuildCreativeRequest {
  const { target_capability_id: one, target_capability_ids: several } = request
  const idOf = (id: string, field: string) =>
    formatIdOf(capabilitiesOf(catalogue).find(id, field, 'build'), publicUrl)
  const named = withSourceFormat(request, catalogue, publicUrl)
  if (one !== undefined) {
    return { ...named, target_format_id: idOf(one, '/target_capability_id') }
  }
  if (several === undefined) return named
  const ids = several.map((id, index) => idOf(id, `/target_capability_ids/${index}`))
  return { ...named, target_format_ids: ids }
}

/** A source of a canonical kind is given the named format that it fits. If it fits none, only its assets are read. */
function withSourceFormat(
  request: BuildCreativeRequest,
  catalogue: FormatCatalogue,
  publicUrl: string,
): BuildCreativeRequest {
  const { creative_manifest: source } = request
  if (!source?.format_kind || source.format_id) return request
  const fitting = fittingCapability(capabilitiesOf(catalogue), source, 'validate')
  if (!fitting) return request
  const { format_kind: _kind, ...manifest } = manifestInSlotWords(source, fitting.format)
  const creative_manifest = { ...manifest, format_id: formatIdOf(fitting, publicUrl) }
  return { ...request, creative_manifest }
}

type Returned = NonNullable<BuildCreativeResponse['creative_manifests']>

export function manifestsFor(
  { target_capability_id, target_capability_ids }: BuildCreativeRequest,
  manifests: readonly SentCreativeManifest[],
  formats: readonly Format[],
): Returned {
  const isCanonical = target_capability_id !== undefined || target_capability_ids !== undefined
  if (!isCanonical) return [...manifests]
  return manifests.map((one, index) => inCanonicalWords(one, formats[index] as Format))
}
