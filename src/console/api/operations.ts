// An operator's actions on one endpoint: resending what was lost since a given time, and limiting concurrent sending.

import { z } from 'zod'
import { LIMIT_BOUNDS } from '../../webhooks/sender/limit-store.ts'
import { RECOVERED, RECOVERY_STATES } from '../../webhooks/sender/recovery-store.ts'
import { counted, time, timeFilter } from './common.ts'

export const recovery = z.strictObject({
  recovery_id: z.number(),
  endpoint_id: z.string(),
  /** `failed`: failed permanently, or cancelled since the receiver was gone. `all`: includes what was delivered. */
  which: z.enum(RECOVERED),
  since: time,
  state: z.enum(RECOVERY_STATES),
  /** Found so far while it counts. */
  total: z.number(),
  sent: z.number(),
  /** Nothing is registered for it any more, or it is already being sent. */
  passed_over: z.number(),
  requested_by: z.string(),
  created_at: time,
  ended_at: time.optional(),
  may: z.strictObject({ cancel: z.boolean() }),
})
export type RecoveryItem = z.infer<typeof recovery>

/** The newest first; at most 10. */
export const recoveries = z.strictObject({ items: z.array(recovery) })

const selection = {
  /** Deliveries created at or after. */
  since: timeFilter,
  which: z.enum(RECOVERED).default('failed'),
}

export const recoveryCountQuery = z.strictObject(selection)
export const recoveryCount = z.strictObject({ count: counted })
export const recoveryBody = z.strictObject(selection)

export const recoveryParams = z.strictObject({
  recovery_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
})

const { concurrency, per_second } = LIMIT_BOUNDS

/** null: as for all endpoints. */
export const limitsBody = z.strictObject({
  concurrency: z.number().int().min(concurrency.least).max(concurrency.most).nullable(),
  per_second: z.number().min(per_second.least).max(per_second.most).nullable(),
})
