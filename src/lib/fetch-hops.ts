// A GET that follows redirects within a site and reports every address on its way: a caller that trusts an answer
// because of its origin has to check each hop, not only the last.

import { followRedirect, redirectOf } from './safe-fetch/follow-redirect.ts'
import type { Egress, EgressRequest, EgressResult } from './safe-fetch/safe-fetch.ts'

export type HopsResult = EgressResult & {
  /** The requested URLs, starting with the given one. */
  hops: readonly string[]
}

export type GetRequest = Omit<EgressRequest, 'method' | 'body' | 'redirects'> & {
  totalTimeoutMs: number
}

const MAX_REDIRECTS = 3

/** `totalTimeoutMs` covers all hops together. */
export async function fetchHops(fetch: Egress['fetch'], request: GetRequest): Promise<HopsResult> {
  const startedMs = performance.now()
  const hops: string[] = []
  const spentMs = () => performance.now() - startedMs
  for (let url = request.url; ; ) {
    hops.push(url)
    const left = request.totalTimeoutMs - spentMs()
    const result = await fetch({
      ...request,
      url,
      redirects: 'none',
      totalTimeoutMs: Math.max(1, Math.floor(left)),
    })
    const answer = { ...result, durationMs: spentMs(), hops }
    if (!answer.ok) return answer
    const location = redirectOf(answer.status, answer.headers)
    if (location === undefined) return { ...answer, url }
    const next = followRedirect(new URL(url), location)
    if (!next.ok) return { ...next, durationMs: spentMs(), hops }
    if (hops.length > MAX_REDIRECTS) {
      const message = `more than ${MAX_REDIRECTS} redirects in a row`
      return { ok: false, code: 'redirect_refused', message, durationMs: spentMs(), hops }
    }
    url = next.url.href
  }
}
