// How a command reaches an address that its user typed: through the egress guard, with what the settings allow, and
// with private networks if the user allows them.

import type { Config } from '../app/config.ts'
import { isUrl } from '../lib/is-url.ts'
import { createEgress, type Egress } from '../lib/safe-fetch/safe-fetch.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']
const PRIVATE = [
  ...LOOPBACK,
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
]

export const ALLOW_PRIVATE = [
  '--allow-private',
  'allow private addresses, and plain http to them, such as this machine and your network',
] as const

export interface Reach {
  /** All networks of one's own. */
  allowPrivate?: boolean | undefined
  /** This machine: users who type its address do so on purpose. */
  allowLoopback?: boolean | undefined
}

export function openEgress(
  config: Pick<Config, 'egressAllow' | 'egressAllowHttp' | 'dns' | 'dnsServers'>,
  { allowPrivate = false, allowLoopback = false }: Reach,
): Egress {
  const more = allowPrivate ? PRIVATE : allowLoopback ? LOOPBACK : []
  return createEgress({
    allow: [...config.egressAllow, ...more],
    allowHttp: config.egressAllowHttp || more.length > 0,
    dns: config.dns,
    dnsServers: config.dnsServers,
  })
}

/** Whether the text of a URL refers to this machine. */
export function isLoopbackUrl(url: string): boolean {
  if (!isUrl(url)) return false
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}
