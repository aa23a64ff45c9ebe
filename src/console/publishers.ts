// Publishers as operators see them: which file is authoritative for each, when that was last read, who may sell for
// it, and what to change. The same findings as the public report of a network.

import { defined } from '../lib/defined.ts'
import { normaliseDomain } from '../lib/host-name.ts'
import { canonicalAgentUrl } from '../protocol/agent-url.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { AuthorizationStore, ReadAuthorization } from '../registry/authorizations/store.ts'
import { CRAWL_TOPIC } from '../registry/crawler/crawl-worker.ts'
import type { CrawledDomain, CrawlStatus, CrawlStore } from '../registry/crawler/store.ts'
import { findingsOf, type PublisherFinding } from '../registry/network/findings.ts'
import { networkHealth } from '../registry/network/network-health.ts'
import { readSubject } from '../registry/network/read-subject.ts'
import type { NetworkStore } from '../registry/network/store.ts'
import type {
  ConsoleAgentPage,
  ConsoleCrawlPage,
  ConsoleCrawlQuery,
  ConsoleNetworkPage,
  ConsoleNetworkQuery,
  CrawledItem,
  NetworkFinding,
  PublisherAuthorization,
  PublisherDetails,
} from './api/registry-network.ts'
import { type ActionPorts, act } from './audit.ts'
import { iso } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { badCursor, Refused } from './refusal.ts'

export interface PublisherPorts extends ActionPorts {
  clock: { now(): number }
  network: NetworkStore
  crawl: Pick<CrawlStore, 'get' | 'add' | 'crawlNow'>
  authorizations: Pick<AuthorizationStore, 'ofPublisher' | 'publishersOf' | 'isKnown'>
  /** Domains in order, after the given one. */
  crawled(filter: {
    prefix: string
    status: CrawlStatus | undefined
    after: string
    limit: number
  }): Promise<{ domains: CrawledDomain[]; next: string | undefined }>
}

type PublisherRoute =
  | 'showNetwork'
  | 'listCrawled'
  | 'showPublisher'
  | 'crawlPublisher'
  | 'showRegistryAgent'

export function publisherHandlers(ports: PublisherPorts): Handlers<PublisherRoute> {
  return {
    showNetwork: ({ query }) => showNetwork(ports, query),
    listCrawled: ({ query }) => listCrawled(ports, query),
    showPublisher: ({ params }) => showPublisher(ports, domainIn(params.domain)),
    crawlPublisher: async ({ visitor, params }) => {
      const domain = domainIn(params.domain)
      await act(ports, { visitor, action: 'registry.crawl', target: domain }, async (tx) => {
        await ports.crawl.add(tx, [domain], { foundBy: 'console', at: 0 })
        await ports.crawl.crawlNow(tx, domain)
        await tx.wake(CRAWL_TOPIC)
      })
      return showPublisher(ports, domain)
    },
    showRegistryAgent: ({ query }) => showAgent(ports, query),
  }
}

function domainIn(text: string): string {
  const named = normaliseDomain(text)
  if (!named.ok) throw new Refused(400, 'invalid_request', named.reason)
  return named.domain
}

const NETWORK = 'console.network'

async function showNetwork(
  { network, clock }: PublisherPorts,
  { of, kind, cursor, limit }: ConsoleNetworkQuery,
): Promise<ConsoleNetworkPage> {
  const isUrl = of.includes('://')
  const read = readSubject(isUrl ? { agent: of } : { manager: of })
  if (!read.ok) throw new Refused(400, 'invalid_request', read.error)
  const place = cursor === undefined ? [''] : readCursor(NETWORK, cursor, ['text'] as const)
  if (!place) throw badCursor()
  const { subject } = read
  const query = { subject, after: place[0] ?? '', kind, limit, now: clock.now() }
  const { findings, summary, next_after } = await networkHealth({ network }, query)
  const { publishers, healthy, by_kind } = summary
  return {
    items: findings.map(findingItem),
    summary: { publishers, healthy, ...by_kind },
    ...defined({ next_cursor: next_after === null ? undefined : cursorOf(NETWORK, [next_after]) }),
  }
}

