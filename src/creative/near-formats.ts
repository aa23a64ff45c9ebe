// Suggestions for a caller who named a format that does not exist: formats with nearly the same name, and for a
// custom size the formats of any size.

import { nearNames } from '../lib/near-names.ts'
import type { Format } from '../protocol/schemas/format.ts'

const MAX_NAMED = 3
const MAX_COMPARED_CHARS = 100

/** As the end of a sentence; empty if there is no close match. */
export function nearFormats(
  id: string,
  names: Iterable<string>,
  formats: Iterable<Format>,
): string {
  if (id.length > MAX_COMPARED_CHARS) return ''
  const near = nearNames(id, names).slice(0, MAX_NAMED)
  const size = /(\d{1,5})x(\d{1,5})/.exec(id)
  const kind = id.split('_').at(-1) ?? ''
  const ofAnySize = [...formats]
    .filter(({ accepts_parameters }) => accepts_parameters?.includes('dimensions'))
    .map(({ format_id }) => format_id.id)
  const template = ofAnySize.find((name) => name.endsWith(`_${kind}`)) ?? ofAnySize[0]
  return [
    near.length > 0 && `; near it: ${near.join(', ')}`,
    size &&
      template &&
      `; of this size: ${template} with "width": ${Number(size[1])}, "height": ${Number(size[2])} beside its id`,
  ]
    .filter(Boolean)
    .join('')
}
