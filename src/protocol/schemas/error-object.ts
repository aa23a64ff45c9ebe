// The error object of responses (spec 7.2): the elements of `errors`, and the specification's `error` of creative
// agents (spec 7.1). Codes are not restricted here, because warnings have their own codes.

import { z } from 'zod'
import { text } from './common.ts'

export const issue = z.strictObject({
  pointer: z.string().describe('JSON pointer (RFC 6901) into the request.'),
  message: z.string().describe('What would be right there.'),
  keyword: z.string().describe('The rule that was broken, such as required or type.'),
})

export const errorObject = z.strictObject({
  code: text(64).describe('Which failure, in the protocol’s words.'),
  message: z.string().describe('What was wrong and what would be right.'),
  field: z.string().optional().describe('Where in the request: the pointer of the first issue.'),
  suggestion: z.string().optional().describe('What to do about it.'),
  recovery: z
    .enum(['transient', 'correctable', 'terminal'])
    .optional()
    .describe(
      'Whether to retry later (transient), change the request (correctable) or stop (terminal). Set on every error except IDEMPOTENCY_CONFLICT in 3.0.',
    ),
  issues: z.array(issue).readonly().optional().describe('Every failure of the request’s shape.'),
  details: z.record(z.string(), z.unknown()).optional().describe('What belongs to this code.'),
  retry_after: z.number().min(1).max(3600).optional().describe('Seconds until a repetition helps.'),
})

export const errorList = z.array(errorObject)

/** `error`, in addition to `errors`, in the responses of creative tasks (spec 7.1). */
export const creativeError = z.looseObject({
  code: text(64).describe('Which failure.'),
  message: z.string().describe('What was wrong and what would be right.'),
})
