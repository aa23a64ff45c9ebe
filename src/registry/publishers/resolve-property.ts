// The properties of a domain: from the file that speaks for it, from what its owner or the community has saved, or
// from other parties' files alone. Nothing is fetched for the response.

import type { Clock } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { normaliseDomain } from '../../lib/host-name.ts'
import { createPacer } from '../../lib/pacer.ts'
import type { PropertyIdentifier } from '../../protocol/adagents/file-model.ts'
import { isInEffect } from '../authorizations/authorization.ts'
import { AUTHORIZATION_LIMITS } from '../authorizations/limits.ts'
import type { AuthorizationStore, FileStore } from '../authorizations/store.ts'
import type { FindReader } from '../contributors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { SavedEntry } from '../saved/entry.ts'
import { visibleEntry } from '../saved/read-entry.ts'
import type { SavedStore } from '../saved/store.ts'
import type { OrganizationStore } from '../store.ts'
import type { PublisherHead, PublisherStore } from './store.ts'

export interface PropertyPorts {
  publishers: PublisherStore
  authorizations: Pick<AuthorizationStore, 'ofPublisher' | 'properties'>
  files: Pick<FileStore, 'get'>
  saved: SavedStore
  organizations: OrganizationStore
  clock: Clock
}

export interface ResolvedProperty {
  publisher_domain: string
  source: 'adagents_json' | 'hosted' | 'discovered'
  authorized_agents: { url: string; authorized_for?: string }[]
  properties: {
    id: string
    type: string
    name: string
    identifiers: PropertyIdentifier[]
    tags: string[]
  }[]
  contact?: { name?: string; email?: string }
  verified: boolean
}

export async function resolveProperty(
  ports: PropertyPorts,
  given: string,
  reader?: FindReader,
): Promise<{ ok: true; property: ResolvedProperty } | Refusal> {
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)
  const { domain } = named
  const [heads, saved] = await Promise.all([
    ports.publishers.some([domain]),
    visibleEntry(ports, { kind: 'property', domain }, reader),
  ])
  const property = await propertyOf(ports, domain, {
    head: heads.get(domain),
    saved,
    most: AUTHORIZATION_LIMITS.propertiesOfPublisher.value,
  })
  return property ? { ok: true, property } : refuse(404, 'Property not found', { domain })
}

/** Maximum number of properties in one bulk response, for all its domains together. */
const BULK_PROPERTIES = 20_000

/** A map from each domain as it was sent; null for domains without an entry. */
export async function resolveProperties(
  ports: PropertyPorts,
  given: readonly string[],
): Promise<Record<string, ResolvedProperty | null>> {
  const pacer = createPacer()
  const domainOf = new Map(given.map((one) => [one, normalDomain(one)]))
  const domains = [...new Set(domainOf.values())].filter((one) => one !== undefined)
  const heads = await ports.publishers.some(domains)
  const saved = await ports.saved.some('property', domains)
  const found = new Map<string, ResolvedProperty>()
  let left = BULK_PROPERTIES
  for (const domain of domains) {
    const entry = saved.get(domain)
    const isPublic = entry?.review_status === 'approved'
    const of = {
      head: heads.get(domain),
      saved: isPublic ? entry : undefined,
      most: Math.max(1, left),
    }
    const property = await propertyOf(ports, domain, of)
    if (property) found.set(domain, property)
    left -= property?.properties.length ?? 0
    if (pacer.isDue()) await pacer.pause()
  }
  return Object.fromEntries(
    [...domainOf].map(([one, domain]) => [one, found.get(domain ?? '') ?? null]),
  )
}

async function propertyOf(
  { authorizations, files, clock }: PropertyPorts,
  domain: string,
  {
    head,
    saved,
    most,
  }: { head: PublisherHead | undefined; saved: SavedEntry | undefined; most: number },
): Promise<ResolvedProperty | undefined> {
  if (!head && saved) return savedProperty(saved)
  const limit = Math.min(most, AUTHORIZATION_LIMITS.propertiesOfPublisher.value)
  const listed = await authorizations.properties(domain, { limit })
  if (!head && listed.length === 0) return undefined
  const rows = await authorizations.ofPublisher(
    domain,
    AUTHORIZATION_LIMITS.agentsOfPublisher.value,
  )
  const now = clock.now()
  const live = rows.filter(({ status, terms }) => status === 'live' && isInEffect(terms, now))
  const agents = new Map(live.map(({ agent_url, terms }) => [agent_url, terms.authorized_for]))
  const contact = head ? ((await files.get(head.file_id))?.contact ?? undefined) : undefined
  const ids = new Map(listed.map((one) => [one.property_id, one]))
  return {
    publisher_domain: domain,
    source: head ? 'adagents_json' : 'discovered',
    authorized_agents: [...agents].map(([url, authorized_for]) => ({ url, authorized_for })),
    properties: [...ids.values()].map(
      ({ property_id: id, property_type: type, name, identifiers, tags }) => ({
        id,
        type,
        name,
        identifiers,
        tags,
      }),
    ),
    ...defined({ contact }),
    verified: head !== undefined,
  }
}

/** An entry saved for a domain authorizes nobody, regardless of who saved it. */
export function savedProperty({ domain, body, owner }: SavedEntry): ResolvedProperty {
  const { properties, contact } = body as {
    properties: Partial<ResolvedProperty['properties'][number]>[]
    contact?: ResolvedProperty['contact']
  }
  return {
    publisher_domain: domain,
    source: 'hosted',
    authorized_agents: [],
    properties: properties.map(({ id, type = '', name = '', identifiers = [], tags = [] }, n) => ({
      id: id ?? `property_${n + 1}`,
      type,
      name,
      identifiers,
      tags,
    })),
    ...defined({ contact }),
    verified: owner !== null,
  }
}

function normalDomain(given: string): string | undefined {
  const named = normaliseDomain(given)
  return named.ok ? named.domain : undefined
}
