// Hosts at a different address than DNS says, like an operator's hosts file but with a port: for machines that test
// on loopback, and networks where a host has no name or certificate yet.

import { fetchHops } from './fetch-hops.ts'
import { normaliseHost } from './host-name.ts'
import { isUrl } from './is-url.ts'
import type { Egress, EgressRequest, EgressResult } from './safe-fetch/safe-fetch.ts'

/** The base URL that replaces `https://<host>`; undefined for a host that is resolved by DNS as usual. */
export type HostMap = (host: string) => string | undefined

/**
 * Sends requests for `https://<host>/path` of a mapped host to `<base>/path`. The guard checks both: the original
 * URL by its text, and the destination by its address. Other ports are not mapped.
 */
export function withHosts(egress: Egress, baseOf: HostMap): Egress {
  const fetch = async (request: EgressRequest): Promise<EgressResult> => {
    const base = mappedBase(request.url, baseOf)
    const given = base === undefined ? undefined : egress.checkUrl(request.url)
    if (base === undefined || !given?.ok) return egress.fetch(request)
    if (request.redirects === 'same-site' && (request.method ?? 'GET') === 'GET') {
      // Redirects are between the names, not between the mapped base URLs.
      return fetchHops(fetch, { ...request, totalTimeoutMs: request.totalTimeoutMs ?? 15_000 })
    }
    const { pathname, search } = given.url
    const result = await egress.fetch({ ...request, url: `${base}${pathname}${search}` })
    return result.ok ? { ...result, url: given.url.href } : result
  }
  return { ...egress, fetch }
}

function mappedBase(url: string, baseOf: HostMap): string | undefined {
  if (!isUrl(url)) return undefined
  const { protocol, hostname, port } = new URL(url)
  const host = normaliseHost(hostname)
  if (protocol !== 'https:' || port !== '' || !host.ok) return undefined
  return baseOf(host.domain)?.replace(/\/$/, '')
}

const ENTRY = /^((?:\*\.)?[^=*]+)=(https?:\/\/.+)$/

/** The error in a host map entry, or undefined. */
export function hostMapFault(entry: string): string | undefined {
  const [, name, base] = ENTRY.exec(entry) ?? []
  const isRight =
    name !== undefined &&
    base !== undefined &&
    nameFault(name) === undefined &&
    isUrl(base.replaceAll('{host}', 'host'))
  return isRight ? undefined : 'is not such as acme.example=http://127.0.0.1:9000'
}

/**
 * Entries are `name=base` or `*.name=base`, where `{host}` in the base is the requested host. An exact name takes
 * precedence over a wildcard, and a longer wildcard over a shorter one.
 */
export function parseHostMap(entries: readonly string[]): HostMap {
  const bases = new Map<string, string>()
  for (const entry of entries) {
    const [, name, base] = ENTRY.exec(entry) ?? []
    if (name !== undefined && base !== undefined) bases.set(name.toLowerCase(), base)
  }
  return (host) => {
    if (bases.size === 0) return undefined
    let base = bases.get(host)
    for (let dot = host.indexOf('.'); base === undefined && dot >= 0; ) {
      base = bases.get(`*${host.slice(dot)}`)
      dot = host.indexOf('.', dot + 1)
    }
    return base?.replaceAll('{host}', host)
  }
}

function nameFault(name: string): string | undefined {
  // A wildcard may precede a single label, which is not a host name on its own.
  const host = name.startsWith('*.') ? `host.${name.slice(2)}` : name
  const named = normaliseHost(host)
  return named.ok && named.domain === host.toLowerCase() ? undefined : 'is not a host name'
}
