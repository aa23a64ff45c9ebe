// The HTTP form of errors: one table, always JSON, never a stack trace.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { defined } from '../../lib/defined.ts'
import { StorageUnavailable } from '../../lib/transaction.ts'
import { AnswerFault } from './answer-reserve.ts'
import { BodyFault, NotJson } from './read-body.ts'

export interface HttpFault {
  status: number
  error: string
  retryAfterSeconds?: number
}

/** Fastify's own errors, with our messages. An error that is not listed is an internal error. */
const FASTIFY_FAULTS: ReadonlyMap<string, HttpFault> = new Map([
  [
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    { status: 415, error: 'the content type must be application/json' },
  ],
  ['FST_ERR_BAD_URL', { status: 400, error: 'the path is not a valid URL path' }],
  ['FST_ERR_MAX_PARAM_LENGTH', { status: 414, error: 'a part of the path is too long' }],
])

/** Names in it are the caller's own. */
const MAX_FAULT_CHARS = 2_000

export function faultOf(error: unknown): HttpFault {
  if (error instanceof BodyFault || error instanceof AnswerFault) {
    const { status, message, retryAfterSeconds } = error
    return {
      status,
      error: message,
      ...defined({ retryAfterSeconds }),
    }
  }
  if (error instanceof NotJson) return { status: 400, error: error.message }
  if (error instanceof StorageUnavailable) {
    return {
      status: 503,
      error: 'the database is unavailable and nothing was changed: retry',
      retryAfterSeconds: 5,
    }
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.map(({ instancePath, message }) => {
      const name = instancePath.replace(/^\//, '')
      return name ? `${name}: ${message}` : message
    })
    return { status: 400, error: details.join('; ').slice(0, MAX_FAULT_CHARS) }
  }
  const { code, statusCode } = error as Partial<FastifyError>
  const known = FASTIFY_FAULTS.get(code ?? '')
  if (known) return known
  if (statusCode === 400) return { status: 400, error: 'the request is malformed' }
  return { status: 500, error: 'internal error' }
}

/** Logs an internal error. Lack of room is not one: a flood of requests must not become a flood of log lines. */
export function logFault(request: FastifyRequest, error: unknown, { status }: HttpFault): void {
  if (status < 500 || error instanceof BodyFault || error instanceof AnswerFault) return
  request.log.error({ err: error, request_id: request.id }, 'request failed')
}

export function sendFault(reply: FastifyReply, fault: HttpFault): FastifyReply {
  if (fault.retryAfterSeconds) reply.header('retry-after', String(fault.retryAfterSeconds))
  const body: Record<string, unknown> = { error: fault.error }
  if (fault.status >= 500) body.request_id = reply.request.id
  return reply.code(fault.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
