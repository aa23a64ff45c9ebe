// Stored data about agents and publishers: which publishers name an agent, which agents a publisher or a property
// has, and whether an agent may sell a property, with the reason if it may not. This is for discovery: the
// publisher's own file stays the authority.

import { normaliseDomain, sameSite } from '../../lib/host-name.ts'
import { canonicalIdentifier } from '../../protocol/adagents/read-property.ts'
import { canonicalAgentUrl } from '../../protocol/agent-url.ts'
import { isInEffect, isOver } from './authorization.ts'
import { AUTHORIZATION_LIMITS } from './limits.ts'
import type { AuthorizationStore, PropertyMatch, ReadAuthorization } from './store.ts'

export interface LookUpPorts {
  authorizations: AuthorizationStore
}

/** Why an agent may not sell a property. */
type Reason =
  | 'authorized'
  /** No file that was read describes the property. */
  | 'property_unknown'
  /** The publisher's file does not name the agent. */
  | 'agent_not_listed'
  /** It names the agent, for other properties. */
  | 'property_not_included'
  | 'not_yet_effective'
  | 'no_longer_effective'
  /** The entry is for other countries. */
  | 'country_not_included'
  /** Only a manager's file names the publisher; the publisher's own site does not mention the manager. */
  | 'publisher_has_not_confirmed'

