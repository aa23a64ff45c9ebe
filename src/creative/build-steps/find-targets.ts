// The formats that a build makes (spec 4.2): those that the request lists, or the output of a generative one among
// them.

import { ProtocolError } from '../../protocol/errors.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import { targetFormatIds } from '../../protocol/schemas/field-map.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import { takesDimensions } from '../renders.ts'
import type { PlanRequest } from './plan-build.ts'

/** Throws a ProtocolError for formats that this server does not have, and for unsupported requests. */
export function findTargets(
  request: BuildCreativeRequest,
  catalogue: FormatCatalogue,
  ownAgentUrls: readonly string[],
): Pick<PlanRequest, 'formats' | 'sourceFormat'> {
  refuseUnsupported(request)
  const find: Find = (id) => catalogue.find(id, ownAgentUrls)
  const isSingle = request.target_format_ids === undefined
  const formats = targetFormatIds(request).map((id, index) => {
    const pointer = isSingle ? '/target_format_id' : `/target_format_ids/${index}`
    return outputOf(targetOf(id, pointer, find), find)
  })
  const given = request.creative_manifest?.format_id
  const source = given && find(given)
  return { formats, sourceFormat: source?.ok ? source.format : undefined }
}

type Find = (id: FormatId) => ReturnType<FormatCatalogue['find']>

function refuseUnsupported(request: BuildCreativeRequest): void {
  if (request.refine_from_build_variant_id !== undefined) {
    const message = 'earlier builds are not kept as variants: send the manifest back with a message'
    throw new ProtocolError('UNSUPPORTED_FEATURE', message, {
      field: '/refine_from_build_variant_id',
    })
  }
  if (request.transformer_id !== undefined) {
    const message = `no transformer ${request.transformer_id}: omit transformer_id`
    throw new ProtocolError('REFERENCE_NOT_FOUND', message, { field: '/transformer_id' })
  }
}

function targetOf(id: FormatId, pointer: string, find: Find): Format {
  const found = find(id)
  if (!found.ok) {
    const isKnown = found.reason === 'bad_parameters'
    throw new ProtocolError(isKnown ? 'INVALID_FORMAT_ID' : 'FORMAT_NOT_SUPPORTED', found.message, {
      field: pointer,
      suggestion: 'Use a format_id returned by list_creative_formats.',
    })
  }
  if (takesDimensions(found.format)) {
    const message = `${id.id} has no fixed size: set width and height beside its id`
    throw new ProtocolError('INVALID_FORMAT_ID', message, { field: `${pointer}/width` })
  }
  return found.format
}

/** The output of a generative format: never itself. */
function outputOf(format: Format, find: Find): Format {
  const { format_id, output_format_ids } = format
  const named = output_format_ids?.[0]
  // A generative template declares no output format, because the output has the template's size.
  const isTemplate = named === undefined && /_generative$/.test(format_id.id)
  const meant = isTemplate
    ? { ...format_id, id: format_id.id.replace(/_generative$/, '_image') }
    : named
  if (!meant) return format
  const output = find(meant)
  if (!output.ok) throw new Error(`${format_id.id} builds ${meant.id}: ${output.message}`)
  return output.format
}
