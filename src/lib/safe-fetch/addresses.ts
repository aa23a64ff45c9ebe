// Which IP addresses the server may connect to, for the egress guard. Public means outside every
// range of the IANA special-purpose registries (RFC 6890); the operator's allow list adds to it.

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** Ranges that may be reached although they are not public. */
export type AllowList = readonly Range[]

export type Verdict =
  | { verdict: 'public' | 'allowed'; address: string }
  | { verdict: 'refused'; address: null }

const REFUSED: Verdict = { verdict: 'refused', address: null }

/**
 * Checks one address in its canonical spelling and returns the form to connect to. Anything else is refused: a zone
 * id, an octal or short IPv4 form, text that is not an address.
 */
export function checkAddress(text: string, allow: AllowList): Verdict {
  const address = parseAddress(text)
  if (address === null) return REFUSED
  if (isWithin(address, allow)) return { verdict: 'allowed', address: address.toString() }
  if (isPublicAddress(address)) return { verdict: 'public', address: address.toString() }
  return REFUSED
}

/** True if anyone on the internet could reach the address. @internal */
export function isPublic(text: string): boolean {
  return checkAddress(text, []).verdict === 'public'
}

/** Reads CIDRs or single addresses; throws a TypeError for anything else. */
export function parseAllowList(entries: readonly string[]): AllowList {
  return entries.map((entry) => {
    const range = parseRange(entry)
    if (range !== null) return range
    throw new TypeError(
      `egress allow entry ${JSON.stringify(entry)} is not a CIDR such as 10.0.0.0/8`,
    )
  })
}

/** True if a loopback address is in the allow list, so that the name localhost can be useful. */
export function mayReachLoopback(allow: AllowList): boolean {
  return allow.some((range) => LOOPBACK.some((loopback) => isOverlap(range, loopback)))
}

function parseAddress(text: string): Address | null {
  const address = parseCanonical(text)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    return address.toIPv4Address()
  }
  return address
}

/** Parses only addresses with an unambiguous meaning: no zone id, no octal, hex or short IPv4 form. */
function parseCanonical(text: string): Address | null {
  const family = text.includes('%') ? 0 : isIP(text)
  if (family === 4) return ipaddr.IPv4.parse(text)
  // Converted to hexadecimal first, since the parser treats the dotted form of ::a.b.c.d as IPv4-mapped.
  if (family === 6) return ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1))
  return null
}

function parseRange(entry: string): Range | null {
  const [text = '', bitsText, ...rest] = entry.split('/')
  const base = parseCanonical(text)
  if (base === null || rest.length > 0) return null
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return null
  const width = base.kind() === 'ipv4' ? 32 : 128
  const bits = bitsText === undefined ? width : Number(bitsText)
  if (bits > width) return null
  // IPv4-mapped addresses are checked in IPv4 form, so ranges are kept in that form.
  if (base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96) {
    return [base.toIPv4Address(), bits - 96]
  }
  return [base, bits]
}

function isWithin(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

function isOverlap(one: Range, other: Range): boolean {
  return isWithin(one[0], [other]) || isWithin(other[0], [one])
}

function isPublicAddress(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return !isWithin(address, REFUSED_IPV4)
  if (isWithin(address, NAT64)) return isPublicAddress(embeddedIpv4(address))
  return isWithin(address, GLOBAL_UNICAST) && !isWithin(address, REFUSED_IPV6)
}

/** The IPv4 address in the last 32 bits, where RFC 6052 places it for the well-known prefix. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

const LOOPBACK = parseAllowList(['127.0.0.0/8', '::1/128'])

const REFUSED_IPV4 = parseAllowList([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; includes Alibaba's metadata address
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's transport server: public according to the registry, but actually internal
  '169.254.0.0/16', // link-local; includes the cloud metadata address
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
])

// Unique local, link-local, site-local, multicast, IPv4-compatible, discard-only and segment routing addresses are
// all outside the only global unicast block.
const GLOBAL_UNICAST = parseAllowList(['2000::/3'])

const NAT64 = parseAllowList(['64:ff9b::/96'])

const REFUSED_IPV6 = parseAllowList([
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which would tunnel to an embedded IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])
