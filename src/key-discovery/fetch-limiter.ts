// Limits how many key documents are fetched concurrently, in total and per host: one request with an unknown key id
// may need the documents of every registered address.

import { createFairQueue } from '../lib/fair-queue.ts'
import { isUrl } from '../lib/is-url.ts'
import type { Loaded } from './document-cache.ts'
import { KEY_DISCOVERY_LIMITS } from './limits.ts'

type Load<Value> = (url: string) => Promise<Loaded<Value>>

/** Makes a load wait for its turn. */
export type FetchLimiter = <Value>(load: Load<Value>) => Load<Value>

export interface FetchLimiterOptions {
  /** Maximum concurrent fetches. Default 256. */
  atOnce?: number
  /** Maximum concurrent fetches from one host. Default 8. */
  ofHost?: number
  /** Maximum wait for a slot, in milliseconds. Default 10 seconds. */
  waitMs?: number
}

export function createFetchLimiter({
  atOnce = KEY_DISCOVERY_LIMITS.fetchesAtOnce.value,
  ofHost = KEY_DISCOVERY_LIMITS.fetchesOfHost.value,
  waitMs = 10_000,
}: FetchLimiterOptions = {}): FetchLimiter {
  const turns = createFairQueue({ most: atOnce, perOwner: ofHost })
  return (load) => async (url) => {
    const end = await turns.take(hostOf(url), { waitMs, signal: new AbortController().signal })
    if (end === 'late') return BUSY
    try {
      return await load(url)
    } finally {
      end()
    }
  }
}

/** The fetch itself rejects invalid URLs. */
function hostOf(url: string): string {
  return isUrl(url) ? new URL(url).host : ''
}

const BUSY = {
  ok: false,
  reason: 'too many documents about keys are being fetched',
  failure: 'signature_jwks_unavailable',
} as const
