import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { taskError } from '../../../src/protocol/errors.ts'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import {
  checkAnswer,
  withRequestEnvelope,
  withResponseEnvelope,
} from '../../../src/protocol/schemas/envelope.ts'
import { errorList } from '../../../src/protocol/schemas/error-object.ts'
import { checkShape } from '../../../src/protocol/schemas/issues.ts'
import { EVERY_TASK, key } from './every-task.ts'

const names = identifiersFor('acme')
const failure = taskError('RATE_LIMITED', 'wait', { retry_after: 3 })
const formats = EVERY_TASK.list_creative_formats?.response ?? z.never()
const status = EVERY_TASK.get_task_status?.response ?? z.never()
const pointers = (schema: z.ZodType, body: unknown) =>
  checkAnswer(schema, body, names).map(({ pointer }) => pointer)

test('a request keeps its own rules and members under the envelope', () => {
  const own = z.looseObject({ account: z.literal('mine'), size: z.int() })
  const schema = withRequestEnvelope(own, names)
  const good = { account: 'mine', size: 1, idempotency_key: key, acme_version: '3.0' }
  expect(checkShape(schema, good)).toEqual({ ok: true, value: good })
  const check = checkShape(schema, { account: 'x', size: 1, acme_version: 3, context: 'c' })
  expect(check.ok ? [] : check.issues.map(({ pointer }) => pointer)).toEqual([
    '/account',
    '/context',
    '/acme_version',
  ])
})

describe('an idempotency key', () => {
  const schema = withRequestEnvelope(z.looseObject({}), names)
  test.each(['short', 'x'.repeat(256), 'with a space 1234567', 7])('%j is refused', (bad) => {
    expect(checkShape(schema, { idempotency_key: bad }).ok).toBe(false)
  })
})

test('what is no object schema is refused when the table is made', () => {
  expect(() => withRequestEnvelope(z.union([z.string(), z.number()]), names)).toThrow(TypeError)
})

test('spec 3.2: an accepted answer needs its task, and none of the result', () => {
  expect(pointers(formats, { status: 'submitted', task_id: 't1' })).toEqual([])
  expect(pointers(formats, { status: 'working' })).toEqual(['/task_id'])
})

test('spec 7.2: the errors of the protocol have the shape that is published', () => {
  const errors: z.infer<typeof errorList> = [failure]
  expect(checkShape(errorList, errors)).toEqual({ ok: true, value: errors })
})

test('spec 7: a failed answer needs its errors', () => {
  const body = {
    status: 'failed',
    error: { code: failure.code, message: failure.message },
    errors: [failure],
    acme_error: failure,
    context: { trace: 1 },
  }
  expect(pointers(formats, body)).toEqual([])
  expect(pointers(formats, { status: 'failed', errors: [] })).toEqual(['/errors'])
  expect(pointers(status, body)).toEqual([])
})

test('a completed answer needs its result, and every answer a status', () => {
  expect(pointers(formats, { status: 'completed' })).toEqual(['/formats'])
  expect(pointers(formats, {})).toEqual(['/status'])
  expect(pointers(formats, null)).toEqual([''])
  expect(pointers(formats, { status: 'input-required' })).toEqual(['/task_id'])
  expect(pointers(formats, { status: 'canceled' })).toEqual([])
})

test('an answer about a task is whole whatever the status of that task', () => {
  const answer = EVERY_TASK.get_task_status?.answer ?? {}
  for (const one of ['working', 'failed', 'completed', 'canceled']) {
    expect(pointers(status, { ...answer, status: one })).toEqual([])
    expect(pointers(status, { status: one })).toContain('/created_at')
  }
})

test('the published answer accepts each kind of answer', () => {
  const schema = withResponseEnvelope(formats as z.ZodType<object>, names)
  for (const body of [
    { status: 'completed', formats: [], replayed: true },
    { status: 'submitted', task_id: 't1', message: 'later' },
    { status: 'failed', errors: [failure], acme_error: failure },
  ]) {
    expect(checkShape(schema, body).ok).toBe(true)
  }
  expect(checkShape(schema, { status: 'completed', formats: 7 }).ok).toBe(false)
})
