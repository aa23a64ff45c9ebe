// Tasks that outlive a call, and what waits for an operator's decision.

import { z } from 'zod'
import { TASK_STATUSES } from '../../protocol/statuses.ts'
import { amount, pageOf, pageQuery, textFilter, time, timeFilter } from './common.ts'

const taskItem = z.strictObject({
  task_id: z.string(),
  task_type: z.string(),
  domain: z.string(),
  status: z.enum(TASK_STATUSES),
  principal_id: z.string(),
  principal_name: z.string().optional(),
  message: z.string().optional(),
  /** From 0 to 100, if the task reports it. */
  progress_percent: z.number().optional(),
  has_webhook: z.boolean(),
  created_at: time,
  updated_at: time,
  completed_at: time.optional(),
})
export type TaskItem = z.infer<typeof taskItem>

export const tasksQuery = z.strictObject({
  ...pageQuery,
  status: z.enum([...TASK_STATUSES, 'open']).optional(),
  task_type: textFilter.optional(),
  principal_id: textFilter.optional(),
  /** Created at or after. */
  since: timeFilter.optional(),
  /** Created before. */
  until: timeFilter.optional(),
  /** A task_id. */
  q: textFilter.optional(),
})
export type TasksQuery = z.infer<typeof tasksQuery>

export const tasksPage = pageOf(taskItem)
export type TasksPage = z.infer<typeof tasksPage>

const taskError = z.looseObject({ code: z.string(), message: z.string() })

const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'withdrawn'] as const

export const approvalItem = z.strictObject({
  task_id: z.string(),
  task_type: z.string(),
  media_buy_id: z.string(),
  principal_id: z.string(),
  principal_name: z.string().optional(),
  state: z.enum(APPROVAL_STATES),
  /** Why it was requested. */
  reason: z.string(),
  requested: z.strictObject({
    total_budget: amount,
    currency: z.string(),
    product_ids: z.array(z.string()),
    start_time: z.string(),
    end_time: z.string(),
  }),
  /** Questions and answers before the decision, oldest first. */
  talk: z.array(
    z.strictObject({
      from: z.enum(['seller', 'buyer']),
      by: z.string(),
      text: z.string(),
      at: time,
    }),
  ),
  note: z.string().optional(),
  /** How many people have to approve it. */
  needed: z.number(),
  /** The first of two. */
  first_by: z.string().optional(),
  first_by_name: z.string().optional(),
  first_at: time.optional(),
  decided_by: z.string().optional(),
  decided_by_name: z.string().optional(),
  created_at: time,
  decided_at: time.optional(),
})
export type ApprovalItem = z.infer<typeof approvalItem>

export const task = z.strictObject({
  ...taskItem.shape,
  context_id: z.string().optional(),
  progress: z.looseObject({}).optional(),
  input_required: z.looseObject({ reason: z.string() }).optional(),
  errors: z.array(taskError).optional(),
  /** The response once completed; if it is too long to display, `{ omitted_characters }`. */
  result: z.unknown().optional(),
  next_step_at: time.optional(),
  deadline_at: time,
  /** Steps in a row that failed. */
  tries: z.number(),
  /** Requests and responses, oldest first. */
  history: z.array(
    z.strictObject({ at: time, type: z.enum(['request', 'response']), data: z.unknown() }),
  ),
  approval: approvalItem.optional(),
  may: z.strictObject({ cancel: z.boolean(), decide: z.boolean() }),
})
export type Task = z.infer<typeof task>

export const taskParams = z.strictObject({ task_id: z.string().min(1).max(256) })

export const cancelTaskBody = z.strictObject({ reason: z.string().min(1).max(500).optional() })

export const approvalsQuery = z.strictObject({
  ...pageQuery,
  state: z.enum(APPROVAL_STATES).default('waiting'),
})
export type ApprovalsQuery = z.infer<typeof approvalsQuery>

export const approvalsPage = pageOf(approvalItem)
export type ApprovalsPage = z.infer<typeof approvalsPage>

export const askApprovalBody = z.strictObject({ question: z.string().min(1).max(1_000) })

export const decideBody = z.strictObject({
  approved: z.boolean(),
  /** For the buyer to read. */
  note: z.string().min(1).max(500).optional(),
})
