// The gate of every transport that carries task calls. The key, the signature and the rate are checked as soon as the
// headers arrive, and the body of a refused request is never read (spec 5, 7.3). The body of a signed request is
// verified as received, before it is parsed. The results are attached to the request, so that each check runs
// once.

import type {
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify'
import type { Agent } from '../agent/agent.ts'
import { type Failed, refusedAnswer } from '../agent/answer.ts'
import type { Admitted } from '../agent/authentication.ts'
import { type Operation, signatureError } from '../agent/signing-policy.ts'
import type { TableEntry } from '../agent/task-table.ts'
import type { TaskError } from '../protocol/errors.ts'
import { countAs } from './http/count-as.ts'
import { type SignedUrls, signedHead } from './signed-head.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate, over every transport that has one. */
    admitted?: Admitted
  }
}

export interface AuthenticatorOptions {
  /** How the transport says it. */
  refuse: (reply: FastifyReply, answer: Failed) => FastifyReply
  /** Maximum bytes of a body, with and without a key. */
  limits: BodyLimits
  /** The task, where the path names it. */
  entry?: TableEntry
  /** What a body requests, if the path does not determine it. Default: nothing. */
  called?: (body: unknown) => Called
  /** The URL that callers sign for. Default: signatures are not checked. */
  urls?: SignedUrls | undefined
}

/** What a body requests. */
export interface Called {
  operations: readonly Operation[]
  /** Its arguments that are encoded as text. Default none. */
  hidden?: readonly unknown[]
}

export interface BodyLimits {
  keyed: number
  keyless: number
}

/** A signed request whose body differs from the signed one, or was used before. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused'
  readonly error: TaskError

  constructor(error: TaskError) {
    super(error.message)
    this.error = error
  }
}

/** Hooks for a route with `config` that declares that it counts its callers itself. */
export interface Authenticator {
  onRequest: onRequestAsyncHookHandler
  preValidation: preValidationAsyncHookHandler
}

export function authenticatorOf(agent: Agent, options: AuthenticatorOptions): Authenticator {
  const { refuse, limits, entry, called, urls } = options
  const turnAway = (request: FastifyRequest, reply: FastifyReply, error: TaskError) => {
    if (!isSmall(request)) reply.header('connection', 'close')
    return refuse(reply, refusedAnswer(error, agent.identifiers))
  }
  return {
    onRequest: async (request, reply) => {
      const { authorization } = request.headers
      const signed = urls && signedHead(request.raw, urls)
      const admission = await agent.admit({ authorization, account: request.account, signed })
      if (!admission.ok) return turnAway(request, reply, admission.error)
      const fault =
        entry &&
        (agent.operationFault(admission, { task: entry.name }) ?? agent.keyFault(entry, admission))
      if (fault) return turnAway(request, reply, fault)
      request.admitted = admission
      if (admission.principal) countAs(request, admission.account)
      request.bodyLimit = admission.principal ? limits.keyed : limits.keyless
      if (!admission.signature?.ok) return
      const { verifySignedBody } = admission.signature
      request.verifySignedBody = async (bytes) => {
        const refused = await verifySignedBody(bytes)
        if (refused) throw new BodyRefused(signatureError(refused))
        request.verifySignedBody = undefined
      }
      // Without a body, no other code would check the signature.
      if (signed && !signed.hasBody) await request.verifySignedBody(NO_BODY)
    },
    preValidation: async (request, reply) => {
      const admitted = admittedBy(request)
      const { body } = request
      const { operations, hidden = [] } = called?.(body) ?? { operations: [] }
      for (const operation of operations) {
        const fault = agent.operationFault(admitted, operation)
        if (fault) return refuse(reply, refusedAnswer(fault, agent.identifiers))
      }
      const fault = await agent.registrationFault(admitted, [body, ...hidden])
      if (fault) return refuse(reply, refusedAnswer(fault, agent.identifiers))
    },
  }
}

const NO_BODY = Buffer.alloc(0)

/** The results of authentication. On a route without it, or before the body is checked, calling this is a bug. */
export function admittedBy({ admitted, verifySignedBody }: FastifyRequest): Admitted {
  if (!admitted) throw new Error('a route for task calls has a gate')
  if (verifySignedBody) throw new Error('the body of a signed request is judged before it is used')
  return admitted
}

const SMALL_BYTES = 65_536

/** Up to this size, reading and discarding a body is faster than opening a new connection. */
function isSmall({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= SMALL_BYTES
}
