// The members that every request and every response may have in addition to those of its task (spec 2.9, 3.2, 9).
// Each stays one flat object, because tools and documents require an object type at the top.

import { z } from 'zod'
import type { Issue } from '../errors.ts'
import type { Identifiers } from '../identifiers.ts'
import { accountRef, context, ext, idempotencyKey, isoTime, text } from './common.ts'
import { creativeError, errorList, errorObject } from './error-object.ts'
import { checkShape } from './issues.ts'
import { pushNotificationConfig } from './push-notification-config.ts'
import { type TaskStatus, taskStatus } from './task-status.ts'

type Names = Pick<Identifiers, 'versionMember' | 'majorVersionMember' | 'errorMember'>
type Shape = Record<string, z.ZodType>

/** The common members of every request. The members that contain the protocol's name are read by its names. */
export interface RequestEnvelope {
  context?: z.infer<typeof context> | undefined
  context_id?: string | undefined
  push_notification_config?: z.infer<typeof pushNotificationConfig> | undefined
  idempotency_key?: string | undefined
  account?: z.infer<typeof accountRef> | undefined
  ext?: z.infer<typeof ext> | undefined
}

export function requestEnvelope({ versionMember, majorVersionMember }: Names): Shape {
  return {
    context: context.optional(),
    context_id: text(255).optional().describe('The conversation this call belongs to.'),
    push_notification_config: pushNotificationConfig
      .optional()
      .describe('Where to send the changes of a task that runs on.'),
    idempotency_key: idempotencyKey
      .optional()
      .describe('Makes repeating safe: 16 to 255 of letters, digits and _ . : -'),
    account: accountRef.optional().describe('The account the call is made for.'),
    [versionMember]: z.string().optional().describe('Release of the protocol, such as 3.1.'),
    [majorVersionMember]: z.int().optional().describe('Its major version, by the older name.'),
    ext: ext.optional(),
  }
}

/** The task's request with the envelope's members; members that the task itself declares take precedence. */
export function withRequestEnvelope<T>(
  schema: z.ZodType<T>,
  names: Names,
): z.ZodType<T & RequestEnvelope> {
  const own = objectSchema(schema)
  return own.extend(missingFrom(own, requestEnvelope(names))) as unknown as z.ZodType<
    T & RequestEnvelope
  >
}

/** What every answer may carry. */
export interface ResponseEnvelope {
  status: TaskStatus
  message?: string | undefined
  context?: z.infer<typeof context> | undefined
  context_id?: string | undefined
  task_id?: string | undefined
  idempotency_key?: string | undefined
  timestamp?: string | undefined
  replayed?: boolean | undefined
  error?: z.infer<typeof creativeError> | undefined
  errors?: z.infer<typeof errorList> | undefined
  ext?: z.infer<typeof ext> | undefined
}

export function responseEnvelope({ versionMember, errorMember }: Names): Shape {
  return {
    status: taskStatus.describe('Status of the call; completed when the result is here.'),
    message: z.string().optional().describe('A summary for people.'),
    context: context.optional(),
    context_id: z.string().optional().describe('The conversation of the request.'),
    task_id: z.string().optional().describe('Task id to poll while the task is running.'),
    idempotency_key: z.string().optional().describe('The key of the request, in answers of 3.x.'),
    timestamp: isoTime.optional().describe('When this was answered.'),
    replayed: z.boolean().optional().describe('Whether an earlier answer was repeated.'),
    error: creativeError.optional().describe('The first error, in answers of creative tasks.'),
    errors: errorList.optional().describe('Errors of a failed call, warnings of another.'),
    [errorMember]: errorObject.optional().describe('The first error of a failed call.'),
    [versionMember]: z.string().optional().describe('Release of the protocol that was served.'),
    ext: ext.optional(),
  }
}

/**
 * Every response to a task: completed, accepted for later, or failed. The task's own members are optional, since only
 * the first kind has them; `checkAnswer` requires them where they belong.
 */
export function withResponseEnvelope<T extends object>(
  schema: z.ZodType<T>,
  names: Names,
): z.ZodType<Partial<T> & ResponseEnvelope> {
  const own = objectSchema(schema)
  const members = Object.entries(own.shape).map(([member, value]) => [
    member,
    member === 'status' ? value : (value as z.ZodType).optional(),
  ])
  const shape = { ...Object.fromEntries(members), ...missingFrom(own, responseEnvelope(names)) }
  return z.looseObject(shape) as unknown as z.ZodType<Partial<T> & ResponseEnvelope>
}

/** The errors in a response that is about to be sent; none if it conforms to the task's schema. */
export function checkAnswer(schema: z.ZodType, body: unknown, names: Names): Issue[] {
  const own = objectSchema(schema)
  const envelope = responseEnvelope(names)
  const check = (whole: z.ZodType) => {
    const checked = checkShape(whole, body)
    return checked.ok ? [] : checked.issues
  }
  const { status, errors, task_id } = (body ?? {}) as Record<string, unknown>
  // A response about a task has that task's status and errors, so it is complete unless it failed itself.
  const isWhole = Object.hasOwn(own.shape, 'status')
    ? !Array.isArray(errors) || task_id !== undefined
    : status === 'completed'
  if (isWhole) return check(own.extend(missingFrom(own, envelope)))
  if (status === 'submitted' || status === 'working' || status === 'input-required') {
    return check(z.looseObject({ ...envelope, task_id: z.string().min(1) }))
  }
  if (status === 'failed' || status === 'rejected') {
    return check(z.looseObject({ ...envelope, errors: errorList.min(1) }))
  }
  return check(z.looseObject(envelope))
}

function objectSchema(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema
  throw new TypeError('a task’s request and response must be object schemas')
}

function missingFrom(own: z.ZodObject, envelope: Shape): Shape {
  return Object.fromEntries(
    Object.entries(envelope).filter(([member]) => !Object.hasOwn(own.shape, member)),
  )
}
