// The member of a list by which it is sorted, for the tasks that list.

import { z } from 'zod'
import { sortDirection } from './common.ts'

/** How a list is sorted: by one of these, newest first unless told otherwise. */
export function sortBy<const Fields extends readonly [string, ...string[]]>(fields: Fields) {
  const sort = z.looseObject({
    field: z.enum(fields).optional().describe(`Default ${fields[0]}.`),
    direction: sortDirection.optional().describe('Default desc.'),
  })
  return sort.optional().describe('In which order.')
}
