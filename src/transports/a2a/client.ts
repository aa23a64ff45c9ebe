// Calls tasks of another agent over A2A (spec 4.2). The agent card contains its endpoint and its A2A generation; the
// card is read once.

import { randomUUID } from 'node:crypto'
import { defined } from '../../lib/defined.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import {
  type CallFailure,
  type CallOptions,
  type CallResult,
  type ClientOptions,
  exchange,
  type ListedTask,
  originOf,
  type TaskClient,
} from '../client.ts'
import { objectIn, resultOf, unreadable } from '../client-answer.ts'
import { type RpcOutcome, rpcFailure, sendRpcRequest } from '../rpc-client.ts'
import type { Generation } from './generation.ts'
import { readTask } from './read-task.ts'

interface Endpoint {
  ok: true
  url: string
  generation: Generation
  /** The extension that carries the protocol, if the card requires one. */
  extension: string | undefined
  card: Record<string, unknown>
}

const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'] as const

/** `url` is the address of the agent or of its card. */
export function createA2aClient(options: ClientOptions): TaskClient {
  let known: Endpoint | undefined
  const endpoint = async (given: CallOptions): Promise<Endpoint | CallFailure> => {
    if (known) return known
    const found = await findEndpoint(options, given)
    if (found.ok) known = found
    return found
  }
  return {
    listTasks: async (given = {}) => {
      const at = await endpoint(given)
      if (!at.ok) return at
      const skills = Array.isArray(at.card.skills) ? at.card.skills : []
      return { ok: true, tasks: skills.flatMap(taskOf) }
    },
    call: async (task, request, given = {}) => {
      const at = await endpoint(given)
      return at.ok ? sendCall(options, at, { task, request, given }) : at
    },
    getTask: async ({ taskId }, given = {}) => {
      const at = await endpoint(given)
      if (!at.ok) return at
      const method = at.generation === '0.3' ? 'tasks/get' : 'GetTask'
      const { signal } = given
      return resultIn(await send(options, at, { method, params: { id: taskId }, signal }), given)
    },
  }
}

function sendCall(
  options: ClientOptions,
  at: Endpoint,
  { task, request, given }: { task: string; request: Record<string, unknown>; given: CallOptions },
): Promise<CallResult> {
  const isOld = at.generation === '0.3'
  // The protocol's profile accepts only `input`; before it there was `parameters`.
  const data = { skill: task, [at.extension === undefined ? 'parameters' : 'input']: request }
  const { taskId, contextId } = given.native ?? {}
  const message = {
    ...(isOld ? { kind: 'message', role: 'user' } : { role: 'ROLE_USER' }),
    messageId: randomUUID(),
    ...defined({ taskId, contextId }),
    parts: [isOld ? { kind: 'data', data } : { data }],
  }
  const configuration = isOld ? { blocking: true } : undefined
  const method = isOld ? 'message/send' : 'SendMessage'
  const params = { message, ...defined({ configuration }) }
  const { signal } = given
  return send(options, at, { method, params, signal }).then((sent) => resultIn(sent, given))
}

interface SentRpc {
  method: string
  params: Record<string, unknown>
  signal: AbortSignal | undefined
}

function send(
  options: ClientOptions,
  { url, generation, extension }: Endpoint,
  { method, params, signal }: SentRpc,
): Promise<RpcOutcome> {
  const headers = {
    'a2a-version': generation,
    ...defined({ 'a2a-extensions': extension }),
  }
  return sendRpcRequest(options, { url, method, params, headers, ...defined({ signal }) })
}

function resultIn(outcome: RpcOutcome, { onNative }: CallOptions): CallResult {
  if (outcome.kind === 'failed') return outcome.failure
  if (outcome.kind === 'error') return rpcFailure(outcome.error, outcome.response)
  const { response } = outcome
  const read = readTask(outcome.result)
  if (!read.ok) return { ...read, kind: 'invalid-answer', httpStatus: response.status }
  const { state, taskId, contextId, body } = read
  if (taskId !== undefined) onNative?.({ taskId, ...defined({ contextId }) })
  const returned = body ?? { status: state, ...defined({ task_id: taskId }) }
  const isError = state === 'failed' || state === 'rejected' || state === 'canceled'
  return resultOf({ status: state, ...returned }, { isError, response })
}

async function findEndpoint(
  options: ClientOptions,
  given: CallOptions,
): Promise<Endpoint | CallFailure> {
  let failure: CallFailure = {
    ok: false,
    kind: 'unsupported',
    message: 'the agent has no agent card',
  }
  for (const url of cardUrls(options.url)) {
    const { fetch } = options
    const { signal } = given
    // The card is public: the request is sent without key or signature.
    const request = { url, method: 'GET' as const, headers: {}, ...defined({ signal }) }
    const sent = await exchange({ url, fetch }, request)
    if (!sent.ok) return sent
    const card = sent.response.status === 200 ? objectIn(sent.response) : undefined
    const found = card ? endpointIn(card) : undefined
    if (!card || !found) {
      failure = unreadable(sent.response)
      continue
    }
    if (options.key !== undefined && originOf(found.url) !== originOf(url)) {
      const message =
        'the agent card names an endpoint on another origin, to which the key is not sent'
      return { ok: false, kind: 'unsupported', message }
    }
    return { ok: true, ...found, extension: extensionIn(card), card }
  }
  return failure
}

function cardUrls(url: string): string[] {
  if (url.endsWith('.json')) return [url]
  const base = trimEnd(url, '/').replace(/\/a2a$/, '')
  return CARD_PATHS.map((path) => `${base}${path}`)
}

/** Prefers 1.0 over 0.3; a card without interfaces is a 0.3 card. */
function endpointIn(
  card: Record<string, unknown>,
): Pick<Endpoint, 'url' | 'generation'> | undefined {
  const listed = Array.isArray(card.supportedInterfaces) ? card.supportedInterfaces : []
  for (const [generation, version] of [
    ['1.0', /^1(\.|$)/],
    ['0.3', /^0\.3(\.|$)/],
  ] as const) {
    const found = listed.find(
      (one: unknown) =>
        isObject(one) &&
        one.protocolBinding === 'JSONRPC' &&
        typeof one.url === 'string' &&
        version.test(String(one.protocolVersion)),
    )
    if (found) return { url: (found as { url: string }).url, generation }
  }
  return typeof card.url === 'string' ? { url: card.url, generation: '0.3' } : undefined
}

/** The protocol's own extension, if the card says that clients must name it. */
function extensionIn({ capabilities }: Record<string, unknown>): string | undefined {
  const listed = isObject(capabilities) ? capabilities.extensions : undefined
  if (!Array.isArray(listed)) return undefined
  const required = listed.filter((one: unknown) => isObject(one) && one.required === true)
  return required
    .map(({ uri }: Record<string, unknown>) => uri)
    .find((uri): uri is string => typeof uri === 'string' && isProfile(uri))
}

/** For example `https://ads.example/extensions/proto/v3`. */
function isProfile(uri: string): boolean {
  return uri.endsWith('/v3') && uri.includes('/extensions/')
}

function taskOf(skill: unknown): ListedTask[] {
  if (!isObject(skill) || typeof skill.id !== 'string') return []
  const { id, description } = skill
  return [
    {
      name: id,
      ...defined({ description: typeof description === 'string' ? description : undefined }),
    },
  ]
}
