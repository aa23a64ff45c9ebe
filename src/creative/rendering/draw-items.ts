// Checks and draws creatives in all their variants, in the worker pool, one after another. They are returned
// together, or each before the next is started, so that it is known which one was in progress when the cost became
// too high. A tag that has to be fetched is reported instead, and the creative is requested again with it.

import { createRecentCache } from '../../lib/recent-cache.ts'
import { thrownInWorker } from '../../lib/worker-pool/thrown-in-worker.ts'
import type { ThrownInWorker } from '../../lib/worker-pool/worker.ts'
import { ProtocolError, type TaskError, taskError } from '../../protocol/errors.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import { formatIdRefusal } from '../../protocol/schemas/generation-rules.ts'
import { checkShape } from '../../protocol/schemas/issues.ts'
import type {
  CreativeQuality,
  PreviewInput,
  PreviewOutput,
} from '../../protocol/schemas/preview.ts'
import {
  isSoundItem,
  type PreviewCreativeItem,
  previewCreativeItem,
} from '../../protocol/schemas/preview-creative.ts'
import { MAX_CALL_CHARS, MAX_WORK_CHARS } from '../limits.ts'
import { withCards } from '../manifest-check/cards.ts'
import { checkManifest } from '../manifest-check/check-manifest.ts'
import { faultsError } from '../manifest-check/fault.ts'
import { writeRecipe } from './recipe.ts'
import { type Rendered, renderManifest, wantedTags } from './render-manifest.ts'
import type { FetchedTag, TagAddress } from './resolve-tag.ts'

export interface DrawRequest {
  items: readonly SentItem[]
  /** The formats of the items, as JSON, each once. */
  formats: readonly string[]
  /** Whether each is returned as soon as it is drawn: a message costs as much as a small creative. */
  reportsEach: boolean
  /** Hosts from which markup and scripts of a creative may load. */
  allowHosts: readonly string[]
}

export interface DrawItem {
  /** The request for one creative, as JSON. */
  json: string
  /** Whether its shape was checked. */
  isShaped: boolean
  /** The format that it is for, as JSON, or why there is none. */
  format: string | undefined
  refusal: TaskError | undefined
  /** Whether the manifest's own format id means this format. */
  isSameFormat: boolean
  /** The output for a creative that does not specify one. */
  output: PreviewOutput
  /** The tags that were fetched for it, by URL. */
  documents: ReadonlyMap<string, FetchedTag>
}

/** An item as sent to the worker pool: its format is an index into those of the request. */
interface SentItem extends Omit<DrawItem, 'format'> {
  format: number | undefined
}

export type DrawnPart =
  | { state: 'drawn'; item: DrawnItem }
  | { state: 'refused'; errors: readonly TaskError[] }
  | { state: 'wants'; tags: readonly TagAddress[] }
  /** An unexpected exception of the drawing code. */
  | { state: 'broken'; error: ThrownInWorker }

export interface DrawnItem {
  format_id: FormatId
  output: PreviewOutput
  /** The quality, if the request for this creative specifies one. */
  quality: CreativeQuality | undefined
  previews: DrawnPreview[]
  /** The data of the interactive page. */
  recipe: string
  /** Whether the same request gives the same result again: fetched content may change. */
  isLasting: boolean
}

export interface DrawnPreview {
  input: PreviewInput
  /** One for each render of the format. */
  pages: Rendered[]
}

/** Returns those not reported yet: all of them, or the last one. */
export function drawItems(
  { items, formats, reportsEach, allowHosts }: DrawRequest,
  report: (part: DrawnPart) => void,
): DrawnPart[] {
  const read = formats.map(readFormat)
  const draw = (item: SentItem) => partOf(item, read[item.format ?? -1], allowHosts)
  if (!reportsEach) return items.map(draw)
  for (const item of items.slice(0, -1)) report(draw(item))
  return items.slice(-1).map(draw)
}

