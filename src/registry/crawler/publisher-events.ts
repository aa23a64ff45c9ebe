// What the change feed reports about a publisher: that it has a file, and that the resulting authorizations have
// changed.

import type { Applied } from '../authorizations/apply.ts'
import type { StoredFile } from '../authorizations/store.ts'
import type { NewFeedEvent } from '../feed.ts'
import type { ClaimedDomain, CrawlChange } from './store.ts'

export function publisherEvents({
  claim,
  change,
  applied,
  isNew,
  file,
}: {
  claim: ClaimedDomain
  change: CrawlChange
  applied: Applied
  isNew: boolean
  file: StoredFile | undefined
}): NewFeedEvent[] {
  const isFound = change.file_id !== null && claim.file_id === null
  const hasMoved =
    change.file_id !== claim.file_id || change.discovery_method !== claim.discovery_method
  const hasChanged = isNew || hasMoved || applied.added.length + applied.removed.length > 0
  if (!isFound && !hasChanged) return []
  const agents = (pairs: Applied['added']) => [...new Set(pairs.map(({ agent_url }) => agent_url))]
  return [
    {
      event_type: isFound ? 'publisher.adagents_discovered' : 'publisher.adagents_changed',
      entity_type: 'publisher',
      entity_id: claim.domain,
      payload: {
        publisher_domain: claim.domain,
        discovery_method: change.discovery_method,
        manager_domain: change.manager_domain,
        agents_added: agents(applied.added),
        agents_removed: agents(applied.removed),
        agent_count: file?.entry_count ?? 0,
        property_count: file?.property_count ?? 0,
        placement_count: file?.counts.placements ?? 0,
        format_count: file?.counts.formats ?? 0,
        collection_count: file?.counts.collections ?? 0,
        source: 'adagents_json',
      },
      actor: 'system',
      visibleTo: null,
    },
  ]
}
