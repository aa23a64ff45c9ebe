// Limits how many documents about keys are fetched at the same time, in all and from one host: one request with an
// unknown key id may need the documents of every address on file.

import { createFairQueue } from '../lib/fair-queue.ts'
import { isUrl } from '../lib/is-url.ts'
import type { Loaded } from './document-cache.ts'
import { KEY_DISCOVERY_LIMITS } from './limits.ts'

type Load<Value> = (url: string) => Promise<Loaded<Value>>

/** Makes a load wait for its turn. */
export type FetchLimiter = <Value>(load: Load<Value>) => Load<Value>

export interface FetchLimiterOptions {
  /** Loads at the same time. Default 256. */
  atOnce?: number
  /** Loads from one host at the same time. Default 8. */
  ofHost?: number
  /** Longest wait for a turn, in milliseconds. Default 10 seconds. */
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

/** What is no URL is refused by the load itself. */
function hostOf(url: string): string {
  return isUrl(url) ? new URL(url).host : ''
}

const BUSY = {
  ok: false,
  reason: 'too many documents about keys are being fetched',
  failure: 'signature_jwks_unavailable',
} as const
