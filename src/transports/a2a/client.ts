// Calls tasks of another agent over A2A (spec 4.2). The agent card says where it answers and in which
// generation; it is read once.

import { randomUUID } from 'node:crypto'
import { defined } from '../../lib/defined.ts'
import { isUrl } from '../../lib/is-url.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import {
  type CallFailure,
  type CallOptions,
  type CallResult,
  type ClientOptions,
  exchange,
  type ListedTask,
  objectIn,
  resultOf,
  type TaskClient,
  unreadable,
} from '../client.ts'
import { rpcFailure, sendRpcRequest } from '../rpc-client.ts'
import type { Generation } from './generation.ts'
import { readTask } from './read-task.ts'

interface Endpoint {
  ok: true
  url: string
  generation: Generation
  card: Record<string, unknown>
}

const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'] as const

/** `url` is the agent's address or that of its card. */
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
      return at.ok ? sendCall(options, at, { skill: task, parameters: request }, given) : at
    },
  }
}

async function sendCall(
  options: ClientOptions,
  { url, generation }: Endpoint,
  data: { skill: string; parameters: Record<string, unknown> },
  given: CallOptions,
): Promise<CallResult> {
  const isOld = generation === '0.3'
  const message = {
    ...(isOld ? { kind: 'message', role: 'user' } : { role: 'ROLE_USER' }),
    messageId: randomUUID(),
    parts: [isOld ? { kind: 'data', data } : { data }],
  }
  const outcome = await sendRpcRequest(options, {
    url,
    method: isOld ? 'message/send' : 'SendMessage',
    params: { message, ...defined({ configuration: isOld ? { blocking: true } : undefined }) },
    headers: { 'a2a-version': generation },
    ...given,
  })
  if (outcome.kind === 'failed') return outcome.failure
  if (outcome.kind === 'error') return rpcFailure(outcome.error, outcome.response)
  const httpStatus = outcome.response.status
  const read = readTask(outcome.result)
  if (!read.ok) return { ...read, httpStatus }
  const { state, taskId, body } = read
  const shown = body ?? { status: state, ...defined({ task_id: taskId }) }
  const isError = state === 'failed' || state === 'rejected' || state === 'canceled'
  return resultOf({ status: state, ...shown }, { isError, httpStatus })
}

async function findEndpoint(
  options: ClientOptions,
  given: CallOptions,
): Promise<Endpoint | CallFailure> {
  let failure: CallFailure = { ok: false, message: 'the agent has no agent card' }
  for (const url of cardUrls(options.url)) {
    const { fetch } = options
    // The card is public: a key has no business there.
    const sent = await exchange({ fetch }, { url, method: 'GET', headers: {}, ...given })
    if (!sent.ok) return sent
    const card = sent.response.status === 200 ? objectIn(sent.response) : undefined
    const found = card ? endpointIn(card) : undefined
    if (!card || !found) {
      failure = unreadable(sent.response)
      continue
    }
    if (options.key !== undefined && originOf(found.url) !== originOf(url)) {
      const message = 'the agent card names an endpoint at another origin: the key stays here'
      return { ok: false, message }
    }
    return { ok: true, ...found, card }
  }
  return failure
}

function cardUrls(url: string): string[] {
  if (url.endsWith('.json')) return [url]
  const base = url.replace(/\/+$/, '').replace(/\/a2a$/, '')
  return CARD_PATHS.map((path) => `${base}${path}`)
}

/** 1.0 before 0.3; a card without interfaces is of 0.3. */
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

function originOf(url: string): string | undefined {
  return isUrl(url) ? new URL(url).origin : undefined
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
