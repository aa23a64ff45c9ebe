// `POST /mcp`: MCP over streamable HTTP without sessions and without streams (spec 4.2). One JSON
// message in, one JSON message out, whatever the Accept header prefers; other methods are 405.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Agent } from '../../agent/call.ts'
import { type BodyLimits, bodyLimits, callSource } from '../call-source.ts'
import { RPC_INVALID_REQUEST, rpcError, sendRpc, sendRpcFault } from '../json-rpc.ts'
import { createDispatch, type Dispatch, type Incoming, type McpIdentity } from './dispatch.ts'
import { claimsRevision, type McpHeaders } from './revisions.ts'

export const MCP_PATH = '/mcp'

/** Most messages in one batch, which revisions up to 2025-03-26 may send. */
const MAX_BATCH = 50

export function mcpRoutes(agent: Agent, identity: McpIdentity) {
  const dispatch = createDispatch(agent, identity)
  return (app: FastifyInstance): void => {
    const limits = bodyLimits(app, agent.tasks)
    app.post(
      MCP_PATH,
      {
        bodyLimit: limits.largest,
        errorHandler: sendRpcFault,
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
        if (Array.isArray(body)) return answerBatch(reply, dispatch, body, { headers, source })
        const { status, text } = await dispatch({ message: body, headers, source })
        if (text === undefined) return reply.code(status).send()
        return sendRpc(challenged(reply, status), status, text)
      },
    )
  }
}

async function answerBatch(
  reply: FastifyReply,
  dispatch: Dispatch,
  batch: readonly unknown[],
  shared: Omit<Incoming, 'message'>,
): Promise<FastifyReply> {
  if (batch.length === 0 || batch.length > MAX_BATCH) {
    return refuse(reply, 400, `a batch holds 1 to ${MAX_BATCH} messages`)
  }
  if (batch.some((message) => claimsRevision((message as { params?: unknown } | null)?.params))) {
    return refuse(reply, 400, 'the current revision has no batches: send one message at a time')
  }
  const texts: string[] = []
  let lacksKey = false
  // One after the other: a batch is no way to more than one call at a time.
  for (const message of batch) {
    const { status, text } = await dispatch({ message, ...shared })
    if (text !== undefined) texts.push(text)
    lacksKey ||= status === 401
  }
  if (texts.length === 0) return reply.code(202).send()
  const status = lacksKey ? 401 : 200
  return sendRpc(challenged(reply, status), status, `[${texts.join(',')}]`)
}

function challenged(reply: FastifyReply, status: number): FastifyReply {
  return status === 401 ? reply.header('www-authenticate', 'Bearer') : reply
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return sendRpc(reply, status, rpcError(null, { code: RPC_INVALID_REQUEST, message }))
}

function brokenLimit(
  { tasks }: Agent,
  limits: BodyLimits,
  request: FastifyRequest,
): number | undefined {
  const { params } = (request.body ?? {}) as { params?: { name?: unknown } | null }
  const entry = typeof params?.name === 'string' ? tasks.find(params.name) : undefined
  return limits.broken(entry?.task ?? {}, request)
}
