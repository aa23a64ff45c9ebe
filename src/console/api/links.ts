// A buyer's link: a short-lived page of one principal's own deliveries and reports, for anyone who has the link. It
// changes nothing, and displays less than an operator sees.

import { z } from 'zod'
import { REPORT_STATES } from '../../protocol/report-states.ts'
import { pageOf, pageQuery, textFilter, time } from './common.ts'
import { deliveriesQuery } from './deliveries.ts'

/** What a link may show. */
export const LINK_PARTS = ['deliveries', 'endpoints', 'reports'] as const
export type LinkPart = (typeof LINK_PARTS)[number]

const LINK_STATES = ['good', 'expired', 'revoked'] as const

export const SHORTEST_LINK_SECONDS = 3_600
export const LONGEST_LINK_SECONDS = 7 * 86_400

/** As included in a list of links: the link itself is only returned when it is created. */
export const linkItem = z.strictObject({
  link_id: z.string(),
  state: z.enum(LINK_STATES),
  shows: z.array(z.enum(LINK_PARTS)),
  /** The name of the principal that created it, and how. */
  made_by: z.string(),
  made_with: z.enum(['console', 'api']),
  created_at: time,
  expires_at: time,
  /** How often it was opened, and when it was last opened. */
  opens: z.number(),
  opened_at: time.optional(),
  revoked_at: time.optional(),
})
export type LinkItem = z.infer<typeof linkItem>

export const makeLinkBody = z.strictObject({
  seconds: z.number().int().min(SHORTEST_LINK_SECONDS).max(LONGEST_LINK_SECONDS),
  shows: z.array(z.enum(LINK_PARTS)).min(1).max(LINK_PARTS.length),
})

export const madeLink = z.strictObject({
  link_id: z.string(),
  /** With the token, which is returned only this once. */
  url: z.string(),
  expires_at: time,
})

export const openLinkBody = z.strictObject({ token: z.string().min(1).max(128) })

/** What is returned to a client that opened a link. */
export const openedLink = z.strictObject({
  /** Whose deliveries these are. */
  name: z.string(),
  shows: z.array(z.enum(LINK_PARTS)),
  expires_at: time,
})
export type OpenedLink = z.infer<typeof openedLink>

/** A buyer can request only their own deliveries, so there is no owner to name. */
export const linkDeliveriesQuery = deliveriesQuery.pick({
  limit: true,
  cursor: true,
  status: true,
  since: true,
  until: true,
  q: true,
  endpoint: true,
  media_buy_id: true,
})

export const linkEndpointsQuery = z.strictObject({ ...pageQuery, q: textFilter.optional() })

export const linkReportsQuery = z.strictObject({
  ...pageQuery,
  media_buy_id: textFilter.optional(),
  state: z.enum(REPORT_STATES).optional(),
})
export type LinkReportsQuery = z.infer<typeof linkReportsQuery>

const reportWindow = z.strictObject({
  media_buy_id: z.string(),
  /** A window of the flight, or the entire flight. */
  kind: z.enum(['window', 'final']),
  start: time,
  end: time,
  state: z.enum(REPORT_STATES),
  sequence_number: z.number().optional(),
  /** As last reported; missing until then. */
  impressions: z.number().optional(),
  spend: z.number().optional(),
  sent_at: time.optional(),
  ended_at: time.optional(),
  expected_at: time.optional(),
  reason: z.string().optional(),
})
export type ReportWindowItem = z.infer<typeof reportWindow>

export const linkReportsPage = pageOf(reportWindow)
export type LinkReportsPage = z.infer<typeof linkReportsPage>
