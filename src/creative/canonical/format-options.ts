// The formats of a product as 3.2 declares them (spec 4.5): each named format of this server by its canonical kind, under
// the id of the capability that makes it.

import type { Format } from '../../protocol/schemas/format.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import type { FormatCatalogue } from '../format-catalogue.ts'
import { type FindFormat, formatKeyOf } from '../manifest-check/find-format.ts'
import { capabilitiesOf } from './capabilities.ts'
import { declarationOf } from './declaration.ts'

interface FormatOption {
  format_option_id: string
  format_kind: string
  params: Readonly<Record<string, unknown>>
  v1_format_ref: readonly FormatId[]
}

/** Undefined for another agent's format, and for one that no canonical kind describes. */
export type FindFormatOption = (formatId: {
  agent_url?: string | undefined
  id: string
}) => FormatOption | undefined

export function formatOptions(
  catalogue: FormatCatalogue,
  { findFormat, publicUrl }: { findFormat: FindFormat; publicUrl: () => string },
): FindFormatOption {
  // Keyed by the catalogue's names, of which there are few.
  const known = new Map<string, Pick<FormatOption, 'format_option_id' | 'format_kind' | 'params'>>()
  const namesOf = (format: Format) => {
    const key = formatKeyOf(format)
    const before = known.get(key)
    if (before) return before
    const { id } = format.format_id
    const declared = declarationOf(format)
    const made = capabilitiesOf(catalogue).all.find((one) => one.format.format_id.id === id)
    if (!declared || !made) return undefined
    const { format_kind, params } = declared
    const option = { format_option_id: made.capability_id, format_kind, params }
    if (known.size < MAX_KNOWN) known.set(key, option)
    return option
  }
  return ({ agent_url = publicUrl(), ...named }) => {
    const formatId = { agent_url, ...named } as FormatId
    const found = findFormat(formatId, publicUrl())
    const option = found.ok ? namesOf(found.format) : undefined
    return option && { ...option, v1_format_ref: [formatId] }
  }
}

const MAX_KNOWN = 1_000
