// `call_<protocol>_agent` (spec 1): lets a caller call a task of another agent through this server. The caller is
// kept separate from the agent it calls: no key of this server leaves it, a key of the other agent is sent only to
// that agent, and its answer is passed on as another party's data.

import { createHash } from 'node:crypto'
import { knownTask } from '../client/known-tasks.ts'
import type { CallAgentOptions, CallProgress } from '../client/options.ts'
import type { CallOutcome } from '../client/outcome.ts'
import { withDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import { createUsageQuota } from '../lib/usage-quota.ts'
import { type Issue, ProtocolError } from '../protocol/errors.ts'
import {
  type CallAgentRequest,
  callAgentRequest,
  callAgentResponse,
} from '../protocol/schemas/call-agent.ts'
import { type AnyTask, type CallContext, defineTask } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { bindFetch } from './bound-fetch.ts'
import { badUrl, callResult, FOLLOWED_BY } from './call-result.ts'
import { createOfferMemory, type OfferMemory } from './check-offer.ts'
import { CALLER_LIMITS } from './limits.ts'
import type { CallerPorts, NamedAgent } from './ports.ts'

export const CALL_SCOPE = 'call-agents'

export function callAgentTask(ports: CallerPorts): AnyTask {
  const { identifiers, atOnceOfOne } = ports
  const offers = ports.offerCheck && createOfferMemory(ports.offerCheck)
  const shares = createUsageQuota({ max: CALLER_LIMITS.atOnce.value, maxOfOne: atOnceOfOne })
  return defineTask({
    name: identifiers.callTool,
    summary: `Calls a task of another ${identifiers.name} agent and returns its response as data`,
    area: 'protocol',
    access: CALL_SCOPE,
    isKnownTo: (caller) => caller?.scopes.includes(CALL_SCOPE) ?? false,
    changes: true,
    secretMembers: ['auth_token'],
    bodyLimitBytes: CALLER_LIMITS.requestBytes.value,
    request: callAgentRequest,
    response: callAgentResponse,
    alsoRequired: reportedToNoOne,
    cost: constantCost(500, 'bytes of the other agent’s answer, which are limited'),
    handle: async (request, call) => {
      refuseCircle(call)
      const owner = call.principal?.principal_id ?? ''
      if (shares.take(owner) !== 'taken') throw tooManyAtOnce()
      try {
        return await callOnce(ports, request, { call, offers })
      } finally {
        shares.give(owner)
      }
    },
  })
}

async function callOnce(
  ports: CallerPorts,
  request: CallAgentRequest,
  { call, offers }: { call: CallContext; offers: OfferMemory | undefined },
) {
  const { identifiers, egressFor, timeoutMs } = ports
  const { agentUrl, auth, transport, signerFor } = await agentOf(ports, request, call)
  const owner = call.principal?.principal_id ?? ''
  const offer = { owner, agentUrl, task: request.task }
  const warned = offers?.check(offer, request.params ?? {}) ?? []
  const bound = bindFetch({
    agentUrl: new URL(agentUrl),
    egressFor,
    owner,
    timeoutMs,
    hops: call.hops ?? 0,
  })
  let latest: CallProgress | undefined
  const signals = [call.signal, ...(ports.stop ? [ports.stop] : [])]
  const agent = {
    agentUrl,
    fetch: bound.fetch,
    protocolName: identifiers.name,
    ...defined({ auth, transport }),
  }
  const outcome = await withDeadline({ signals }, async (signal) => {
    const signed = await signerFor?.(agent, { signal, timeoutMs })
    if (signed?.ok === false) return signed
    return send(ports, request, {
      ...agent,
      timeoutMs,
      signal,
      // The caller evaluates the answer: one that does not fully conform to the protocol is passed on too.
      check: 'none',
      onProgress: (progress) => {
        latest = progress
      },
      ...defined({
        signer: signed?.signer,
        idempotencyKey: keyFor(agentUrl, request, owner),
      }),
    })
  })
  const result = await callResult(outcome, {
    agentUrl,
    task: request.task,
    identifiers,
    fault: bound.fault(),
    token: auth,
    latest,
  })
  const noted = (await offers?.note(offer, result.answer.data)) ?? []
  const warnings = [...warned, ...noted]
  return warnings.length > 0 ? { ...result, warnings } : result
}

/** When a caller polls the status of a task, the task is followed in whatever way its agent reports tasks. */
function send(
  { callAgent, resumeCall }: CallerPorts,
  { task, params = {}, wait = false }: CallAgentRequest,
  options: Omit<CallAgentOptions, 'task' | 'params' | 'wait'>,
): Promise<CallOutcome> {
  const { task_id: taskId } = params
  if (task !== FOLLOWED_BY || !wait || typeof taskId !== 'string') {
    return callAgent({ ...options, task, params, wait })
  }
  return resumeCall({ ...options, task, taskId })
}

/** The agent and the key to call it with: from the request, or from what is saved for the agent. */
async function agentOf(
  { findAgent, urlFault, isOwnKey }: CallerPorts,
  { agent_url, auth_token }: CallAgentRequest,
  { calledOn }: CallContext,
): Promise<NamedAgent> {
  const named = await findAgent?.(agent_url)
  const agentUrl = named?.agentUrl ?? agent_url
  if (!isUrl(agentUrl)) throw badUrl('it must be a URL such as https://agent.example')
  const fault = urlFault?.(agentUrl, calledOn)
  if (fault !== undefined) throw badUrl(fault)
  if (auth_token !== undefined && (await isOwnKey?.(auth_token))) {
    const message =
      'auth_token is a key of this server and is not sent to other agents: use a key of the agent'
    throw new ProtocolError('INVALID_REQUEST', message, { field: '/auth_token' })
  }
  const { transport, signerFor } = named ?? {}
  return { agentUrl, auth: auth_token ?? named?.auth, transport, signerFor }
}

/**
 * The key of the request belongs to the caller; the other agent gets a key derived from it. A call that was repeated
 * because its outcome is unknown is therefore one call there too.
 */
function keyFor(agentUrl: string, request: CallAgentRequest, owner: string): string | undefined {
  const { params, idempotency_key } = request
  const hasOwn = typeof params?.idempotency_key === 'string'
  const isRead = knownTask(request.task)?.changes === false
  if (hasOwn || isRead || typeof idempotency_key !== 'string') return undefined
  const parts = JSON.stringify([owner, agentUrl, request.task, idempotency_key])
  return `call-${createHash('sha256').update(parts).digest('hex')}`
}

function refuseCircle({ hops = 0 }: CallContext): void {
  const most = CALLER_LIMITS.hops.value
  if (hops < most) return
  const message = `the call passed through ${most} servers that call each other: call the agent directly`
  throw new ProtocolError('INVALID_REQUEST', message)
}

function tooManyAtOnce(): ProtocolError {
  const message = 'too many calls of other agents at the same time: wait until one has finished'
  return new ProtocolError('RATE_LIMITED', message, { retry_after: 5 })
}

/** The tool is done when it returns: webhooks about the work are sent by the agent that does it. */
function reportedToNoOne(request: Readonly<Record<string, unknown>>): Issue[] {
  if (request.push_notification_config === undefined) return []
  const message =
    'This tool sends no webhooks: put push_notification_config in params, for the other agent.'
  return [{ pointer: '/push_notification_config', message, keyword: 'not' }]
}
