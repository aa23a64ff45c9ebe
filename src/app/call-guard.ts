// By which guard calls of other agents leave: public hosts by one of their own, and those that the operator names for
// it by the server's. What the server itself may reach is not at once for its callers to reach.

import { createEgress, type Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { namesHost } from './agent-hosts.ts'
import type { Config } from './config.ts'
import type { Parts } from './parts.ts'

export interface CallGuard {
  egressFor(url: URL): Egress
  close(): Promise<void>
}

/** A demonstration may call agents on its own machine. */
const DEMO_HOSTS = ['127.0.0.1', '::1', 'localhost']

export function createCallGuard({ config, egress }: Pick<Parts, 'config' | 'egress'>): CallGuard {
  const guard = createEgress({ dns: config.dns, dnsServers: config.dnsServers })
  const isNamed = namesHost([...config.callAgentHosts, ...(config.demo ? DEMO_HOSTS : [])])
  return { egressFor: (url) => (isNamed(url) ? egress : guard), close: guard.close }
}

/** Within the time of the task call it is part of, so that its caller hears how the other agent stands. */
export function callTimeoutMs({ callAgentSeconds, callTimeoutSeconds }: Config): number {
  return Math.min(callAgentSeconds * 1_000, callTimeoutSeconds * 900)
}
