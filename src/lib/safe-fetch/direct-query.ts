// Queries the addresses of a name without the thread pool of the process, for the egress guard: first the hosts file,
// then DNS over its own sockets. getaddrinfo would hold one of four threads while a name server does not answer, and
// disk access needs the same threads.

import { Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { HOSTS_PATH, parseHosts, watchedFile } from './hosts-file.ts'
import { namesToAsk, parseResolvConf, RESOLV_CONF_PATH } from './search-list.ts'

/** The result of a query for a name. @internal */
export type QueryAnswer =
  /** `ttlMs`: how long it holds good. */
  | { kind: 'found'; addresses: readonly string[]; ttlMs: number }
  /** The name does not exist, or has no address. */
  | { kind: 'absent' }
  /** The name servers did not say. */
  | { kind: 'failed' }

/** Ends soon after the signal is aborted, with any result. Never rejects. */
export type Query = (host: string, signal: AbortSignal) => Promise<QueryAnswer>

export interface DirectQueryOptions {
  /** Name servers to query, as `1.2.3.4`, `1.2.3.4:53` or `[::1]:53`. Default those of the system. */
  servers?: readonly string[] | undefined
  /** Whether short names are looked up with the suffixes of the system. Default false. */
  usesSearchList?: boolean
  hostsPath?: string
  resolvConfPath?: string
}

const now = () => performance.now()

export function createDirectQuery(options: DirectQueryOptions = {}): Query {
  const { servers, usesSearchList = false } = options
  const hosts = watchedFile(options.hostsPath ?? HOSTS_PATH, now)
  const resolvConf = watchedFile(options.resolvConfPath ?? RESOLV_CONF_PATH, now)

  return async (host, signal) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    const known = hosts(parseHosts).get(name) ?? specialUse(name)
    if (known) return known.length === 0 ? ABSENT : { kind: 'found', addresses: known, ttlMs: 0 }
    const names = usesSearchList ? namesToAsk(host, resolvConf(parseResolvConf)) : [host]
    let answer: QueryAnswer = ABSENT
    for (const one of names) {
      answer = await askBoth(one, servers, signal)
      if (answer.kind !== 'absent' || signal.aborted) return answer
    }
    return answer
  }
}

const ABSENT: QueryAnswer = { kind: 'absent' }

/** Names that are never queried (RFC 6761, RFC 7686). */
function specialUse(name: string): readonly string[] | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (last === 'localhost') return ['127.0.0.1', '::1']
  return last === 'invalid' || last === 'onion' ? [] : undefined
}

/** Timeouts of the first try and its retries, in milliseconds: together they fit into the time of a query. */
const TRY_MS = 1_500
const TRIES = 2
/** How long to wait for the other address family once one has answered. */
const OTHER_FAMILY_MS = 300

/**
 * A separate resolver for each query: a hanging one shares neither its socket nor its server statistics with others.
 */
async function askBoth(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<QueryAnswer> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers && servers.length > 0) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  if (signal.aborted) return { kind: 'failed' }
  signal.addEventListener('abort', cancel, { once: true })
  let timer: NodeJS.Timeout | undefined
  const onFound = () => {
    timer ??= setTimeout(cancel, OTHER_FAMILY_MS)
  }
  try {
    const [v4, v6] = await Promise.all([
      settle(resolver.resolve4(name, { ttl: true }), onFound),
      settle(resolver.resolve6(name, { ttl: true }), onFound),
    ])
    return merge(v4, v6)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

interface Record {
  address: string
  ttl: number
}

type FamilyAnswer = readonly Record[] | 'absent' | 'failed'

async function settle(asking: Promise<Record[]>, onFound: () => void): Promise<FamilyAnswer> {
  try {
    const records = await asking
    if (records.length > 0) onFound()
    return records.length > 0 ? records : 'absent'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENODATA' || code === 'ENOTFOUND' ? 'absent' : 'failed'
  }
}

function merge(v4: FamilyAnswer, v6: FamilyAnswer): QueryAnswer {
  const families = hasGlobalIpv6() ? [v6, v4] : [v4, v6]
  const records = families.flatMap((one) => (typeof one === 'string' ? [] : one))
  if (records.length === 0) {
    return v4 === 'absent' && v6 === 'absent' ? ABSENT : { kind: 'failed' }
  }
  const ttlMs = 1_000 * Math.min(...records.map(({ ttl }) => ttl))
  return { kind: 'found', addresses: records.map(({ address }) => address), ttlMs }
}

/**
 * Whether IPv6 is usable from here (RFC 6724 §5, rule 1): a machine without it would waste its connection time on
 * addresses that it cannot reach.
 */
function hasGlobalIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(
      ({ family, internal, address }) =>
        family === 'IPv6' && !internal && !/^f[cde]/i.test(address),
    ),
  )
}
