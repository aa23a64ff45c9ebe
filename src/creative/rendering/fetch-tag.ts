// How tags are fetched for display: through the egress guard, small, soon, and remembered with the
// preview, so that the interactive page shows the same ad without fetching anything.

import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { MAX_TAG_CHARS } from './read-tag.ts'
import type { FetchedTag, FetchTag } from './resolve-tag.ts'

const TIMEOUT_MS = 5_000

/** The documents that were fetched, by their address as it was written. */
export type KeptTags = Record<string, string>

export function createFetchTag(
  egress: Pick<Egress, 'fetch'> | undefined,
  { kept, signal }: { kept: KeptTags; signal?: AbortSignal | undefined },
): FetchTag {
  const underWay = new Map<string, Promise<FetchedTag>>()
  return ({ given, url }) => {
    if (!egress) return Promise.resolve({ ok: false, reason: 'tags are not fetched here' })
    const known = underWay.get(url)
    if (known) return known
    const fetched = fetchOnce(egress, url, signal).then((answer) => {
      if (answer.ok) kept[given] = answer.text
      return answer
    })
    underWay.set(url, fetched)
    return fetched
  }
}

/** Answers from what was kept, and fetches nothing. */
export function keptTags(kept: Readonly<KeptTags>): FetchTag {
  return async ({ given }) =>
    Object.hasOwn(kept, given)
      ? { ok: true, text: kept[given] as string }
      : { ok: false, reason: 'the tag was not fetched when the preview was made' }
}

async function fetchOnce(
  egress: Pick<Egress, 'fetch'>,
  url: string,
  signal: AbortSignal | undefined,
): Promise<FetchedTag> {
  const answer = await egress.fetch({
    url,
    headers: { accept: 'application/xml, text/xml, */*;q=0.1' },
    totalTimeoutMs: TIMEOUT_MS,
    maxBytes: MAX_TAG_CHARS,
    redirects: 'same-site',
    ...(signal ? { signal } : {}),
  })
  if (!answer.ok) return { ok: false, reason: `the tag could not be fetched (${answer.code})` }
  if (answer.status !== 200) return { ok: false, reason: `its server answered ${answer.status}` }
  return { ok: true, text: answer.body.toString('utf8') }
}
