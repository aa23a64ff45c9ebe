import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAddress, isPublic, parseAllowList } from '../../../src/lib/safe-fetch/addresses.ts'
import {
  dotted,
  REFUSED_IPV4_RANGES,
  refusedEmbeddedIpv6,
  refusedIpv4,
  refusedIpv4Host,
  refusedIpv6,
} from './spellings.ts'

describe('isPublic', () => {
  test('egress: no IPv4 address of a special-purpose range is public', () => {
    fc.assert(fc.property(refusedIpv4, (address) => !isPublic(dotted(address))))
  })

  test('egress: the first and the last address of every refused range are not public', () => {
    for (const [base, bits] of REFUSED_IPV4_RANGES) {
      const first = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
      const last = first + 2 ** (32 - bits) - 1
      expect([base, isPublic(dotted(first)), isPublic(dotted(last))]).toEqual([base, false, false])
    }
  })

  test('egress: the addresses just outside the private ranges are public', () => {
    const outside = [
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '168.63.129.15',
      '168.63.129.17',
      '8.8.8.8',
    ]
    expect(outside.filter((address) => !isPublic(address))).toEqual([])
  })

  test('egress: a spelling that is not canonical is never public, whatever it means', () => {
    fc.assert(fc.property(refusedIpv4Host(), (text) => !isPublic(text)))
    for (const text of [
      '8.8',
      '0x8.8.8.8',
      '010.8.8.8',
      '134744072',
      '',
      ' 8.8.8.8',
      '8.8.8.8\n',
    ]) {
      expect([text, isPublic(text)]).toEqual([text, false])
    }
  })

  test('egress: a private IPv4 address inside an IPv6 address is not public', () => {
    fc.assert(fc.property(refusedEmbeddedIpv6, (text) => !isPublic(text)))
  })

  test('egress: no IPv6 address of a special-purpose range is public', () => {
    fc.assert(fc.property(refusedIpv6, (text) => !isPublic(text)))
    expect(['::', '::1', '2001:db8::1', 'fd00:ec2::254'].filter(isPublic)).toEqual([])
  })

  test('egress: an address with a zone id is not public', () => {
    expect(['fe80::1%eth0', '2600::1%eth0', '::1%1'].filter(isPublic)).toEqual([])
  })

  test('egress: global unicast IPv6 addresses are public, mapped and translated IPv4 included', () => {
    const open = [
      '2606:4700::1111',
      '2a00:1450::1',
      '2001:4860::8888',
      '2400:cb00::1',
      '2620:fe::fe',
    ]
    const carried = ['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8']
    expect([...open, ...carried].filter((address) => !isPublic(address))).toEqual([])
  })

  test('egress: 6to4 and IPv4-compatible addresses are refused even around a public address', () => {
    expect(['2002:808:808::1', '::8.8.8.8', '2001:0:808:808::1'].filter(isPublic)).toEqual([])
  })
})

describe('judgeAddress', () => {
  test('egress: an allowed IPv4 range also covers the mapped form, in either direction', () => {
    const plain = parseAllowList(['127.0.0.0/8'])
    const mapped = parseAllowList(['::ffff:127.0.0.0/104'])
    for (const allow of [plain, mapped]) {
      for (const text of ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
        expect(checkAddress(text, allow)).toEqual({ verdict: 'allowed', address: '127.0.0.1' })
      }
    }
  })

  test('egress: an allow list opens nothing beside its ranges', () => {
    const allow = parseAllowList(['10.1.0.0/16', '::1', 'fd00:1::/32'])
    const verdict = (text: string) => checkAddress(text, allow).verdict
    expect(['10.1.2.3', '::1', 'fd00:1::9'].map(verdict)).toEqual(Array(3).fill('allowed'))
    expect(['10.2.0.1', '::2', 'fd00:2::9', '64:ff9b::a01:1'].map(verdict)).toEqual(
      Array(4).fill('refused'),
    )
    expect(verdict('8.8.8.8')).toBe('public')
  })

  test('egress: a metadata address is reached only when the allow list names it', () => {
    const allow = parseAllowList(['169.254.169.254/32', '168.63.129.16'])
    expect(checkAddress('169.254.169.254', allow).verdict).toBe('allowed')
    expect(checkAddress('168.63.129.16', allow).verdict).toBe('allowed')
    expect(checkAddress('169.254.169.253', allow).verdict).toBe('refused')
  })
})

describe('parseAllowList', () => {
  test('egress: an entry that is no CIDR is a TypeError that names it', () => {
    const bad = ['10/8', '10.0.0.0/33', '::1/129', '10.0.0.0/-1', '10.0.0.0/8/8', 'localhost', '']
    for (const entry of [...bad, '010.0.0.0/8', 'fe80::1%eth0/64', '10.0.0.0/']) {
      expect(() => parseAllowList([entry])).toThrow(TypeError)
    }
    expect(() => parseAllowList(['10/8'])).toThrow('"10/8"')
  })
})
