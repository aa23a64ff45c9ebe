// Country values that callers use but that are not ISO 3166-1 codes, such as UK: they match nothing, so the caller is
// warned.

/** Codes used elsewhere, with the corresponding ISO 3166-1 code. */
const OTHER_CODES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
])

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Why a two-letter code is not a country; undefined if it is one, or is not such a code. */
export function countryFault(code: string): string | undefined {
  const upper = code.toUpperCase()
  const assigned = OTHER_CODES.get(upper)
  if (assigned !== undefined) return `${code} is not an ISO 3166-1 country code: use ${assigned}`
  if (!/^[A-Z]{2}$/.test(upper)) return undefined
  const isKnown = upper !== 'ZZ' && REGIONS.of(upper) !== undefined
  return isKnown ? undefined : `${code} is not an ISO 3166-1 country code`
}
