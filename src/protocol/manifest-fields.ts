// The types of values inside a manifest, for the schemas of brand.json and adagents.json: unknown fields are
// accepted, known ones must be valid (spec 2.1, 3.1).
import { z } from 'zod'
import { normaliseHost } from '../lib/host-name.ts'
import { parseUrl } from '../lib/is-url.ts'
import { MAX_MANIFEST_ISSUES } from './manifest-issues.ts'
import { listOf } from './manifest-list.ts'

/** A URL that agents connect to: only https, or also http if the caller allows it. */
export function secureUrl(allowHttp: boolean): z.ZodType<string> {
  if (allowHttp) return manifestWebUrl
  return z
    .string()
    .refine(
      (text) => hasScheme(text, ['https:']),
      'This must be an https URL, such as https://example.com/path.',
    )
}

/** A URL that people or renderers open: http or https. */
export const manifestWebUrl = z
  .string()
  .refine(
    (text) => hasScheme(text, ['https:', 'http:']),
    'This must be an http or https URL, such as https://example.com/path.',
  )

/** Only a host name, without scheme, port or path. */
export const domainName = z
  .string()
  .refine(
    (text) => !/[/:?#\s]/.test(text) && normaliseHost(text).ok,
    'This must be a domain alone, such as example.com.',
  )

export const filledText = z.string().trim().min(1)

export const timestamp = z.iso.datetime({
  offset: true,
  error: 'This must be an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z.',
})

/** RFC 5321 §4.5.3.1: mail cannot be delivered to longer ones, so they are not worth matching. */
const MAX_EMAIL_CHARS = 254

export const email = z
  .string()
  .refine(
    (text) => text.length <= MAX_EMAIL_CHARS && z.email().safeParse(text).success,
    'This must be an e-mail address, such as ads@example.com.',
  )

export const manifestCountry = z
  .string()
  .regex(/^[A-Z]{2}$/, 'This must be a country code of two capital letters, such as US.')

/** The id of a brand or agent inside its own file. */
export const localId = z
  .string()
  .max(100)
  .regex(
    /^[a-z0-9_]+$/,
    'This must be lower-case letters, digits and underscores, such as my_brand.',
  )

/** A value of a vocabulary that grows with the protocol, so unknown values are accepted. */
export const openWord = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]*$/,
    'This must be a lower-case word with underscores, such as mobile_app.',
  )

const COLOUR_ERROR = 'This must be a hex colour such as #0a7 or #00aa77, or a list of them.'
const hexColour = z.string().regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, COLOUR_ERROR)

/** One colour or several, for one role. */
export const colourValue = z.union([hexColour, listOf(hexColour, { min: 1 })], {
  error: COLOUR_ERROR,
})

/** Refuses the second of two entries with the same key, at the location of the key. */
export function noRepeats<T>(field: string, keyOf: (entry: T) => string | undefined) {
  return (context: z.core.ParsePayload<T[]>): void => {
    const seen = new Set<string>()
    context.value.forEach((entry, index) => {
      const key = keyOf(entry)
      if (key === undefined || context.issues.length >= MAX_MANIFEST_ISSUES) return
      if (seen.has(key)) {
        context.issues.push({
          code: 'custom',
          path: [index, field],
          input: entry,
          message: `This ${field} is already used in the list; each entry must have its own.`,
        })
      }
      seen.add(key)
    })
  }
}

/** The form in which two URLs of one list count as the same. */
export function urlKey(url: string): string {
  return parseUrl(url)?.href ?? url
}

function hasScheme(text: string, schemes: readonly string[]): boolean {
  // The parser drops white space; a manifest is compared byte by byte elsewhere, so white space is refused.
  const url = /\s/.test(text) ? undefined : parseUrl(text)
  if (!url) return false
  return schemes.includes(url.protocol) && url.username === '' && url.password === ''
}
