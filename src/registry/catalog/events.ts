// The events of the catalogue, in the kinds of the public registry.

import type { NewFeedEvent } from '../feed.ts'
import type { CatalogProperty, LinkedIdentifier } from './property.ts'

type Kind = 'created' | 'updated' | 'stale' | 'reactivated'

export function propertyEvent(
  kind: Kind,
  property: CatalogProperty,
  {
    identifiers,
    actor = 'system',
    ...more
  }: { identifiers: readonly LinkedIdentifier[]; actor?: string } & Record<string, unknown>,
): NewFeedEvent {
  const { property_rid, publisher_domain, source } = property
  return {
    event_type: `property.${kind}`,
    entity_type: 'property',
    entity_id: property_rid,
    payload: {
      property_rid,
      publisher_domain,
      identifiers: identifiersOf(identifiers),
      classification: 'property',
      source,
      property: {
        property_rid,
        property_id: property.property_id,
        property_type: property.property_type,
        name: property.name,
        status: property.status,
      },
      ...more,
    },
    actor,
    visibleTo: null,
  }
}

export function mergedEvent(alias_rid: string, property: CatalogProperty): NewFeedEvent {
  const { property_rid, publisher_domain, source } = property
  return {
    event_type: 'property.merged',
    entity_type: 'property',
    entity_id: property_rid,
    payload: {
      property_rid,
      publisher_domain,
      classification: 'property',
      source,
      alias_rid,
      canonical_rid: property_rid,
      evidence: 'adagents_json',
    },
    actor: 'system',
    visibleTo: null,
  }
}

function identifiersOf(identifiers: readonly LinkedIdentifier[]) {
  return identifiers.map(({ type, value }) => ({ type, value }))
}
