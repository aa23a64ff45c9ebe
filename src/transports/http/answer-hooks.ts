// Reserves room for the answer of every route, before its handler runs and again when the answer's size is known.
// Streams that take over the socket from the framework use `request.hold` themselves.

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

/** For a route without its own value: most answers that are not a task's fit into it. */
const USUAL_BYTES = 16_384
/** The assumed size of a task call's answer while its size is unknown. */
export const TASK_ANSWER_BYTES = HTTP_LIMITS.answerReserveBytes.value

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
  // biome-ignore lint/complexity/useMaxParams: Fastify calls it so; a hook that returns a promise costs a turn.
  app.addHook('onSend', (request, reply, payload, done) => {
    const fault = request.hold && settle(request, reply, sizeOf(payload))
    if (!fault) return done(null, payload)
    // Headers meant for the answer do not apply to the refusal.
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
  // A read can be repeated. The outcome of any other operation is always sent.
  const isRead = method === 'GET' && reply.statusCode < 400
  const fault = isRead ? hold?.resize(request, bytes) : undefined
  if (!isRead) hold?.settle(request, bytes)
  if (!fault) hold?.awaitReader(true)
  return fault
}

/** Texts are measured here and encoded by the socket: a buffer for each costs more, in memory to be collected. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}
