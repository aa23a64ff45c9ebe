// Who did what in the console, and what came of it.

import { z } from 'zod'
import { pageOf, pageQuery, textFilter, time } from './common.ts'

const AUDIT_OUTCOMES = ['done', 'refused'] as const

const auditEntry = z.strictObject({
  audit_id: z.number(),
  at: time,
  principal_id: z.string(),
  principal_name: z.string(),
  /** Such as `deliveries.retry`. */
  action: z.string(),
  /** What it was done to, such as the number of a delivery. */
  target: z.string().optional(),
  outcome: z.enum(AUDIT_OUTCOMES),
  detail: z.string().optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditQuery = z.strictObject({
  ...pageQuery,
  principal_id: textFilter.optional(),
  action: textFilter.optional(),
})
export type AuditQuery = z.infer<typeof auditQuery>

export const auditPage = pageOf(auditEntry)
export type AuditPage = z.infer<typeof auditPage>
