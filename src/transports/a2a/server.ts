// A2A on the server: the agent card at its well-known path, and `POST /a2a` with JSON-RPC in both
// generations (spec 4.2).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Agent } from '../../agent/agent.ts'
import { createShares } from '../../lib/shares.ts'
import { A2A_PATH } from '../../protocol/agent-url.ts'
import { callSource, type TaskBodyLimits, taskBodyLimits } from '../call-source.ts'
import { type Called, gateOf } from '../gate.ts'
import {
  type RpcId,
  readRpcMessage,
  refuseRpc,
  rpcCalls,
  rpcError,
  rpcFaults,
  rpcResult,
  sendRpc,
} from '../json-rpc.ts'
import { RPC_INVALID_REQUEST, RPC_METHOD_NOT_FOUND, type RpcError } from '../rpc-error.ts'
import { agentCard } from './agent-card.ts'
import { createKeptTasks } from './kept-tasks.ts'
import { A2A_LIMITS } from './limits.ts'
import { methodOf } from './methods.ts'
import type { A2aContext, A2aPorts } from './ports.ts'
import { parseA2aBody, readMessage } from './read-message.ts'
import { a2aError, VERSION_NOT_SUPPORTED } from './shapes.ts'

/** The second is where older readers look; some look below the endpoint. */
const CARD_PATHS = [
  { path: '/.well-known/agent-card.json', operationId: 'getAgentCard' },
  { path: '/.well-known/agent.json', operationId: 'getOldAgentCard' },
  { path: `${A2A_PATH}/.well-known/agent-card.json`, operationId: 'getAgentCardBelow' },
  { path: `${A2A_PATH}/.well-known/agent.json`, operationId: 'getOldAgentCardBelow' },
] as const
const CARD_MAX_AGE_SECONDS = 300

/** Calls whose callers did not wait are waited for when the server closes. */
export function a2aRoutes(agent: Agent, ports: A2aPorts) {
  const context: A2aContext = {
    ...ports,
    agent,
    running: new Map(),
    unawaited: createShares({
      max: Number.POSITIVE_INFINITY,
      maxOfOne: A2A_LIMITS.unawaited.value,
    }),
    kept: createKeptTasks(ports),
  }
  return (app: FastifyInstance): void => {
    cardRoutes(app, context)
    const limits = taskBodyLimits(app, agent.tasks)
    app.post(
      A2A_PATH,
      {
        config: { counts: 'itself', parseBody: parseA2aBody },
        ...gateOf(agent, { refuse: refuseRpc, limits: limits.largest, called, urls: ports.urls }),
        errorHandler: rpcFaults(agent.identifiers),
        schema: {
          operationId: 'callA2a',
          summary: 'Every task as an A2A skill: JSON-RPC of A2A 1.0 and 0.3',
          tags: ['Tasks'],
        },
      },
      (request, reply) => answer(context, limits, request, reply),
    )
    app.addHook('onClose', async () => {
      await Promise.all([...context.running.values()].map(({ ended }) => ended))
    })
  }
}

/** What a message asks for: a skill, which may stand in a text, or a method of the wire. */
function called(body: unknown): Called {
  const calls = rpcCalls(body).map(({ method, params }) => {
    const read = readMessage(params)
    return { method, call: read.ok ? read.message.call : undefined }
  })
  return {
    operations: calls.map(({ method, call }) => ({ method, task: call?.skill })),
    hidden: calls.map(({ call }) => call?.arguments),
  }
}

function cardRoutes(app: FastifyInstance, { agent, identity, publicUrl }: A2aContext): void {
  for (const { path, operationId } of CARD_PATHS) {
    app.get(
      path,
      {
        schema: {
          operationId,
          summary: 'The A2A agent card: this agent and its skills',
          tags: ['Tasks'],
        },
      },
      (_request, reply) =>
        reply
          .header('cache-control', `public, max-age=${CARD_MAX_AGE_SECONDS}`)
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(agentCard(identity, agent.tasks, `${publicUrl()}${A2A_PATH}`))),
    )
  }
}

async function answer(
  context: A2aContext,
  limits: TaskBodyLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const message = readRpcMessage(request.body)
  if (message.kind === 'response' || message.kind === 'notification') return reply.code(202).send()
  if (message.kind === 'invalid') {
    return fail(reply, message.id, { code: RPC_INVALID_REQUEST, message: message.message })
  }
  const { id, params } = message
  const version = versionFault(request)
  if (version) return fail(reply, id, version)
  const method = methodOf(message.method)
  if (!method) return fail(reply, id, unknownMethod(message.method))
  const limit = brokenLimit(context, limits, request, params)
  if (limit !== undefined) return fail(reply, id, tooLarge(limit), 413)

  const source = callSource(request, reply)
  const { generation, run } = method
  const owner = source.admitted.principal?.principal_id
  const answered = await run(context, { params, generation, source, owner })
  if (!answered.ok && 'refused' in answered) return refuseRpc(reply, answered.refused)
  if (!answered.ok) return fail(reply, id, answered.error)
  if (answered.lacksKey) reply.header('www-authenticate', 'Bearer')
  return sendRpc(reply, answered.lacksKey ? 401 : 200, rpcResult(id, answered.json))
}

/** Absent means 0.3; the name of the method says which shapes are meant. */
function versionFault({ headers }: FastifyRequest): RpcError | undefined {
  const asked = headers['a2a-version']
  if (asked === undefined || asked === '' || /^(0\.3|1)(\.\d+)*$/.test(String(asked).trim())) {
    return undefined
  }
  return a2aError(VERSION_NOT_SUPPORTED, 'this agent speaks A2A 1.0 and 0.3')
}

function brokenLimit(
  { agent }: A2aContext,
  limits: TaskBodyLimits,
  request: FastifyRequest,
  params: Record<string, unknown> | undefined,
): number | undefined {
  if (limits.broken({}, request) === undefined) return undefined
  const read = readMessage(params)
  const skill = read.ok ? read.message.call?.skill : undefined
  const entry = skill === undefined ? undefined : agent.tasks.find(skill)
  return limits.broken(entry?.task ?? {}, request)
}

function tooLarge(limit: number): RpcError {
  const message = `the body is too large: at most ${limit} bytes`
  return { code: RPC_INVALID_REQUEST, message }
}

function unknownMethod(method: string): RpcError {
  const shown = JSON.stringify(method.slice(0, 100))
  return { code: RPC_METHOD_NOT_FOUND, message: `Method not found: ${shown}` }
}

/** A2A answers its own errors with HTTP 200. */
function fail(reply: FastifyReply, id: RpcId, error: RpcError, status = 200): FastifyReply {
  return sendRpc(reply, status, rpcError(id, error))
}
