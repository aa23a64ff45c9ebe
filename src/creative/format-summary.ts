// Formats in short form, for callers that pay for every byte, such as assistants: enough to choose one, and a sentence on
// how to get the rest.

import { defined } from '../lib/defined.ts'
import type { PaginationResponse } from '../protocol/schemas/common.ts'
import type { Format, FormatSlot } from '../protocol/schemas/format.ts'
import type { ListCreativeFormatsResponse } from '../protocol/schemas/list-creative-formats.ts'

interface Page {
  formats: readonly Format[]
  pagination: PaginationResponse
}

export function summaryOf({ formats, pagination }: Page): ListCreativeFormatsResponse {
  return { message: messageOf(formats.length, pagination), formats: formats.map(short), pagination }
}

function messageOf(
  returned: number,
  { cursor, total_count = returned }: PaginationResponse,
): string {
  const next =
    cursor === undefined
      ? ''
      : ' For the next page, repeat the call with pagination.cursor set to the cursor of this response.'
  return (
    `${returned} of ${total_count} formats in short form.${next} ` +
    'For the full definition of a format, send its format_id in format_ids, without detail.'
  )
}

function short(format: Format): ListCreativeFormatsResponse['formats'][number] {
  const { format_id, name, type, renders, accepts_parameters, assets_required } = format
  return {
    format_id,
    name,
    type,
    ...defined({ accepts_parameters, renders }),
    assets_required: assets_required.map(shortSlot),
  }
}

/** Without what its asset must satisfy. */
function shortSlot(slot: FormatSlot): FormatSlot {
  if (slot.item_type === 'individual') {
    const { item_type, asset_id, asset_type, required } = slot
    return { item_type, asset_id, asset_type, required }
  }
  const { item_type, asset_group_id, required, min_count, max_count, assets } = slot
  return {
    item_type,
    asset_group_id,
    required,
    min_count,
    max_count,
    assets: assets.map(({ asset_id, asset_type }) => ({ asset_id, asset_type })),
  }
}
