// How the requests of one call leave the server: through the guard, never following a redirect, and with a credential
// only for the agent's own origin, whatever other addresses its documents declare.

import type { EgressFailure } from '../lib/safe-fetch/outcome.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { HOPS_HEADER } from '../protocol/hops.ts'
import { type ClientFetch, type ClientRequest, kindOf, NoResponse } from '../transports/client.ts'
import { CALLER_LIMITS } from './limits.ts'

export interface BoundFetch {
  fetch: ClientFetch
  /** Why a request was not sent or its answer not followed; the first such reason. */
  fault(): FetchFault | undefined
}

/** `address`: the guard refused agent_url itself. `elsewhere`: it refused an address that the agent declares. */
export interface FetchFault {
  kind: 'address' | 'elsewhere'
  message: string
}

export interface BoundOptions {
  agentUrl: URL
  egressFor: (url: URL) => Pick<Egress, 'fetch'>
  /** The owner that connections and DNS lookups are counted for. */
  owner: string
  /** Servers that the call passed through before this one. */
  hops: number
  timeoutMs: number
}

const MAX_REQUESTS = CALLER_LIMITS.requests.value
const MAX_RESPONSE_BYTES = CALLER_LIMITS.responseBytes.value

/** Nesting levels that a transport adds around the answer itself. */
const ENVELOPE_LEVELS = 10
const RESPONSE_JSON = {
  maxDepth: CALLER_LIMITS.nesting.value + ENVELOPE_LEVELS,
  maxValues: CALLER_LIMITS.responseValues.value,
}

/** With these codes nothing was sent: the address itself is refused. */
const REFUSED: readonly EgressFailure[] = [
  ...(['invalid_url', 'scheme_refused', 'credentials_in_url', 'address_refused'] as const),
]

export function bindFetch(options: BoundOptions): BoundFetch {
  const { agentUrl, egressFor, owner, hops, timeoutMs } = options
  const until = performance.now() + timeoutMs
  let fault: FetchFault | undefined
  let sent = 0

  async function fetch(request: ClientRequest) {
    const url = new URL(request.url)
    const isOwn = url.origin === agentUrl.origin
    if (!isOwn && holdsCredential(request)) {
      fault ??= { kind: 'elsewhere', message: OTHER_ORIGIN }
      throw new Error(OTHER_ORIGIN)
    }
    sent += 1
    if (sent > MAX_REQUESTS) throw new Error(`the call took more than ${MAX_REQUESTS} requests`)
    const result = await egressFor(url).fetch({
      ...request,
      headers: { ...request.headers, [HOPS_HEADER]: String(hops + 1) },
      owner,
      redirects: 'none',
      maxBytes: MAX_RESPONSE_BYTES,
      json: RESPONSE_JSON,
      totalTimeoutMs: Math.max(1, Math.floor(until - performance.now())),
    })
    if (!result.ok) {
      const { code, message } = result
      if (REFUSED.includes(code)) fault ??= { kind: isOwn ? 'address' : 'elsewhere', message }
      // A response that could not be read the first time cannot be read the second time.
      throw new NoResponse(kindOf(code), message)
    }
    const isRedirect = result.status >= 300 && result.status < 400
    if (isRedirect) fault ??= { kind: 'elsewhere', message: REDIRECT }
    return { status: result.status, headers: result.headers, body: result.body }
  }

  return { fetch, fault: () => fault }
}

const OTHER_ORIGIN =
  'its endpoint is on another origin, and the key is sent only to the origin of agent_url'
const REDIRECT = 'it returned a redirect, and redirects are not followed'

const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization', 'signature']

function holdsCredential({ headers }: ClientRequest): boolean {
  return Object.keys(headers).some((name) => CREDENTIALS.includes(name.toLowerCase()))
}
