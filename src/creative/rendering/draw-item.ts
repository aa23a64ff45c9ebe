// One creative of a request, judged and drawn in all its variants, ready to be stored and shown. Refuses
// by throwing a ProtocolError, so that a batch can tell one refusal from the others (spec 7.1).

import { randomUUID } from 'node:crypto'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import type { PreviewInput, PreviewOutput } from '../../protocol/schemas/preview.ts'
import type { PreviewCreativeItem } from '../../protocol/schemas/preview-creative.ts'
import type { FormatCatalogue, FoundFormat } from '../format-catalogue.ts'
import { checkManifest, faultsError } from '../manifest-check/check-manifest.ts'
import type { NewPreview } from '../preview-store.ts'
import { createFetchTag, type KeptTags } from './fetch-tag.ts'
import { writeRecipe } from './recipe.ts'
import { bodyOf, type DrawnPage, type RenderCache } from './render-cache.ts'

export interface DrawItemPorts {
  catalogue: FormatCatalogue
  cache: RenderCache
  egress?: Pick<Egress, 'fetch'> | undefined
  allowHosts?: readonly string[] | undefined
}

export interface DrawContext {
  /** The names of this server in format ids. */
  ownAgentUrls: readonly string[]
  /** What an item gives that says nothing of it. */
  output: PreviewOutput
  signal: AbortSignal
  /** Waits while others are served, if this call has held the event loop for long. */
  breathe: () => Promise<void>
  /** Shared by all items of a call, and used up by what they draw. */
  budget: Budget
}

export interface Budget {
  chars: number
}

/** Characters that one call may draw. */
export const MAX_CALL_CHARS = 64 * 1_024 * 1_024

export interface DrawnPreview {
  input: PreviewInput
  pages: (DrawnPage & { preview_id: string })[]
}

export interface DrawnItem {
  format_id: FormatId
  output: PreviewOutput
  previews: DrawnPreview[]
  /** The interactive page. */
  interactive: NewPreview
}

export async function drawItem(
  ports: DrawItemPorts,
  item: PreviewCreativeItem,
  context: DrawContext,
): Promise<DrawnItem> {
  const manifest = item.creative_manifest ?? {}
  const format = fittingFormat(ports, item, manifest, context)
  const inputs = item.inputs && item.inputs.length > 0 ? item.inputs : [DEFAULT_INPUT]

  const tags: KeptTags = {}
  const { egress, allowHosts, cache } = ports
  const draw = cache.drawing(manifest, format, {
    fetchTag: createFetchTag(egress, { kept: tags, signal: context.signal }),
    allowHosts,
    itemLimit: item.item_limit,
  })
  const previews: DrawnPreview[] = []
  for (const input of inputs) {
    await context.breathe()
    const pages = await draw(input.macros ?? {})
    spend(context.budget, pages)
    previews.push({ input, pages: pages.map((page) => ({ ...page, preview_id: randomUUID() })) })
  }
  const recipe = writeRecipe({ format, manifest, inputs, tags, itemLimit: item.item_limit })
  return {
    format_id: format.format_id,
    output: item.output_format ?? context.output,
    previews,
    interactive: { preview_id: randomUUID(), body: bodyOf('recipe', recipe, '') },
  }
}

const DEFAULT_INPUT: PreviewInput = { name: 'Default preview' }

function spend(budget: Budget, pages: readonly DrawnPage[]): void {
  for (const { body } of pages) budget.chars -= body.text.length
  if (budget.chars >= 0) return
  const message = `the previews of one call have more than ${MAX_CALL_CHARS} characters: ask for fewer`
  throw new ProtocolError('INVALID_REQUEST', message)
}

function fittingFormat(
  { catalogue }: DrawItemPorts,
  item: PreviewCreativeItem,
  manifest: CreativeManifest,
  { ownAgentUrls }: DrawContext,
): Format {
  const asked = item.format_id ?? manifest.format_id
  if (!asked)
    throw new ProtocolError('INVALID_FORMAT_ID', 'give format_id, here or in the manifest')
  const found = catalogue.find(asked, ownAgentUrls)
  if (!found.ok)
    throw formatError(found, item.format_id ? '/format_id' : '/creative_manifest/format_id')
  const meant = parametersOf(found.format.format_id)
  const faults = checkManifest(manifest, found.format, {
    isSameFormat: (formatId) => {
      const other = catalogue.find(formatId, ownAgentUrls)
      return other.ok && parametersOf(other.format.format_id) === meant
    },
  })
  if (faults.length > 0) throw faultsError(faults)
  return found.format
}

function formatError(
  { reason, message }: FoundFormat & { ok: false },
  field: string,
): ProtocolError {
  const isMisfit = reason === 'bad_parameters'
  return new ProtocolError(isMisfit ? 'VALIDATION_ERROR' : 'FORMAT_NOT_SUPPORTED', message, {
    field,
  })
}

/** Which format is meant, whatever name of this server stands in its id. */
function parametersOf({ id, width, height, duration_ms }: FormatId): string {
  return JSON.stringify([id, width, height, duration_ms])
}