function partOf(
  item: SentItem,
  format: Format | undefined,
  allowHosts: readonly string[],
): DrawnPart {
  try {
    return drawItem(item, format, allowHosts)
  } catch (error) {
    if (error instanceof ProtocolError) return { state: 'refused', errors: error.errors }
    return { state: 'broken', error: thrownInWorker(error) }
  }
}

const READ_FORMATS = 64
const knownFormats = createRecentCache<Format>(READ_FORMATS)

/** Read once: the formats of one call are also those of the next. */
function readFormat(json: string): Format {
  const format = knownFormats.get(json) ?? (JSON.parse(json) as Format)
  knownFormats.set(json, format)
  return format
}

function drawItem(
  item: SentItem,
  format: Format | undefined,
  allowHosts: readonly string[],
): DrawnPart {
  const shape = shapeOf(item)
  if (!shape.ok) return { state: 'refused', errors: [shape.error] }
  if (!format) return { state: 'refused', errors: item.refusal ? [item.refusal] : [] }
  const { creative_manifest: sent = {}, inputs: given, item_limit: itemLimit } = shape.request
  const inputs = given && given.length > 0 ? given : [DEFAULT_INPUT]
  refuseWork(item.json.length * inputs.length)
  const { documents } = item
  refuseFaults(sent, format, item.isSameFormat)
  const manifest = withCards(sent, format)

  const kept = new Map<string, string>()
  const findTag = ({ given: address, url }: TagAddress) => {
    const document = documents.get(url)
    if (document?.ok && !kept.has(address)) kept.set(address, document.text)
    return document
  }
  const tags = wantedTags(manifest, format, { inputs, findTag })
  if (tags.length > 0) return { state: 'wants', tags }
  const options = { findTag, allowHosts, itemLimit }
  const previews: DrawnPreview[] = []
  let left = MAX_CALL_CHARS
  for (const input of inputs) {
    const pages = renderManifest(manifest, format, { ...options, macros: input.macros })
    for (const { html } of pages) left -= html.length
    if (left < 0) throw tooManyChars()
    previews.push({ input, pages })
  }
  return {
    state: 'drawn',
    item: {
      format_id: format.format_id,
      output: shape.request.output_format ?? item.output,
      quality: shape.request.quality,
      previews,
      recipe: writeRecipe({ format, manifest, inputs, tags: kept, itemLimit }),
      isLasting: documents.size === 0,
    },
  }
}

const DEFAULT_INPUT: PreviewInput = { name: 'Default preview' }

type Shape = { ok: true; request: PreviewCreativeItem } | { ok: false; error: TaskError }

function shapeOf({ json, isShaped }: Pick<DrawItem, 'json' | 'isShaped'>): Shape {
  const given: unknown = JSON.parse(json)
  if (isShaped) return { ok: true, request: given as PreviewCreativeItem }
  // A schema omits members with this name, at any depth.
  if (isSoundItem(given) && !json.includes('"__proto__"')) return { ok: true, request: given }
  const shape = checkShape(previewCreativeItem, given)
  if (shape.ok) return { ok: true, request: shape.value }
  const { issues } = shape
  const [first] = issues
  const message = `${first?.pointer ?? ''}: ${first?.message ?? 'this is no request'}`
  const code = formatIdRefusal(issues) ?? 'INVALID_REQUEST'
  return { ok: false, error: taskError(code, message, { issues }) }
}

function refuseWork(chars: number): void {
  if (chars <= MAX_WORK_CHARS) return
  const message = `the creative times its inputs has more than ${MAX_WORK_CHARS} characters: send fewer inputs`
  throw new ProtocolError('INVALID_REQUEST', message, { field: '/inputs' })
}

function refuseFaults(manifest: CreativeManifest, format: Format, isSameFormat: boolean): void {
  const faults = checkManifest(manifest, format, { isSameFormat: () => isSameFormat })
  if (faults.length > 0) throw faultsError(faults)
}

export function tooManyChars(): ProtocolError {
  const message = `the previews of one call have more than ${MAX_CALL_CHARS} characters: request fewer`
  return new ProtocolError('INVALID_REQUEST', message)
}
