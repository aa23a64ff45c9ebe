// How the console calls other agents: like the agent-calling tool, with the same guard, and with the requests and
// responses displayed to the user. This server itself can be called too, at its own address and no other on its
// machine.

import { authenticatePrincipal } from '../agent/principals.ts'
import { bindFetch } from '../caller/bound-fetch.ts'
import { openAgent } from '../client/open-agent.ts'
import type { CallProgress } from '../client/options.ts'
import type { AgentCaller, CalledAgent } from '../console/agents.ts'
import type { CallBody } from '../console/api/agents.ts'
import { startDeadline, withDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { createEgress, type Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { agentUrlsAt, isOwnAgentUrl } from '../protocol/agent-url.ts'
import { type AgentWay, askAgent } from './ask-agent.ts'
import { callTimeoutMs, createCallGuard } from './call-guard.ts'
import { answerOf, healthOf } from './call-preview.ts'
import { recordExchanges } from './exchanges.ts'
import type { Parts } from './parts.ts'

export interface ConsoleAgents {
  agents: AgentCaller
  /** The guard by which other agents are reached. */
  egressFor(url: URL): Egress
  /** The key to call an agent with: the one that was given, or the demo's for this server itself. */
  keyFor(url: string, given: string | undefined): string | undefined
  close(): Promise<void>
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const FOLLOW_MS = 20_000

export function consoleAgents(parts: Parts, demoKey: () => string | undefined): ConsoleAgents {
  const { config, storage, publicUrl, lastCall } = parts
  const guard = createCallGuard(parts)
  // Only for this server's own origin, which the operator's settings define.
  const own = createEgress({ allow: LOOPBACK, allowHttp: true })
  const isOwn = (url: string) => isOwnAgentUrl(url, agentUrlsAt([publicUrl(), `${publicUrl()}/v3`]))
  const egressFor = (url: URL) =>
    url.origin === new URL(publicUrl()).origin ? own : guard.egressFor(url)

  const keyFor = (url: string, given: string | undefined) =>
    given ?? (isOwn(url) ? demoKey() : undefined)

  const wayTo = ({ url, key, owner }: CalledAgent, timeoutMs: number): AgentWay => {
    const auth = keyFor(url, key)
    const bound = bindFetch({ agentUrl: new URL(url), egressFor, owner, hops: 0, timeoutMs })
    const recorded = recordExchanges(bound.fetch, auth)
    return { ...recorded, url, auth, protocolName: config.protocolName }
  }
  const timeoutMs = callTimeoutMs(config)
  const signals = [lastCall]

  return {
    egressFor,
    keyFor,
    close: async () => {
      await Promise.all([guard.close(), own.close()])
    },
    agents: {
      ownUrl: publicUrl,
      isOwn,
      hasDemoKey: () => demoKey() !== undefined,
      known: config.creativeAgents,
      urlFault: (url) => {
        const checked = egressFor(new URL(url)).checkUrl(url)
        return checked.ok ? undefined : checked.message
      },
      isOwnKey: async (key) => (await authenticatePrincipal(storage.principals, key)) !== undefined,
      ask: (agent) =>
        withDeadline({ timeoutMs, signals }, (signal) => askAgent(wayTo(agent, timeoutMs), signal)),
      call: (agent, call) =>
        withDeadline({ signals }, (signal) =>
          callOnce(wayTo(agent, timeoutMs), call, { timeoutMs, signal }),
        ),
      follow: (agent, call) => followOnce(wayTo(agent, FOLLOW_MS), call, lastCall),
    },
  }
}

function open({ url, auth, fetch, protocolName }: AgentWay, transport: CallBody['transport']) {
  return openAgent({
    // The user evaluates the answer: one that does not fully conform to the protocol is displayed too.
    agentUrl: url,
    transport,
    fetch,
    protocolName,
    check: 'none',
    ...defined({ auth }),
  })
}

async function callOnce(
  way: AgentWay,
  { transport, task, params }: Pick<CallBody, 'transport' | 'task' | 'params'>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
) {
  const startedMs = performance.now()
  // One attempt: an operator sees what happened, and retries manually.
  const options = { wait: false, attempts: 1, timeoutMs, signal }
  const outcome = await open(way, transport).call(task, params, options)
  return answerOf(outcome, { way, task, startedMs })
}

/** Requests the task's status once, in whatever way its agent reports tasks. */
async function followOnce(
  way: AgentWay,
  { transport, task, taskId }: Pick<CallBody, 'transport' | 'task'> & { taskId: string },
  lastCall: AbortSignal,
) {
  const startedMs = performance.now()
  const requested = new AbortController()
  const { signal, end } = startDeadline({ signals: [lastCall, requested.signal] })
  let latest: CallProgress | undefined
  const onProgress = (progress: CallProgress) => {
    latest = progress
    requested.abort()
  }
  try {
    const outcome = await open(way, transport).resume(
      { task, taskId },
      { timeoutMs: FOLLOW_MS, signal, onProgress },
    )
    const called = { way, task, startedMs }
    return !outcome.ok && latest?.status !== undefined
      ? healthOf(latest, { ...called, transport, taskId })
      : answerOf(outcome, called)
  } finally {
    end()
  }
}
