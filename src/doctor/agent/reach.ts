// Whether the agent is reachable, and whether the connection is encrypted with a valid certificate (spec 5: keys are
// sent over it).

import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import { type Check, PASSED, quotedValue, skipped, verdictOf } from '../check.ts'
import { isLoopback } from '../egress-clients.ts'
import { REACHABLE } from '../report.ts'
import type { AgentContext } from './context.ts'

const group = 'reach'

export const REACH_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: REACHABLE,
    group,
    writes: false,
    title: 'the agent answers HTTP',
    why: 'an agent that does not respond cannot be called',
    fix: 'check the address, DNS, the firewall and that the process is running',
    run: async ({ egress, agentUrl, base, callTimeoutMs: totalTimeoutMs }) => {
      const checked = egress.checkUrl(agentUrl)
      if (!checked.ok)
        return verdictOf([
          `${quotedValue(agentUrl)} may not be called: ${quotedValue(checked.message)}`,
        ])
      const faults: string[] = []
      for (const url of new Set([base, agentUrl])) {
        const answer = await egress.fetch({ url, totalTimeoutMs, overflow: 'truncate' })
        if (answer.ok) return PASSED
        faults.push(`${quotedValue(url)}: ${quotedValue(answer.message)}`)
      }
      return verdictOf(faults.slice(0, 1))
    },
  },
  {
    id: 'tls',
    group,
    writes: false,
    title: 'the connection is encrypted, and the certificate holds for two more weeks',
    why: 'keys and campaigns travel on this connection, and callers stop at a certificate that has expired',
    fix: 'serve https with a certificate of the host name from a public authority, and renew it by a timer',
    run: async ({ base }) => {
      const { protocol, hostname, port } = new URL(base)
      if (protocol === 'http:') {
        return isLoopback(base)
          ? skipped('the agent is on this machine, where http does')
          : verdictOf([
              `${quotedValue(base)} is http: anyone on the network path can read the keys`,
            ])
      }
      const host = hostname.replace(/^\[|\]$/g, '')
      return verdictOf(faultsOf(await inspect(host, Number(port || 443)), Date.now()))
    },
  },
]

interface Inspected {
  /** Why the certificate cannot be trusted. */
  fault: string | undefined
  protocol: string
  /** Milliseconds. */
  validTo: number
}

const TIMEOUT_MS = 10_000
const SOON_MS = 14 * 24 * 60 * 60 * 1_000

/** What is wrong with an established connection. @internal */
export function faultsOf({ fault, protocol, validTo }: Inspected, now: number): string[] {
  const until = new Date(validTo).toISOString()
  if (validTo < now) return [`the certificate expired on ${until}`]
  return [
    ...(fault === undefined ? [] : [`the certificate is not trusted: ${quotedValue(fault)}`]),
    ...(validTo < now + SOON_MS ? [`the certificate expires on ${until}`] : []),
    ...(protocol === 'TLSv1' || protocol === 'TLSv1.1' ? [`the connection is ${protocol}`] : []),
  ]
}

/** Examines the certificate without trusting it; sends nothing. Rejects if there is no connection. @internal */
export function inspect(host: string, port: number, timeoutMs = TIMEOUT_MS): Promise<Inspected> {
  return new Promise((resolve, reject) => {
    // RFC 6066 §3: SNI carries names, not addresses.
    const servername = isIP(host) === 0 ? host : ''
    const options = { host, port, servername, rejectUnauthorized: false }
    const socket = connect(options, () => {
      const { valid_to }: PeerCertificate = socket.getPeerCertificate()
      const { authorizationError: error } = socket
      resolve({
        fault: error ? String((error as { code?: unknown }).code ?? error) : undefined,
        protocol: socket.getProtocol() ?? 'unknown',
        validTo: Date.parse(valid_to),
      })
      socket.destroy()
    })
    // The total timeout: a server that sends a byte now and then is not waited for either.
    const late = () => socket.destroy(new Error('no TLS handshake in time'))
    const timer = setTimeout(late, timeoutMs)
    socket.once('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection was closed before the TLS handshake had ended'))
    })
  })
}
