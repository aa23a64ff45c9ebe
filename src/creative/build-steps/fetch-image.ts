// Pictures and fonts that a request refers to (spec 2.4, 4.2), as raw bytes: from the URL itself, from our own
// assets, or through the egress guard. Their content is read in the worker pool.

import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import type { PictureSource } from '../pictures/picture-source.ts'

export interface ImageSources {
  egress: Pick<Egress, 'fetch' | 'checkUrl'>
  /** The bytes behind an address of this server's own assets; undefined for any other address. */
  ownAsset(url: string): Promise<Uint8Array | undefined>
}

export type FetchedImage = { ok: true; source: PictureSource } | { ok: false; reason: string }

export interface FetchPreferences {
  maxBytes: number
  signal: AbortSignal
  /** Default: pictures. */
  accept?: string
}

const FETCH_TIMEOUT_MS = 15_000

export async function fetchImage(
  url: string,
  sources: ImageSources,
  { accept = 'image/*', ...limits }: FetchPreferences,
): Promise<FetchedImage> {
  if (url.startsWith('data:')) return { ok: true, source: { dataUrl: url } }
  const fetched = await fetchBytes(url, sources, { ...limits, accept })
  return fetched.ok ? { ok: true, source: { bytes: fetched.bytes } } : fetched
}

export type FetchedBytes = { ok: true; bytes: Uint8Array } | { ok: false; reason: string }

/** A file of ours, or one through the egress guard. */
export async function fetchBytes(
  url: string,
  { egress, ownAsset }: ImageSources,
  { maxBytes, accept, signal }: { maxBytes: number; accept: string; signal: AbortSignal },
): Promise<FetchedBytes> {
  const own = await ownAsset(url)
  if (own) return { ok: true, bytes: own }
  const answer = await egress.fetch({
    url,
    headers: { accept },
    maxBytes,
    totalTimeoutMs: FETCH_TIMEOUT_MS,
    redirects: 'same-site',
    signal,
  })
  if (!answer.ok) {
    // We aborted it: the step is run again, so this says nothing about the URL.
    if (signal.aborted) throw new Error('the fetch was aborted')
    const isTooLarge = answer.code === 'too_large'
    return { ok: false, reason: isTooLarge ? `it has more than ${maxBytes} bytes` : answer.message }
  }
  if (answer.status !== 200) {
    return { ok: false, reason: `its server answered ${answer.status}` }
  }
  return { ok: true, bytes: answer.body }
}
