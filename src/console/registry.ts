// The registry as operators see it: domains with their references, how each was verified and why not, the feed, and a
// pasted file, checked by the code that verifies.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { normaliseDomain } from '../lib/host-name.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import { MANIFEST_TYPES, type ReferenceRecord } from '../protocol/manifest-reference.ts'
import type { CrawlStore } from '../registry/crawler/store.ts'
import {
  type LookupBody,
  type LookupPorts,
  lookupManifestRef,
} from '../registry/lookup-manifest-ref.ts'
import type { ReferenceStore } from '../registry/store.ts'
import { waysToProve } from '../registry/verdicts.ts'
import { VERIFICATION_TOPIC } from '../registry/verification-schedule.ts'
import type {
  ConsoleFeedPage,
  ConsoleFeedQuery,
  Reference,
  ReferenceItem,
  ReferencesPage,
  ReferencesQuery,
  RegistryDomain,
} from './api/registry.ts'
import { type ActionPorts, act } from './audit.ts'
import { type CheckPorts, checkManifest } from './check-manifest.ts'
import { iso } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { badCursor, notFound, Refused } from './refusal.ts'
import type { RegistryQueries, VerificationFacts } from './registry-queries.ts'

export interface RegistryPorts extends ActionPorts, CheckPorts {
  clock: Clock
  references: Pick<
    ReferenceStore,
    'bestJson' | 'get' | 'list' | 'isCursor' | 'history' | 'requestVerification'
  >
  crawl: Pick<CrawlStore, 'get' | 'add' | 'crawlNow'>
  registryQueries: RegistryQueries
}

type RegistryRoute =
  | 'listReferences'
  | 'lookUpDomain'
  | 'verifyReference'
  | 'listFeed'
  | 'checkManifest'

export function registryHandlers(ports: RegistryPorts): Handlers<RegistryRoute> {
  return {
    listReferences: ({ query }) => listReferences(ports, query),
    lookUpDomain: ({ params }) => showDomain(ports, params.domain),
    verifyReference: async ({ visitor, params: { reference_id: id } }) => {
      const { references } = ports
      const known = await references.get(id)
      const target = known ? `${known.domain} ${known.manifest_type} ${id}` : id
      await act(ports, { visitor, action: 'registry.verify', target }, async (tx) => {
        if (!(await references.requestVerification(tx, id))) throw notFound(`reference ${id}`)
        await tx.wake(VERIFICATION_TOPIC)
      })
      return showDomain(ports, known?.domain ?? '')
    },
    listFeed: ({ query }) => listFeed(ports, query),
    checkManifest: ({ visitor, body }) =>
      checkManifest(ports, visitor.principal.principal_id, body),
  }
}

async function listReferences(
  { references, registryQueries }: RegistryPorts,
  { cursor, limit, q, status, manifest_type }: ReferencesQuery,
): Promise<ReferencesPage> {
  if (cursor !== undefined && !references.isCursor(cursor)) throw badCursor()
  const page = await references.list({
    manifest_type,
    limit,
    cursor,
    verification_status: status,
    prefix: q === undefined ? undefined : prefixOf(q),
  })
  const names = await registryQueries.names([
    ...new Set(page.references.map((one) => one.contributed_by_org_id)),
  ])
  return {
    items: page.references.map((one) => itemOf(one, names)),
    total: page.total_is_exact ? page.total : { at_least: page.total },
    ...defined({ next_cursor: page.cursor ?? undefined }),
  }
}

/** A complete name in its stored form; a prefix in lowercase. */
function prefixOf(word: string): string {
  const named = normaliseDomain(word)
  return named.ok ? named.domain : word.trim().toLowerCase()
}

function itemOf(record: ReferenceRecord, names: ReadonlyMap<string, string>): ReferenceItem {
  const { id, domain, manifest_type, reference_type, verification_status } = record
  const { completeness_score, contributed_by_org_id: organization_id, created_at } = record
  return {
    id,
    domain,
    manifest_type,
    reference_type,
    verification_status,
    completeness_score,
    organization_id,
    created_at,
    ...defined({
      manifest_url: record.manifest_url ?? undefined,
      agent_url: record.agent_url ?? undefined,
      agent_id: record.agent_id ?? undefined,
      proved_by: record.proved_by ?? undefined,
      organization_name: names.get(organization_id),
      last_verified_at: record.last_verified_at ?? undefined,
    }),
  }
}

