// The address that a request without a key is counted against: the one it came from. A client with one IPv6 address
// has 2^64 of them, so those are counted by their /64. Behind a trusted proxy, the address is the last one that the
// proxies did not write themselves.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Called for every request, even for those that cost almost nothing. */
export type CallerAddress = (
  request: Pick<IncomingMessage, 'headers'> & {
    socket: { remoteAddress?: string | undefined }
  },
) => string

export function createCallerAddress(trustProxy: readonly string[]): CallerAddress {
  const trusted = trustProxy.map((range) =>
    range.includes('/')
      ? ipaddr.parseCIDR(range)
      : ([ipaddr.parse(range), range.includes(':') ? 128 : 32] as [Address, number]),
  )
  const isTrusted = (address: Address) =>
    trusted.some(
      ([range, bits]) => range.kind() === address.kind() && address.match([range, bits] as never),
    )
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? ''
    if (trusted.length === 0) return countedAs(peer)
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined) return countedAs(peer)
    return countedAs(lastUnknown([...String(forwarded).split(','), peer], isTrusted))
  }
}

/** Searches from the end for the first address that is not a proxy's; returns the very first if all are. */
function lastUnknown(chain: readonly string[], isTrusted: (address: Address) => boolean): string {
  let nearest = chain.at(-1) as string
  for (const one of chain.toReversed()) {
    const address = parse(one.trim())
    // A value that is not an address was written by an untrusted party.
    if (!address) return nearest
    nearest = address.toString()
    if (!isTrusted(address)) return nearest
  }
  return nearest
}

const MAPPED = '::ffff:'

/** An IPv4 address unchanged, an IPv6 address as its /64. @internal */
export function countedAs(address: string): string {
  if (!address.includes(':')) return address
  if (address.startsWith(MAPPED) && address.includes('.')) return address.slice(MAPPED.length)
  const parsed = parse(address)
  if (parsed?.kind() !== 'ipv6') return parsed?.toString() ?? address
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** A zone does not distinguish callers. */
function parse(text: string): Address | undefined {
  const [bare = ''] = text.split('%')
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}
