// The agent-calling tool of a server.

import { authenticatePrincipal } from '../agent/principals.ts'
import { callAgentTask } from '../caller/call-agent-task.ts'
import { callAgent, resumeCall } from '../client/call-agent.ts'
import { agentUrls, isOwnAgentUrl } from '../protocol/agent-url.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { AnyTask } from '../protocol/task.ts'
import { callTimeoutMs, createCallGuard } from './call-guard.ts'
import { callerOfferCheck } from './offer-check.ts'
import type { Area, Parts } from './parts.ts'

export interface CallerArea extends Area {
  tasks: readonly AnyTask[]
}

export function wireCaller(parts: Parts): CallerArea {
  const { config, storage, publicUrl, lastCall } = parts
  const ownAgentUrls = config.formatAgentUrls
  const guard = createCallGuard(parts)
  const offerCheck = callerOfferCheck(parts)
  const task = callAgentTask({
    offerCheck,
    identifiers: identifiersFor(config.protocolName),
    callAgent,
    resumeCall,
    egressFor: guard.egressFor,
    urlFault: (agentUrl, calledOn) => {
      if (isOwnAgentUrl(agentUrl, agentUrls({ publicUrl, ownAgentUrls }, calledOn))) {
        return 'it is this server itself, whose tasks are called directly'
      }
      const checked = guard.egressFor(new URL(agentUrl)).checkUrl(agentUrl)
      return checked.ok ? undefined : checked.message
    },
    isOwnKey: async (token) =>
      (await authenticatePrincipal(storage.principals, token)) !== undefined,
    timeoutMs: callTimeoutMs(config),
    atOnceOfOne: config.callAgentAtOnce,
    stop: lastCall,
  })
  return { tasks: [task], routes: [], workers: [{ start: () => {}, stop: () => guard.close() }] }
}
