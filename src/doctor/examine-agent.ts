// Examines an agent: runs every check of the table against one URL, and reports the results.

import { startDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { AGENT_CHECKS } from './agent/checks.ts'
import { type AgentOptions, createAgentContext } from './agent/context.ts'
import { type EgressClientOptions, openEgressClient } from './egress-clients.ts'
import { REACHABLE, type Report, reportOf } from './report.ts'
import { type CheckResult, EXAMINATION_MS, runChecks, type Watching } from './run-checks.ts'

export interface ExamineAgentOptions
  extends Omit<EgressClientOptions, 'url'>,
    Watching,
    Pick<AgentOptions, 'agentUrl' | 'key' | 'otherKey' | 'receiverBaseUrl' | 'receiverListen'> {
  /** Default proto. */
  protocolName: string
  /** Whether checks may change something at the agent. Default false. */
  mayWrite?: boolean
  /** Timeout of one call, in milliseconds. Default 60 000. */
  callTimeoutMs?: number
  /** Longest wait for webhooks, in milliseconds. Default 90 000. */
  webhookWaitMs?: number
  /** Timeout of all checks together, in milliseconds. Default half an hour, or that of one check if it is longer. */
  wholeTimeoutMs?: number
}

const CALL_TIMEOUT_MS = 60_000
const WEBHOOK_WAIT_MS = 90_000
/** The maximum number of consecutive calls by one check. */
const MOST_CALLS = 16

export async function examineAgent(options: ExamineAgentOptions): Promise<Report> {
  const { agentUrl, protocolName, only, onProgress, mayWrite = false } = options
  const { onResult, signal, notWriting } = options
  const { callTimeoutMs = CALL_TIMEOUT_MS, webhookWaitMs = WEBHOOK_WAIT_MS } = options
  const { allow, allowHttp, dns, dnsServers, ca, egress: given } = options
  const ways = defined({ allow, allowHttp, dns, dnsServers, ca, egress: given })
  const egress = openEgressClient({ url: agentUrl, ...ways })
  const names = identifiersFor(protocolName)
  const context = createAgentContext({ ...options, names, egress, callTimeoutMs, webhookWaitMs })
  const timeoutMs = callTimeoutMs * MOST_CALLS + webhookWaitMs * 2
  const { wholeTimeoutMs = Math.max(EXAMINATION_MS, timeoutMs) } = options
  const whole = startDeadline({ timeoutMs: wholeTimeoutMs, signals: signal ? [signal] : [] })
  const running = { mayWrite, timeoutMs, onResult, signal: whole.signal, notWriting }
  try {
    const [first] = await runChecks(AGENT_CHECKS, context, { ...running, only: [REACHABLE] })
    if (first?.state !== 'passed') return reportOf('agent', agentUrl, [first as CheckResult])
    const rest = AGENT_CHECKS.filter(({ id }) => id !== REACHABLE)
    const results = await runChecks(rest, context, { ...running, only, onProgress })
    return reportOf('agent', agentUrl, [first, ...results])
  } finally {
    whole.end()
    await context.close()
    await egress.close()
  }
}
