// What the views of keys, principals and buyers' links need.

import { buyerHandlers } from '../console/buyer-views.ts'
import type { KeyViewPorts } from '../console/keys.ts'
import { CONSOLE_LIMITS } from '../console/limits.ts'
import { createLinks, type Links } from '../console/links.ts'
import type { PrincipalViewPorts } from '../console/principal-ports.ts'
import type { RefusedAttempts } from '../console/refused-attempts.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { buyerLinkRoutes } from '../transports/http/buyer-link-routes.ts'
import { linkRoutes } from '../transports/http/console/link-routes.ts'
import { keyPorts } from './key-ports.ts'
import type { Area, Parts } from './parts.ts'
import { quotaLimits } from './quota-settings.ts'
import type { AgentArea } from './wire-agent.ts'

export function consoleLinks({ storage, clock, publicUrl }: Parts): Links {
  const { transact, buyerLinks: links, principals, consoleAudit: audit } = storage
  // Behind #: browsers send it to no one.
  const linkUrl = (token: string) => `${publicUrl()}/console/link#${token}`
  return createLinks({ transact, links, principals, audit, clock, linkUrl })
}

export function keyViewPorts(
  { config, storage, publicUrl }: Parts,
  links: Links,
): Omit<KeyViewPorts & PrincipalViewPorts, 'clock' | 'outbox' | 'audit' | 'transact'> {
  const { principals, apiKeys, requestKeys, grants, principalQueries } = storage
  const signingKeys = keyPorts(config, storage)
  return {
    principals,
    apiKeys,
    requestKeys,
    grants,
    principalQueries,
    links,
    signingKeys,
    keyUse: signingKeys.keyUse,
    quotaLimits: quotaLimits(config),
    latestSent: principalQueries.latestSent,
    keyLeadSeconds: config.keyLeadSeconds,
    keyUrls: () => ({
      jwks: `${publicUrl()}/.well-known/jwks.json`,
      revocations: `${publicUrl()}/.well-known/governance-revocations.json`,
    }),
  }
}

/** The pages of links, and the API routes that create them. */
export function linkAreaRoutes(
  { storage, clock, publicUrl, onFault }: Parts,
  { agent, urls }: Pick<AgentArea, 'agent' | 'urls'>,
  { links, refused }: { links: Links; refused: RefusedAttempts['record'] },
): Area['routes'] {
  const { outboxOperations, consoleQueries: queries, reports } = storage
  const { linkOpensPerMinute, linkRequestsPerMinute } = CONSOLE_LIMITS
  return [
    linkRoutes({
      links,
      clock,
      publicUrl,
      refused,
      onUnreadable: onFault,
      handlers: buyerHandlers({ outboxOperations, queries, reports }),
      opens: createRateLimit({ clock, perMinute: linkOpensPerMinute.value }),
      requests: createRateLimit({ clock, perMinute: linkRequestsPerMinute.value }),
    }),
    buyerLinkRoutes({ agent, urls, links }),
  ]
}
