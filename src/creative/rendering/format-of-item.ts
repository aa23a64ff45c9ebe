// The format that one creative of a call is for, found where the catalogue is, and written for the way to
// the workshop: a batch has few formats, and each is written once.

import { createRecentCache } from '../../lib/recent-cache.ts'
import { type TaskError, taskError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { type FormatId, formatIdFault } from '../../protocol/schemas/format-id.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import { formatKeyOf } from '../manifest-check/find-format.ts'
import type { DrawItem } from './draw-items.ts'

/** Of a request whose shape may still be wrong: then that is told first. */
export type FindFormatOf = (request: unknown, ownAgentUrls: readonly string[]) => FoundFormatOf
type FoundFormatOf = Pick<DrawItem, 'format' | 'refusal' | 'isSameFormat'>

const WRITTEN_FORMATS = 256

export function createFindFormat(catalogue: FormatCatalogue): FindFormatOf {
  const written = createRecentCache<string>(WRITTEN_FORMATS)

  /** Equal ids are the same format, since the catalogue does not change. */
  function write(format: Format): string {
    const key = `${formatKeyOf(format)} ${format.format_id.agent_url}`
    const json = written.get(key) ?? JSON.stringify(format)
    written.set(key, json)
    return json
  }

  return (request, ownAgentUrls) => {
    const { format_id, creative_manifest } = isObject(request) ? request : {}
    const own = isObject(creative_manifest) ? creative_manifest.format_id : undefined
    const asked = format_id ?? own
    if (formatIdFault(asked) !== undefined) {
      return refused('INVALID_FORMAT_ID', 'give format_id, here or in the manifest', '/format_id')
    }
    const found = catalogue.find(asked as FormatId, ownAgentUrls)
    if (!found.ok) {
      const isMisfit = found.reason === 'bad_parameters'
      const field = format_id === undefined ? '/creative_manifest/format_id' : '/format_id'
      return refused(isMisfit ? 'VALIDATION_ERROR' : 'FORMAT_NOT_SUPPORTED', found.message, field)
    }
    const { format } = found
    const isSameFormat =
      areEqual(own, asked as FormatId) || means(own, format, catalogue, ownAgentUrls)
    return { format: write(format), refusal: undefined, isSameFormat }
  }
}

function refused(code: TaskError['code'], message: string, field: string): FoundFormatOf {
  return { format: undefined, refusal: taskError(code, message, { field }), isSameFormat: false }
}

/** As most callers write them, which spares asking the catalogue twice. */
function areEqual(own: unknown, asked: FormatId): boolean {
  if (!isObject(own)) return false
  const { agent_url, id, width, height, duration_ms } = asked
  return (
    own.agent_url === agent_url &&
    own.id === id &&
    own.width === width &&
    own.height === height &&
    own.duration_ms === duration_ms
  )
}

/** Whether an id means this format, whatever name of this server stands in it. */
function means(
  id: unknown,
  format: Format,
  catalogue: FormatCatalogue,
  ownAgentUrls: readonly string[],
): boolean {
  if (formatIdFault(id) !== undefined) return false
  const found = catalogue.find(id as FormatId, ownAgentUrls)
  return found.ok && formatKeyOf(found.format) === formatKeyOf(format)
}
