// Display texts for the registry: the status of references, how a domain confirms them, what has changed.

import type { ReferenceItem, SerializedFeedEvent } from '../../src/console/api/registry.ts'
import type {
  CrawledItem,
  NetworkFinding,
  PublisherAuthorization,
} from '../../src/console/api/registry-network.ts'
import type { Word } from './words.ts'

export const VERIFICATION_WORDS: Readonly<Record<ReferenceItem['verification_status'], Word>> = {
  pending: { text: 'pending', tone: 'warn' },
  valid: { text: 'valid', tone: 'good' },
  invalid: { text: 'invalid', tone: 'bad' },
  unreachable: { text: 'unreachable', tone: 'bad' },
}

const PROOF_WORDS: Readonly<Record<string, string>> = {
  well_known: 'it is the well-known file',
  named: 'the well-known file names it',
  dns: 'a TXT record of its contributor',
  file: 'a file of its contributor',
  on_domain: 'it is published on the domain',
  authorized: 'adagents.json lets the agent sell',
}

/** How the domain, or the registrable domain above it, confirms a reference. */
export function proofText(proof: NonNullable<ReferenceItem['proved_by']>): string {
  const PARENT = 'parent_'
  return proof.startsWith(PARENT)
    ? `by the domain above: ${PROOF_WORDS[proof.slice(PARENT.length)] ?? proof}`
    : (PROOF_WORDS[proof] ?? proof)
}

/** Where a reference leads. */
export function targetOf({ manifest_url, agent_url }: Partial<ReferenceItem>): string {
  return manifest_url ?? agent_url ?? ''
}

export const CRAWL_WORDS: Readonly<Record<CrawledItem['status'], Word>> = {
  never: { text: 'not crawled', tone: 'idle' },
  valid: { text: 'valid', tone: 'good' },
  invalid: { text: 'invalid', tone: 'bad' },
  absent: { text: 'no file', tone: 'idle' },
  failed: { text: 'failed', tone: 'warn' },
}

export const FINDING_WORDS: Readonly<Record<NetworkFinding['kind'], Word>> = {
  stale: { text: 'stale', tone: 'warn' },
  missing: { text: 'missing', tone: 'bad' },
  contradictory: { text: 'contradictory', tone: 'bad' },
  expiring: { text: 'expiring', tone: 'warn' },
}

export const AUTHORIZATION_WORDS: Readonly<Record<PublisherAuthorization['status'], Word>> = {
  live: { text: 'authorized', tone: 'good' },
  claimed: { text: 'not confirmed', tone: 'warn' },
  revoked: { text: 'revoked', tone: 'bad' },
  ended: { text: 'ended', tone: 'idle' },
}

/** How the file that applies to a domain was found. */
export function discoveryText({
  discovery_method,
  manager_domain = 'a manager',
}: {
  discovery_method?: string | undefined
  manager_domain?: string | undefined
}): string {
  switch (discovery_method) {
    case undefined:
      return 'no file speaks for it'
    case 'direct':
      return 'its own file'
    case 'authoritative_location':
      return `its file points to ${manager_domain}`
    case 'ads_txt_managerdomain':
      return `its ads.txt names ${manager_domain}`
    default:
      return `only the file of ${manager_domain} names it`
  }
}

const EVENT_WORDS: Readonly<Record<string, Word>> = {
  'manifest_ref.created': { text: 'added', tone: 'info' },
  'manifest_ref.verified': { text: 'verified', tone: 'good' },
  'manifest_ref.removed': { text: 'removed', tone: 'idle' },
  'agent.discovered': { text: 'listed', tone: 'info' },
  'agent.profile_updated': { text: 'changed', tone: 'info' },
  'agent.removed': { text: 'removed', tone: 'idle' },
  'organization.created': { text: 'added', tone: 'info' },
  'organization.updated': { text: 'changed', tone: 'info' },
  'organization.removed': { text: 'removed', tone: 'idle' },
  'publisher.adagents_discovered': { text: 'found', tone: 'info' },
  'publisher.adagents_changed': { text: 'changed', tone: 'info' },
  'authorization.granted': { text: 'granted', tone: 'good' },
  'authorization.revoked': { text: 'revoked', tone: 'warn' },
}

export const ENTITY_WORDS: Readonly<Record<string, string>> = {
  manifest_ref: 'reference',
  agent: 'agent',
  organization: 'organisation',
  publisher: 'publisher',
  authorization: 'authorization',
}

/** A verification is displayed by its result. */
export function eventWord({ event_type, payload }: SerializedFeedEvent): Word {
  const word = EVENT_WORDS[event_type] ?? { text: event_type, tone: 'idle' as const }
  const { verification_status } = payload as { verification_status?: string }
  const found = Object.entries(VERIFICATION_WORDS).find(
    ([status]) => status === verification_status,
  )
  return event_type === 'manifest_ref.verified' && found ? found[1] : word
}
