// Reserves room for the answer of every route, before its handler runs and again when the size of the answer is known.
// Streams that take the socket from the framework use `request.hold` themselves.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AnswerFault,
  type AnswerHold,
  type AnswerReserve,
  type AnswerReserveOptions,
  createAnswerReserve,
} from './answer-reserve.ts'
import { HTTP_LIMITS } from './limits.ts'

declare module 'fastify' {
  interface FastifyInstance {
    answers: AnswerReserve
  }
  interface FastifyContextConfig {
    /** What is reserved before the handler runs. Default 16 KiB. */
    answerBytes?: number
  }
  interface FastifyRequest {
    /** The room of its answer; undefined before the handler, and for probes. */
    hold: AnswerHold | undefined
  }
}

/** Of a route that says nothing: most answers that are no task's fit into it. */
const USUAL_BYTES = 16_384
/** What the answer of a task call is taken for while nothing is known of it. */
export const TASK_ANSWER_BYTES = HTTP_LIMITS.answerReserveBytes.value
/** Longer texts are encoded once, here, instead of being measured and then encoded. */
const ENCODED_CHARS = 16_384

export function reserveAnswers(app: FastifyInstance, options: AnswerReserveOptions): void {
  const reserve = createAnswerReserve(options)
  app.decorate('answers', reserve)
  app.decorateRequest('hold', undefined)
  app.addHook('preHandler', (request, reply, done) => {
    const { answerBytes = USUAL_BYTES, counts } = request.routeOptions.config
    if (counts === 'nothing') return done()
    const opened = reserve.open(request, answerBytes, reply.raw)
    if (opened instanceof AnswerFault) return done(opened)
    request.hold = opened
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const body =
      typeof payload === 'string' && payload.length > ENCODED_CHARS ? Buffer.from(payload) : payload
    const fault = request.hold && settle(request, reply, sizeOf(body))
    if (!fault) return done(null, body)
    // What was meant for the answer is not true of the refusal.
    for (const name of ['cache-control', 'etag', 'content-range']) reply.removeHeader(name)
    done(fault)
  })
}

function settle(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: number,
): AnswerFault | undefined {
  const { hold, method } = request
  // A read can be repeated. Every other operation is reported in any case.
  const isRead = method === 'GET' && reply.statusCode < 400
  const fault = isRead ? hold?.resize(request, bytes) : undefined
  if (!isRead) hold?.settle(request, bytes)
  if (!fault) hold?.awaitReader(true)
  return fault
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}
