// Which guard is used to call other agents: one of its own for public hosts, and the server's guard for hosts that
// the operator configures. Callers may not reach everything that the server itself may reach.

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

/** Shorter than the task call it is part of, so that the caller still receives the status of the other agent. */
export function callTimeoutMs({ callAgentSeconds, callTimeoutSeconds }: Config): number {
  return Math.min(callAgentSeconds * 1_000, callTimeoutSeconds * 900)
}
