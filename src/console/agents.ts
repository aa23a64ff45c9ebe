// Try an agent: this server queries and calls it for an operator, through the guard. Who called which agent, and the
// outcome, are in the audit log; requests and responses are not, and the key is never stored.

import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import type { RateLimit } from '../lib/token-bucket.ts'
import { createUsageQuota } from '../lib/usage-quota.ts'
import type { AskAnswer, CallAnswer, CallBody } from './api/agents.ts'
import { type ActionPorts, act } from './audit.ts'
import type { Handlers } from './handlers.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { Refused, tooMany } from './refusal.ts'
import type { Visitor } from './sessions.ts'

/** An agent as it is called for an operator. */
export interface CalledAgent {
  url: string
  key: string | undefined
  /** Whose connections these are. */
  owner: string
}

/** How other agents are reached. None of these rejects because of anything that an agent does. */
export interface AgentCaller {
  ownUrl(): string
  /** Whether the address is one of this server's own. */
  isOwn(url: string): boolean
  hasDemoKey(): boolean
  known: readonly string[]
  /** Why this address cannot be called at all. */
  urlFault(url: string): string | undefined
  /** Whether this is a key of this server. */
  isOwnKey(key: string): Promise<boolean>
  ask(agent: CalledAgent): Promise<AskAnswer>
  call(
    agent: CalledAgent,
    call: Pick<CallBody, 'transport' | 'task' | 'params'>,
  ): Promise<CallAnswer>
  /** Asks once how a task stands. */
  follow(
    agent: CalledAgent,
    call: Pick<CallBody, 'transport' | 'task'> & { taskId: string },
  ): Promise<CallAnswer>
}

export interface AgentPorts extends ActionPorts {
  agents: AgentCaller
  /** Limits the queries and calls of one principal: they leave the server. */
  agentCalls: RateLimit
}

type AgentRoute = 'getAgents' | 'askAgent' | 'callAgent' | 'followAgentTask' | 'cancelAgentTask'

interface Requested {
  url: string
  key?: string | undefined
}

export function agentHandlers(ports: AgentPorts): Handlers<AgentRoute> {
  const { agents } = ports
  const shares = createUsageQuota({
    max: CONSOLE_LIMITS.agentCalls.value,
    maxOfOne: CONSOLE_LIMITS.agentCallsOfOne.value,
  })

  /** Runs work that leaves the server, within the limit of concurrent work of one principal. */
  const out = async <T>(
    visitor: Visitor,
    requested: Requested,
    work: (agent: CalledAgent) => Promise<T>,
  ) => {
    const owner = visitor.principal.principal_id
    if (shares.take(owner) !== 'taken') {
      throw tooMany('too many calls of agents at the same time: wait until one has ended', 2)
    }
    try {
      return await work({ url: requested.url, key: requested.key, owner })
    } finally {
      shares.give(owner)
    }
  }

  /** Records who is about to call which agent, or why that is refused. */
  const admit = async (
    visitor: Visitor,
    requested: Requested,
    { action, detail }: { action: string; detail?: string },
  ) => {
    const refusal = await refusalOf(ports, visitor, requested)
    await act(ports, { visitor, action, target: displayUrl(requested.url), detail }, async () => {
      if (refusal) throw refusal
    })
  }

  const note = ({ principal }: Visitor, requested: Requested, answer: CallAnswer) =>
    ports.transact((tx) =>
      ports.audit.add(tx, {
        principal_id: principal.principal_id,
        principal_name: principal.name,
        action: 'agents.answer',
        target: displayUrl(requested.url),
        outcome: answer.ok ? 'done' : 'refused',
        detail: reportOf(answer),
      }),
    )

  return {
    getAgents: async () => ({
      own_url: agents.ownUrl(),
      has_demo_key: agents.hasDemoKey(),
      known: [...agents.known],
    }),
    askAgent: async ({ visitor, body }) => {
      await admit(visitor, body, { action: 'agents.ask' })
      return out(visitor, body, (agent) => agents.ask(agent))
    },
    callAgent: async ({ visitor, body }) => {
      await admit(visitor, body, { action: 'agents.call', detail: body.task })
      const answer = await out(visitor, body, (agent) => agents.call(agent, body))
      await note(visitor, body, answer)
      return answer
    },
    // Only queries the status of the earlier call; the call itself is in the audit log.
    followAgentTask: async ({ visitor, body: { task_id: taskId, ...body } }) => {
      const refusal = await refusalOf(ports, visitor, body)
      if (refusal) throw refusal
      return out(visitor, body, (agent) => agents.follow(agent, { ...body, taskId }))
    },
    cancelAgentTask: async ({ visitor, body: { task_id, transport, ...body } }) => {
      const detail = `${body.task} ${task_id}`
      await admit(visitor, body, { action: 'agents.cancel', detail })
      const cancel = { transport, task: 'cancel_task', params: { task_id } }
      const answer = await out(visitor, body, (agent) => agents.call(agent, cancel))
      await note(visitor, body, answer)
      return answer
    },
  }
}

async function refusalOf(
  { agents, agentCalls }: AgentPorts,
  { principal }: Visitor,
  { url, key }: Requested,
): Promise<Refused | undefined> {
  const taken = agentCalls.take(principal.principal_id)
  if (!taken.ok) return tooMany('too many calls of agents in a minute', taken.retryAfterSeconds)
  const fault = agentUrlFault(agents, url)
  if (fault !== undefined) return new Refused(400, 'invalid_url', fault)
  if (key === undefined || agents.isOwn(url) || !(await agents.isOwnKey(key))) return undefined
  return new Refused(
    400,
    'own_key',
    'this is a key of this server, which is sent to no other: give a key of the agent',
  )
}

/** What is wrong with an address, as a readable message. */
export function agentUrlFault(
  { urlFault }: Pick<AgentCaller, 'urlFault'>,
  url: string,
): string | undefined {
  if (!isUrl(url)) return 'this is no URL such as https://agent.example'
  const fault = urlFault(url)
  return fault === undefined ? undefined : `this address cannot be called: ${fault}`
}

/** Without parts that may be secret: query, fragment, user name. */
export function displayUrl(url: string): string {
  if (!isUrl(url)) return url.slice(0, 200)
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

function reportOf({ task, ok, status, error }: CallAnswer): string {
  const { code, kind } = defined({ code: error?.code, kind: error?.kind })
  return `${task}: ${ok ? (status ?? 'answered') : (code ?? kind ?? 'failed')}`
}
