// The small values that the schemas of every task share: texts, times, addresses, money, pages, and the references to
// accounts and brands (spec 2, 4). Without defaults and coercions: accepted values are returned unchanged, so that
// they can be hashed, stored and echoed.

import { z } from 'zod'

/** An id assigned by a server: opaque, so only its length is checked. */
export const opaqueId = z.string().min(1).max(255)

/** A text that a person wrote or reads, with its maximum length. */
export const text = (maxLength: number) => z.string().min(1).max(maxLength)

export const name = text(200)

/** An http or https address of an agent, a page or a callback. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'This must be an http or https URL, such as https://a.com.' })
  .max(2048)

/** A time with its zone. */
export const isoTime = z.iso.datetime({
  offset: true,
  error: 'This must be an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z.',
})

export const isoDate = z.iso.date({ error: 'This must be a date, such as 2026-01-31.' })

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'This must be a currency of three capital letters, such as USD.')

/** ISO 3166-1 alpha-2, in upper or lower case: it is converted to upper case. */
export const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'This must be a country code of two letters, such as US.')

export const countries = z.array(country).max(250)

export const domain = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    'This must be a domain alone, in lower case, such as example.com.',
  )

/** The characters and length of an idempotency key, in requests and webhooks. */
export const idempotencyKey = z
  .string()
  .min(16)
  .max(255)
  .regex(/^[A-Za-z0-9_.:-]*$/, 'This may hold letters, digits and _ . : - only.')

/** The largest amount, price, bid or count that is accepted, so that sums and products stay finite. */
export const MAX_QUANTITY = 1e12

export const quantity = z.number().min(0).max(MAX_QUANTITY)
export const count = z.int().min(0).max(MAX_QUANTITY)
export const atLeastOne = z.int().min(1).max(MAX_QUANTITY)
/** A sum of quantities in a response. */
export const summedQuantity = z.number().min(0)
export const percentage = z.number().min(0).max(100)

export const money = z
  .looseObject({
    amount: quantity.describe('How much.'),
    currency: currency.describe('ISO 4217 currency.'),
  })
  .meta({ examples: [{ amount: 5000, currency: 'USD' }] })
export type Money = z.infer<typeof money>

/** Data that the caller sent to be echoed; it is never read. */
export const context = z.looseObject({}).describe('Echoed verbatim in every answer and webhook.')

export const ext = z.looseObject({}).describe('Extensions by name; unknown ones are ignored.')

export const brandRef = z
  .looseObject({
    domain: domain.describe('Domain at which the brand publishes its brand.json.'),
    brand_id: opaqueId.optional().describe('One brand of the portfolio, when there are several.'),
  })
  .meta({ examples: [{ domain: 'acme.example' }] })
export type BrandRef = z.infer<typeof brandRef>

const accountObject = z.looseObject({
  account_id: opaqueId.optional().describe('Id from list_accounts or sync_accounts.'),
  brand: brandRef.optional().describe('Whose account, with operator, instead of account_id.'),
  operator: domain.optional().describe('Domain of the brand’s operator.'),
  sandbox: z.boolean().optional().describe('Whether the sandbox account is meant.'),
  currency: currency.optional().describe('Of an account that has one currency for good.'),
  timezone: text(64).optional().describe('Of an account that has one time zone for good.'),
})

/** An account by its id, or by its brand and operator. */
export const accountRef = z
  .union([accountObject, opaqueId])
  .meta({ examples: [{ account_id: 'acc_1' }] })
export type AccountRef = z.infer<typeof accountRef>

export const MAX_PAGE = 100

export const paginationRequest = z.looseObject({
  max_results: atLeastOne.max(MAX_PAGE).optional().describe('Entries per page, 1 to 100.'),
  cursor: text(4096).optional().describe('The cursor of the page before.'),
})

export const paginationResponse = z.strictObject({
  has_more: z.boolean().describe('Whether another page follows.'),
  cursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  total_count: count.optional().describe('Entries on all pages.'),
})
export type PaginationResponse = z.infer<typeof paginationResponse>

export const sortDirection = z.enum(['asc', 'desc'])
