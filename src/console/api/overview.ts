// The overview: whether anything is wrong, where, and since when.

import { z } from 'zod'
import { TASK_STATUSES } from '../../protocol/statuses.ts'
import { counted, time } from './common.ts'
import { deliveryItem } from './deliveries.ts'
import { approvalItem } from './tasks.ts'

const RANGES = ['1h', '24h', '7d'] as const

export const overviewQuery = z.strictObject({ range: z.enum(RANGES).default('24h') })
export type OverviewQuery = z.infer<typeof overviewQuery>

/** `bad`: something is lost unless somebody acts. `warn`: something is late, and may recover on its own. */
const LEVELS = ['good', 'warn', 'bad'] as const

const notice = z.strictObject({
  level: z.enum(LEVELS),
  topic: z.enum(['deliveries', 'endpoints', 'reports', 'tasks', 'approvals', 'received']),
  message: z.string(),
  /** Since when, where that is known. */
  since: time.optional(),
})
export type Notice = z.infer<typeof notice>

export const overview = z.strictObject({
  at: time,
  range: z.enum(RANGES),
  level: z.enum(LEVELS),
  /** Current problems, the worst first; empty when there are none. */
  notices: z.array(notice),
  deliveries: z.strictObject({
    bucket_seconds: z.number(),
    /** What ended in each bucket, oldest first; empty buckets are included. */
    buckets: z.array(
      z.strictObject({
        at: time,
        delivered: z.number(),
        exhausted: z.number(),
        cancelled: z.number(),
      }),
    ),
    /** From the event to its acknowledgement, for the latest deliveries that succeeded, at most 5000. */
    delay_ms: z.strictObject({
      sampled: z.number(),
      p50: z.number().optional(),
      p95: z.number().optional(),
      p99: z.number().optional(),
    }),
  }),
  queue: z.strictObject({
    pending: z.number(),
    leased: z.number(),
    held: z.number(),
    /** Attempted before, and to be retried. */
    retrying: z.number(),
    oldest_due_ms: z.number(),
    open_circuits: z.number(),
    paused_endpoints: z.number(),
  }),
  reports: z.strictObject({ owed: z.number(), late: z.number(), given_up: z.number() }),
  /** Only statuses that some task has; ended tasks are counted only if they started in the range. */
  tasks: z.array(z.strictObject({ status: z.enum(TASK_STATUSES), count: counted })),
  approvals: z.strictObject({ waiting: z.number(), oldest: z.array(approvalItem) }),
  latest_failures: z.array(deliveryItem),
})
export type Overview = z.infer<typeof overview>
