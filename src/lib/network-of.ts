// Whom an address stands for, where callers are told apart by it: an IPv4 address for itself, an IPv6 one
// for its network, since who has one address there mostly has all 2⁶⁴ of them.

import ipaddr from 'ipaddr.js'

/** The same text for addresses of one holder; what is no address stands for itself. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