export interface AuthorizationVerdict {
  authorized: boolean
  reason: Reason
  publisher_domain: string | null
  property_id: string | null
  /** The authorization that decides, if any. */
  by: ReadAuthorization | undefined
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** Whether a publisher can speak for what an identifier names: nobody can speak for somebody else's domain. */
export function mayDescribe({
  type,
  value,
  publisher_domain,
}: Pick<IdentifiedProperty, 'type' | 'value' | 'publisher_domain'>): boolean {
  if (type !== 'domain' && type !== 'subdomain') return true
  return sameSite(value.startsWith('*.') ? value.slice(2) : value, publisher_domain)
}

type IdentifiedProperty = PropertyMatch & { type: string; value: string }

export interface Pair {
  agent_url: string
  identifier_type: string
  identifier_value: string
}

/** How an identifier in a query is matched: literally, and as a subdomain of an identifier described with `*.`. */
function spellings(type: string, value: string): { type: string; value: string }[] {
  const canonical = canonicalIdentifier(type, value)
  if (canonical === undefined) return []
  if (type !== 'domain' && type !== 'subdomain') return [{ type, value: canonical }]
  const parent = canonical.slice(canonical.indexOf('.') + 1)
  const found = [{ type, value: canonical }]
  if (parent.includes('.')) found.push({ type: 'domain', value: `*.${parent}` })
  return found
}

/** Whether each agent may sell each property, in the order of the queries. */
export async function checkPairs(
  { authorizations }: LookUpPorts,
  pairs: readonly Pair[],
  { now, country }: { now: number; country?: string | undefined },
): Promise<AuthorizationVerdict[]> {
  const wanted = pairs.map((pair) => ({
    agent: canonicalAgentUrl(pair.agent_url),
    spellings: spellings(pair.identifier_type, pair.identifier_value),
  }))
  const matches = await authorizations.byIdentifier(wanted.flatMap((one) => one.spellings))
  const byIdentifier = groupBy(matches, ({ type, value }) => `${type} ${value}`)
  const found = wanted.map((one) => ({
    agent: one.agent,
    properties: one.spellings.flatMap(
      ({ type, value }) => byIdentifier.get(`${type} ${value}`) ?? [],
    ),
  }))
  const rows = await authorizations.ofPairs(
    found.flatMap(({ agent, properties }) =>
      agent === undefined
        ? []
        : properties.map(({ publisher_domain }) => ({ agent_url: agent, publisher_domain })),
    ),
  )
  const byPair = groupBy(rows, (row) => `${row.publisher_domain} ${row.agent_url}`)
  return found.map(({ agent, properties }) =>
    strongest(
      properties.map((property) =>
        mayDescribe(property)
          ? check(property, byPair.get(`${property.publisher_domain} ${agent}`) ?? [], {
              now,
              country,
            })
          : { ...UNKNOWN, reason: 'publisher_has_not_confirmed' as const },
      ),
    ),
  )
}

const UNKNOWN: AuthorizationVerdict = {
  authorized: false,
  reason: 'property_unknown',
  publisher_domain: null,
  property_id: null,
  by: undefined,
}

function strongest(verdicts: readonly AuthorizationVerdict[]): AuthorizationVerdict {
  return verdicts.find(({ authorized }) => authorized) ?? verdicts[0] ?? UNKNOWN
}

function check(
  { publisher_domain, property_id }: Pick<PropertyMatch, 'publisher_domain' | 'property_id'>,
  rows: readonly ReadAuthorization[],
  { now, country }: { now: number; country?: string | undefined },
): AuthorizationVerdict {
  const verdict = (reason: Reason, by?: ReadAuthorization): AuthorizationVerdict => ({
    authorized: reason === 'authorized',
    reason,
    publisher_domain,
    property_id,
    by,
  })
  if (rows.length === 0) return verdict('agent_not_listed')
  const including = rows.filter(({ property_ids }) => property_ids.includes(property_id))
  if (including.length === 0) return verdict('property_not_included', rows[0])
  const verdicts = including.map((row) => verdict(reasonFor(row, { now, country }), row))
  return strongest(verdicts)
}

function reasonFor(
  row: ReadAuthorization,
  { now, country }: { now: number; country?: string | undefined },
): Reason {
  if (row.status === 'claimed') return 'publisher_has_not_confirmed'
  const { countries } = row.terms
  if (!isInEffect(row.terms, now)) {
    return isOver(row.terms, now) ? 'no_longer_effective' : 'not_yet_effective'
  }
  if (country !== undefined && countries !== null && !countries.includes(country)) {
    return 'country_not_included'
  }
  return 'authorized'
}

export interface ProductSelector {
  publisher_domain?: string | undefined
  selection_type?: string | undefined
  property_types?: readonly string[] | undefined
  property_ids?: readonly string[] | undefined
  tags?: readonly string[] | undefined
  property_tags?: readonly string[] | undefined
}

export interface SelectorVerdict {
  publisher_domain: string
  selection_type: 'all' | 'by_id' | 'by_tag'
  requested_count: number
  authorized_count: number
  unauthorized_items: string[]
  source: 'adagents_json'
  properties: PropertyMatch[]
}

/** For each selector of a product: which properties it covers, and which of them the agent may sell. */
export async function checkSelectors(
  { authorizations }: LookUpPorts,
  {
    agentUrl,
    selectors,
    now,
  }: { agentUrl: string; selectors: readonly ProductSelector[]; now: number },
): Promise<SelectorVerdict[]> {
  const agent_url = canonicalAgentUrl(agentUrl) ?? agentUrl
  const verdicts: SelectorVerdict[] = []
  const rows = await authorizations.ofPairs(
    selectors.flatMap(({ publisher_domain = '' }) => {
      const named = normaliseDomain(publisher_domain)
      return named.ok ? [{ agent_url, publisher_domain: named.domain }] : []
    }),
  )
  const byPublisher = groupBy(rows, (row) => row.publisher_domain)
  const limit = AUTHORIZATION_LIMITS.propertiesOfPublisher.value
  /** Selectors often share a publisher, so its properties are read once. */
  const read = new Map<string, readonly PropertyMatch[]>()
  for (const selector of selectors) {
    const named = normaliseDomain(selector.publisher_domain ?? '')
    const publisher_domain = named.ok ? named.domain : (selector.publisher_domain ?? '')
    if (named.ok && !read.has(publisher_domain)) {
      const properties = await authorizations.properties(publisher_domain, { limit })
      read.set(publisher_domain, properties as PropertyMatch[])
    }
    const known = read.get(publisher_domain) ?? []
    const of = { publisher_domain, rows: byPublisher.get(publisher_domain) ?? [], now }
    verdicts.push(checkSelector(selector, known, of))
  }
  return verdicts
}

function checkSelector(
  selector: ProductSelector,
  known: readonly PropertyMatch[],
  {
    publisher_domain,
    rows,
    now,
  }: { publisher_domain: string; rows: readonly ReadAuthorization[]; now: number },
): SelectorVerdict {
  const ids = new Set(selector.property_ids ?? [])
  const tags = new Set(selector.property_tags ?? selector.tags ?? [])
  const selection_type = ids.size > 0 ? 'by_id' : tags.size > 0 ? 'by_tag' : 'all'
  const types = new Set(selector.property_types ?? [])
  const meant = known.filter(
    (property) =>
      (types.size === 0 || types.has(property.property_type)) &&
      (selection_type !== 'by_id' || ids.has(property.property_id)) &&
      (selection_type !== 'by_tag' || property.tags.some((tag) => tags.has(tag))),
  )
  const allowed = new Set(
    rows
      .filter((row) => reasonFor(row, { now }) === 'authorized')
      .flatMap(({ property_ids }) => property_ids),
  )
  const properties = meant.filter(({ property_id }) => allowed.has(property_id))
  const requested =
    selection_type === 'by_id' ? [...ids] : [...new Set(meant.map((one) => one.property_id))]
  const sold = new Set(properties.map(({ property_id }) => property_id))
  return {
    publisher_domain,
    selection_type,
    requested_count: requested.length,
    authorized_count: sold.size,
    unauthorized_items: requested.filter((id) => !sold.has(id)).slice(0, UNAUTHORIZED_LISTED),
    source: 'adagents_json',
    properties,
  }
}

const UNAUTHORIZED_LISTED = 1_000

/** The agents of the property or publisher that an identifier names. */
export async function agentsOfIdentifier(
  { authorizations }: LookUpPorts,
  { type, value, now }: { type: string; value: string; now: number },
) {
  const matches = (await authorizations.byIdentifier(spellings(type, value))).filter(mayDescribe)
  const limit = AUTHORIZATION_LIMITS.agentsOfPublisher.value
  const agents = []
  for (const property of matches.slice(0, MATCHES_LISTED)) {
    const rows = await authorizations.ofPublisher(property.publisher_domain, limit)
    for (const row of rows) {
      if (!check(property, [row], { now }).authorized) continue
      const { property_id, property_type, name, identifiers, tags } = property
      agents.push({
        url: row.agent_url,
        authorized_for: row.terms.authorized_for,
        publisher_domain: row.publisher_domain,
        authorization_type: row.authorization_type,
        property: { id: property_id, type: property_type, name, identifiers, tags },
      })
    }
  }
  return agents
}

const MATCHES_LISTED = 20
