// What a build will make, and all that can be refused at once (spec 4.2, 7.1): formats that are not
// here, nothing to build from, and what no one could make from what was given. Pure.

import { ProtocolError } from '../../protocol/errors.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import { targetFormatIds } from '../../protocol/schemas/field-map.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import { takesDimensions } from '../renders.ts'
import { isEmpty, type Material, materialOf } from './material.ts'
import { type Slot, slotsOf } from './slots.ts'

export interface BuildPlan {
  /** The formats of the manifests to make, in the order of the targets. */
  formats: readonly Format[]
  material: Material
}

/** Throws a ProtocolError for what cannot be built. */
export function planBuild(
  request: BuildCreativeRequest,
  catalogue: FormatCatalogue,
  ownAgentUrls: readonly string[],
): BuildPlan {
  refuseUnsupported(request)
  const find = (id: FormatId) => catalogue.find(id, ownAgentUrls)
  const isSingle = request.target_format_ids === undefined
  const formats = targetFormatIds(request).map((id, index) => {
    const pointer = isSingle ? '/target_format_id' : `/target_format_ids/${index}`
    return outputOf(targetOf(id, pointer, catalogue, ownAgentUrls), find)
  })
  const given = request.creative_manifest?.format_id
  const source = given && find(given)
  const material = materialOf(request, source?.ok ? source.format : undefined)
  if (isEmpty(material)) throw nothingToBuildFrom()
  for (const format of formats) refuseImpossible(format, material)
  return { formats, material }
}

function refuseUnsupported(request: BuildCreativeRequest): void {
  if (request.refine_from_build_variant_id !== undefined) {
    const message = 'earlier builds are not kept as variants: send the manifest back with a message'
    throw new ProtocolError('UNSUPPORTED_FEATURE', message, {
      field: '/refine_from_build_variant_id',
    })
  }
  if (request.transformer_id !== undefined) {
    const message = `there is no transformer ${request.transformer_id} here: leave transformer_id out`
    throw new ProtocolError('REFERENCE_NOT_FOUND', message, { field: '/transformer_id' })
  }
}

function targetOf(
  id: FormatId,
  pointer: string,
  catalogue: FormatCatalogue,
  ownAgentUrls: readonly string[],
): Format {
  const found = catalogue.find(id, ownAgentUrls)
  if (!found.ok) {
    const isKnown = found.reason === 'bad_parameters'
    throw new ProtocolError(isKnown ? 'INVALID_FORMAT_ID' : 'FORMAT_NOT_SUPPORTED', found.message, {
      field: pointer,
      suggestion: 'take a format_id that list_creative_formats lists',
    })
  }
  if (takesDimensions(found.format)) {
    const message = `${id.id} is of any size: give width and height beside its id`
    throw new ProtocolError('INVALID_FORMAT_ID', message, { field: `${pointer}/width` })
  }
  return found.format
}

/** What a generative format builds: never itself. */
function outputOf(
  format: Format,
  find: (id: FormatId) => ReturnType<FormatCatalogue['find']>,
): Format {
  const { format_id, output_format_ids } = format
  const named = output_format_ids?.[0]
  // A generative template names no output, because that has the template's size.
  const isTemplate = named === undefined && /_generative$/.test(format_id.id)
  const meant = isTemplate
    ? { ...format_id, id: format_id.id.replace(/_generative$/, '_image') }
    : named
  if (!meant) return format
  const output = find(meant)
  if (!output.ok) throw new Error(`${format_id.id} builds ${meant.id}: ${output.message}`)
  return output.format
}

function nothingToBuildFrom(): ProtocolError {
  const message =
    'there is nothing to build from: give a message, a brand, promoted_offerings or a manifest with assets'
  return new ProtocolError('VALIDATION_ERROR', message, {
    issues: [{ pointer: '/creative_manifest', message, keyword: 'required' }],
  })
}

/** What cannot be drawn or written: it has to be there already. */
const CANNOT_BE_MADE: Readonly<Record<string, string>> = {
  video: 'a video',
  audio: 'a sound',
  vast: 'a VAST tag',
  daast: 'a DAAST tag',
  javascript: 'a script',
  zip: 'an archive',
  webhook: 'a webhook',
  published_post: 'a published post',
}

function refuseImpossible(format: Format, { assets }: Material): void {
  const has = (slot: Slot) =>
    assets.some(({ type, name }) => type === slot.type || (name === slot.name && isTag(type, slot)))
  for (const slot of slotsOf(format)) {
    const what = CANNOT_BE_MADE[slot.type]
    if (!slot.isRequired || what === undefined || has(slot)) continue
    throw new ProtocolError(
      'UNSUPPORTED_FEATURE',
      `${format.format_id.id} needs ${what} as ${slot.name}, and ${what} cannot be made from nothing: give it in creative_manifest.assets`,
      { field: `/creative_manifest/assets/${slot.name}` },
    )
  }
}

/** A video or audio asset may itself be the tag (spec 2.4). */
function isTag(type: string, slot: Slot): boolean {
  return (type === 'vast' && slot.type === 'video') || (type === 'daast' && slot.type === 'audio')
}