const MOST_REFERENCES = 50
const MOST_HISTORY = 20

async function showDomain(ports: RegistryPorts, requested: string): Promise<RegistryDomain> {
  const { references, registryQueries, clock } = ports
  const named = normaliseDomain(requested)
  if (!named.ok) throw new Refused(400, 'invalid_request', named.reason)
  const { domain } = named
  const page = await references.list({ domain, limit: MOST_REFERENCES })
  const ids = page.references.map(({ id }) => id)
  const [facts, names, organization, ...histories] = await Promise.all([
    registryQueries.facts(ids),
    registryQueries.names([...new Set(page.references.map((one) => one.contributed_by_org_id))]),
    registryQueries.organizationOf(domain),
    ...ids.map((id) => references.history(id, MOST_HISTORY)),
  ])
  return {
    domain,
    lookup: await lookups(ports, domain),
    references: page.references.map((one, index) => ({
      ...itemOf(one, names),
      ...healthOf(facts.get(one.id), clock.now()),
      ways_to_prove: waysToProve(one),
      history: (histories[index] ?? []).map(({ proved_by, issues, ...entry }) => ({
        ...entry,
        issues: issues.map((issue) => ({ ...issue })),
        ...defined({ proved_by: proved_by ?? undefined }),
      })),
    })),
    has_more: page.cursor !== null,
    ...defined({
      organization: organization && {
        organization_id: organization.organization_id,
        name: organization.name,
        agents: organization.agents.map(({ url, type, name, visibility }) => ({
          url,
          type,
          visibility,
          ...defined({ name: name ?? undefined }),
        })),
      },
    }),
  }
}

/** The public answer for anybody who looks up the domain. */
async function lookups(ports: LookupPorts, domain: string): Promise<RegistryDomain['lookup']> {
  const found: RegistryDomain['lookup'] = []
  for (const manifest_type of MANIFEST_TYPES) {
    const answer = await lookupManifestRef(ports, { domain, type: manifest_type })
    if (!answer.ok) throw new Refused(400, 'invalid_request', answer.error)
    const body = JSON.parse(answer.json) as LookupBody
    found.push({ manifest_type, ...(body.found ? { reference: body.reference } : {}) })
  }
  return found
}

function healthOf(
  facts: VerificationFacts | undefined,
  now: number,
): Pick<
  Reference,
  'is_queued' | 'is_under_way' | 'next_verification_at' | 'failures' | 'is_proof_asked'
> {
  const { next_verification_at: next = 0, lease_until = 0, failures = 0 } = facts ?? {}
  return {
    is_queued: next === 0,
    is_under_way: lease_until > now,
    failures,
    is_proof_asked: facts?.is_proof_asked === true,
    ...defined({ next_verification_at: next === 0 ? undefined : iso(next) }),
  }
}

const FEED = 'console.feed'

async function listFeed(
  { registryQueries }: RegistryPorts,
  { cursor, limit, domain: requested, about }: ConsoleFeedQuery,
): Promise<ConsoleFeedPage> {
  const place = cursor === undefined ? undefined : readCursor(FEED, cursor, ['integer'])
  if (cursor !== undefined && !place) throw badCursor()
  const named = requested === undefined ? undefined : normaliseDomain(requested)
  const domain = named?.ok ? named.domain : requested
  const { events, next } = await registryQueries.feed({
    domain,
    entity_type: about,
    after: place?.[0],
    limit,
  })
  return {
    items: events.map((event) => ({
      ...event,
      ...(typeof event.payload.domain === 'string' ? { domain: event.payload.domain } : {}),
    })),
    ...defined({ next_cursor: next === undefined ? undefined : cursorOf(FEED, [next]) }),
  }
}
