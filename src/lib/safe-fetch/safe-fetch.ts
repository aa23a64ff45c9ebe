// The only way for requests to leave the server. Every URL from outside is requested here: checked, resolved once,
// connected to a checked address, and read within limits of time and size.

import { defined } from '../defined.ts'
import type { JsonMeterLimits } from '../json-meter.ts'
import { type AllowList, parseAllowList } from './addresses.ts'
import { checkUrl, type UrlPolicy } from './check-url.ts'
import { type Connections, createConnections } from './connections.ts'
import { type ExchangeOutcome, type ExchangeRequest, exchange } from './exchange.ts'
import { followRedirect, headersFor, redirectOf } from './follow-redirect.ts'
import { type EgressResult, type Refusal, refuse, type UrlCheck } from './outcome.ts'
import { type PreparedRequest, prepareRequest } from './prepare-request.ts'
import { type RequestClock, startRequestClock } from './request-clock.ts'
import { type AddressFinder, createAddressFinder } from './resolve.ts'

export type { EgressResult, UrlCheck } from './outcome.ts'

export interface EgressOptions {
  /** CIDRs that may be reached although they are not public. Default none. */
  allow?: readonly string[]
  /** Permit http: for addresses inside `allow`. Default false. */
  allowHttp?: boolean
  /** Resolves a host name to all of its addresses. Default as set by `dns`. */
  resolve?: (host: string) => Promise<readonly string[]>
  /**
   * `direct` reads the hosts file and queries name servers on its own sockets. `system` uses getaddrinfo, which also
   * resolves names from the system's own modules, but takes a pool thread for each: two at once, one per owner.
   * Default direct.
   */
  dns?: 'direct' | 'system'
  /** Name servers for `direct`: `1.2.3.4`, `1.2.3.4:53` or `[::1]:53`. Default those of the system. */
  dnsServers?: readonly string[]
  /** Timeout of resolving a name, in milliseconds. Default 5000. */
  dnsTimeoutMs?: number
  /** Timeout of one connection, TLS included, in milliseconds. Default 10000. */
  connectTimeoutMs?: number
  /** Certificates (PEM) trusted in addition to the built-in ones. Default none. */
  ca?: string
  /** The default user-agent header of requests. Default adwire. */
  userAgent?: string
}

export interface EgressRequest {
  /** An absolute URL. */
  url: string
  /** Default GET. */
  method?: string
  /** Host, framing and connection headers are set by the guard and refused here. Default none. */
  headers?: Record<string, string>
  /** Sent unchanged, with its content-length. Default none. */
  body?: Uint8Array | string
  /**
   * The owner of the request: the number of concurrent name lookups is limited for each owner, and connections are
   * not shared between owners. Default the server itself, whose lookups wait only for other lookups of the same host.
   */
  owner?: string
  /** From the DNS query to the last byte, excluding waits in our own queues, in milliseconds. Default 15000. */
  totalTimeoutMs?: number
  /** Maximum wait for a slot to resolve a name, in milliseconds; after that `busy`. Default 5000. */
  queueTimeoutMs?: number
  /** Maximum number of decoded response bytes. Default 65536. */
  maxBytes?: number
  /**
   * Whether a larger response fails with `too_large` and an undecodable one with `decode_failed`, or both are
   * truncated, at `maxBytes` and where decoding failed. Default fail.
   */
  overflow?: 'fail' | 'truncate'
  /**
   * The limits of the response as JSON, counted while it arrives: one that is nested deeper or holds more values is
   * `too_large`, before anything is parsed. Default: no limit.
   */
  json?: JsonMeterLimits
  /** Whether a GET follows up to 3 redirects within its site; otherwise a 3xx is the response. */
  redirects?: 'none' | 'same-site'
  /** Aborts the request with `aborted`. Default none. */
  signal?: AbortSignal
}

export interface Egress {
  /**
   * Sends one request at most once per hop and never re-sends it.
   * Rejects only with a TypeError, for a malformed method, header or limit.
   */
  fetch(request: EgressRequest): Promise<EgressResult>
  /** Checks a URL by its text alone; `fetch` may still refuse what it resolves to. */
  checkUrl(url: string): UrlCheck
  /** Lets current requests finish and closes the sockets; later requests are `aborted`. */
  close(): Promise<void>
}

