// `POST /mcp`: MCP over streamable HTTP without sessions and without streams (spec 4.2). One JSON
// message in, one JSON message out, whatever the Accept header prefers; other methods are 405.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Agent } from '../../agent/agent.ts'
import { refusedAnswer } from '../../agent/answer.ts'
import { keepingParser } from '../../lib/verbatim-json.ts'
import { MCP_PATH } from '../../protocol/agent-url.ts'
import { callSource, type TaskBodyLimits, taskBodyLimits } from '../call-source.ts'
import { admittedBy, gateOf } from '../gate.ts'
import { HTTP_LIMITS } from '../http/limits.ts'
import {
  RPC_INVALID_REQUEST,
  readRpcMessage,
  refuseRpc,
  rpcError,
  rpcFaults,
  sendRpc,
  sendRpcFault,
} from '../json-rpc.ts'
import {
  createDispatch,
  type Dispatch,
  type Dispatched,
  type Incoming,
  type McpIdentity,
} from './dispatch.ts'
import { claimsRevision, type McpHeaders } from './revisions.ts'

const CONTEXT = ['params', 'arguments', 'context']
/** The contexts of a message or of a batch are sent back as they came. */
const parseBody = keepingParser([CONTEXT, ['*', ...CONTEXT]])

/** Revisions up to 2025-03-26 may send batches. */
const MAX_BATCH = HTTP_LIMITS.batchMessages.value
const MAX_BATCH_CHARS = HTTP_LIMITS.batchAnswerBytes.value

export function mcpRoutes(agent: Agent, identity: McpIdentity) {
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
        config: { counts: 'itself', parseBody },
        onRequest: gateOf(agent, { refuse: refuseRpc, limits: limits.largest }),
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
          const fault = batchFault(body)
          if (fault !== undefined) return refuse(reply, 400, fault)
          // The gate has counted one.
          const error = agent.takeMore(admittedBy(request), body.length - 1)
          if (error) return refuseRpc(reply, refusedAnswer(error, agent.identifiers))
          return answerBatch(reply, dispatch, body, { headers, source })
        }
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
  const texts: string[] = []
  let lacksKey = false
  let chars = 0
  // One after the other: a batch is no way to more than one call at a time.
  for (const message of batch) {
    const { status, text } =
      chars > MAX_BATCH_CHARS ? notDone(message) : await dispatch({ message, ...shared })
    if (text !== undefined) texts.push(text)
    chars += text?.length ?? 0
    lacksKey ||= status === 401
  }
  if (texts.length === 0) return reply.code(202).send()
  const status = lacksKey ? 401 : 200
  return sendRpc(challenged(reply, status), status, `[${texts.join(',')}]`)
}

/** What is left of a batch whose answers are as long as they may be. */
function notDone(message: unknown): Dispatched {
  const read = readRpcMessage(message)
  if (read.kind !== 'request') return { status: 202, text: undefined }
  const fault = 'not done: the answers of this batch are too long already, send it again alone'
  return { status: 200, text: rpcError(read.id, { code: RPC_INVALID_REQUEST, message: fault }) }
}

function challenged(reply: FastifyReply, status: number): FastifyReply {
  return status === 401 ? reply.header('www-authenticate', 'Bearer') : reply
}

function batchFault(batch: readonly unknown[]): string | undefined {
  if (batch.length === 0 || batch.length > MAX_BATCH) {
    return `a batch holds 1 to ${MAX_BATCH} messages`
  }
  if (batch.some((message) => claimsRevision((message as { params?: unknown } | null)?.params))) {
    return 'the current revision has no batches: send one message at a time'
  }
  return undefined
}

/** In a batch, whatever its tasks, the usual limit holds. */
function brokenLimit(
  { tasks }: Agent,
  limits: TaskBodyLimits,
  request: FastifyRequest,
): number | undefined {
  const { params } = (request.body ?? {}) as { params?: { name?: unknown } | null }
  const entry = typeof params?.name === 'string' ? tasks.find(params.name) : undefined
  return limits.broken(entry?.task ?? {}, request)
}
