// The guard for hosts that the operator gave by IP address: these, and no others, may be private and use plain http.
// Addresses found elsewhere, such as a jwks_uri in a brand.json, go through the usual guard. So do host names, since
// their owners decide what they resolve to.

import { isIP } from 'node:net'
import { isUrl } from '../../lib/is-url.ts'
import { bareHost } from '../../lib/safe-fetch/check-url.ts'
import { createEgress, type Egress } from '../../lib/safe-fetch/safe-fetch.ts'

export type GuardedFetch = Pick<Egress, 'fetch' | 'close'>

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Requests to the addresses in `urls` pass; all others go through `usual`. */
export function allowNamed(urls: readonly string[], usual: Egress): GuardedFetch {
  const named = new Map<string, Egress>()
  for (const host of new Set(urls.map(hostOf))) {
    const allow = allowedBy(host)
    if (allow.length > 0) named.set(host, createEgress({ allow, allowHttp: true }))
  }
  return {
    fetch: (request) => (named.get(hostOf(request.url)) ?? usual).fetch(request),
    close: async () => {
      await Promise.all([usual, ...named.values()].map((egress) => egress.close()))
    },
  }
}

function allowedBy(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host]
  return host === 'localhost' ? LOOPBACK : []
}

function hostOf(url: string): string {
  return isUrl(url) ? bareHost(new URL(url)) : ''
}