/** Throws a TypeError if an entry of `allow` is not a CIDR. */
export function createEgress(options: EgressOptions = {}): Egress {
  const allow: AllowList = parseAllowList(options.allow ?? [])
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000
  const parts: Parts = {
    policy: { allow, allowHttp: options.allowHttp ?? false },
    finder: createAddressFinder({
      allow,
      resolve: options.resolve,
      dns: options.dns,
      servers: options.dnsServers,
      timeoutMs: options.dnsTimeoutMs ?? 5_000,
    }),
    connections: createConnections({ connectTimeoutMs, ca: options.ca }),
    connectTimeoutMs,
  }
  const userAgent = options.userAgent ?? 'adwire'
  const underWay = new Set<Promise<EgressResult>>()

  const send = async (request: EgressRequest): Promise<EgressResult> => {
    const prepared = prepareRequest(request, userAgent)
    // Before the clock: the first request may take its whole time.
    await parts.connections.load()
    const clock = startRequestClock(prepared.totalTimeoutMs, request.signal)
    try {
      const answer = await followHops(toJob(request, prepared, clock), parts)
      const isCut = !answer.ok && clock.signal.aborted
      const result: FinalAnswer = isCut ? clock.signal.reason : answer
      return { ...result, durationMs: clock.elapsedMs() }
    } finally {
      clock.stop()
    }
  }

  return {
    fetch: async (request) => {
      const sent = send(request)
      underWay.add(sent)
      try {
        return await sent
      } finally {
        underWay.delete(sent)
      }
    },
    checkUrl: (url) => checkUrl(url, parts.policy),
    close: async () => {
      parts.finder.close()
      await parts.connections.close(Promise.allSettled(underWay))
    },
  }
}

interface Parts {
  policy: UrlPolicy
  finder: AddressFinder
  connections: Connections
  connectTimeoutMs: number
}

interface Job extends PreparedRequest {
  url: string
  overflow: 'fail' | 'truncate'
  json: JsonMeterLimits | undefined
  mayFollow: boolean
  owner: string
  clock: RequestClock
}

type Answer = (ExchangeOutcome & { ok: true }) | Refusal
type FinalAnswer = (ExchangeOutcome & { ok: true; url: string }) | Refusal

const MAX_REDIRECTS = 3

function toJob(request: EgressRequest, prepared: PreparedRequest, clock: RequestClock): Job {
  return {
    ...prepared,
    url: request.url,
    overflow: request.overflow ?? 'fail',
    json: request.json,
    mayFollow: request.redirects === 'same-site' && prepared.method === 'GET',
    owner: request.owner ?? '',
    clock,
  }
}

async function followHops(job: Job, parts: Parts): Promise<FinalAnswer> {
  let { url: text, headers } = job
  for (let hop = 0; ; hop++) {
    const checked = checkUrl(text, parts.policy)
    if (!checked.ok) return checked
    const { url } = checked
    const answer = await sendTo(url, { ...job, headers }, parts)
    if (!answer.ok) return answer
    const location = job.mayFollow ? redirectOf(answer.status, answer.headers) : undefined
    if (location === undefined) return { ...answer, url: url.href }

    if (hop === MAX_REDIRECTS) {
      return refuse('redirect_refused', `more than ${MAX_REDIRECTS} redirects in a row`)
    }
    const next = followRedirect(url, location)
    if (!next.ok) return next
    headers = headersFor(headers, url, next.url)
    text = next.url.href
  }
}

/** Resolves and sends; the next checked address is tried only if no connection was established. */
async function sendTo(url: URL, job: Job, parts: Parts): Promise<Answer> {
  const closed = refuse('aborted', 'the egress is closed or the request was aborted')
  const { owner, queueTimeoutMs: waitMs } = job
  const { signal, onWait } = job.clock
  if (signal.aborted) return closed
  const found = await parts.finder.find(url, { owner, waitMs, signal, onWait })
  if (!found.ok) return found

  const request = toExchangeRequest(url, job)
  const startedMs = performance.now()
  let failure = closed
  for (const address of found.addresses) {
    const dispatcher = parts.connections.to(url, address, owner)
    if (dispatcher === null || signal.aborted) return closed
    const outcome = await exchange(dispatcher, request)
    if (outcome.ok) return outcome
    const { certificate } = outcome
    failure = { ...refuse(outcome.code, outcome.message), ...defined({ certificate }) }
    const isSpent = performance.now() - startedMs >= parts.connectTimeoutMs
    if (!outcome.isUnsent || isSpent) return failure
  }
  return failure
}

function toExchangeRequest(url: URL, job: Job): ExchangeRequest {
  return {
    method: job.method,
    path: `${url.pathname}${url.search}`,
    headers: job.headers,
    body: job.body,
    maxBytes: job.maxBytes,
    overflow: job.overflow,
    json: job.json,
    isHeadEnough: (status, headers) => job.mayFollow && redirectOf(status, headers) !== undefined,
    signal: job.clock.signal,
  }
}
