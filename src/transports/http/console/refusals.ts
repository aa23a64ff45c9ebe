// Errors of the console's API: always `{ error: { code, message } }`.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, Refused } from '../../../console/refusal.ts'
import { faultOf, logFault } from '../errors.ts'

export function sendConsoleRefusal(
  reply: FastifyReply,
  { status, code, message, retryAfterSeconds }: Refusal,
  more: { demo?: boolean; provider?: boolean } = {},
): FastifyReply {
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
  return send(reply, status, { error: { code, message }, ...more })
}

/** An `errorHandler`. */
export function sendConsoleFault(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const thrown: unknown = error
  if (thrown instanceof Refused) return sendConsoleRefusal(reply, thrown.refusal)
  const fault = faultOf(error)
  const { status, error: message, retryAfterSeconds } = fault
  logFault(request, error, fault)
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
  return send(reply, status, { error: { code: CODES.get(status) ?? 'internal', message } })
}

const CODES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [413, 'too_large'],
  [415, 'not_json'],
  [429, 'too_many_requests'],
  [503, 'unavailable'],
])

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
