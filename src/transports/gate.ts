// The gate of every wire that carries task calls: the key and the rate are judged when the headers are
// there, and nothing of the body is read for whoever is not let in (spec 5, 7.3). What it finds out is
// handed on with the request, so that it is asked once.

import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Admitted } from '../agent/admission.ts'
import type { Agent } from '../agent/agent.ts'
import { type Failed, refusedAnswer } from '../agent/answer.ts'
import type { TableEntry } from '../agent/task-table.ts'
import type { TaskError } from '../protocol/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate, on every wire that has one. */
    admitted?: Admitted
  }
}

export interface GateOptions {
  /** How the wire says it. */
  refuse: (reply: FastifyReply, answer: Failed) => FastifyReply
  /** Most bytes of a body, with a key and without one. */
  limits: BodyLimits
  /** The task, where the path names it. */
  entry?: TableEntry
}

export interface BodyLimits {
  keyed: number
  keyless: number
}

/** For the hook `onRequest` of a route, whose `config` says that it counts its callers itself. */
export function gateOf(
  agent: Agent,
  { refuse, limits, entry }: GateOptions,
): onRequestAsyncHookHandler {
  const turnAway = (request: FastifyRequest, reply: FastifyReply, error: TaskError) => {
    if (!isSmall(request)) reply.header('connection', 'close')
    return refuse(reply, refusedAnswer(error, agent.identifiers))
  }
  return async (request, reply) => {
    const { authorization } = request.headers
    const admission = await agent.admit({ authorization, account: request.account })
    if (!admission.ok) return turnAway(request, reply, admission.error)
    const keyFault = entry && agent.keyFault(entry, admission)
    if (keyFault) return turnAway(request, reply, keyFault)
    request.admitted = admission
    request.account = admission.account
    request.bodyLimit = admission.principal ? limits.keyed : limits.keyless
  }
}

/** What the gate found out; on a route without one, this is a fault of ours. */
export function admittedBy({ admitted }: FastifyRequest): Admitted {
  if (!admitted) throw new Error('a route for task calls has a gate')
  return admitted
}

const SMALL_BYTES = 65_536

/** A body that is let past sooner than the connection is made anew. */
function isSmall({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= SMALL_BYTES
}
