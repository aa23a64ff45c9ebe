// What callers write for a country and is no code of ISO 3166-1, such as UK: nothing is there, so its caller is warned.

/** Codes that are in use elsewhere, with the code of ISO 3166-1. */
const OTHER_CODES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
])

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Why a code of two letters is no country; undefined when it is one, or no code at all. */
export function countryFault(code: string): string | undefined {
  const upper = code.toUpperCase()
  const assigned = OTHER_CODES.get(upper)
  if (assigned !== undefined) return `${code} is not an ISO 3166-1 country code: use ${assigned}`
  if (!/^[A-Z]{2}$/.test(upper)) return undefined
  const isKnown = upper !== 'ZZ' && REGIONS.of(upper) !== undefined
  return isKnown ? undefined : `${code} is not an ISO 3166-1 country code`
}
