// One page of search results, reduced to what the caller may have (spec 4.3): signals that cannot go to any of the
// targets for this caller are skipped, and the page is filled from the hits that follow.

import { defined } from '../lib/defined.ts'
import type { Deployment } from '../protocol/schemas/deployment.ts'
import type { SignalTargets } from '../protocol/schemas/field-map.ts'
import type { CallContext } from '../protocol/task.ts'
import { maySee } from './access.ts'
import { type CatalogueSignal, liveSince, type StoredSignal } from './catalogue.ts'
import { serializeDeployments, type Viewer } from './deployments.ts'
import type { SearchAnswer, SearchHit, SearchQuery } from './matching/query.ts'
import { searchCallerOf } from './search/search-caller.ts'
import type { SignalSearch } from './search/signal-search.ts'
import type { SignalStore } from './store.ts'

export interface FoundSignal extends Pick<StoredSignal, 'version' | 'changed_at'> {
  signal: CatalogueSignal
  hit: SearchHit
  deployments: Deployment[]
}

export interface FoundPage extends Pick<SearchAnswer, 'total' | 'corrected' | 'omitted'> {
  found: FoundSignal[]
  /** Where the next page begins, if there is one. */
  next: number | undefined
}

export interface Wanted {
  query: Omit<SearchQuery, 'limit' | 'offset'>
  limit: number
  offset: number
  targets: SignalTargets['deployments']
}

interface PageReader {
  call: Pick<CallContext, 'signal' | 'principal' | 'account'>
  /** The caller, with its activations of these signals. */
  viewerOf: (ids: readonly string[]) => Promise<Viewer>
}

export interface FillPorts {
  signals: Pick<SignalStore, 'get'>
  search: Pick<SignalSearch, 'search'>
}

/**
 * Maximum number of hits that are read for one page: beyond that the page stays short, and the next one continues.
 */
const MAX_LOOKED_AT = 1_000
/** Further hits of the search, if the first ones did not fill the page. */
const LARGE_SEARCH = 250

export async function fillPage(
  { signals, search }: FillPorts,
  { query, limit, offset, targets }: Wanted,
  { call, viewerOf }: PageReader,
): Promise<FoundPage> {
  const by = searchCallerOf(call)
  const found: FoundSignal[] = []
  for (let at = offset; ; ) {
    const size = at === offset ? limit : LARGE_SEARCH
    const answer = await search.search({ ...query, limit: size, offset: at }, call.signal, by)
    const ids = answer.hits.map(({ signal_agent_segment_id }) => signal_agent_segment_id)
    const [stored, viewer] = await Promise.all([signals.get(ids), viewerOf(ids)])
    const reader = { targets, viewer }
    for (const hit of answer.hits) {
      if (found.length === limit) break
      at++
      const there = stored.get(hit.signal_agent_segment_id)
      const returned = there && returnedTo(there, hit, reader)
      if (returned) found.push(returned)
    }
    const { total, corrected, omitted, hits } = answer
    const isLast = hits.length === 0 || at >= total
    if (isLast || found.length === limit || at - offset >= MAX_LOOKED_AT) {
      const isCorrected = corrected && corrected.length > 0
      return {
        found,
        total,
        next: isLast ? undefined : at,
        ...defined({
          corrected: isCorrected ? corrected : undefined,
          omitted,
        }),
      }
    }
  }
}

function returnedTo(
  stored: StoredSignal,
  hit: SearchHit,
  { targets, viewer }: Pick<Wanted, 'targets'> & { viewer: Viewer },
): FoundSignal | undefined {
  const { signal, version, changed_at } = stored
  if (!viewer.seesAll && !maySee(signal, viewer.caller)) return undefined
  const at = { ...viewer, liveSince: liveSince(stored) }
  const deployments = serializeDeployments(signal, targets, at)
  if (targets !== 'any' && deployments.length === 0) return undefined
  return { signal, version, changed_at, hit, deployments }
}
