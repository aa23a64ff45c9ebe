// Validates display names, which people read in lists: of a principal, an organisation, an agent. Control characters
// would break a terminal and a log line, and NUL a database.

export const MAX_NAME_CHARS = 200

/** The rule in human-readable form, for the error messages of code that applies it. */
export const NAME_RULE = `1 to ${MAX_NAME_CHARS} characters without control characters`

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u

/** The name without surrounding white space, or undefined if it is invalid. */
export function parseName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.trim()
  if (name === '' || name.length > MAX_NAME_CHARS || UNPRINTABLE.test(name)) return undefined
  return name
}
