// The lookup in its most common form, answered before the framework: one domain in plain letters, and optionally
// a type. It is the one route whose cost is mostly overhead, and this halves it. Requests with anything else are
// left to the route, so the two cannot differ in what they refuse.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallerAddress } from '../../../lib/caller-address.ts'
import { normaliseDomain } from '../../../lib/host-name.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { lookupBody } from '../../../registry/lookup-manifest-ref.ts'
import type { ReferenceStore } from '../../../registry/store.ts'
import type { HttpMetrics } from '../http-metrics.ts'
import { tooManyRequests } from '../too-many.ts'
import { LOOKUP_PATH } from './lookup-route.ts'

export interface QuickLookupOptions {
  references: Pick<ReferenceStore, 'bestJson'>
  metrics: HttpMetrics
  /** Headers of every answer, without the request id. */
  headers: Readonly<Record<string, string>>
  requestId: () => string
  /** Lookups of one address. */
  lookups: RateLimit
  addressOf: CallerAddress
}

/** Returns true after answering, or false with the request untouched. */
export type QuickAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: () => void,
) => boolean

const PREFIX = `${LOOKUP_PATH}?domain=`
const REST = /^([A-Za-z0-9.-]{3,253})(?:&type=(brand\.json|adagents\.json))?$/

export function createQuickLookup({
  references,
  metrics,
  headers,
  requestId,
  lookups,
  addressOf,
}: QuickLookupOptions): QuickAnswer {
  const fixed = [...Object.entries(headers), ['content-type', 'application/json; charset=utf-8']]
  const flat = fixed.flat()
  const answered = metrics.series({ route: LOOKUP_PATH, method: 'GET', status: 200 })
  const refused = metrics.series({ route: LOOKUP_PATH, method: 'GET', status: 429 })
  const refuse = (response: ServerResponse, seconds: number): void => {
    const body = JSON.stringify({ error: tooManyRequests(seconds) })
    const more = ['retry-after', String(seconds), 'content-length', String(body.length)]
    response.writeHead(429, [...flat, 'x-request-id', requestId(), ...more])
    response.end(body)
  }

  return (request, response, otherwise) => {
    const { url = '', method } = request
    if (method !== 'GET' || !url.startsWith(PREFIX)) return false
    const requested = REST.exec(url.slice(PREFIX.length))
    if (!requested) return false
    const named = normaliseDomain(requested[1] as string)
    if (!named.ok) return false
    const manifestType = requested[2] ?? 'brand.json'

    const started = performance.now()
    const taken = lookups.take(addressOf(request))
    if (!taken.ok) {
      refuse(response, taken.retryAfterSeconds)
      refused((performance.now() - started) / 1_000)
      return true
    }
    const answer = (reference: string | undefined): void => {
      // Crawled data is looked up by the route.
      if (reference === undefined && manifestType === 'adagents.json') {
        otherwise()
        return
      }
      const body = lookupBody(reference)
      const length = Buffer.byteLength(body)
      const lengthHeader = ['content-length', String(length)]
      response.writeHead(200, [...flat, 'x-request-id', requestId(), ...lengthHeader])
      // A text with one byte per character is copied, not encoded.
      response.end(body, length === body.length ? 'latin1' : 'utf8')
      answered((performance.now() - started) / 1_000)
    }
    const found = references.bestJson(named.domain, manifestType)
    // An error of the store is answered by the route, which tries again and has the error table.
    if (found instanceof Promise) found.then(answer, otherwise)
    else answer(found)
    return true
  }
}
