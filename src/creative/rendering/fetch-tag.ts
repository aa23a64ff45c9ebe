// How tags are fetched for display: through the egress guard, with limits on size, time and the number per call.
// Their text is passed on unchanged and parsed in the worker pool.

import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { MAX_TAG_CHARS, MAX_TAG_FETCHES } from '../limits.ts'
import type { FetchedTag } from './resolve-tag.ts'

const TIMEOUT_MS = 5_000

/** For all creatives of one call: a URL is fetched once. */
export type FetchTag = (url: string) => Promise<FetchedTag>

export function createFetchTag(
  egress: Pick<Egress, 'fetch'> | undefined,
  signal: AbortSignal,
): FetchTag {
  const underWay = new Map<string, Promise<FetchedTag>>()
  return (url) => {
    if (!egress) return Promise.resolve({ ok: false, reason: 'tags are not fetched here' })
    const known = underWay.get(url)
    if (known) return known
    if (underWay.size >= MAX_TAG_FETCHES) {
      const reason = `more than ${MAX_TAG_FETCHES} tags are not fetched for one call`
      return Promise.resolve({ ok: false, reason })
    }
    const fetched = fetchOnce(egress, url, signal)
    underWay.set(url, fetched)
    return fetched
  }
}

async function fetchOnce(
  egress: Pick<Egress, 'fetch'>,
  url: string,
  signal: AbortSignal,
): Promise<FetchedTag> {
  const answer = await egress.fetch({
    url,
    headers: { accept: 'application/xml, text/xml, */*;q=0.1' },
    totalTimeoutMs: TIMEOUT_MS,
    maxBytes: MAX_TAG_CHARS,
    redirects: 'same-site',
    signal,
  })
  if (!answer.ok) return { ok: false, reason: `the tag could not be fetched (${answer.code})` }
  if (answer.status !== 200) return { ok: false, reason: `its server answered ${answer.status}` }
  return { ok: true, text: answer.body.toString('utf8') }
}
