// Every way to write an address that must not be reached, as fast-check arbitraries.

import fc from 'fast-check'

/** IPv4 ranges that are not public: base and prefix length. */
export const REFUSED_IPV4_RANGES: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['100.100.100.200', 32],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['169.254.169.254', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
]

/** An IPv4 address, as a number, from one of the ranges that are not public. */
export const refusedIpv4 = fc
  .tuple(fc.constantFrom(...REFUSED_IPV4_RANGES), fc.nat({ max: 0xffffffff }))
  .map(([[base, bits], random]) => {
    const hostMask = 2 ** (32 - bits) - 1
    return toNumber(base) + (random % (hostMask + 1))
  })

/** A refused IPv4 address in some spelling a URL's host may have. */
export function refusedIpv4Host(): fc.Arbitrary<string> {
  return fc
    .tuple(
      refusedIpv4,
      fc.constantFrom(...IPV4_SPELLINGS),
      fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
    )
    .map(([address, spell, choices]) => {
      let used = 0
      return spell(address, () => choices[used++ % choices.length] ?? 0)
    })
}

/** A refused IPv4 address carried inside an IPv6 address. */
export const refusedEmbeddedIpv6 = fc
  .tuple(
    refusedIpv4,
    fc.constantFrom('::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '2002:', '::ffff:0:'),
    fc.boolean(),
  )
  .map(([address, prefix, isDotted]) => {
    const groups = `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`
    if (prefix === '2002:') return `2002:${groups}::1`
    return `${prefix}${isDotted ? dotted(address) : groups}`
  })

/** An IPv6 address of a range that is not public. */
export const refusedIpv6 = fc
  .tuple(
    fc.constantFrom(
      'fc00',
      'fd12',
      'fd00:ec2',
      'fe80',
      'febf',
      'fec0',
      'ff02',
      'ff0e',
      '2001:0',
      '2001:2',
      '2001:1ff',
      '2001:db8',
      '2002:808',
      '3fff',
      '3fff:fff',
      '100',
      '5f00',
      '4000',
      '1fff',
      '64:ff9b:1',
      '0',
      '8000',
      '2620:4f:8000',
    ),
    fc.nat({ max: 0xffff }),
    fc.boolean(),
  )
  .map(([prefix, tail, isUpper]) => {
    const text = `${prefix}::${tail.toString(16)}`
    return isUpper ? text.toUpperCase() : text
  })

export function dotted(address: number): string {
  return octets(address).join('.')
}

function octets(address: number): number[] {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff)
}

function toNumber(text: string): number {
  return text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

type Spell = (address: number, next: () => number) => string

const IPV4_SPELLINGS: readonly Spell[] = [
  dotted,
  (address) => `${dotted(address)}.`,
  (address) => String(address),
  (address) => `0x${address.toString(16)}`,
  (address) => `0X${address.toString(16).toUpperCase()}`,
  (address) => `0${address.toString(8)}`,
  (address) =>
    octets(address)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
  (address) =>
    octets(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
  (address) =>
    octets(address)
      .map((part) => `000${part.toString(8)}`)
      .join('.'),
  (address, next) =>
    octets(address)
      .map((part) => inSomeBase(part, next()))
      .join('.'),
  (address) => `${address >>> 24}.${address & 0xffffff}`,
  (address) => `${address >>> 24}.${(address >>> 16) & 0xff}.${address & 0xffff}`,
  (address, next) =>
    `${inSomeBase(address >>> 24, next())}.${inSomeBase(address & 0xffffff, next())}`,
  (address) => fullWidth(dotted(address)),
  (address) => dotted(address).replaceAll('.', '\u3002'),
  (address) => dotted(address).replaceAll('.', '\uff0e'),
  (address) => percentEncoded(dotted(address)),
  (address, next) => mixed(dotted(address), next),
  (address) => `${dotted(address).slice(0, 1)}\u00ad${dotted(address).slice(1)}`,
]

function inSomeBase(part: number, choice: number): string {
  const forms = [String(part), `0x${part.toString(16)}`, `0${part.toString(8)}`]
  return forms[choice % forms.length] ?? String(part)
}

function fullWidth(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
}

function percentEncoded(text: string): string {
  return [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
}

function mixed(text: string, next: () => number): string {
  const ways = [(char: string) => char, percentEncoded, fullWidth]
  return [...text].map((char) => ways[next() % ways.length]?.(char) ?? char).join('')
}
