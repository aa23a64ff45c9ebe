// Publishers as operators see them: what was crawled, who may sell for whom, the health of a network, and what waits
// for a moderator.

import { z } from 'zod'
import { pageOf, pageQuery, textFilter, time } from './common.ts'

const FINDING_KINDS = ['stale', 'missing', 'contradictory', 'expiring'] as const
const CRAWL_STATUSES = ['never', 'valid', 'invalid', 'absent', 'failed'] as const

const finding = z.strictObject({
  kind: z.enum(FINDING_KINDS),
  code: z.string(),
  domain: z.string(),
  agent_url: z.string().optional(),
  since: time.optional(),
  until: time.optional(),
  message: z.string(),
  /** What to change, and where. */
  change: z.string(),
})
export type NetworkFinding = z.infer<typeof finding>

export const networkQuery = z.strictObject({
  ...pageQuery,
  /** The domain of a manager, or the URL of an agent. */
  of: textFilter,
  kind: z.enum(FINDING_KINDS).optional(),
})
export type ConsoleNetworkQuery = z.infer<typeof networkQuery>

export const networkPage = z.strictObject({
  ...pageOf(finding).shape,
  /** Of the publishers on this page. */
  summary: z.strictObject({
    publishers: z.number(),
    healthy: z.number(),
    stale: z.number(),
    missing: z.number(),
    contradictory: z.number(),
    expiring: z.number(),
  }),
})
export type ConsoleNetworkPage = z.infer<typeof networkPage>

const crawled = z.strictObject({
  domain: z.string(),
  status: z.enum(CRAWL_STATUSES),
  discovery_method: z.string().optional(),
  manager_domain: z.string().optional(),
  location: z.string().optional(),
  held_location: z.string().optional(),
  last_http_status: z.number().optional(),
  error: z.string().optional(),
  failures: z.number(),
  checked_at: time.optional(),
  verified_at: time.optional(),
  /** Missing for a publisher at the front of the crawl queue. */
  next_crawl_at: time.optional(),
})
export type CrawledItem = z.infer<typeof crawled>

export const crawlQuery = z.strictObject({
  ...pageQuery,
  /** What the domain begins with. */
  q: textFilter.optional(),
  status: z.enum(CRAWL_STATUSES).optional(),
})
export type ConsoleCrawlQuery = z.infer<typeof crawlQuery>
export const crawlPage = pageOf(crawled)
export type ConsoleCrawlPage = z.infer<typeof crawlPage>

export const publisherParams = z.strictObject({ domain: z.string().min(1).max(2_048) })

const authorization = z.strictObject({
  agent_url: z.string(),
  publisher_domain: z.string(),
  status: z.enum(['live', 'claimed', 'revoked', 'ended']),
  authorized_for: z.string(),
  discovery_method: z.string(),
  manager_domain: z.string().optional(),
  properties_authorized: z.number(),
  properties_total: z.number(),
  effective_until: z.string().optional(),
  is_pinned: z.boolean(),
})
export type PublisherAuthorization = z.infer<typeof authorization>

export const publisherDetails = z.strictObject({
  domain: z.string(),
  /** Missing for a publisher that is not crawled. */
  crawl: crawled.optional(),
  faults: z.array(
    z.strictObject({
      pointer: z.string(),
      message: z.string(),
      severity: z.enum(['error', 'warning']),
      line: z.number().optional(),
    }),
  ),
  /** At most 100. */
  authorizations: z.array(authorization),
  findings: z.array(finding),
})
export type PublisherDetails = z.infer<typeof publisherDetails>

export const agentQuery = z.strictObject({ ...pageQuery, agent_url: textFilter })
export const agentPage = z.strictObject({
  ...pageOf(
    z.strictObject({
      publisher_domain: z.string(),
      status: z.enum(['live', 'claimed', 'revoked', 'ended']),
      discovery_method: z.string(),
      manager_domain: z.string().optional(),
      properties_authorized: z.number(),
      properties_total: z.number(),
      is_pinned: z.boolean(),
      verified_at: time,
    }),
  ).shape,
  agent_url: z.string(),
  /** Whether any publisher was ever seen referring to it. */
  is_known: z.boolean(),
})
export type ConsoleAgentPage = z.infer<typeof agentPage>

export const reviewPage = z.strictObject({
  items: z.array(
    z.strictObject({
      kind: z.string(),
      key: z.string(),
      name: z.string(),
      organization_name: z.string().optional(),
      submitted_at: time,
      /** All that would be public. */
      content: z.looseObject({}),
    }),
  ),
})
export type ReviewPage = z.infer<typeof reviewPage>

export const reviewBody = z.strictObject({
  kind: z.string().min(1).max(64),
  key: z.string().min(1).max(300),
  decision: z.enum(['approve', 'reject']),
})
