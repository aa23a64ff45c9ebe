// What a file would authorize if it were valid for every publisher that it describes: for people who are about to
// publish it. Computed in the same way as in the crawler, so that the preview and the registry agree.

import { type ChoosableProperty, chosenIds, compileEntry } from './choose-properties.ts'
import type { AuthorizationType, PublisherFile } from './file-model.ts'

export interface PreviewedAuthorization {
  publisher_domain: string
  agent_url: string
  authorization_type: AuthorizationType
  authorized_for: string
  /** The first ones. */
  property_ids: string[]
  properties_authorized: number
  properties_total: number
  countries: string[] | null
  delegation_type: string | null
  exclusive: boolean
  /** ISO 8601. */
  effective_from: string | null
  effective_until: string | null
  is_pinned: boolean
  /** Whether the publisher is the domain that hosts the file: any other one has to point to it first. */
  is_own: boolean
}

export interface AuthorizationPreview {
  authorizations: PreviewedAuthorization[]
  /** All of them, listed or not. */
  authorization_count: number
  /** Agents in the list that would not be authorized for anything, with the reason. */
  idle_agents: { agent_url: string; authorization_type: AuthorizationType; reason: string }[]
}

const LISTED = 1_000
const IDS_LISTED = 20

/** The limits of a file bound the work: entries × publishers, and entries × properties. */
export function authorizedBy(
  { entries, properties, revoked }: Pick<PublisherFile, 'entries' | 'properties' | 'revoked'>,
  domain: string | null,
): AuthorizationPreview {
  const revokedDomains = new Set(revoked.map((one) => one.publisher_domain))
  const preview: AuthorizationPreview = {
    authorizations: [],
    authorization_count: 0,
    idle_agents: [],
  }
  const byPublisher = new Map<string, ChoosableProperty[]>()
  for (const property of properties) {
    if (property.publisher_domain === null) continue
    const group = byPublisher.get(property.publisher_domain)
    if (group) group.push(property)
    else byPublisher.set(property.publisher_domain, [property])
  }
  for (const entry of entries) {
    const compiled = compileEntry(entry)
    let chosen = 0
    let isRevoked = false
    for (const [publisher_domain, own] of byPublisher) {
      const ids = chosenIds(compiled, publisher_domain, own)
      if (ids.length === 0) continue
      if (revokedDomains.has(publisher_domain)) {
        isRevoked = true
        continue
      }
      chosen += 1
      preview.authorization_count += 1
      if (preview.authorizations.length >= LISTED) continue
      preview.authorizations.push({
        publisher_domain,
        agent_url: entry.agent_url,
        authorization_type: entry.authorization_type,
        authorized_for: entry.authorized_for,
        property_ids: ids.slice(0, IDS_LISTED),
        properties_authorized: ids.length,
        properties_total: new Set(own.map(({ property_id }) => property_id)).size,
        countries: entry.countries,
        delegation_type: entry.delegation_type,
        exclusive: entry.exclusive,
        effective_from: isoOf(entry.effective_from),
        effective_until: isoOf(entry.effective_until),
        is_pinned: entry.signing_keys !== null,
        is_own: publisher_domain === domain,
      })
    }
    if (chosen > 0 || preview.idle_agents.length >= LISTED) continue
    const { agent_url, authorization_type } = entry
    const reason = reasonFor(entry.authorization_type, isRevoked)
    preview.idle_agents.push({ agent_url, authorization_type, reason })
  }
  return preview
}

function reasonFor(type: AuthorizationType, isRevoked: boolean): string {
  if (type.startsWith('signal_')) return 'it is authorized for signals, and for no property'
  if (isRevoked) return 'revoked_publisher_domains lists every publisher that it is for'
  return 'it chooses no property of this file that names its publisher_domain'
}

function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
