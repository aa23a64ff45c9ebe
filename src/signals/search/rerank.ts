// A second opinion on the best few: a model behind the OpenAI-compatible interface sorts them. Optional, bounded in
// time, and never trusted: its response is either an order of ids or ignored, in which case the search's own order is
// kept.

import { askModelServer, chatObject, type ModelServer } from '../../lib/model-server.ts'
import { createRecentCache } from '../../lib/recent-cache.ts'
import type { SearchHit } from '../matching/query.ts'
import type { SignalStore } from '../store.ts'
import type { SignalSearch } from './signal-search.ts'

/** The ids in a better order; undefined if there was no response. */
export type Reranker = (
  signal_spec: string,
  signals: readonly { id: string; name: string; description: string }[],
  signal: AbortSignal,
) => Promise<readonly string[] | undefined>

/** How many of the best are sorted. */
const RERANKED = 20
const ORDERS_KEPT = 1_000

/** The same search, with its first hits in the order of the model. */
export function withReranker(
  search: SignalSearch,
  signals: Pick<SignalStore, 'get'>,
  rerank: Reranker,
): SignalSearch {
  // All pages of one query must use the same order.
  const orders = createRecentCache<readonly string[]>(ORDERS_KEPT)

  async function reordered(signal_spec: string, hits: readonly SearchHit[], abort: AbortSignal) {
    const ids = hits.map((hit) => hit.signal_agent_segment_id)
    const key = JSON.stringify([signal_spec, ids])
    const known = orders.get(key)
    if (known) return applied(hits, known)
    const stored = await signals.get(ids)
    const described = ids.flatMap((id) => {
      const one = stored.get(id)?.signal
      return one ? [{ id, name: one.name, description: one.description }] : []
    })
    const order = await rerank(signal_spec, described, abort)
    if (order) orders.set(key, order)
    return order ? applied(hits, order) : hits
  }

  return {
    status: search.status,
    search: async (query, abort, by) => {
      const { signal_spec, limit, offset } = query
      if (signal_spec === undefined || offset >= RERANKED) return search.search(query, abort, by)
      const wide = { ...query, offset: 0, limit: Math.max(RERANKED, offset + limit) }
      const answer = await search.search(wide, abort, by)
      if (answer.hits.length < 2) return page(answer, offset, limit)
      const first = await reordered(signal_spec, answer.hits.slice(0, RERANKED), abort)
      return page({ ...answer, hits: [...first, ...answer.hits.slice(RERANKED)] }, offset, limit)
    },
  }
}

function page<Answer extends { hits: readonly SearchHit[] }>(
  answer: Answer,
  offset: number,
  limit: number,
): Answer {
  return { ...answer, hits: answer.hits.slice(offset, offset + limit) }
}

/** Hits that the model left out keep their order after the others; relevance never increases along the list. */
function applied(hits: readonly SearchHit[], order: readonly string[]): SearchHit[] {
  const places = new Map(order.map((id, place) => [id, place]))
  const placeOf = (hit: SearchHit) => places.get(hit.signal_agent_segment_id) ?? order.length
  return [...hits]
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((hit, at) => ({ ...hit, relevance: hits[at]!.relevance }))
}

export interface OpenAiRerankOptions extends ModelServer {
  model: string
  /** Timeout for the model's response, in milliseconds. Default 3000. */
  timeoutMs?: number
  onFault?: (error: unknown) => void
}

const MAX_ORDER_BYTES = 1_000_000

const TASK = `You rank audience segments for a media planner. Answer with one JSON object with the member
"order": the ids of all segments that fit the brief, the best first. Owners are not intenders, and
lookalikes are neither. Use no ids but those given.`

export function createOpenAiReranker(options: OpenAiRerankOptions): Reranker {
  const { model, timeoutMs = 3_000, onFault = () => {} } = options
  return async (signal_spec, segments, signal) => {
    const body = {
      model,
      messages: [
        { role: 'system', content: TASK },
        { role: 'user', content: JSON.stringify({ brief: signal_spec, segments }) },
      ],
      response_format: { type: 'json_object' },
      temperature: 0,
      seed: 1,
      max_tokens: 1_000,
    }
    const limits = { maxBytes: MAX_ORDER_BYTES, timeoutMs }
    try {
      const path = '/chat/completions'
      const answer = await askModelServer(options, { path, body, ...limits }, signal)
      return readOrder(answer, new Set(segments.map(({ id }) => id)))
    } catch (error) {
      if (!signal.aborted) onFault(error)
      return undefined
    }
  }
}

function readOrder(answer: unknown, known: ReadonlySet<string>): readonly string[] | undefined {
  const order = chatObject(answer)?.order
  if (!Array.isArray(order)) return undefined
  const ids = order.filter((id): id is string => typeof id === 'string' && known.has(id))
  return ids.length > 0 ? [...new Set(ids)] : undefined
}
