// How lists are sorted (spec 3.2): separate from the shared shapes, since the protocol does not define it.

import { z } from 'zod'
import { sortDirection } from './common.ts'

/** How a list is sorted: by one of these, newest first by default. */
export function sortBy<const Fields extends readonly [string, ...string[]]>(fields: Fields) {
  const sort = z.looseObject({
    field: z.enum(fields).optional().describe(`Default ${fields[0]}.`),
    direction: sortDirection.optional().describe('Default desc.'),
  })
  return sort.optional().describe('In which order.')
}
