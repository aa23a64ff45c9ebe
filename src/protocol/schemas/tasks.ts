// The tasks that manage tasks (spec 3.2): list them, get the status of one, cancel it, and provide the input that it
// waits for. The top-level `status` of these responses is the status of the task in question.

import { z } from 'zod'
import {
  context,
  count,
  ext,
  isoTime,
  opaqueId,
  paginationRequest,
  paginationResponse,
  sortDirection,
  text,
} from './common.ts'
import { errorList } from './error-object.ts'
import { sortBy } from './sort-by.ts'
import { receivedTaskStatus, taskStatus } from './task-status.ts'
import { taskProgress } from './webhook-envelope.ts'

const taskId = opaqueId.describe('The task, as its first answer named it.')

const summary = {
  task_id: opaqueId.describe('The task.'),
  task_type: z.string().describe('Its transport name.'),
  protocol: z.string().describe('Part of the protocol it belongs to.'),
  domain: z.string().describe('The same value, under its older name.'),
  status: taskStatus.describe('Status of the task.'),
  created_at: isoTime.describe('When it was accepted.'),
  updated_at: isoTime.describe('When it last changed.'),
  completed_at: isoTime.optional().describe('When it ended.'),
  has_webhook: z.boolean().describe('Whether its changes are sent somewhere.'),
}

const historyEntry = z.strictObject({
  timestamp: isoTime,
  type: z.enum(['request', 'response']),
  data: z.unknown(),
})

const taskRecord = z.strictObject({
  ...summary,
  message: z.string().optional().describe('Status as a readable message.'),
  progress: taskProgress.optional().describe('How far it has come.'),
  input_required: z
    .looseObject({ reason: z.string() })
    .optional()
    .describe('What it waits for, while input-required.'),
  error: z
    .strictObject({ code: z.string(), message: z.string(), details: z.unknown().optional() })
    .optional()
    .describe('Why it failed.'),
  errors: errorList.optional().describe('All that it failed for, with where and what to do.'),
  result: z.unknown().optional().describe('The result, or the progress so far.'),
  history: z.array(historyEntry).optional().describe('Messages, oldest first.'),
  context: context.optional().describe('Of this request, or else of the one that began the task.'),
  ext: ext.optional(),
})

export const getTaskStatusRequest = z.looseObject({
  task_id: taskId,
  include_history: z.boolean().optional().describe('Default false.'),
  include_result: z.boolean().optional().describe('Whether to send the result; default true.'),
})
export type GetTaskStatusRequest = z.infer<typeof getTaskStatusRequest>
export const getTaskStatusResponse = taskRecord
export type GetTaskStatusResponse = z.infer<typeof getTaskStatusResponse>

export const cancelTaskRequest = z.looseObject({
  task_id: taskId,
  reason: text(500).optional().describe('Why.'),
})
export type CancelTaskRequest = z.infer<typeof cancelTaskRequest>
export const cancelTaskResponse = taskRecord
export type CancelTaskResponse = z.infer<typeof cancelTaskResponse>

export const provideTaskInputRequest = z.looseObject({
  task_id: taskId,
  input: z.looseObject({}).optional().describe('What the task waits for, as data.'),
  message: text(10_000).optional().describe('What it waits for, as a readable message.'),
  approved: z.boolean().optional().describe('The answer to a request for approval.'),
})
export type ProvideTaskInputRequest = z.infer<typeof provideTaskInputRequest>
export const provideTaskInputResponse = taskRecord
export type ProvideTaskInputResponse = z.infer<typeof provideTaskInputResponse>

const oneOrMore = <S extends z.ZodType>(one: S) => z.union([one, z.array(one).min(1).max(50)])
const word = text(100)

const taskFilters = z.looseObject({
  protocol: word.optional().describe('Only this part.'),
  protocols: z.array(word).max(20).optional().describe('Only these parts.'),
  domain: word.optional().describe('Only this part, by its older name.'),
  domains: z.array(word).max(20).optional().describe('Only these parts, by their older name.'),
  status: oneOrMore(receivedTaskStatus).optional().describe('Only tasks with this status.'),
  statuses: z.array(receivedTaskStatus).max(9).optional().describe('Only tasks with this status.'),
  task_type: word.optional().describe('Only this task.'),
  task_types: z.array(word).max(50).optional().describe('Only these tasks.'),
  task_ids: z.array(opaqueId).min(1).max(100).optional().describe('Only these.'),
  created_after: isoTime.optional(),
  created_before: isoTime.optional(),
  updated_after: isoTime.optional(),
  updated_before: isoTime.optional(),
  context_contains: text(200).optional().describe('A text in the context.'),
  has_webhook: z.boolean().optional().describe('Only with a webhook, or without.'),
})

const SORT_FIELDS = [
  'created_at',
  'updated_at',
  'status',
  'task_type',
  'protocol',
  'domain',
] as const

export const listTasksRequest = z.looseObject({
  filters: taskFilters.optional().describe('Which tasks; filters combine.'),
  sort: sortBy(SORT_FIELDS),
  pagination: paginationRequest.optional().describe('Pages; default 50 a page.'),
  include_history: z.boolean().optional().describe('Default false.'),
})
export type ListTasksRequest = z.infer<typeof listTasksRequest>

export const listTasksResponse = z.strictObject({
  query_summary: z.strictObject({
    total_matching: count,
    returned: count,
    domain_breakdown: z.record(z.string(), count).optional(),
    status_breakdown: z.record(z.string(), count).optional(),
    filters_applied: z.array(z.string()).optional(),
    sort_applied: z.strictObject({ field: z.string(), direction: sortDirection }).optional(),
  }),
  tasks: z.array(z.strictObject({ ...summary, history: z.array(historyEntry).optional() })),
  pagination: paginationResponse,
  ext: ext.optional(),
})
export type ListTasksResponse = z.infer<typeof listTasksResponse>
