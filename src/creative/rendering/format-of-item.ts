// The format of one creative in a call, looked up in the process with the catalogue, and serialized for the worker
// pool: a batch has few formats, and each is serialized once.

import { createRecentCache } from '../../lib/recent-cache.ts'
import { type TaskError, taskError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { type FormatId, formatIdFault } from '../../protocol/schemas/format-id.ts'
import { capabilitiesOf } from '../canonical/capabilities.ts'
import { fittingCapability } from '../canonical/fitting.ts'
import { inSlotWords } from '../canonical/words.ts'
import type { FormatCatalogue, FoundFormat } from '../format-catalogue.ts'
import { formatKeyOf } from '../manifest-check/find-format.ts'
import { renamedNote } from '../manifest-check/slot-aliases.ts'
import type { DrawItem } from './draw-items.ts'

/** For a request whose shape may still be invalid: that error is reported first. */
export type FindFormatOf = (request: unknown) => FoundFormatOf

interface FormatsOfCall {
  ownAgentUrls: readonly string[]
  /** Whether assets may use other names for their slots. Default false. */
  isNewer?: boolean
}

interface FoundFormatOf extends Pick<DrawItem, 'format' | 'refusal' | 'isSameFormat'> {
  /** The request, its assets under the names of their slots. */
  meant: unknown
  /** Which of them had other names, as readable text. */
  reported: readonly string[]
}

const WRITTEN_FORMATS = 256

/** New for each call: the creatives of a batch have few formats, and each is looked up once. */
export function createFindFormat(
  catalogue: FormatCatalogue,
): (call: FormatsOfCall) => FindFormatOf {
  const written = createRecentCache<string>(WRITTEN_FORMATS)

  /** Equal ids are the same format, since the catalogue does not change. */
  function write(format: Format): string {
    const key = `${formatKeyOf(format)} ${format.format_id.agent_url}`
    const json = written.get(key) ?? JSON.stringify(format)
    written.set(key, json)
    return json
  }

  const formatOf = (
    request: unknown,
    { ownAgentUrls, isNewer = false, find }: FormatsOfCall & { find: Find },
  ): FoundFormatOf => {
    const refused = (code: TaskError['code'], message: string, field: string): FoundFormatOf => {
      const refusal = taskError(code, message, { field })
      return { meant: request, reported: [], format: undefined, refusal, isSameFormat: false }
    }
    const { format_id, creative_manifest, target_capability_id } = isObject(request) ? request : {}
    const own = isObject(creative_manifest) ? creative_manifest.format_id : undefined
    const capabilities = capabilitiesOf(catalogue)
    const named = isText(target_capability_id) ? capabilities.byId(target_capability_id) : undefined
    const isSilent = isNewer && format_id === undefined && own === undefined
    const fitting =
      isSilent && target_capability_id === undefined && isObject(creative_manifest)
        ? fittingCapability(capabilities, creative_manifest, 'preview')
        : undefined
    const capable = named?.operations.includes('preview') ? named : fitting
    if (target_capability_id !== undefined && !capable) {
      const message = named
        ? `${named.capability_id} has no fixed size: give its format with width and height`
        : 'there is no such capability here: the capabilities list those there are'
      return refused('FORMAT_NOT_SUPPORTED', message, '/target_capability_id')
    }
    const capability = capable && { ...capable.format.format_id, agent_url: ownAgentUrls[0] ?? '' }
    const requested = format_id ?? own ?? capability
    if (isSilent && requested === undefined && isKindOnly(creative_manifest)) {
      const message =
        'no preview capability fits this format_kind and the size of its assets: give target_capability_id'
      return refused('FORMAT_NOT_SUPPORTED', message, '/target_capability_id')
    }
    if (formatIdFault(requested) !== undefined) {
      return refused('INVALID_FORMAT_ID', 'give format_id, here or in the manifest', '/format_id')
    }
    const found = find(requested as FormatId)
    if (!found.ok) {
      const isMisfit = found.reason === 'bad_parameters'
      const field = format_id === undefined ? '/creative_manifest/format_id' : '/format_id'
      return refused(isMisfit ? 'VALIDATION_ERROR' : 'FORMAT_NOT_SUPPORTED', found.message, field)
    }
    const built = builtFormatOf(found.format, own, find)
    const format = built ?? found.format
    const isSameFormat =
      built !== undefined || areEqual(own, requested as FormatId) || means(own, format, find)
    const inWords = isNewer ? inSlots(request, format) : { meant: request, reported: [] }
    return { ...inWords, format: write(format), refusal: undefined, isSameFormat }
  }

  return (call) => {
    const find = onceEach((formatId) => catalogue.find(formatId, call.ownAgentUrls))
    return (request) => formatOf(request, { ...call, find })
  }
}

type Find = (formatId: FormatId) => FoundFormat

/** The format of a manifest that was built for a generative format, which is named with it. */
function builtFormatOf({ output_format_ids = [] }: Format, own: unknown, find: Find) {
  const named = output_format_ids.find((id) => {
    const output = find(id)
    return areEqual(own, id) || (output.ok && means(own, output.format, find))
  })
  const found = named && find(named)
  return found?.ok ? found.format : undefined
}

function onceEach(find: Find): Find {
  const known = new Map<string, FoundFormat>()
  return (formatId) => {
    const { agent_url, id, width, height, duration_ms } = formatId
    const key = `${id} ${width} ${height} ${duration_ms} ${agent_url}`
    const found = known.get(key) ?? find(formatId)
    known.set(key, found)
    return found
  }
}

function isKindOnly(manifest: unknown): boolean {
  return isObject(manifest) && isText(manifest.format_kind)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** For input with the shape of a request; the rest is left to the shape check. */
function inSlots(request: unknown, format: Format): Pick<FoundFormatOf, 'meant' | 'reported'> {
  const manifest = isObject(request) ? request.creative_manifest : undefined
  if (!isObject(request) || !isObject(manifest) || !isObject(manifest.assets)) {
    return { meant: request, reported: [] }
  }
  const { assets, renamed } = inSlotWords(manifest.assets, format)
  if (assets === manifest.assets) return { meant: request, reported: [] }
  const meant = { ...request, creative_manifest: { ...manifest, assets } }
  return { meant, reported: renamed.map(renamedNote) }
}

/** In the form most callers use, which avoids a second catalogue look-up. */
function areEqual(own: unknown, requested: FormatId): boolean {
  if (!isObject(own)) return false
  const { agent_url, id, width, height, duration_ms } = requested
  return (
    own.agent_url === agent_url &&
    own.id === id &&
    own.width === width &&
    own.height === height &&
    own.duration_ms === duration_ms
  )
}

/** Whether an id means this format, by any name of this server. */
function means(id: unknown, format: Format, find: Find): boolean {
  if (formatIdFault(id) !== undefined) return false
  const found = find(id as FormatId)
  return found.ok && formatKeyOf(found.format) === formatKeyOf(format)
}
