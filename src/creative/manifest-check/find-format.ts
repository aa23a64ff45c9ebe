// Finds the format that a request refers to, for the tasks that check a manifest against it (spec 2.2, 7.1): how a
// missing format is reported, and when two format ids mean the same.

import { type ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import type { FoundFormat } from '../format-catalogue.ts'

/** The catalogue with every name of this server; `calledOn` is the one used in the call. */
export type FindFormat = (formatId: FormatId, calledOn: string) => FoundFormat

export type MissingFormat = Extract<FoundFormat, { ok: false }>

/** spec 7.1: an id with parameters that its format does not accept is invalid, any other is not supported. */
export function missingFormatCode({ reason }: MissingFormat): ErrorCode {
  return reason === 'bad_parameters' ? 'INVALID_FORMAT_ID' : 'FORMAT_NOT_SUPPORTED'
}

export function missingFormatError(missing: MissingFormat, field: string): ProtocolError {
  return new ProtocolError(missingFormatCode(missing), missing.message, {
    field,
    suggestion: 'Use a format_id returned by list_creative_formats.',
  })
}

/** Equal for ids that mean the same format: the catalogue's name, and the parameters if it takes any. */
export function formatKeyOf({ format_id }: Format): string {
  const { id, width, height, duration_ms } = format_id
  const size = width === undefined ? '' : ` ${width}x${height}`
  return `${id}${size}${duration_ms === undefined ? '' : ` ${duration_ms}ms`}`
}

/** The catalogue's name alone. */
export function formatNameOf(formatKey: string): string {
  return formatKey.split(' ')[0] as string
}

/** Whether an id means this format, including by an alias or another name of this server. */
export function meansFormat(
  format: Format,
  findFormat: FindFormat,
  calledOn: string,
): (formatId: FormatId) => boolean {
  const key = formatKeyOf(format)
  return (formatId) => {
    const found = findFormat(formatId, calledOn)
    return found.ok && formatKeyOf(found.format) === key
  }
}
