// Whether one click opens the console of a demo: on the machine that runs it, or for everyone if the operator allows
// it. The host name of the request is checked too, since a foreign name may resolve to this machine (DNS rebinding),
// and a page served under that name would have the same origin.

import { isIPv4 } from 'node:net'
import { isUrl } from '../../lib/is-url.ts'
import type { Config } from '../config.ts'

export function offersDemo(
  { demo, consoleDemo, host }: Pick<Config, 'demo' | 'consoleDemo' | 'host'>,
  publicUrl: () => string,
): (hostHeader: string | undefined) => boolean {
  return (hostHeader) => {
    if (!demo) return false
    if (consoleDemo) return true
    if (!isLoopback(host)) return false
    const url = `http://${hostHeader}`
    if (hostHeader === undefined || !isUrl(url)) return false
    const { hostname } = new URL(url)
    return isLoopback(hostname) || hostname === new URL(publicUrl()).hostname
  }
}

function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}