function findingItem({ agent_url, since, until, ...finding }: PublisherFinding): NetworkFinding {
  return {
    ...finding,
    ...defined({
      agent_url: agent_url ?? undefined,
      since: since === null ? undefined : iso(since),
      until: until === null ? undefined : iso(until),
    }),
  }
}

const CRAWLED = 'console.crawled'

async function listCrawled(
  { crawled }: PublisherPorts,
  { q = '', status, cursor, limit }: ConsoleCrawlQuery,
): Promise<ConsoleCrawlPage> {
  const place = cursor === undefined ? [''] : readCursor(CRAWLED, cursor, ['text'] as const)
  if (!place) throw badCursor()
  const prefix = q.trim().toLowerCase()
  const { domains, next } = await crawled({ prefix, status, after: place[0] ?? '', limit })
  return {
    items: domains.map(crawledItem),
    ...defined({ next_cursor: next === undefined ? undefined : cursorOf(CRAWLED, [next]) }),
  }
}

/** 0 means never. */
const timeOf = (at: number) => (at === 0 ? undefined : iso(at))

function crawledItem(one: CrawledDomain): CrawledItem {
  const { domain, status, failures } = one
  return {
    domain,
    status,
    failures,
    ...defined({
      discovery_method: one.discovery_method ?? undefined,
      manager_domain: one.manager_domain ?? undefined,
      location: one.location ?? undefined,
      held_location: one.held_location ?? undefined,
      last_http_status: one.last_http_status ?? undefined,
      error: one.error ?? undefined,
      checked_at: timeOf(one.checked_at),
      verified_at: timeOf(one.verified_at),
      next_crawl_at: timeOf(one.next_crawl_at),
    }),
  }
}

const MOST_AUTHORIZATIONS = 100

async function showPublisher(ports: PublisherPorts, domain: string): Promise<PublisherDetails> {
  const { crawl, network, authorizations, clock } = ports
  const known = await crawl.get(domain)
  const subject = { manager_domain: known?.manager_domain ?? domain }
  const [rows, records] = await Promise.all([
    authorizations.ofPublisher(domain, MOST_AUTHORIZATIONS),
    network.records(subject, [domain]),
  ])
  return {
    domain,
    faults: (known?.faults ?? []).map(({ line, ...fault }) => ({ ...fault, ...defined({ line }) })),
    authorizations: rows.map(authorizationItem),
    findings: known
      ? records.flatMap((one) => findingsOf(one, subject, clock.now())).map(findingItem)
      : [],
    ...defined({ crawl: known && crawledItem(known) }),
  }
}

function authorizationItem(row: ReadAuthorization): PublisherAuthorization {
  const { agent_url, publisher_domain, status, discovery_method, properties_total, terms } = row
  return {
    agent_url,
    publisher_domain,
    status,
    discovery_method,
    properties_total,
    authorized_for: terms.authorized_for,
    properties_authorized: row.property_ids.length,
    is_pinned: terms.signing_keys !== null,
    ...defined({
      manager_domain: row.manager_domain ?? undefined,
      effective_until: terms.effective_until ?? undefined,
    }),
  }
}

const AGENT = 'console.agent'

async function showAgent(
  { authorizations, clock }: PublisherPorts,
  {
    agent_url: requested,
    cursor,
    limit,
  }: { agent_url: string; cursor?: string | undefined; limit: number },
): Promise<ConsoleAgentPage> {
  const agent_url = canonicalAgentUrl(requested)
  if (agent_url === undefined) {
    throw new Refused(400, 'invalid_request', 'the agent must be an http(s) URL')
  }
  const place = cursor === undefined ? [''] : readCursor(AGENT, cursor, ['text'] as const)
  if (!place) throw badCursor()
  const page = {
    statuses: ['authorized', 'revoked'] as const,
    since: null,
    after: place[0] ?? '',
    limit: limit + 1,
    now: clock.now(),
  }
  const rows = await authorizations.publishersOf(agent_url, page)
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return {
    agent_url,
    is_known: items.length > 0 || (await authorizations.isKnown(agent_url)),
    items: items.map(({ property_ids: _, manager_domain, verified_at, ...row }) => ({
      ...row,
      verified_at: iso(verified_at),
      ...defined({ manager_domain: manager_domain ?? undefined }),
    })),
    ...defined({ next_cursor: last && cursorOf(AGENT, [last.publisher_domain]) }),
  }
}
