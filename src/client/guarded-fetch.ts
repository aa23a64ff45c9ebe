// The default client for a caller's requests: through the guard, to public addresses by https, and to the networks
// that it allows. No redirect is followed.

import { createEgress } from '../lib/safe-fetch/safe-fetch.ts'
import { type ClientFetch, throughEgress } from '../transports/client.ts'

const THIS_MACHINE = ['127.0.0.0/8', '::1/128']

export interface GuardedFetch {
  fetch: ClientFetch
  close(): Promise<void>
}

/** Throws a TypeError for an invalid CIDR. */
export function guardedFetch(allowPrivate: boolean | readonly string[] = false): GuardedFetch {
  const allow =
    typeof allowPrivate === 'boolean' ? (allowPrivate ? THIS_MACHINE : []) : allowPrivate
  const egress = createEgress({ allow, allowHttp: allow.length > 0 })
  return { fetch: throughEgress(egress), close: () => egress.close() }
}
