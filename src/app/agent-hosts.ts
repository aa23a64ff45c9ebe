// Hosts that an operator names for the agent-calling tool: a name, an address, or `*.name` for every host below it.

import { isIP } from 'node:net'
import { normaliseHost } from '../lib/host-name.ts'
import { bareHost } from '../lib/safe-fetch/check-url.ts'

/** Why an entry is invalid, or undefined. */
export function agentHostFault(entry: string): string | undefined {
  const isRight = isIP(entry) !== 0 || SINGLE_LABEL.test(entry) || isHostName(entry)
  return isRight ? undefined : 'is not such as agent.example, *.agent.example or 10.0.0.7'
}

/** Whether the host of a URL is one of the entries. */
export function namesHost(entries: readonly string[]): (url: URL) => boolean {
  const names = new Set(entries.map((entry) => entry.toLowerCase()))
  return (url) => {
    const host = bareHost(url).replace(/\.$/, '')
    if (names.has(host)) return true
    if (isIP(host) !== 0) return false
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      if (names.has(`*${host.slice(dot)}`)) return true
    }
    return false
  }
}

/** The form of host names in a private network. */
const SINGLE_LABEL = /^[a-z0-9-]{1,63}$/i

function isHostName(entry: string): boolean {
  const host = entry.startsWith('*.') ? `host.${entry.slice(2)}` : entry
  const named = normaliseHost(host)
  return named.ok && named.domain === host.toLowerCase()
}
