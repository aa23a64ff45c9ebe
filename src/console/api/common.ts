// What all answers and requests of the console's API share: pages, times, refusals. The app takes its types from
// here, so nothing in this folder imports more than zod and terms of the protocol.

import { z } from 'zod'

/** Every refusal of the API. */
const apiError = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string() }),
  /** For a missing session: whether one click opens the demo. */
  demo: z.boolean().optional(),
  /** For a missing session: whether people sign in at an identity provider. */
  provider: z.boolean().optional(),
})
export type ApiError = z.infer<typeof apiError>

/** In UTC, with milliseconds. */
export const time = z.iso.datetime()

/** A time as a filter: an ISO time in UTC. */
export const timeFilter = z.iso.datetime({ offset: true })

const MAX_PAGE = 200
const FIRST_PAGE = 50
const MAX_CURSOR_CHARS = 1_024

/** What every list takes. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(FIRST_PAGE),
  cursor: z.string().max(MAX_CURSOR_CHARS).optional(),
}

/** A number that may be too costly to count completely. */
export const counted = z.union([z.number(), z.strictObject({ at_least: z.number() })])
export type Counted = z.infer<typeof counted>

/** Money or a number of impressions; null when what is stored is not a valid amount. */
export const amount = z.number().nullable()

/** A row of a list that cannot be displayed. */
const unreadableRow = z.strictObject({ id: z.string(), reason: z.string() })
export type UnreadableRow = z.infer<typeof unreadableRow>

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    /** Missing on the last page. */
    next_cursor: z.string().optional(),
    total: counted.optional(),
    /** Invalid rows of this page; missing when there are none. */
    unreadable: z.array(unreadableRow).optional(),
  })
}

/** Text from a third party, as a filter: short, and compared literally. */
export const textFilter = z.string().min(1).max(2_048)

/** An id that this server made. */
export const ownId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)

export const done = z.strictObject({ ok: z.literal(true) })

export const noBody = z.strictObject({})
