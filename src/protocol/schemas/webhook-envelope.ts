// The body of a webhook in its MCP form (spec 2.10) as it is sent and as it is read, and the A2A form as it is read.
// A received body may omit members that other senders leave out; a sent body is complete.

import { z } from 'zod'
import { idempotencyKey, isoTime, opaqueId } from './common.ts'
import { wordId } from './push-notification-config.ts'
import { receivedTaskStatus, taskStatus } from './task-status.ts'

const optionalMembers = {
  operation_id: z.string().optional().describe('The buyer’s value, verbatim; left out if none.'),
  notification_id: wordId.optional().describe('Which state-shaped event; absent for reports.'),
  domain: z.string().optional().describe('Part of the protocol the task belongs to.'),
  protocol: z.string().optional().describe('The same value as domain, by its 3.x name.'),
  message: z.string().optional().describe('What happened, for people.'),
  context_id: z.string().optional().describe('The conversation the task belongs to.'),
  token: z.string().optional().describe('The token that the registration carried.'),
  context: z.looseObject({}).optional().describe('The request’s context, verbatim, if it had one.'),
}

/** What a sender builds. */
export const webhookEnvelope = z.strictObject({
  idempotency_key: idempotencyKey.describe('One per event, the same in every attempt.'),
  task_id: opaqueId.describe('The task, as the first answer named it.'),
  task_type: opaqueId.describe('The transport name of the task.'),
  status: taskStatus.describe('The task’s status after the change.'),
  timestamp: isoTime.describe('When it changed, in UTC.'),
  ...optionalMembers,
  domain: z.string().describe('Part of the protocol the task belongs to.'),
  protocol: z.string().describe('The same value as domain, by its 3.x name.'),
  result: z
    .unknown()
    .optional()
    .describe('What belongs to the status: a result, progress, a reason.'),
})
export type WebhookEnvelope = z.infer<typeof webhookEnvelope>

/** What a receiver accepts. */
export const receivedWebhookEnvelope = z.looseObject({
  idempotency_key: idempotencyKey,
  task_id: opaqueId,
  task_type: opaqueId,
  status: receivedTaskStatus,
  timestamp: isoTime,
  ...optionalMembers,
  result: z.unknown().optional(),
})
export type ReceivedWebhookEnvelope = z.infer<typeof receivedWebhookEnvelope>

const part = z.looseObject({
  kind: z.string().optional().describe('text or data.'),
  text: z.string().optional().describe('A text for people.'),
  data: z.unknown().optional().describe('The result, in the last part of a final status.'),
})

/** A2A form: a `Task`, or a `TaskStatusUpdateEvent`, which has `taskId` instead of `id`. */
export const receivedA2aWebhook = z.looseObject({
  id: opaqueId.optional().describe('The task.'),
  taskId: opaqueId.optional().describe('The task, in an update.'),
  contextId: z.string().optional().describe('The conversation.'),
  status: z.looseObject({
    state: z.string().describe('The status.'),
    timestamp: isoTime.optional().describe('When it changed.'),
    message: z
      .looseObject({ parts: z.array(part) })
      .optional()
      .describe('Data of interim states.'),
  }),
  artifacts: z
    .array(z.looseObject({ artifactId: z.string().optional(), parts: z.array(part) }))
    .optional()
    .describe('Data of final states.'),
})
export type ReceivedA2aWebhook = z.infer<typeof receivedA2aWebhook>

/** Contents of `result` while a task is running. */
export const taskProgress = z.strictObject({
  percentage: z.number().min(0).max(100).optional().describe('How much is done.'),
  current_step: z.string().optional().describe('What is being done.'),
  total_steps: z.int().min(1).optional().describe('Steps in all.'),
  step_number: z.int().min(1).optional().describe('Which step.'),
})
/** How far a task has come. */
export type TaskProgress = z.infer<typeof taskProgress>
