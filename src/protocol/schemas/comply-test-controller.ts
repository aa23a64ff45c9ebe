// comply_test_controller: what graders force, simulate and seed in a sandbox. Only in 3.x. The request is passed
// through unchanged: the controller reports errors in it with its own messages.

import { z } from 'zod'
import { count, ext, opaqueId } from './common.ts'

export const complyTestControllerRequest = z.looseObject({
  scenario: z
    .string()
    .optional()
    .describe('Scenario to run; list_scenarios returns the supported ones.'),
  params: z
    .looseObject({})
    .optional()
    .describe('What the scenario needs, such as an id and a status.'),
})
export type ComplyTestControllerRequest = z.infer<typeof complyTestControllerRequest>

export const CONTROLLER_ERRORS = [
  'INVALID_TRANSITION',
  'INVALID_STATE',
  'NOT_FOUND',
  'UNKNOWN_SCENARIO',
  'INVALID_PARAMS',
  'FORBIDDEN',
  'INTERNAL_ERROR',
] as const

export const ARMS = ['submitted', 'input-required', 'rejected'] as const

const recordedCall = z.strictObject({
  method: z.string(),
  url: z.string(),
  endpoint: z.string().describe('Host and path.'),
  host: z.string(),
  path: z.string(),
  content_type: z.string(),
  payload: z.unknown().describe('What was sent: JSON, or text.'),
  status_code: z.int().optional().describe('What was answered.'),
  timestamp: z.string(),
})
export type RecordedCall = z.infer<typeof recordedCall>

export const complyTestControllerResponse = z.strictObject({
  success: z.boolean().describe('Whether it happened.'),
  scenarios: z.array(z.string()).optional().describe('Supported scenarios.'),
  previous_state: z.string().optional().describe('Status before the call.'),
  current_state: z.string().nullable().optional().describe('Status after the call.'),
  forced: z
    .strictObject({ arm: z.enum(ARMS), task_id: opaqueId.optional() })
    .optional()
    .describe('How the next call is answered.'),
  simulated: z.looseObject({}).optional().describe('What was added.'),
  cumulative: z.looseObject({}).optional().describe('Everything added so far.'),
  recorded_calls: z.array(recordedCall).optional().describe('Calls that this server made.'),
  total_count: count.optional().describe('How many calls there were.'),
  truncated: z.boolean().optional().describe('Whether some were left off.'),
  since_timestamp: z.string().optional(),
  message: z.string().optional(),
  error: z.enum(CONTROLLER_ERRORS).optional().describe('Why it did not happen.'),
  error_detail: z.string().optional().describe('The same for people.'),
  ext: ext.optional(),
})
export type ComplyTestControllerResponse = z.infer<typeof complyTestControllerResponse>
