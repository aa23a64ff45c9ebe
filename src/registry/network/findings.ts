// What is wrong with one publisher of a network, and what to change where. Depends only on stored data.

import { wellKnownUrl } from '../crawler/find-file.ts'
import { LAST_GOOD_MS, POINTER_HOLD_MS, STALE_MS } from '../crawler/limits.ts'
import type { CrawledDomain } from '../crawler/store.ts'
import type { DomainRecord, NetworkAuthorization, NetworkSubject } from './store.ts'

export const FINDING_KINDS = ['stale', 'missing', 'contradictory', 'expiring'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export interface PublisherFinding {
  kind: FindingKind
  code: string
  domain: string
  agent_url: string | null
  /** Since when this is the case, and when it changes without action; in milliseconds, null if unknown. */
  since: number | null
  until: number | null
  message: string
  /** What to change, and where. */
  change: string
}

/** Authorizations that end within this time are about to expire. */
const EXPIRING_MS = 30 * 24 * 60 * 60 * 1_000

type Said = Omit<PublisherFinding, 'domain' | 'agent_url'> & { agent_url?: string }

export function findingsOf(
  record: DomainRecord,
  subject: NetworkSubject,
  now: number,
): PublisherFinding[] {
  const manager = 'manager_domain' in subject ? subject.manager_domain : undefined
  const said = [
    ...crawlFindings(record, manager, now),
    ...(manager === undefined ? [] : managerFindings(record, manager)),
    ...revocationFindings(record, now),
    ...authorizationFindings(record, now),
  ]
  return said.map((one) => ({ agent_url: null, domain: record.domain, ...one }))
}

function crawlFindings(
  { domain, crawled }: DomainRecord,
  manager: string | undefined,
  now: number,
): Said[] {
  const url = wellKnownUrl(domain)
  if (!crawled || crawled.status === 'never') {
    const message = `${domain} was not crawled yet`
    const change = 'wait for its turn, or request a crawl of the domain'
    return [{ kind: 'missing', code: 'never_crawled', since: null, until: null, message, change }]
  }
  const since = crawled.status_since
  if (crawled.status === 'failed') return [failure(crawled, url)]
  if (crawled.status === 'invalid') {
    const [fault] = crawled.faults
    const place = fault ? `${fault.pointer || 'the file'}: ${fault.message}` : crawled.error
    return [
      {
        kind: 'missing',
        code: 'invalid_file',
        since,
        until: null,
        message: `${url} is not valid: ${place ?? 'it cannot be read'}`,
        change: `fix ${url}; adwire validate ${url} lists every fault`,
      },
    ]
  }
  if (crawled.status === 'absent') {
    const managed = manager ?? 'the manager'
    return [
      {
        kind: 'missing',
        code: 'no_file',
        since,
        until: null,
        message: `${domain} has no adagents.json, and its ads.txt names no manager whose file describes it`,
        change: `publish ${url} with authoritative_location, or put MANAGERDOMAIN=${managed} into https://${domain}/ads.txt`,
      },
    ]
  }
  return [...held(crawled, url), ...old(crawled, url, now)]
}

function failure(crawled: CrawledDomain, url: string): Said {
  const isKept = crawled.file_id !== null
  const isRollBack = crawled.error_code === 'rolled_back'
  const why = crawled.error ?? crawled.error_code ?? 'no usable response'
  return {
    kind: isRollBack ? 'contradictory' : isKept ? 'stale' : 'missing',
    code: isRollBack ? 'rolled_back' : isKept ? 'cannot_be_read' : 'no_answer',
    since: crawled.status_since,
    until: isKept ? crawled.verified_at + LAST_GOOD_MS : null,
    message: isKept
      ? `${url} cannot be read (${why}); the last good copy is used until then`
      : `${url} cannot be read (${why}), and there is no usable copy`,
    change: isRollBack
      ? 'publish the file with a last_updated that is not earlier than before'
      : `make ${crawled.location ?? url} answer 200 with the file to every reader, crawlers included`,
  }
}

function held({ held_location, held_since, location }: CrawledDomain, url: string): Said[] {
  if (held_location === null || held_since === null) return []
  return [
    {
      kind: 'contradictory',
      code: 'pointer_changed',
      since: held_since,
      until: held_since + POINTER_HOLD_MS,
      message: `${url} now points to ${held_location}; ${location} counts until the new pointer is 24 hours old`,
      change: 'leave the pointer as it is if the change is yours; else restore it now',
    },
  ]
}

function old({ verified_at, location }: CrawledDomain, url: string, now: number): Said[] {
  if (now - verified_at <= STALE_MS) return []
  return [
    {
      kind: 'stale',
      code: 'not_read_lately',
      since: verified_at,
      until: null,
      message: `${location ?? url} was not read for more than a day`,
      change: 'request a crawl of the domain; check that the crawler of this registry runs',
    },
  ]
}

/** What the publisher and its manager's file state about each other. */
function managerFindings(
  { domain, crawled, isDescribed, authorizations }: DomainRecord,
  manager: string,
): Said[] {
  if (!crawled || crawled.file_id === null) return []
  const since = crawled.status_since
  const url = wellKnownUrl(domain)
  const isOwn = domain === manager
  if (crawled.manager_domain !== manager && !isOwn) {
    const other = crawled.manager_domain
    const code = other === null ? 'own_file_counts' : 'other_manager'
    const whose = other === null ? 'has a file of its own' : `is managed by ${other}`
    return [
      {
        kind: 'contradictory',
        code,
        since,
        until: null,
        message: `a file of ${manager} describes ${domain}, which ${whose}: only what that file says counts`,
        change: `remove ${domain} from the file of ${manager}, or let ${url} point to it`,
      },
    ]
  }
  if (!isDescribed && !isOwn) {
    return [
      {
        kind: 'missing',
        code: 'not_described',
        since,
        until: null,
        message: `${domain} lets ${manager} speak for it, and no property of the file has publisher_domain ${domain}`,
        change: `add the properties of ${domain} to the file of ${manager}, with "publisher_domain": "${domain}"`,
      },
    ]
  }
  const isSold = authorizations.some(
    (one) => one.status === 'live' && one.properties_authorized > 0,
  )
  if (isSold || !isDescribed) return []
  return [
    {
      kind: 'missing',
      code: 'no_agent',
      since: null,
      until: null,
      message: `no entry of authorized_agents chooses a property of ${domain}`,
      change: `add the ids or tags of its properties to an entry in the file of ${manager}`,
    },
  ]
}

function revocationFindings(record: DomainRecord, now: number): Said[] {
  const { domain, isRevoked, isDescribed, authorizations } = record
  const held_until =
    record.held_until !== null && record.held_until > now ? record.held_until : null
  const isNamed = isDescribed || authorizations.length > 0
  if (!isNamed || (held_until === null && !isRevoked)) return []
  return [
    {
      kind: 'contradictory',
      code: 'revoked',
      since: null,
      until: held_until,
      message: `${domain} is revoked, and is still described: no agent may sell it`,
      change: isRevoked
        ? `remove ${domain} from revoked_publisher_domains, or its properties from the file`
        : 'the revocation holds for 7 days after it was first seen, although it is no longer listed',
    },
  ]
}

function authorizationFindings({ domain, authorizations }: DomainRecord, now: number): Said[] {
  return authorizations.flatMap((one): Said[] => {
    if (one.status === 'claimed') return [unconfirmed(one, domain)]
    if (one.status !== 'live' || one.effective_until === null) return []
    const { agent_url, effective_until: until } = one
    if (until - now > EXPIRING_MS) return []
    const isOver = until <= now
    return [
      {
        kind: 'expiring',
        code: isOver ? 'expired' : 'expires_soon',
        agent_url,
        since: isOver ? until : null,
        until: isOver ? null : until,
        message: isOver
          ? `the authorization of ${agent_url} for ${domain} has ended`
          : `the authorization of ${agent_url} for ${domain} ends soon`,
        change: 'set a later effective_until in its entry, or remove the entry',
      },
    ]
  })
}

function unconfirmed({ agent_url, manager_domain }: NetworkAuthorization, domain: string): Said {
  return {
    kind: 'contradictory',
    code: 'not_confirmed',
    agent_url,
    since: null,
    until: null,
    message: `only the file of ${manager_domain} says that ${agent_url} may sell ${domain}`,
    change: `publish ${wellKnownUrl(domain)} with authoritative_location, or MANAGERDOMAIN=${manager_domain} in https://${domain}/ads.txt`,
  }
}
