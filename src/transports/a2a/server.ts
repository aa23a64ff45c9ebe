// A2A on the server: the agent card at its well-known path, and `POST /a2a` with JSON-RPC in both
// generations (spec 4.2).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Agent } from '../../agent/agent.ts'
import { createUsageQuota } from '../../lib/usage-quota.ts'
import { A2A_PATH, A2A_PROFILE_PATH } from '../../protocol/agent-url.ts'
import { authenticatorOf, type Called } from '../authenticate.ts'
import { callSource, type TaskBodyLimits, taskBodyLimits } from '../call-source.ts'
import { TASK_ANSWER_BYTES } from '../http/answer-hooks.ts'
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
import type { Generation } from './generation.ts'
import { createKeptTasks } from './kept-tasks.ts'
import { A2A_LIMITS } from './limits.ts'
import { methodOf } from './methods.ts'
import type { A2aContext, A2aPorts } from './ports.ts'
import { EXTENSIONS_HEADER, namesProfile } from './profile.ts'
import { parseA2aBody, readMessage } from './read-message.ts'
import { a2aError, EXTENSION_REQUIRED, VERSION_NOT_SUPPORTED } from './shapes.ts'

interface Interface {
  path: string
  operationId: string
  summary: string
  /** The location of its card, with the names of these operations. */
  cards: readonly (readonly [path: string, operationId: string])[]
  /** Whether it accepts only messages of the protocol's profile. */
  isProfileAlone: boolean
}

const INTERFACES: readonly Interface[] = [
  {
    path: A2A_PATH,
    operationId: 'callA2a',
    summary: 'Every task as an A2A skill: JSON-RPC of A2A 1.0 and 0.3',
    // Older readers use the second; some look below the endpoint.
    cards: [
      ['/.well-known/agent-card.json', 'getAgentCard'],
      ['/.well-known/agent.json', 'getOldAgentCard'],
      [`${A2A_PATH}/.well-known/agent-card.json`, 'getAgentCardBelow'],
      [`${A2A_PATH}/.well-known/agent.json`, 'getOldAgentCardBelow'],
    ],
    isProfileAlone: false,
  },
  {
    path: A2A_PROFILE_PATH,
    operationId: 'callA2aProfile',
    summary: "Every task as an A2A skill, by the protocol's profile of A2A 1.0 alone",
    cards: [[`${A2A_PROFILE_PATH}/.well-known/agent-card.json`, 'getAgentCardOfProfile']],
    isProfileAlone: true,
  },
]
const CARD_MAX_AGE_SECONDS = 300

interface RouteContext extends A2aContext {
  limits: TaskBodyLimits
  isProfileAlone: boolean
}

/** Background calls are awaited when the server closes. */
export function a2aRoutes(agent: Agent, ports: A2aPorts) {
  const context: A2aContext = {
    ...ports,
    agent,
    running: new Map(),
    unawaited: createUsageQuota({
      max: Number.POSITIVE_INFINITY,
      maxOfOne: A2A_LIMITS.unawaited.value,
    }),
    kept: createKeptTasks(ports),
  }
  return (app: FastifyInstance): void => {
    const limits = taskBodyLimits(app, agent.tasks)
    for (const { path, operationId, summary, cards, isProfileAlone } of INTERFACES) {
      cardRoutes(app, context, { path, cards, isProfileAlone })
      const routeContext: RouteContext = { ...context, limits, isProfileAlone }
      app.post(
        path,
        {
          config: {
            counts: 'itself',
            parseBody: parseA2aBody,
            answerBytes: TASK_ANSWER_BYTES,
          },
          ...authenticatorOf(agent, {
            refuse: refuseRpc,
            limits: limits.largest,
            called,
            urls: ports.urls,
          }),
          errorHandler: rpcFaults(agent.identifiers),
          schema: { operationId, summary, tags: ['Tasks'] },
        },
        (request, reply) => answer(routeContext, request, reply),
      )
    }
    app.addHook('onClose', async () => {
      await Promise.all([...context.running.values()].map(({ ended }) => ended))
    })
  }
}

/** What a message requests: a skill, which may be in a text, or a transport method. */
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

function cardRoutes(
  app: FastifyInstance,
  { agent, identity, identifiers, publicUrl }: A2aContext,
  { path, cards, isProfileAlone }: Pick<Interface, 'path' | 'cards' | 'isProfileAlone'>,
): void {
  for (const [at, operationId] of cards) {
    app.get(
      at,
      {
        schema: {
          operationId,
          summary: 'The A2A agent card: this agent and its skills',
          tags: ['Tasks'],
        },
      },
      (_request, reply) => {
        const url = `${publicUrl()}${path}`
        const profile = { uri: identifiers.a2aProfile, isAlone: isProfileAlone }
        return reply
          .header('cache-control', `public, max-age=${CARD_MAX_AGE_SECONDS}`)
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(agentCard(identity, agent.tasks, { url, profile })))
      },
    )
  }
}

async function answer(
  context: RouteContext,
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
  const { generation, run } = method
  const { a2aProfile } = context.identifiers
  const isProfile = generation === '1.0' && namesProfile(request.headers, a2aProfile)
  if (isProfile) reply.header(EXTENSIONS_HEADER, a2aProfile)
  const isRefused = context.isProfileAlone && !isProfile
  const profile = isRefused ? profileFault(generation, a2aProfile) : undefined
  if (profile) return fail(reply, id, profile)
  const limit = brokenLimit(context, request, params)
  if (limit !== undefined) return sendRpc(reply, 413, rpcError(id, tooLarge(limit)))

  const source = callSource(request, reply)
  const owner = source.admitted.principal?.principal_id
  const answered = await run(context, { params, generation, isProfile, source, owner })
  if (!answered.ok && 'refused' in answered) return refuseRpc(reply, answered.refused)
  if (!answered.ok) return fail(reply, id, answered.error)
  if (answered.lacksKey) reply.header('www-authenticate', 'Bearer')
  return sendRpc(reply, answered.lacksKey ? 401 : 200, rpcResult(id, answered.json))
}

/** Absent means 0.3; the method name determines the shapes. */
function versionFault({ headers }: FastifyRequest): RpcError | undefined {
  const requested = headers['a2a-version']
  if (
    requested === undefined ||
    requested === '' ||
    /^(0\.3|1)(\.\d+)*$/.test(String(requested).trim())
  ) {
    return undefined
  }
  return a2aError(VERSION_NOT_SUPPORTED, 'this agent supports A2A 1.0 and 0.3')
}

function profileFault(generation: Generation, uri: string): RpcError {
  return generation === '1.0'
    ? a2aError(EXTENSION_REQUIRED, `this interface requires the header A2A-Extensions: ${uri}`)
    : a2aError(VERSION_NOT_SUPPORTED, 'this interface supports A2A 1.0')
}

function brokenLimit(
  { agent, limits }: RouteContext,
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
  const returned = JSON.stringify(method.slice(0, 100))
  return { code: RPC_METHOD_NOT_FOUND, message: `Method not found: ${returned}` }
}

/** A2A answers its own errors with HTTP 200. */
function fail(reply: FastifyReply, id: RpcId, error: RpcError): FastifyReply {
  return sendRpc(reply, 200, rpcError(id, error))
}
