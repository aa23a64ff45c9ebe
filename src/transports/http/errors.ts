// How HTTP says that something went wrong: one table, always JSON, never a stack trace.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { StorageUnavailable } from '../../lib/transaction.ts'

export interface HttpFault {
  status: number
  error: string
  retryAfterSeconds?: number
}

/** Fastify's own refusals, in our words. What is not listed is a fault of ours. */
const FASTIFY_FAULTS: Record<string, HttpFault> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, error: 'the body is not valid JSON' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, error: 'the body is empty: send a JSON object' },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, error: 'the body is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    error: 'the content type must be application/json',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    error: 'the body is not as long as its Content-Length says',
  },
  FST_ERR_BAD_URL: { status: 400, error: 'the path is not a valid URL path' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 414, error: 'a part of the path is too long' },
}

export function faultOf(error: unknown, request: FastifyRequest): HttpFault {
  if (error instanceof StorageUnavailable) {
    return {
      status: 503,
      error: 'the database is unavailable: nothing was accepted, try again',
      retryAfterSeconds: 5,
    }
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.map(({ instancePath, message }) => {
      const name = instancePath.replace(/^\//, '')
      return name ? `${name}: ${message}` : message
    })
    return { status: 400, error: details.join('; ') }
  }
  const { code, statusCode } = error as Partial<FastifyError>
  const known = code ? FASTIFY_FAULTS[code] : undefined
  if (known?.status === 413) {
    return { ...known, error: `${known.error}: at most ${request.routeOptions.bodyLimit} bytes` }
  }
  if (known) return known
  // What JSON.parse and secure-json-parse throw on the way to the route.
  if (statusCode === 400) return { status: 400, error: 'the body is not valid JSON' }
  return { status: 500, error: 'internal error' }
}

export function sendFault(reply: FastifyReply, fault: HttpFault): FastifyReply {
  if (fault.retryAfterSeconds) reply.header('retry-after', String(fault.retryAfterSeconds))
  const body: Record<string, unknown> = { error: fault.error }
  if (fault.status >= 500) body.request_id = reply.request.id
  return reply.code(fault.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
