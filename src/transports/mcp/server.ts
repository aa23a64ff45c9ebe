// `POST /mcp`: MCP over streamable HTTP without sessions and without streams (spec 4.2). One JSON
// message in, one JSON message out, whatever the Accept header prefers; other methods are 405.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Agent } from '../../agent/agent.ts'
import { refusedAnswer } from '../../agent/answer.ts'
import { joinBytes, type TextPiece } from '../../lib/shared-text.ts'
import { MCP_PATH } from '../../protocol/agent-url.ts'
import { admittedBy, authenticatorOf, type Called } from '../authenticate.ts'
import { callSource, type TaskBodyLimits, taskBodyLimits } from '../call-source.ts'
import { TASK_ANSWER_BYTES } from '../http/answer-hooks.ts'
import { refuseRpc, rpcCalls, rpcFaults, sendRpc, sendRpcFault } from '../json-rpc.ts'
import { RPC_INVALID_REQUEST } from '../rpc-error.ts'
import type { SignedUrls } from '../signed-head.ts'
import { batchFault, dispatchBatch, estimatedBatchBytes } from './batch.ts'
import { BODY_COPIES, createDispatch, type McpIdentity } from './dispatch.ts'
import { parseMcpMessage } from './parse-message.ts'
import type { McpHeaders } from './revisions.ts'

export interface McpRouteOptions {
  urls?: SignedUrls | undefined
  /** `WWW-Authenticate` of a call that needs a key. Default `Bearer`. */
  challenge?: (() => string) | undefined
}

export function mcpRoutes(
  agent: Agent,
  identity: McpIdentity,
  { urls, challenge = () => 'Bearer' }: McpRouteOptions = {},
) {
  const dispatch = createDispatch(agent, identity)
  const refuse = (reply: FastifyReply, status: number, error: string) =>
    sendRpcFault(
      reply,
      { status, error },
      { identifiers: agent.identifiers, code: RPC_INVALID_REQUEST },
    )
  return (app: FastifyInstance): void => {
    const limits = taskBodyLimits(app, agent.tasks)
    app.post(
      MCP_PATH,
      {
        config: {
          counts: 'itself',
          parseBody: parseMcpMessage,
          answerBytes: BODY_COPIES * TASK_ANSWER_BYTES,
        },
        ...authenticatorOf(agent, {
          refuse: (reply, answer) => refuseRpc(reply, answer, challenge()),
          limits: limits.largest,
          called,
          urls,
        }),
        errorHandler: rpcFaults(agent.identifiers),
        schema: {
          operationId: 'callMcp',
          summary: 'Every task as an MCP tool: streamable HTTP without sessions',
          tags: ['Tasks'],
        },
      },
      async (request, reply) => {
        const limit = brokenLimit(agent, limits, request)
        if (limit !== undefined) {
          return refuse(reply, 413, `the body is too large: at most ${limit} bytes`)
        }
        const { body } = request
        const headers = request.headers as McpHeaders
        const source = callSource(request, reply)
        if (Array.isArray(body)) {
          const fault = batchFault(body, source)
          if (fault !== undefined) return refuse(reply, 400, fault)
          // The gate has counted one.
          const error =
            agent.takeMore(admittedBy(request), body.length - 1) ??
            source.reserve?.(estimatedBatchBytes(body, source))
          if (error) return refuseRpc(reply, refusedAnswer(error, agent.identifiers))
          const { pieces, lacksKey } = await dispatchBatch(dispatch, body, { headers, source })
          return sendPieces(
            reply,
            { status: lacksKey ? 401 : pieces ? 200 : 202, pieces },
            challenge,
          )
        }
        return sendPieces(reply, await dispatch({ message: body, headers, source }), challenge)
      },
    )
  }
}

/** What a message, or each of a batch, requests. */
function called(body: unknown): Called {
  const operations = rpcCalls(body).map(({ method, params }) => {
    const name = method === 'tools/call' ? params?.name : undefined
    return { method, task: typeof name === 'string' ? name : undefined }
  })
  return { operations }
}

function sendPieces(
  reply: FastifyReply,
  { status, pieces }: { status: number; pieces: readonly TextPiece[] | undefined },
  challenge: () => string,
): FastifyReply {
  if (!pieces) return reply.code(status).send()
  return sendRpc(challenged(reply, status, challenge), status, joinBytes(pieces))
}

function challenged(reply: FastifyReply, status: number, challenge: () => string): FastifyReply {
  return status === 401 ? reply.header('www-authenticate', challenge()) : reply
}

/** A batch has the usual limit, whatever tasks it calls. */
function brokenLimit(
  { tasks }: Agent,
  limits: TaskBodyLimits,
  request: FastifyRequest,
): number | undefined {
  const { params } = (request.body ?? {}) as { params?: { name?: unknown } | null }
  const entry = typeof params?.name === 'string' ? tasks.find(params.name) : undefined
  return limits.broken(entry?.task ?? {}, request)
}
