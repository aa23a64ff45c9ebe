// Fetches one document that says who owns which keys (spec 5): through the egress guard, without redirects, within
// limits of time and size, and parsed strictly, since two interpretations of one document would give two answers
// about whom to trust.

import type { EgressRequest, EgressResult } from '../lib/safe-fetch/safe-fetch.ts'
import { parseStrictJson } from '../lib/strict-json.ts'

export type Fetch = (request: EgressRequest) => Promise<EgressResult>

export type Fetched =
  | { ok: true; document: unknown }
  /** `isAbsent`: the server answered that there is no such document. */
  | { ok: false; isAbsent: boolean; fault: FetchFault; reason: string }

/** Whether fetching from the address is forbidden, it is unavailable now, or its content cannot be parsed. */
type FetchFault = 'refused' | 'unavailable' | 'malformed'

export const MAX_BRAND_JSON_BYTES = 256 * 1024
export const MAX_ADAGENTS_JSON_BYTES = 256 * 1024
export const MAX_JWKS_BYTES = 64 * 1024
const TOTAL_TIMEOUT_MS = 10_000

export async function fetchDocument(fetch: Fetch, url: string, maxBytes: number): Promise<Fetched> {
  const result = await fetch({
    url,
    headers: { accept: 'application/json' },
    redirects: 'none',
    maxBytes,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
  })
  if (!result.ok) {
    const isRefused = REFUSED.includes(result.code)
    return failed(isRefused ? 'refused' : 'unavailable', `${result.code}: ${result.message}`)
  }
  if (result.status === 404 || result.status === 410) {
    const reason = `the server answered ${result.status}`
    return { ok: false, isAbsent: true, fault: 'unavailable', reason }
  }
  if (result.status !== 200) {
    return failed('unavailable', `the server answered ${result.status}, not 200`)
  }
  const read = parseStrictJson(result.body)
  if (!read.ok) return failed('malformed', `the answer is no strict JSON (${read.reason})`)
  return { ok: true, document: read.value }
}

const REFUSED = ['invalid_url', 'scheme_refused', 'credentials_in_url', 'address_refused']

function failed(fault: FetchFault, reason: string): Fetched {
  return { ok: false, isAbsent: false, fault, reason }
}
