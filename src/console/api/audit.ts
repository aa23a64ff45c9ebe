// Who did what in the console, and with what outcome.

import { z } from 'zod'
import { pageOf, pageQuery, textFilter, time } from './common.ts'

const AUDIT_OUTCOMES = ['done', 'refused'] as const

const auditEntry = z.strictObject({
  audit_id: z.number(),
  at: time,
  /** `unknown` if it is not known who it was, as for an unknown key. */
  principal_id: z.string(),
  principal_name: z.string(),
  /** Such as `deliveries.retry`. */
  action: z.string(),
  /** What the action applied to, such as the number of a delivery. */
  target: z.string().optional(),
  outcome: z.enum(AUDIT_OUTCOMES),
  detail: z.string().optional(),
  /** The address that a sign-in or a refused request came from; for IPv6 the /64. */
  address: z.string().optional(),
  /** The key that was used, if that is known. */
  key_id: z.string().optional(),
  /** Refused attempts of the same kind within an hour are one entry. */
  attempts: z.number(),
  /** The last of several attempts. */
  last_at: time.optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditQuery = z.strictObject({
  ...pageQuery,
  principal_id: textFilter.optional(),
  action: textFilter.optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  address: textFilter.optional(),
})
export type AuditQuery = z.infer<typeof auditQuery>

export const auditPage = pageOf(auditEntry)
export type AuditPage = z.infer<typeof auditPage>
